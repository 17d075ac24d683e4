import { sql } from 'kysely';
import type { RunOfRevision } from '../../model/experiment.ts';
import type { Db } from '../database/database.ts';
import { RUN_COLUMNS, type RunRow, toRun } from './experiment-runs.ts';

// Tables: experiments, experiment_runs, experiment_evaluations, experiment_examples.

export interface RunListQuery {
  readonly experimentRowId: number;
  /** Sorts by latency or by the score of an evaluation. Runs without a score are last. */
  readonly sort?:
    | { readonly by: 'latency' | { readonly evaluation: string }; readonly isDescending: boolean }
    | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** Lowest row id first unless sorted otherwise. */
export async function findRunIds(db: Db, { experimentRowId, sort, offset, limit }: RunListQuery): Promise<number[]> {
  const direction = sort?.isDescending ? sql`desc nulls last` : sql`asc nulls last`;
  const value =
    sort?.by === 'latency'
      ? sql`n.end_time - n.start_time`
      : sort &&
        sql`(
          select score from experiment_evaluations e where e.experiment_run_id = n.id and e.name = ${sort.by.evaluation}
        )`;
  const { rows } = await sql<{ id: number }>`
    select n.id from experiment_runs n where n.experiment_id = ${experimentRowId}
    order by ${value ? sql`${value} ${direction},` : sql``} n.id limit ${limit} offset ${offset}
  `.execute(db);
  return rows.map(({ id }) => id);
}

/** A row id that no run has is absent. */
export async function findRunsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, RunOfRevision>> {
  const { rows } = await sql<Row>`${SELECT} where n.id = any(${rowIds}::bigint[])`.execute(db);
  return new Map(rows.map((row) => [row.run_id, toRunOfRevision(row)]));
}

/** Runs of each example in each experiment by repetition, in the requested order. */
export async function findRunsOfExamples(
  db: Db,
  keys: readonly { readonly experimentRowId: number; readonly exampleRowId: number }[],
): Promise<RunOfRevision[][]> {
  const { rows } = await sql<Row>`
    ${SELECT} join unnest(
      ${keys.map(({ experimentRowId }) => experimentRowId)}::bigint[],
      ${keys.map(({ exampleRowId }) => exampleRowId)}::bigint[]
    ) as wanted (experiment_id, example_id)
      on wanted.experiment_id = n.experiment_id and wanted.example_id = n.dataset_example_id
    order by n.repetition_number
  `.execute(db);
  const keyOf = (experiment: number, example: number) => `${experiment}:${example}`;
  const runs = new Map<string, RunOfRevision[]>();
  for (const row of rows) {
    const key = keyOf(row.experiment_id, row.dataset_example_id);
    const list = runs.get(key);
    if (list) list.push(toRunOfRevision(row));
    else runs.set(key, [toRunOfRevision(row)]);
  }
  return keys.map(({ experimentRowId, exampleRowId }) => runs.get(keyOf(experimentRowId, exampleRowId)) ?? []);
}

/** Runs of these examples in these experiments, without their outputs. */
export async function measureRuns(
  db: Db,
  experimentRowIds: readonly number[],
  exampleRowIds: readonly number[],
): Promise<
  {
    readonly experimentRowId: number;
    readonly exampleRowId: number;
    readonly latencyMs: number;
    readonly traceId: string | null;
  }[]
> {
  const { rows } = await sql<Awaited<ReturnType<typeof measureRuns>>[number]>`
    select experiment_id as "experimentRowId", dataset_example_id as "exampleRowId", trace_id as "traceId",
      (extract(epoch from end_time - start_time) * 1000)::float8 as "latencyMs"
    from experiment_runs
    where experiment_id = any(${experimentRowIds}::bigint[]) and dataset_example_id = any(${exampleRowIds}::bigint[])
  `.execute(db);
  return rows;
}

/** Output of the newest successful run of an example, as JSON text. Undefined without one. */
export async function findNewestOutput(db: Db, exampleRowId: number): Promise<string | undefined> {
  const { rows } = await sql<{ output: string }>`
    select n.output::text as output from dataset_examples d
    join experiments x on x.dataset_id = d.dataset_id
    join experiment_runs n on n.experiment_id = x.id and n.dataset_example_id = d.id
    where d.id = ${exampleRowId} and n.error is null order by x.id desc, n.repetition_number limit 1
  `.execute(db);
  return rows[0]?.output;
}

/** Distinct trace IDs of the runs of each experiment. An experiment whose runs have no trace is absent. */
export async function findTraceIds(db: Db, experimentRowIds: readonly number[]): Promise<Map<number, string[]>> {
  const { rows } = await sql<{ id: number; traces: string[] }>`
    select experiment_id as id, array_agg(distinct trace_id) as traces from experiment_runs
    where experiment_id = any(${experimentRowIds}::bigint[]) and trace_id is not null group by experiment_id
  `.execute(db);
  return new Map(rows.map(({ id, traces }) => [id, traces]));
}

const SELECT = sql`select ${RUN_COLUMNS}, s.dataset_example_revision_id as revision_id from experiment_runs n
  join experiment_examples s on s.experiment_id = n.experiment_id and s.dataset_example_id = n.dataset_example_id`;

type Row = RunRow & { readonly revision_id: number };

const toRunOfRevision = (row: Row): RunOfRevision => ({ ...toRun(row), revisionRowId: row.revision_id });
