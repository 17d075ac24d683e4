import { type RawBuilder, sql } from 'kysely';
import type {
  ExperimentEvaluation,
  ExperimentRun,
  IncompleteEvaluations,
  IncompleteRuns,
  RunRecord,
  SnapshotExample,
} from '../../model/experiment.ts';
import type { Page } from '../../model/page.ts';
import type { Db } from '../database/database.ts';
import { toPage } from '../datasets/datasets.ts';

// Tables: experiment_runs, experiment_evaluations, experiment_examples.

/** Highest row id first; empty for an unknown experiment. */
export async function listRuns(
  db: Db,
  query: { readonly experimentRowId: number; readonly limit: number; readonly fromRowId?: number | undefined },
): Promise<Page<ExperimentRun>> {
  const { rows } = await sql<RunRow>`
    select ${RUN_COLUMNS} from experiment_runs n
    where n.experiment_id = ${query.experimentRowId} and n.id <= ${query.fromRowId ?? Number.MAX_SAFE_INTEGER}
    order by n.id desc limit ${query.limit + 1}
  `.execute(db);
  return toPage(rows.map(toRun), query.limit);
}

/**
 * Examples with fewer successful runs than repetitions, lowest row id first. A cursor stays valid while runs arrive.
 */
export async function listIncompleteRuns(
  db: Db,
  query: { readonly experimentRowId: number; readonly limit: number; readonly fromRowId?: number | undefined },
): Promise<Page<IncompleteRuns>> {
  const { rows } = await sql<ExampleRow & { repetitions: number; done: number[] }>`
    select ${EXAMPLE_COLUMNS}, x.repetitions, d.done
    from experiments x
    join experiment_examples s on s.experiment_id = x.id
    cross join lateral (
      select coalesce(array_agg(n.repetition_number), '{}') as done from experiment_runs n
      where n.experiment_id = x.id and n.dataset_example_id = s.dataset_example_id
        and n.error is null and n.repetition_number <= x.repetitions
    ) d
    join dataset_example_revisions r on r.id = s.dataset_example_revision_id
    where x.id = ${query.experimentRowId} and s.dataset_example_id >= ${query.fromRowId ?? 0}
      and cardinality(d.done) < x.repetitions
    order by s.dataset_example_id limit ${query.limit + 1}
  `.execute(db);
  const items = rows.map((row) => {
    const done = new Set(row.done);
    const all = Array.from({ length: row.repetitions }, (_, index) => index + 1);
    const example = toExample(row);
    return { rowId: example.rowId, example, repetitionNumbers: all.filter((number) => !done.has(number)) };
  });
  return toPage(items, query.limit);
}

/** Successful runs that lack a successful evaluation of one of these names, lowest row id first. */
export async function listIncompleteEvaluations(
  db: Db,
  query: {
    readonly experimentRowId: number;
    /** Distinct names. */
    readonly names: readonly string[];
    readonly limit: number;
    readonly fromRowId?: number | undefined;
  },
): Promise<Page<IncompleteEvaluations>> {
  const { rows } = await sql<ExampleRow & RunRow & { done: string[] }>`
    select ${EXAMPLE_COLUMNS}, ${RUN_COLUMNS}, d.done
    from experiment_runs n
    cross join lateral (
      select coalesce(array_agg(e.name), '{}') as done from experiment_evaluations e
      where e.experiment_run_id = n.id and e.error is null and e.name = any(${query.names}::text[])
    ) d
    join experiment_examples s on s.experiment_id = n.experiment_id and s.dataset_example_id = n.dataset_example_id
    join dataset_example_revisions r on r.id = s.dataset_example_revision_id
    where n.experiment_id = ${query.experimentRowId} and n.id >= ${query.fromRowId ?? 0} and n.error is null
      and cardinality(d.done) < ${query.names.length}
    order by n.id limit ${query.limit + 1}
  `.execute(db);
  const items = rows.map((row) => {
    const run = toRun(row);
    const evaluationNames = query.names.filter((name) => !row.done.includes(name)).toSorted();
    return { rowId: run.rowId, run, example: toExample(row), evaluationNames };
  });
  return toPage(items, query.limit);
}

