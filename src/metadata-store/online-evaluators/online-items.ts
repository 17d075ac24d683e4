import { sql } from 'kysely';
import type {
  OnlineCounts,
  OnlineDay,
  OnlineEvaluator,
  OnlineItem,
  OnlineItemKey,
  OnlineItemState,
} from '../../model/evaluators/online-evaluator.ts';
import { ONLINE_ITEM_AGE_MS_MAX, ONLINE_LEASE_MS } from '../../model/limits/online-evaluators.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { finishBackfills } from './online-backfills.ts';

// Tables: online_items, online_days; the positions of online_evaluators and online_backfills.

/** Targets that a page of spans has selected, and the position after the page. */
export interface SelectedTargets {
  readonly onlineEvaluatorRowId: number;
  readonly version: string;
  readonly targets: readonly Pick<OnlineItem, 'targetRowId' | 'traceId'>[];
  readonly sampledOutCount: number;
  readonly matchedCount: number;
  /** Time of new targets. A target that waits already keeps its own. */
  readonly dueAt: Date;
  readonly lastSpanRowId: number;
  /** Undefined: the evaluator itself advances. */
  readonly backfillRowId?: number | undefined;
}

/**
 * Queues targets and advances the position in one transaction, so that a crash neither skips nor repeats a target. A target
 * that the same version has is not queued again. Returns the number of new ones.
 */
export function queueTargets(db: Db, selected: SelectedTargets): Promise<number> {
  const { onlineEvaluatorRowId: id, backfillRowId, lastSpanRowId, sampledOutCount } = selected;
  return db.transaction().execute(async (tx) => {
    const { numAffectedRows = 0n } = await sql`
      insert into online_items (online_evaluator_id, version, target_row_id, trace_id, state, due_at, backfill_id)
      select o.id, ${selected.version}, t.row_id, t.trace_id, 'WAITING', ${selected.dueAt}, ${backfillRowId ?? null}
      from online_evaluators o cross join unnest(
        ${selected.targets.map(({ targetRowId }) => targetRowId)}::bigint[],
        ${selected.targets.map(({ traceId }) => toPostgresText(traceId))}::text[]
      ) as t (row_id, trace_id)
      where o.id = ${id} on conflict do nothing`.execute(tx);
    const queuedCount = Number(numAffectedRows);
    // Before the backfill, in the same order as `settleItems`, so that the two cannot wait for each other.
    if (sampledOutCount > 0) await count(tx, id, { sampledOutCount });
    if (backfillRowId === undefined) {
      await sql`update online_evaluators set last_span_row_id = ${lastSpanRowId} where id = ${id}`.execute(tx);
    } else {
      await sql`
        update online_backfills set last_span_row_id = ${lastSpanRowId},
          matched_count = matched_count + ${selected.matchedCount}, queued_count = queued_count + ${queuedCount},
          sampled_out_count = sampled_out_count + ${sampledOutCount}
        where id = ${backfillRowId}`.execute(tx);
    }
    return queuedCount;
  });
}

/**
 * Claims targets that are due, oldest first. None when the evaluator has another revision by now: the caller would evaluate them
 * by rules that no longer hold. A claim ends by itself, so another server takes over after a crash.
 */
export async function claimDueItems(
  db: Db,
  { rowId, revision }: Pick<OnlineEvaluator, 'rowId' | 'revision'>,
  limit: number,
): Promise<OnlineItem[]> {
  const { rows } = await sql<ItemRow>`
    update online_items i set due_at = now() + ${`${ONLINE_LEASE_MS} milliseconds`}::interval
    from (
      select online_evaluator_id, version, target_row_id, due_at from online_items
      where online_evaluator_id = ${rowId} and state = 'WAITING' and due_at <= now()
        and exists (select from online_evaluators o where o.id = ${rowId} and o.revision = ${revision})
      order by due_at limit ${limit} for update skip locked
    ) due
    where i.online_evaluator_id = due.online_evaluator_id and i.version = due.version
      and i.target_row_id = due.target_row_id
    returning i.*`.execute(db);
  return rows.map(toItem);
}

/** Postpones a target: it has changed, or the model was busy. */
export async function postponeItem(
  db: Db,
  { onlineEvaluatorRowId, version, targetRowId }: OnlineItemKey,
  changes: { readonly dueAt: Date; readonly spanCount?: number | undefined; readonly isAttempt: boolean },
): Promise<void> {
  await sql`
    update online_items set due_at = ${changes.dueAt}, changed_at = now(),
      span_count = coalesce(${changes.spanCount ?? null}::bigint, span_count),
      attempt_count = attempt_count + ${changes.isAttempt ? 1 : 0}
    where online_evaluator_id = ${onlineEvaluatorRowId} and version = ${version} and target_row_id = ${targetRowId}
      and state = 'WAITING'`.execute(db);
}

/** The end of an evaluation, and what it used. */
export interface SettledItem extends OnlineItemKey {
  readonly state: Exclude<OnlineItemState, 'WAITING'>;
  readonly error: string | null;
  readonly usage: { readonly callCount: number; readonly promptTokens: number; readonly completionTokens: number };
}

