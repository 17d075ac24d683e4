import { type Kysely, type Migration, sql } from 'kysely';

/** Tables whose rows name the user who created them. The rows stay when the user is deleted. */
const AUTHORED_TABLES = [
  'datasets',
  'dataset_versions',
  'dataset_splits',
  'dataset_labels',
  'experiments',
  'experiment_tags',
  'prompt_versions',
  'prompt_version_tags',
  'evaluators',
  'dataset_evaluators',
  'generative_model_custom_providers',
  'saved_views',
] as const;

export const migration0014: Migration = {
  async up(db: Kysely<unknown>) {
    await createUsers(db);
    await createUserIdentities(db);
    await createGroups(db);
    await createCredentials(db);
    await createAuthorizationServer(db);
    await createProjectAccess(db);
    await createCredentialChanges(db);
    await createGroupChanges(db);
    await createSecretsAndAudit(db);
    for (const table of AUTHORED_TABLES) {
      await sql`alter table ${sql.table(table)} add column user_id bigint references users (id) on delete set null`.execute(
        db,
      );
      // For the deletion of a user, which searches for references.
      await sql`create index ${sql.ref(`${table}_user_id_index`)} on ${sql.table(table)} (user_id)`.execute(db);
    }
  },
};

async function createUsers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table users (
      id bigint generated always as identity primary key,
      role text not null check (role in ('SYSTEM', 'ADMIN', 'MEMBER', 'VIEWER')),
      username text not null unique,
      email text unique check (email = lower(email)),
      profile_picture_url text,
      auth_method text not null check (auth_method in ('LOCAL', 'OAUTH2', 'LDAP')),
      -- The text form of argon2id, with its parameters and salt.
      password_hash text,
      password_needs_reset boolean not null default false,
      -- True while the password is the initial one that anyone can look up; it counts from loopback only.
      has_default_password boolean not null default false,
      oidc_issuer text,
      oauth2_client_id text,
      oauth2_user_id text,
      ldap_unique_id text,
      -- Names as the identity provider sent them over SCIM. Null for an account that it has not sent.
      scim_external_id text unique,
      display_name text,
      given_name text,
      family_name text,
      -- True once SCIM has created or changed the account. Then a sign-in with its email may link it.
      is_provisioned boolean not null default false,
      is_active boolean not null default true,
      -- Groups that the identity provider named at the last sign-in.
      user_groups text[] not null default '{}',
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now(),
      check ((auth_method = 'LOCAL') = (password_hash is not null)),
      check (auth_method = 'OAUTH2' or (oauth2_client_id is null and oauth2_user_id is null and oidc_issuer is null)),
      check (auth_method = 'LDAP' or (ldap_unique_id is null and email is not null)),
      check (auth_method <> 'LDAP' or email is not null or ldap_unique_id is not null)
    )`.execute(db);
  await sql`create unique index users_oauth2_index on users (oauth2_client_id, oauth2_user_id, coalesce(oidc_issuer, ''))
    where oauth2_user_id is not null`.execute(db);
  await sql`create unique index users_ldap_index on users (lower(ldap_unique_id))`.execute(db);
  await sql`
    create table sign_in_failures (
      -- The email or name that was entered, in lower case; an account need not exist.
      account text primary key,
      failure_count integer not null,
      locked_until timestamptz,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`
    create table sent_mails (
      kind text not null,
      recipient text not null,
      sent_at timestamptz not null,
      primary key (kind, recipient)
    )`.execute(db);
  await sql`create index sign_in_failures_updated_at_index on sign_in_failures (updated_at)`.execute(db);
}

