import { sql } from 'kysely';
import type {
  JobItemRef,
  JobLog,
  JobLogCategory,
  JobLogDetail,
  JobLogLevel,
  NewJobLog,
} from '../../model/experiment-job.ts';
import type { Db } from '../database/database.ts';
import { readJson, writeJson } from '../database/json-column.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Table: experiment_logs.

/** Logs of jobs that do not exist are dropped. */
export async function addJobLogs(db: Db, logs: readonly NewJobLog[]): Promise<void> {
  const column = <Value>(read: (log: NewJobLog) => Value) => logs.map(read);
  const itemColumn = (name: 'exampleRowId' | 'repetitionNumber' | 'runRowId' | 'datasetEvaluatorRowId') =>
    column(({ item }) => (item as Partial<Record<typeof name, number>> | null)?.[name] ?? null);
  await sql`
    insert into experiment_logs (
      experiment_id, category, level, message, detail, dataset_example_id, repetition_number, experiment_run_id,
      dataset_evaluator_id
    )
    select w.experiment_id, w.category, w.level, w.message, w.detail::json, w.example_id, w.repetition_number, w.run_id,
      w.evaluator_id
    from unnest(
      ${column(({ experimentRowId }) => experimentRowId)}::bigint[], ${column(({ category }) => category)}::text[],
      ${column(({ level }) => level)}::text[], ${column(({ message }) => toPostgresText(message))}::text[],
      ${column(({ detail }) => detail && writeJson(detail))}::text[], ${itemColumn('exampleRowId')}::bigint[],
      ${itemColumn('repetitionNumber')}::integer[], ${itemColumn('runRowId')}::bigint[],
      ${itemColumn('datasetEvaluatorRowId')}::bigint[]
    ) with ordinality as w (
      experiment_id, category, level, message, detail, example_id, repetition_number, run_id, evaluator_id, n
    )
    join experiment_jobs j on j.id = w.experiment_id
    order by w.n
  `.execute(db);
}

/** Row ids of the errors of a job, newest first. */
export async function findJobErrorIds(
  db: Db,
  query: { readonly experimentRowId: number; readonly offset: number; readonly limit: number },
): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select id from experiment_logs where experiment_id = ${query.experimentRowId} and level = 'ERROR'
    order by id desc limit ${query.limit} offset ${query.offset}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** The newest error of each job. A job without errors is absent. */
export async function findLastJobErrors(db: Db, experimentRowIds: readonly number[]): Promise<Map<number, number>> {
  const { rows } = await sql<{ key: number; id: number }>`
    select experiment_id as key, max(id) as id from experiment_logs
    where experiment_id = any(${experimentRowIds}::bigint[]) and level = 'ERROR' group by experiment_id
  `.execute(db);
  return new Map(rows.map(({ key, id }) => [key, id]));
}

/** A row id that no log has is absent. */
export async function findJobLogs(db: Db, rowIds: readonly number[]): Promise<Map<number, JobLog>> {
  const { rows } = await sql<LogRow>`
    select id, experiment_id, occurred_at, category, level, message, detail::text as detail, dataset_example_id,
      repetition_number, experiment_run_id, dataset_evaluator_id
    from experiment_logs where id = any(${rowIds}::bigint[])
  `.execute(db);
  return new Map(rows.map((row) => [row.id, toLog(row)]));
}

export async function deleteJobLogs(db: Db, experimentRowId: number): Promise<void> {
  await sql`delete from experiment_logs where experiment_id = ${experimentRowId}`.execute(db);
}

interface LogRow {
  readonly id: number;
  readonly experiment_id: number;
  readonly occurred_at: Date;
  readonly category: JobLogCategory;
  readonly level: JobLogLevel;
  readonly message: string;
  readonly detail: string | null;
  readonly dataset_example_id: number | null;
  readonly repetition_number: number | null;
  readonly experiment_run_id: number | null;
  readonly dataset_evaluator_id: number | null;
}

const toLog = (row: LogRow): JobLog => ({
  rowId: row.id,
  experimentRowId: row.experiment_id,
  occurredAt: row.occurred_at,
  category: row.category,
  level: row.level,
  message: row.message,
  detail: row.detail === null ? null : readJson<JobLogDetail>(row.detail),
  item: toItem(row),
});

function toItem(row: LogRow): JobItemRef | null {
  if (row.dataset_example_id !== null && row.repetition_number !== null) {
    return { exampleRowId: row.dataset_example_id, repetitionNumber: row.repetition_number };
  }
  if (row.experiment_run_id !== null && row.dataset_evaluator_id !== null) {
    return { runRowId: row.experiment_run_id, datasetEvaluatorRowId: row.dataset_evaluator_id };
  }
  return null;
}
