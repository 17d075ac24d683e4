import { sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type { BackfillState, OnlineBackfill } from '../../model/evaluators/online-evaluator.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';

// Table: online_backfills.

export type NewBackfill = Pick<OnlineBackfill, 'onlineEvaluatorRowId' | 'startTime' | 'endTime' | 'lastSpanRowIdMax'> &
  Authored;

/** Starts a backfill. Undefined when the evaluator does not exist, or has one that is running. */
export async function createBackfill(db: Db, created: NewBackfill): Promise<OnlineBackfill | undefined> {
  const { rows } = await sql<BackfillRow>`
    insert into online_backfills (online_evaluator_id, start_time, end_time, state, last_span_row_id_max, user_id)
    select o.id, ${created.startTime}, ${created.endTime}, 'RUNNING', ${created.lastSpanRowIdMax},
      ${authorColumn(created.userId)}
    from (select id from online_evaluators where id = ${created.onlineEvaluatorRowId} for update) o
    where not exists (select from online_backfills b where b.online_evaluator_id = o.id and b.state = 'RUNNING')
    returning *`.execute(db);
  return rows[0] && toBackfill(rows[0]);
}

/** Lists backfills of an evaluator, the latest first. */
export async function listBackfills(db: Db, onlineEvaluatorRowId: number, limit: number): Promise<OnlineBackfill[]> {
  const { rows } = await sql<BackfillRow>`
    select * from online_backfills where online_evaluator_id = ${onlineEvaluatorRowId} order by id desc limit ${limit}`.execute(
    db,
  );
  return rows.map(toBackfill);
}

export async function findRunningBackfill(db: Db, onlineEvaluatorRowId: number): Promise<OnlineBackfill | undefined> {
  const { rows } = await sql<BackfillRow>`
    select * from online_backfills where online_evaluator_id = ${onlineEvaluatorRowId} and state = 'RUNNING'`.execute(
    db,
  );
  return rows[0] && toBackfill(rows[0]);
}

/** Ends the running backfill of an evaluator. Undefined when none is running. */
export async function endBackfill(
  db: Db,
  onlineEvaluatorRowId: number,
  state: Exclude<BackfillState, 'RUNNING'>,
): Promise<OnlineBackfill | undefined> {
  const { rows } = await sql<BackfillRow>`
    update online_backfills set state = ${state}, ended_at = now()
    where online_evaluator_id = ${onlineEvaluatorRowId} and state = 'RUNNING' returning *`.execute(db);
  return rows[0] && toBackfill(rows[0]);
}

interface BackfillRow {
  readonly id: number;
  readonly online_evaluator_id: number;
  readonly start_time: Date | null;
  readonly end_time: Date | null;
  readonly state: BackfillState;
  readonly last_span_row_id: number;
  readonly last_span_row_id_max: number;
  readonly matched_count: number;
  readonly queued_count: number;
  readonly sampled_out_count: number;
  readonly created_at: Date;
  readonly ended_at: Date | null;
  readonly user_id: number | null;
}

const toBackfill = (row: BackfillRow): OnlineBackfill => ({
  rowId: row.id,
  onlineEvaluatorRowId: row.online_evaluator_id,
  startTime: row.start_time,
  endTime: row.end_time,
  state: row.state,
  lastSpanRowId: row.last_span_row_id,
  lastSpanRowIdMax: row.last_span_row_id_max,
  matchedCount: row.matched_count,
  queuedCount: row.queued_count,
  sampledOutCount: row.sampled_out_count,
  createdAt: row.created_at,
  endedAt: row.ended_at,
  userId: row.user_id,
});