/** Groups of users, as the identity provider sends them over SCIM. */
async function createGroups(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table scim_groups (
      id bigint generated always as identity primary key,
      display_name text not null,
      scim_external_id text unique,
      created_at timestamptz not null default now(),
      updated_at timestamptz not null default now()
    )`.execute(db);
  // Rights refer to the name, so two groups must not differ by case alone.
  await sql`create unique index scim_groups_display_name_index on scim_groups (lower(display_name))`.execute(db);
  await sql`
    create table scim_group_members (
      group_id bigint not null references scim_groups (id) on delete cascade,
      user_id bigint not null references users (id) on delete cascade,
      primary key (group_id, user_id)
    )`.execute(db);
  await sql`create index scim_group_members_user_id_index on scim_group_members (user_id)`.execute(db);
  await sql`create index users_lower_username_index on users (lower(username))`.execute(db);
}

/** Identities that users have linked to their accounts, in addition to the one by which the account was created. */
async function createUserIdentities(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table user_identities (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id) on delete cascade,
      -- Name in the settings.
      provider text not null,
      issuer text not null,
      subject text not null,
      -- As the provider named it at the link, for people to recognize.
      email text not null,
      created_at timestamptz not null default now(),
      unique (issuer, subject)
    )`.execute(db);
  await sql`create index user_identities_user_id_index on user_identities (user_id)`.execute(db);
}

/** The database has only the SHA-256 of each token and key. */
async function createCredentials(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table sessions (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id) on delete cascade,
      oauth2_grant_id bigint,
      created_at timestamptz not null default now(),
      last_used_at timestamptz not null default now(),
      expires_at timestamptz not null,
      remote_address text,
      user_agent text
    )`.execute(db);
  await sql`create index sessions_user_id_index on sessions (user_id)`.execute(db);
  await sql`create index sessions_oauth2_grant_id_index on sessions (oauth2_grant_id)`.execute(db);
  await sql`create index sessions_expires_at_index on sessions (expires_at)`.execute(db);
  for (const name of ['refresh_tokens', 'access_tokens']) {
    await sql`
      create table ${sql.table(name)} (
        id bigint generated by default as identity primary key,
        session_id bigint not null references sessions (id) on delete cascade,
        hash bytea not null unique check (octet_length(hash) = 32),
        created_at timestamptz not null default now(),
        expires_at timestamptz not null,
        consumed_at timestamptz
      )`.execute(db);
    await sql`create index ${sql.ref(`${name}_session_id_index`)} on ${sql.table(name)} (session_id)`.execute(db);
    await sql`create index ${sql.ref(`${name}_expires_at_index`)} on ${sql.table(name)} (expires_at)`.execute(db);
  }
  await sql`
    create table password_reset_tokens (
      id bigint generated by default as identity primary key,
      user_id bigint not null unique references users (id) on delete cascade,
      hash bytea not null unique check (octet_length(hash) = 32),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null
    )`.execute(db);
  await sql`
    create table api_keys (
      id bigint generated by default as identity primary key,
      user_id bigint not null references users (id) on delete cascade,
      hash bytea not null unique check (octet_length(hash) = 32),
      name text not null,
      description text,
      last_characters text not null,
      scope text not null default 'ALL' check (scope in ('ALL', 'READ', 'SEND', 'SCIM')),
      -- Names of the only projects that the key reaches; null for all of its owner. They need not exist.
      projects text[] check (cardinality(projects) > 0),
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      last_used_at timestamptz
    )`.execute(db);
  await sql`create index api_keys_user_id_index on api_keys (user_id)`.execute(db);
}

async function createAuthorizationServer(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table oauth2_clients (
      id bigint generated always as identity primary key,
      client_id text not null unique,
      name text not null,
      redirect_uris text[] not null,
      is_first_party boolean not null default false,
      -- Address, or network, of the client that registered itself.
      registered_from text,
      created_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index oauth2_clients_registered_from_index on oauth2_clients (registered_from, created_at)`.execute(
    db,
  );
  await sql`
    create table oauth2_grants (
      id bigint generated always as identity primary key,
      user_id bigint not null references users (id) on delete cascade,
      oauth2_client_id bigint not null references oauth2_clients (id) on delete cascade,
      scopes text[] not null,
      -- What its tokens are accepted for: REST, GraphQL and OTLP, or the Model Context Protocol.
      resource text not null check (resource in ('SERVER', 'MCP')),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      last_used_at timestamptz,
      revoked_at timestamptz
    )`.execute(db);
  await sql`create index oauth2_grants_user_id_index on oauth2_grants (user_id)`.execute(db);
  await sql`create index oauth2_grants_oauth2_client_id_index on oauth2_grants (oauth2_client_id)`.execute(db);
  await sql`alter table sessions add foreign key (oauth2_grant_id) references oauth2_grants (id) on delete cascade`.execute(
    db,
  );
  await sql`
    create table oauth2_authorization_codes (
      hash bytea primary key check (octet_length(hash) = 32),
      user_id bigint not null references users (id) on delete cascade,
      oauth2_client_id bigint not null references oauth2_clients (id) on delete cascade,
      redirect_uri text not null,
      code_challenge text not null,
      scopes text[] not null,
      resource text not null check (resource in ('SERVER', 'MCP')),
      created_at timestamptz not null default now(),
      expires_at timestamptz not null,
      -- Set when the code was exchanged. A second exchange revokes this grant.
      grant_id bigint references oauth2_grants (id) on delete cascade
    )`.execute(db);
  await sql`create index oauth2_authorization_codes_user_id_index on oauth2_authorization_codes (user_id)`.execute(db);
  await sql`create index oauth2_authorization_codes_client_index on oauth2_authorization_codes (oauth2_client_id)`.execute(
    db,
  );
  await sql`create index oauth2_authorization_codes_grant_id_index on oauth2_authorization_codes (grant_id)`.execute(
    db,
  );
  // Whichever way an account is switched off, its applications do not come back when it is switched on again.
  await sql
    .raw(`
    create function end_grants_of_inactive_user() returns trigger language plpgsql as $$
    begin
      execute format('delete from %I.oauth2_authorization_codes where user_id = $1', tg_table_schema) using new.id;
      execute format('update %I.oauth2_grants set revoked_at = now() where user_id = $1 and revoked_at is null', tg_table_schema)
        using new.id;
      execute format('delete from %I.sessions where user_id = $1 and oauth2_grant_id is not null', tg_table_schema)
        using new.id;
      return null;
    end $$`)
    .execute(db);
  await sql
    .raw(
      `create trigger users_deactivation after update of is_active on users
       for each row when (old.is_active and not new.is_active) execute function end_grants_of_inactive_user()`,
    )
    .execute(db);
}