/** Stores the outcomes of targets once, counts them, and ends backfills that have no target left. */
export async function settleItems(db: Db, items: readonly SettledItem[]): Promise<void> {
  if (items.length === 0) return;
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: number; state: OnlineItemState; backfillId: number | null; count: number }>`
      with settled as (
        update online_items i set state = s.state, error = s.error, changed_at = now()
        from unnest(
          ${items.map(({ onlineEvaluatorRowId }) => onlineEvaluatorRowId)}::bigint[],
          ${items.map(({ version }) => version)}::text[],
          ${items.map(({ targetRowId }) => targetRowId)}::bigint[],
          ${items.map(({ state }) => state)}::text[],
          ${items.map(({ error }) => error && toPostgresText(error))}::text[]
        ) as s (id, version, target_row_id, state, error)
        where i.online_evaluator_id = s.id and i.version = s.version and i.target_row_id = s.target_row_id
          and i.state = 'WAITING'
        returning i.online_evaluator_id as id, i.state, i.backfill_id
      ) select id, state, backfill_id as "backfillId", count(*) as count from settled group by id, state, backfill_id`.execute(
      tx,
    );
    // In the order of their rows, so that transactions of two servers cannot wait for each other.
    for (const id of [...new Set(items.map((item) => item.onlineEvaluatorRowId))].sort((a, b) => a - b)) {
      const used = items.filter((item) => item.onlineEvaluatorRowId === id).map(({ usage }) => usage);
      const countOf = (state: OnlineItemState) =>
        rows.reduce((sum, row) => (row.id === id && row.state === state ? sum + row.count : sum), 0);
      await count(tx, id, {
        callCount: used.reduce((sum, { callCount }) => sum + callCount, 0),
        promptTokens: used.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
        completionTokens: used.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
        doneCount: countOf('DONE'),
        failedCount: countOf('FAILED'),
        overBudgetCount: countOf('OVER_BUDGET'),
      });
    }
    await finishBackfills(tx, [...new Set(rows.flatMap(({ backfillId }) => backfillId ?? []))]);
  });
}

/** Queues targets of these states again, for a person who has repaired the reason. Returns how many. */
export async function requeueItems(
  db: Db,
  onlineEvaluatorRowId: number,
  states: readonly OnlineItemState[],
): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update online_items set state = 'WAITING', error = null, attempt_count = 0, due_at = now(), changed_at = now()
    where online_evaluator_id = ${onlineEvaluatorRowId} and state = any(${states}::text[])`.execute(db);
  return Number(numAffectedRows);
}

export async function countWaitingItems(db: Db, onlineEvaluatorRowId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from online_items
    where online_evaluator_id = ${onlineEvaluatorRowId} and state = 'WAITING'`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Lists targets by state, the latest change first. */
export async function listItems(
  db: Db,
  query: {
    readonly onlineEvaluatorRowId: number;
    readonly state: OnlineItemState;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<OnlineItem[]> {
  const { rows } = await sql<ItemRow>`
    select * from online_items where online_evaluator_id = ${query.onlineEvaluatorRowId} and state = ${query.state}
    order by changed_at desc, target_row_id desc, version limit ${query.limit} offset ${query.offset}`.execute(db);
  return rows.map(toItem);
}

/** Counts by day (UTC), the latest first. Days without a count are absent. */
export async function listDays(db: Db, onlineEvaluatorRowId: number, limit: number): Promise<OnlineDay[]> {
  const { rows } = await sql<OnlineDay>`
    select to_char(day, 'YYYY-MM-DD') as day, done_count as "doneCount", sampled_out_count as "sampledOutCount",
      over_budget_count as "overBudgetCount", failed_count as "failedCount", call_count as "callCount",
      prompt_tokens as "promptTokens", completion_tokens as "completionTokens"
    from online_days where online_evaluator_id = ${onlineEvaluatorRowId} order by online_days.day desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

/** Deletes old outcomes of all evaluators and returns how many. Their counts and annotations stay. */
export async function deleteOldItems(db: Db, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from online_items where ctid in (
      select ctid from online_items where state <> 'WAITING'
        and changed_at < now() - ${`${ONLINE_ITEM_AGE_MS_MAX} milliseconds`}::interval limit ${limit}
    )`.execute(db);
  return Number(numAffectedRows);
}

async function count(tx: Db, onlineEvaluatorRowId: number, counts: Partial<OnlineCounts>): Promise<void> {
  const values = [
    counts.doneCount ?? 0,
    counts.sampledOutCount ?? 0,
    counts.overBudgetCount ?? 0,
    counts.failedCount ?? 0,
    counts.callCount ?? 0,
    counts.promptTokens ?? 0,
    counts.completionTokens ?? 0,
  ];
  if (values.every((value) => value === 0)) return;
  await sql`
    insert into online_days as d (online_evaluator_id, day, done_count, sampled_out_count, over_budget_count, failed_count,
      call_count, prompt_tokens, completion_tokens)
    select o.id, (now() at time zone 'utc')::date, ${sql.join(values.map((value) => sql`${value}::bigint`))}
    from online_evaluators o where o.id = ${onlineEvaluatorRowId}
    on conflict (online_evaluator_id, day) do update set
      done_count = d.done_count + excluded.done_count,
      sampled_out_count = d.sampled_out_count + excluded.sampled_out_count,
      over_budget_count = d.over_budget_count + excluded.over_budget_count,
      failed_count = d.failed_count + excluded.failed_count,
      call_count = d.call_count + excluded.call_count,
      prompt_tokens = d.prompt_tokens + excluded.prompt_tokens,
      completion_tokens = d.completion_tokens + excluded.completion_tokens`.execute(tx);
}

interface ItemRow {
  readonly online_evaluator_id: number;
  readonly version: string;
  readonly target_row_id: number;
  readonly trace_id: string;
  readonly state: OnlineItemState;
  readonly due_at: Date;
  readonly span_count: number | null;
  readonly attempt_count: number;
  readonly error: string | null;
  readonly changed_at: Date;
}

const toItem = (row: ItemRow): OnlineItem => ({
  onlineEvaluatorRowId: row.online_evaluator_id,
  version: row.version,
  targetRowId: row.target_row_id,
  traceId: row.trace_id,
  state: row.state,
  dueAt: row.due_at,
  spanCount: row.span_count,
  attemptCount: row.attempt_count,
  error: row.error,
  changedAt: row.changed_at,
});
