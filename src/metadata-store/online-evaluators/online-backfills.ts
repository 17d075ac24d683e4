import { sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type { BackfillProgress, BackfillState, OnlineBackfill } from '../../model/evaluators/online-evaluator.ts';
import { ONLINE_BACKFILL_LIST_COUNT } from '../../model/limits/online-evaluators.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';

// Table: online_backfills; the targets of backfills in online_items.

export type NewBackfill = Pick<
  OnlineBackfill,
  'onlineEvaluatorRowId' | 'startTime' | 'endTime' | 'lastSpanRowIdMax' | 'expectedCount'
> &
  Authored;

/** Starts a backfill. Undefined when the evaluator does not exist, or has one that is running. */
export async function createBackfill(db: Db, created: NewBackfill): Promise<OnlineBackfill | undefined> {
  const { rows } = await sql<BackfillRow>`
    insert into online_backfills (online_evaluator_id, start_time, end_time, state, last_span_row_id_max, expected_count,
      user_id)
    select o.id, ${created.startTime}, ${created.endTime}, 'RUNNING', ${created.lastSpanRowIdMax},
      ${created.expectedCount}, ${authorColumn(created.userId)}
    from (select id from online_evaluators where id = ${created.onlineEvaluatorRowId} for update) o
    where not exists (select from online_backfills b where b.online_evaluator_id = o.id and b.state = 'RUNNING')
    returning *`.execute(db);
  return rows[0] && toBackfill(rows[0]);
}

/** Lists backfills of an evaluator with their progress, the latest first. */
export async function listBackfills(
  db: Db,
  onlineEvaluatorRowId: number,
  limit: number,
): Promise<(OnlineBackfill & BackfillProgress)[]> {
  const { rows } = await sql<BackfillRow & BackfillProgress>`
    select b.*, i.*, extract(epoch from least(now() - b.created_at, ${RECENT}::interval))::double precision as "recentSeconds"
    from (
      select * from online_backfills where online_evaluator_id = ${onlineEvaluatorRowId} order by id desc limit ${limit}
    ) b cross join lateral (
      select count(*) filter (where state = 'WAITING') as "waitingCount",
        count(*) filter (where state = 'DONE') as "doneCount",
        count(*) filter (where state = 'FAILED') as "failedCount",
        count(*) filter (where state = 'OVER_BUDGET') as "overBudgetCount",
        count(*) filter (where state = 'GONE') as "deletedCount",
        count(*) filter (where state <> 'WAITING' and changed_at > now() - ${RECENT}::interval) as "recentCount"
      from online_items where backfill_id = b.id
    ) i order by b.id desc`.execute(db);
  return rows.map((row) => ({
    ...toBackfill(row),
    waitingCount: row.waitingCount,
    doneCount: row.doneCount,
    failedCount: row.failedCount,
    overBudgetCount: row.overBudgetCount,
    deletedCount: row.deletedCount,
    recentCount: row.recentCount,
    recentSeconds: row.recentSeconds,
  }));
}

/** Time in which evaluations are counted for the speed of a backfill. A longer one would include a restart or a limit. */
const RECENT = '1 minute';

/**
 * Measures the latest of the last `ONLINE_BACKFILL_LIST_COUNT` backfills that came to its end with so many evaluations: their number, and the seconds from
 * its start to its end. Undefined when there is none. One with a target that was scored again later does not count, because the
 * first outcome of the target is not stored. Transactions of two servers may end in another order than they began, hence the second.
 */
export async function measureLastBackfill(
  db: Db,
  onlineEvaluatorRowId: number,
  outcomeCountMin: number,
): Promise<{ readonly outcomeCount: number; readonly seconds: number } | undefined> {
  const { rows } = await sql<{ outcomeCount: number; seconds: number }>`
    select i."outcomeCount", extract(epoch from b.ended_at - b.created_at)::double precision as seconds
    from (
      select * from online_backfills where online_evaluator_id = ${onlineEvaluatorRowId} order by id desc
      limit ${ONLINE_BACKFILL_LIST_COUNT}
    ) b cross join lateral (
      select count(*) filter (where state in ('DONE', 'FAILED')) as "outcomeCount",
        count(*) filter (where changed_at > b.ended_at + interval '1 second') as "laterCount"
      from online_items where backfill_id = b.id
    ) i
    where b.state = 'DONE' and i."outcomeCount" >= ${outcomeCountMin} and i."laterCount" = 0
    order by b.id desc limit 1`.execute(db);
  return rows[0];
}

export async function findRunningBackfill(db: Db, onlineEvaluatorRowId: number): Promise<OnlineBackfill | undefined> {
  const { rows } = await sql<BackfillRow>`
    select * from online_backfills where online_evaluator_id = ${onlineEvaluatorRowId} and state = 'RUNNING'`.execute(
    db,
  );
  return rows[0] && toBackfill(rows[0]);
}

/** Ends those of the backfills that have looked at all spans and have no target that waits. */
export async function finishBackfills(db: Db, rowIds: readonly number[]): Promise<void> {
  if (rowIds.length === 0) return;
  await sql`
    update online_backfills b set state = 'DONE', ended_at = now()
    where id = any(${rowIds}::bigint[]) and state = 'RUNNING' and last_span_row_id >= last_span_row_id_max
      and not exists (select from online_items i where i.backfill_id = b.id and i.state = 'WAITING')`.execute(db);
}

/**
 * Stops the running backfill of an evaluator, and deletes its targets whose evaluation has not begun: those that are due, and
 * those that wait for a further attempt. Undefined when none is running.
 */
export function stopBackfill(db: Db, onlineEvaluatorRowId: number): Promise<OnlineBackfill | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<BackfillRow>`
      update online_backfills set state = 'STOPPED', ended_at = now()
      where online_evaluator_id = ${onlineEvaluatorRowId} and state = 'RUNNING' returning *`.execute(tx);
    const [row] = rows;
    if (!row) return undefined;
    await sql`
      delete from online_items where backfill_id = ${row.id} and state = 'WAITING'
        and (due_at <= now() or attempt_count > 0)`.execute(tx);
    return toBackfill(row);
  });
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
  readonly expected_count: number | null;
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
  expectedCount: row.expected_count,
});
