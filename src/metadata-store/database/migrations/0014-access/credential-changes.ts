import { type Kysely, sql } from 'kysely';

/**
 * Every server caches credentials. Triggers record each change, whichever way it happened, and wake the servers; a server
 * whose pooler swallows notifications reads the table instead.
 */
export async function createCredentialChanges(db: Kysely<unknown>): Promise<void> {
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
export async function createGroupChanges(db: Kysely<unknown>): Promise<void> {
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