/** Open projects may have members too: they are its members if it becomes private. */
async function createProjectAccess(db: Kysely<unknown>): Promise<void> {
  await sql`alter table projects add column is_private boolean not null default false`.execute(db);
  await sql`
    create table project_members (
      id bigint generated always as identity primary key,
      project_id bigint not null references projects (id) on delete cascade,
      user_id bigint references users (id) on delete cascade,
      -- A group of the identity provider, which no table lists.
      group_name text,
      level text not null check (level in ('READER', 'EDITOR', 'OWNER')),
      created_at timestamptz not null default now(),
      check ((user_id is null) <> (group_name is null)),
      unique (project_id, user_id),
      unique (project_id, group_name)
    )`.execute(db);
  await sql`create index project_members_user_id_index on project_members (user_id)`.execute(db);
}

/**
 * Every server caches credentials. Triggers record each change, whichever way it happened, and wake the servers; a server
 * whose pooler swallows notifications reads the table instead.
 */
async function createCredentialChanges(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table credential_changes (
      id bigint generated always as identity primary key,
      kind text not null,
      row_id bigint not null,
      -- Transactions commit in another order than their row ids. A reader continues at its oldest running transaction.
      transaction_id xid8 not null default pg_current_xact_id(),
      changed_at timestamptz not null default clock_timestamp()
    )`.execute(db);
  await sql`create index credential_changes_transaction_id_index on credential_changes (transaction_id)`.execute(db);
  await sql`create index credential_changes_changed_at_index on credential_changes (changed_at)`.execute(db);
  await sql
    .raw(`
    create function record_credential_change() returns trigger language plpgsql as $$
    begin
      execute format('insert into %I.credential_changes (kind, row_id) values ($1, $2)', tg_table_schema)
        using tg_argv[0], case when tg_op = 'DELETE' then old.id else new.id end;
      perform pg_notify('spandrel_credentials', tg_table_schema);
      return null;
    end $$`)
    .execute(db);
  // Of a member, the row id of the project.
  await sql
    .raw(`
    create function record_project_member_change() returns trigger language plpgsql as $$
    begin
      execute format('insert into %I.credential_changes (kind, row_id) values ($1, $2)', tg_table_schema)
        using 'project', case when tg_op = 'DELETE' then old.project_id else new.project_id end;
      perform pg_notify('spandrel_credentials', tg_table_schema);
      return null;
    end $$`)
    .execute(db);
  await sql
    .raw(
      `create trigger project_members_credential_change after insert or update or delete on project_members
       for each row execute function record_project_member_change()`,
    )
    .execute(db);
  const triggers: readonly (readonly [table: string, kind: string, events: string])[] = [
    ['users', 'user', 'update of role, is_active, username, email, user_groups, has_default_password or delete'],
    ['access_tokens', 'access', 'update of expires_at or delete'],
    ['api_keys', 'key', 'update of expires_at, scope, projects or delete'],
    // A key may name a project before it exists.
    ['projects', 'project', 'insert or update of name, is_private or delete'],
  ];
  for (const [table, kind, events] of triggers) {
    await sql
      .raw(
        `create trigger ${table}_credential_change after ${events} on ${table}
         for each row execute function record_credential_change('${kind}')`,
      )
      .execute(db);
  }
}

/** The groups of a user are part of the cached account. One statement may change thousands of members. */
async function createGroupChanges(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`
    create function record_member_changes() returns trigger language plpgsql as $$
    begin
      execute format('insert into %I.credential_changes (kind, row_id) select ''user'', unnest($1)', tg_table_schema)
        using array(select distinct user_id from changed);
      perform pg_notify('spandrel_credentials', tg_table_schema);
      return null;
    end $$`)
    .execute(db);
  for (const [event, table] of [
    ['insert', 'new'],
    ['delete', 'old'],
  ]) {
    await sql
      .raw(
        `create trigger scim_group_members_${event} after ${event} on scim_group_members
         referencing ${table} table as changed for each statement execute function record_member_changes()`,
      )
      .execute(db);
  }
  await sql
    .raw(`
    create function record_group_rename() returns trigger language plpgsql as $$
    begin
      execute format('insert into %1$I.credential_changes (kind, row_id)
        select ''user'', user_id from %1$I.scim_group_members where group_id = $1', tg_table_schema) using new.id;
      perform pg_notify('spandrel_credentials', tg_table_schema);
      return null;
    end $$`)
    .execute(db);
  await sql
    .raw(
      `create trigger scim_groups_rename after update of display_name on scim_groups
       for each row when (old.display_name is distinct from new.display_name) execute function record_group_rename()`,
    )
    .execute(db);
}

async function createSecretsAndAudit(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table secrets (
      key text primary key,
      value bytea not null,
      -- Hosts that the secret may be sent to; null for any.
      hosts text[],
      user_id bigint references users (id) on delete set null,
      updated_at timestamptz not null default now()
    )`.execute(db);
  await sql`create index secrets_user_id_index on secrets (user_id)`.execute(db);
  await sql`
    create table audit_log (
      id bigint primary key,
      happened_at timestamptz not null,
      -- No reference: an entry outlives what it names.
      user_id bigint,
      username text,
      credential text not null,
      remote_address text,
      action text not null,
      outcome text not null check (outcome in ('DONE', 'DENIED')),
      target_kind text,
      target_id text,
      target_name text,
      before jsonb,
      after jsonb,
      previous_hash bytea not null,
      hash bytea not null
    )`.execute(db);
  await sql`create index audit_log_happened_at_index on audit_log (happened_at)`.execute(db);
  await sql`create index audit_log_user_id_index on audit_log (user_id, id)`.execute(db);
  await sql`create index audit_log_action_index on audit_log (action, id)`.execute(db);
}
