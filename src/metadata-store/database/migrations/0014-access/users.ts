import { type Kysely, sql } from 'kysely';

export async function createUsers(db: Kysely<unknown>): Promise<void> {
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
export async function createGroups(db: Kysely<unknown>): Promise<void> {
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
export async function createUserIdentities(db: Kysely<unknown>): Promise<void> {
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
