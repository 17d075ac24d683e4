import { type Selectable, sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type {
  Calibration,
  CalibrationStatus,
  NewCalibration,
  NewCalibrationItem,
} from '../../model/evaluators/calibration.ts';
import type { OutputConfig } from '../../model/evaluators/evaluator.ts';
import { CALIBRATION_COUNT_MAX, CALIBRATION_STALE_MS } from '../../model/limits/evaluators.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { jsonText, readDoubles, writeJson } from '../database/json-column.ts';
import { codeOf, FOREIGN_KEY_VIOLATION } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { readMapping, writeMapping } from '../evaluators/dataset-evaluators.ts';
import type { CalibrationTable } from './calibration-tables.ts';

// Tables: calibrations, calibration_items.

/**
 * Stores a calibration that runs, with its items. The oldest calibrations of the evaluator beyond a limit are deleted.
 *
 * @returns its row id. Undefined when the evaluator, its prompt version or the source does not exist.
 */
export async function createCalibration(
  db: Db,
  calibration: NewCalibration,
  items: readonly NewCalibrationItem[],
): Promise<number | undefined> {
  const { source, datasetEvaluatorRowId } = calibration;
  try {
    return await inTransaction(db, async (tx) => {
      const { id } = await tx
        .insertInto('calibrations')
        .values({
          dataset_evaluator_id: datasetEvaluatorRowId,
          evaluator_name: calibration.evaluatorName,
          prompt_version_id: calibration.promptVersionRowId,
          input_mapping: writeMapping(calibration.inputMapping),
          output_config: writeJson(calibration.outputConfig),
          annotation_name: toPostgresText(calibration.annotationName),
          project_id: source.type === 'project' ? source.projectRowId : null,
          target: source.type === 'project' ? source.target : null,
          dataset_id: source.type === 'dataset' ? source.datasetRowId : null,
          held_out_share: calibration.heldOutShare,
          concurrency: calibration.concurrency,
          status: 'RUNNING',
          user_id: authorColumn(calibration.userId),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await insertItems(tx, id, items);
      await sql`
        delete from calibrations where status <> 'RUNNING' and id in (
          select id from calibrations where dataset_evaluator_id = ${datasetEvaluatorRowId}
          order by id desc offset ${CALIBRATION_COUNT_MAX})
      `.execute(tx);
      return id;
    });
  } catch (error) {
    if (codeOf(error) === FOREIGN_KEY_VIOLATION) return undefined;
    throw error;
  }
}

async function insertItems(tx: Db, calibrationRowId: number, items: readonly NewCalibrationItem[]): Promise<void> {
  await sql`
    insert into calibration_items
      (calibration_id, target_type, target_row_id, is_held_out, human_label, human_score, human_count)
    select ${calibrationRowId}::bigint, i.* from unnest(
      ${items.map(({ target }) => target.type)}::text[],
      ${items.map(({ target }) => target.rowId)}::bigint[],
      ${items.map(({ isHeldOut }) => isHeldOut)}::boolean[],
      ${items.map(({ human }) => human.label)}::text[],
      ${items.map(({ human }) => human.score)}::float8[],
      ${items.map(({ humanCount }) => humanCount)}::integer[]
    ) as i
  `.execute(tx);
}

/** A row id that no calibration has is absent. */
export async function findCalibrations(db: Db, rowIds: readonly number[]): Promise<Map<number, Calibration>> {
  const rows = await select(db).where('id', '=', sql<number>`any(${rowIds}::bigint[])`).execute();
  return new Map(rows.map((row) => [row.id, toCalibration(row)]));
}

/** Calibrations of an evaluator of a dataset, the newest first. */
export async function listCalibrations(db: Db, datasetEvaluatorRowId: number): Promise<Calibration[]> {
  const rows = await select(db)
    .where('dataset_evaluator_id', '=', datasetEvaluatorRowId)
    .orderBy('id', 'desc')
    // Running ones may exceed it.
    .limit(2 * CALIBRATION_COUNT_MAX)
    .execute();
  return rows.map(toCalibration);
}

/** Ends a calibration that runs. False when it does not run. */
export async function endCalibration(
  db: Db,
  rowId: number,
  status: Exclude<CalibrationStatus, 'RUNNING'>,
  reason: string | null,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calibrations')
    .set({ status, reason: reason === null ? null : toPostgresText(reason), ended_at: sql<Date>`now()` })
    .where('id', '=', rowId)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Says that this server runs a calibration. False when it has been stopped or deleted. */
export async function beatCalibration(db: Db, rowId: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('calibrations')
    .set({ heartbeat_at: sql<Date>`now()` })
    .where('id', '=', rowId)
    .where('status', '=', 'RUNNING')
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/**
 * Takes a calibration to run it again. Its failed items are evaluated again.
 *
 * @returns false when it does not exist, or a server runs it
 */
export async function claimCalibration(db: Db, rowId: number): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('calibrations')
      .set({ status: 'RUNNING', reason: null, ended_at: null, heartbeat_at: sql<Date>`now()` })
      .where('id', '=', rowId)
      .where(({ or, eb }) => or([eb('status', '<>', 'RUNNING'), isStale]))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await tx
      .updateTable('calibration_items')
      .set({ evaluated_at: null, error: null })
      .where('calibration_id', '=', rowId)
      .where('error', 'is not', null)
      .execute();
    return true;
  });
}

export async function deleteCalibration(db: Db, rowId: number): Promise<void> {
  await db.deleteFrom('calibrations').where('id', '=', rowId).execute();
}

const isStale = sql<boolean>`heartbeat_at < now() - make_interval(secs => ${CALIBRATION_STALE_MS / 1_000})`;

/** The server of a calibration without signs has ended. */
const select = (db: Db) =>
  db
    .selectFrom('calibrations')
    .select(['id', 'dataset_evaluator_id', 'evaluator_name', 'prompt_version_id', 'annotation_name', 'project_id'])
    .select(['target', 'dataset_id', 'held_out_share', 'concurrency', 'created_at', 'ended_at', 'user_id'])
    .select([jsonText('input_mapping').as('input_mapping'), jsonText('output_config').as('output_config')])
    .select(
      sql<CalibrationStatus>`case when status = 'RUNNING' and ${isStale} then 'STOPPED' else status end`.as('status'),
    )
    .select(
      sql<string | null>`case when status = 'RUNNING' and ${isStale} then ${INTERRUPTED} else reason end`.as('reason'),
    );

const INTERRUPTED = 'The server that ran it has ended';

const toCalibration = (row: Omit<Selectable<CalibrationTable>, 'heartbeat_at'>): Calibration => ({
  rowId: row.id,
  datasetEvaluatorRowId: row.dataset_evaluator_id,
  evaluatorName: row.evaluator_name,
  promptVersionRowId: row.prompt_version_id,
  inputMapping: readMapping(row.input_mapping),
  // Bounds and scores may have any notation, and are doubles.
  outputConfig: readDoubles<OutputConfig>(row.output_config),
  annotationName: row.annotation_name,
  source:
    row.project_id !== null && row.target !== null
      ? { type: 'project', projectRowId: row.project_id, target: row.target }
      : {
          type: 'dataset',
          datasetRowId: expectPresent(row.dataset_id ?? undefined, 'a source is a project or a dataset'),
        },
  heldOutShare: row.held_out_share,
  concurrency: row.concurrency,
  status: row.status,
  reason: row.reason,
  createdAt: row.created_at,
  endedAt: row.ended_at,
  userId: row.user_id,
});