/** Runs by example and repetition after the given run. */
export async function listRunRecords(
  db: Db,
  experimentRowId: number,
  limit: number,
  after?: Pick<ExperimentRun, 'exampleRowId' | 'repetitionNumber'>,
): Promise<RunRecord[]> {
  const { rows } = await sql<ExampleRow & RunRow>`
    select ${EXAMPLE_COLUMNS}, ${RUN_COLUMNS}
    from experiment_runs n
    join experiment_examples s on s.experiment_id = n.experiment_id and s.dataset_example_id = n.dataset_example_id
    join dataset_example_revisions r on r.id = s.dataset_example_revision_id
    where n.experiment_id = ${experimentRowId}
      and (n.dataset_example_id, n.repetition_number) > (${after?.exampleRowId ?? 0}, ${after?.repetitionNumber ?? 0})
    order by n.dataset_example_id, n.repetition_number limit ${limit}
  `.execute(db);
  const evaluations = await evaluationsOfRuns(
    db,
    rows.map(({ run_id }) => run_id),
  );
  return rows.map((row) => ({
    run: toRun(row),
    example: toExample(row),
    evaluations: evaluations.get(row.run_id) ?? [],
  }));
}

/** Names of the evaluations of an experiment, in the order in which `listRunRecords` returns them. */
export async function listEvaluationNames(db: Db, experimentRowId: number): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select name from (
      select e.name, row_number() over (order by n.dataset_example_id, n.repetition_number, e.id) as place
      from experiment_evaluations e join experiment_runs n on n.id = e.experiment_run_id
      where e.experiment_id = ${experimentRowId}
    ) placed
    group by name order by min(place)
  `.execute(db);
  return rows.map(({ name }) => name);
}

/** Evaluations by row id of the run, in the order in which they arrived. A run without any is absent. */
export async function evaluationsOfRuns(
  db: Db,
  runRowIds: readonly number[],
): Promise<Map<number, ExperimentEvaluation[]>> {
  const byRun = new Map<number, ExperimentEvaluation[]>();
  for (const { runRowId, evaluation } of await readEvaluations(db, sql`experiment_run_id`, runRowIds)) {
    byRun.set(runRowId, [...(byRun.get(runRowId) ?? []), evaluation]);
  }
  return byRun;
}

/** Evaluations by row id. Unknown ones are absent. */
export async function findEvaluations(db: Db, rowIds: readonly number[]): Promise<Map<number, ExperimentEvaluation>> {
  const found = await readEvaluations(db, sql`id`, rowIds);
  return new Map(found.map(({ evaluation }) => [evaluation.rowId, evaluation]));
}

async function readEvaluations(
  db: Db,
  column: RawBuilder<unknown>,
  rowIds: readonly number[],
): Promise<{ readonly runRowId: number; readonly evaluation: ExperimentEvaluation }[]> {
  const { rows } = await sql<
    Omit<ExperimentEvaluation, 'startMicros' | 'endMicros'> & { run_id: number; start: string; end: string }
  >`
    select id as "rowId", experiment_run_id as run_id, name, annotator_kind as "annotatorKind", label, score, explanation,
      trace_id as "traceId", error, metadata::text as metadata, ${toMicros(sql`start_time`)} as start,
      ${toMicros(sql`end_time`)} as end
    from experiment_evaluations where ${column} = any(${rowIds}::bigint[]) order by id
  `.execute(db);
  return rows.map(({ run_id: runRowId, start, end, ...rest }) => ({
    runRowId,
    evaluation: { ...rest, startMicros: BigInt(start), endMicros: BigInt(end) },
  }));
}

const toMicros = (time: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`trunc(extract(epoch from ${time}) * 1000000)::text`;

export const RUN_COLUMNS = sql`n.id as run_id, n.experiment_id, n.dataset_example_id, n.repetition_number, n.trace_id,
  n.output::text as run_output, ${toMicros(sql`n.start_time`)} as start, ${toMicros(sql`n.end_time`)} as end, n.error,
  n.is_cached`;
const EXAMPLE_COLUMNS = sql`s.dataset_example_id as example_id, r.input::text as input, r.output::text as output,
  r.metadata::text as metadata, r.created_at`;

export interface RunRow {
  readonly run_id: number;
  readonly experiment_id: number;
  readonly dataset_example_id: number;
  readonly repetition_number: number;
  readonly trace_id: string | null;
  readonly run_output: string;
  readonly start: string;
  readonly end: string;
  readonly error: string | null;
  readonly is_cached: boolean;
}

interface ExampleRow {
  readonly example_id: number;
  readonly input: string;
  readonly output: string;
  readonly metadata: string;
  readonly created_at: Date;
}

export const toRun = (row: RunRow): ExperimentRun => ({
  rowId: row.run_id,
  experimentRowId: row.experiment_id,
  exampleRowId: row.dataset_example_id,
  repetitionNumber: row.repetition_number,
  traceId: row.trace_id,
  output: row.run_output,
  startMicros: BigInt(row.start),
  endMicros: BigInt(row.end),
  error: row.error,
  isCached: row.is_cached,
});

const toExample = (row: ExampleRow): SnapshotExample => ({
  rowId: row.example_id,
  input: row.input,
  output: row.output,
  metadata: row.metadata,
  updatedAt: row.created_at,
});
