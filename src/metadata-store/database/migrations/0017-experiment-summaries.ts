import { type Kysely, type Migration, sql } from 'kysely';

export const migration0017: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

/**
 * A summary is stored with the number of changes that it includes, so it is out of date when the experiment has changed
 * more often. Every statement that writes runs or evaluations counts as one change, in its own transaction.
 *
 * The row of an experiment is created with it: a trigger that inserted it would check its foreign key, and wait for a
 * deletion that waits for the written runs. Locks are taken in the order of row ids, also to avoid deadlocks.
 */
const STATEMENTS = [
  `create table experiment_summaries (
    experiment_id bigint primary key references experiments on delete cascade,
    change_count bigint not null default 0,
    summarized_change_count bigint,
    successful_run_count bigint,
    failed_run_count bigint,
    error_rate double precision,
    average_latency_ms double precision,
    evaluations jsonb
  ) with (fillfactor = 70)`,
  'insert into experiment_summaries (experiment_id) select id from experiments',
  `create function count_experiment_change() returns trigger language plpgsql as $$
  begin
    execute format('select from %I.experiment_summaries where experiment_id = any($1) order by experiment_id for no key update',
      tg_table_schema) using array(select distinct experiment_id from changed);
    execute format('update %I.experiment_summaries set change_count = change_count + 1 where experiment_id = any($1)',
      tg_table_schema) using array(select distinct experiment_id from changed);
    return null;
  end $$`,
  ...[
    ['experiment_runs', 'insert', 'new'],
    ['experiment_runs', 'update', 'new'],
    ['experiment_evaluations', 'insert', 'new'],
    ['experiment_evaluations', 'update', 'new'],
    ['experiment_evaluations', 'delete', 'old'],
  ].map(
    ([table, event, rows]) =>
      `create trigger ${table}_${event}_change after ${event} on ${table} referencing ${rows} table as changed
       for each statement execute function count_experiment_change()`,
  ),
  `create table experiment_notes (
    id bigint generated always as identity primary key,
    experiment_id bigint not null references experiments on delete cascade,
    text text not null,
    user_id bigint references users (id) on delete set null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  'create index on experiment_notes (experiment_id, id)',
  'create index on experiment_notes (user_id)',
];
