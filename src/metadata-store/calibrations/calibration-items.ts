import { type Selectable, sql } from 'kysely';
import type { CalibrationItem, EvaluatedItem, ItemFilter, ItemResult } from '../../model/evaluators/calibration.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { CalibrationItemTable } from './calibration-tables.ts';

// Tables: calibration_items, experiment_run_annotations, experiment_evaluations.

/** The next items of a calibration that the judge has not seen, by row id. */
export async function listPendingItems(
  db: Db,
  calibrationRowId: number,
  { afterRowId, limit }: { readonly afterRowId: number; readonly limit: number },
): Promise<CalibrationItem[]> {
  const rows = await db
    .selectFrom('calibration_items')
    .selectAll()
    .where('calibration_id', '=', calibrationRowId)
    .where('evaluated_at', 'is', null)
    .where('id', '>', afterRowId)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toItem);
}

/** Stores the result of the judge. One that is stored already stays. */
export async function saveEvaluated(db: Db, itemRowId: number, evaluated: EvaluatedItem): Promise<void> {
  const text = (value: string | null) => (value === null ? null : toPostgresText(value));
  await db
    .updateTable('calibration_items')
    .set({
      evaluated_at: sql<Date>`now()`,
      judge_label: text(evaluated.judge.label),
      judge_score: evaluated.judge.score,
      explanation: text(evaluated.explanation),
      error: text(evaluated.error),
      trace_id: evaluated.traceId,
      prompt_tokens: evaluated.promptTokens,
      completion_tokens: evaluated.completionTokens,
      cost_usd: evaluated.costUsd,
      latency_ms: evaluated.latencyMs,
    })
    .where('id', '=', itemRowId)
    .where('evaluated_at', 'is', null)
    .execute();
}

/** All items of calibrations without their texts, by row id of the calibration. One without items is absent. */
export async function findItemResults(
  db: Db,
  calibrationRowIds: readonly number[],
): Promise<Map<number, ItemResult[]>> {
  const rows = await db
    .selectFrom('calibration_items')
    .select(['id', 'calibration_id', 'target_type', 'target_row_id', 'is_held_out', 'human_label', 'human_score'])
    .select(['human_count', 'evaluated_at', 'judge_label', 'judge_score', 'prompt_tokens', 'completion_tokens'])
    .select(['cost_usd', 'latency_ms', sql<boolean>`error is not null`.as('has_error')])
    .where('calibration_id', '=', sql<number>`any(${calibrationRowIds}::bigint[])`)
    .orderBy('id')
    .execute();
  const found = new Map<number, ItemResult[]>();
  for (const row of rows) {
    const items = found.get(row.calibration_id) ?? [];
    items.push({ ...toNewItem(row), evaluated: row.evaluated_at && { ...toFigures(row), hasError: row.has_error } });
    found.set(row.calibration_id, items);
  }
  return found;
}

export interface ItemPageQuery {
  readonly filter: ItemFilter;
  readonly limit: number;
  /** 0 for the first page. */
  readonly afterRowId: number;
}

export interface ItemPage {
  readonly items: readonly CalibrationItem[];
  readonly hasNext: boolean;
}

/** One page of items by row id. */
export async function listItems(
  db: Db,
  calibrationRowId: number,
  { filter, limit, afterRowId }: ItemPageQuery,
): Promise<ItemPage> {
  let select = db
    .selectFrom('calibration_items')
    .selectAll()
    .where('calibration_id', '=', calibrationRowId)
    .where('id', '>', afterRowId)
    .orderBy('id')
    .limit(limit + 1);
  const { isHeldOut, isDisagreement, hasError, humanLabel, judgeLabel } = filter;
  if (isHeldOut !== undefined) select = select.where('is_held_out', '=', isHeldOut);
  if (isDisagreement !== undefined) select = select.where(sql<boolean>`${DISAGREES} = ${isDisagreement}`);
  if (hasError !== undefined) select = select.where(sql<boolean>`(error is not null) = ${hasError}`);
  if (humanLabel !== undefined) select = select.where('human_label', '=', toPostgresText(humanLabel));
  if (judgeLabel !== undefined) select = select.where('judge_label', '=', toPostgresText(judgeLabel));
  const rows = await select.execute();
  return { items: rows.slice(0, limit).map(toItem), hasNext: rows.length > limit };
}

const DISAGREES = sql<boolean>`coalesce(judge_label <> human_label, judge_score <> human_score, false)`;

/** A label or score that a person gave to a run. */
export interface RunLabel {
  readonly runRowId: number;
  readonly exampleRowId: number;
  readonly label: string | null;
  readonly score: number | null;
}

/** Labels and scores of people for the runs of a dataset's experiments under one name, the newest first. */
export async function findRunLabels(
  db: Db,
  { datasetRowId, name, limit }: { readonly datasetRowId: number; readonly name: string; readonly limit: number },
): Promise<RunLabel[]> {
  const text = toPostgresText(name);
  const { rows } = await sql<RunLabel>`
    select l."runRowId", r.dataset_example_id as "exampleRowId", l.label, l.score from (
      select a.experiment_run_id as "runRowId", a.label, a.score, a.updated_at as at, a.experiment_id
      from experiment_run_annotations a where a.name = ${text}
      union all
      select e.experiment_run_id, e.label, e.score, e.end_time, e.experiment_id
      from experiment_evaluations e where e.name = ${text} and e.annotator_kind = 'HUMAN' and e.error is null
    ) l
    join experiments x on x.id = l.experiment_id and x.dataset_id = ${datasetRowId}
    join experiment_runs r on r.experiment_id = l.experiment_id and r.id = l."runRowId" and r.error is null
    where l.label is not null or l.score is not null
    order by l.at desc, l."runRowId" desc limit ${limit}
  `.execute(db);
  return rows;
}

type Row = Selectable<CalibrationItemTable>;

const toItem = (row: Row): CalibrationItem => ({
  ...toNewItem(row),
  evaluated: row.evaluated_at && {
    ...toFigures(row),
    explanation: row.explanation,
    error: row.error,
    traceId: row.trace_id,
  },
});

const toNewItem = (
  row: Pick<
    Row,
    'id' | 'target_type' | 'target_row_id' | 'is_held_out' | 'human_label' | 'human_score' | 'human_count'
  >,
) => ({
  rowId: row.id,
  target: { type: row.target_type, rowId: row.target_row_id },
  isHeldOut: row.is_held_out,
  human: { label: row.human_label, score: row.human_score },
  humanCount: row.human_count,
});

const toFigures = (
  row: Pick<Row, 'judge_label' | 'judge_score' | 'prompt_tokens' | 'completion_tokens' | 'cost_usd' | 'latency_ms'>,
) => ({
  judge: { label: row.judge_label, score: row.judge_score },
  promptTokens: row.prompt_tokens,
  completionTokens: row.completion_tokens,
  costUsd: row.cost_usd,
  latencyMs: row.latency_ms,
});
