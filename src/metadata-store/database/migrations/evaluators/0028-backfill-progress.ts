import { type Kysely, type Migration, sql } from 'kysely';

/**
 * Targets know the backfill that queued them, so that its progress can be counted and the rest of it can be stopped. Targets of
 * live traffic have none and are not in the index.
 */
export const migration0028: Migration = {
  async up(db: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  // Targets when it began, by the estimate. Null for backfills of earlier versions.
  'alter table online_backfills add column expected_count bigint',
  'alter table online_items add column backfill_id bigint references online_backfills on delete set null',
  `create index online_items_by_backfill on online_items (backfill_id, state, changed_at)
   where backfill_id is not null`,
];
