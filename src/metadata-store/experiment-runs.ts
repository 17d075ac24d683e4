import { type RawBuilder, sql } from 'kysely';
import type {
  ExperimentEvaluation,
  ExperimentRun,
  IncompleteEvaluations,
  IncompleteRuns,
  NewExperimentEvaluation,
  NewExperimentRun,
  RunRecord,
  SnapshotExample,
} from '../model/experiment.ts';
import type { Page } from '../model/page.ts';
import type { Db } from './database.ts';
import { toPage } from './datasets.ts';
import { toPostgresText } from './postgres-text.ts';

// Tables: experiment_runs, experiment_evaluations, experiment_examples.

/** `complete`: a run of that example and repetition has succeeded, and stays as it is. */
export type RunWrite =
  | { readonly state: 'written' | 'complete'; readonly rowId: number }
  | { readonly state: 'absent'; readonly what: 'experiment' | 'example' };

/** Stores a run, in place of one of the same example and repetition that failed. */
export async function writeRun(db: Db, experimentRowId: number, run: NewExperimentRun): Promise<RunWrite> {
  const { rows } = await sql<{ id: number }>`
    insert into experiment_runs
      (experiment_id, dataset_example_id, repetition_number, trace_id, output, start_time, end_time, error)
    select experiment_id, dataset_example_id, ${run.repetitionNumber}::integer, ${textOrNull(run.traceId)}::text,
      ${run.output}::json, ${toTime(run.startMicros)}, ${toTime(run.endMicros)}, ${textOrNull(run.error)}::text
    from experiment_examples
    where experiment_id = ${experimentRowId} and dataset_example_id = ${run.exampleRowId}
    on conflict (experiment_id, dataset_example_id, repetition_number) do update set
      trace_id = excluded.trace_id, output = excluded.output, start_time = excluded.start_time,
      end_time = excluded.end_time, error = excluded.error
    where experiment_runs.error is not null
    returning id
  `.execute(db);
  if (rows[0]) return { state: 'written', rowId: rows[0].id };
  const complete = await db
    .selectFrom('experiment_runs')
    .select('id')
    .where('experiment_id', '=', experimentRowId)
    .where('dataset_example_id', '=', run.exampleRowId)
    .where('repetition_number', '=', run.repetitionNumber)
    .executeTakeFirst();
  if (complete) return { state: 'complete', rowId: complete.id };
  const experiment = await db
    .selectFrom('experiments')
    .select('id')
    .where('id', '=', experimentRowId)
    .executeTakeFirst();
  return { state: 'absent', what: experiment ? 'example' : 'experiment' };
}

/** Stores an evaluation, in place of one of the same run and name; undefined when there is no such run. */
export async function writeEvaluation(
  db: Db,
  runRowId: number,
  evaluation: NewExperimentEvaluation,
): Promise<number | undefined> {
  const { rows } = await sql<{ id: number }>`
    insert into experiment_evaluations (
      experiment_id, experiment_run_id, name, annotator_kind, label, score, explanation, trace_id, error, metadata,
      start_time, end_time
    )
    select experiment_id, id, ${toPostgresText(evaluation.name)}, ${evaluation.annotatorKind},
      ${textOrNull(evaluation.label)}, ${evaluation.score}::float8, ${textOrNull(evaluation.explanation)},
      ${textOrNull(evaluation.traceId)}, ${textOrNull(evaluation.error)}, ${evaluation.metadata}::json,
      ${toTime(evaluation.startMicros)}, ${toTime(evaluation.endMicros)}
    from experiment_runs where id = ${runRowId}
    on conflict (experiment_run_id, name) do update set
      annotator_kind = excluded.annotator_kind, label = excluded.label, score = excluded.score,
      explanation = excluded.explanation, trace_id = excluded.trace_id, error = excluded.error,
      metadata = excluded.metadata, start_time = excluded.start_time, end_time = excluded.end_time
    returning id
  `.execute(db);
  return rows[0]?.id;
}

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

/** Examples with fewer successful runs than repetitions, lowest row id first. A page holds its place while runs come in. */
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
    /** Each once. */
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

/** Runs by example, then repetition, after the given run. */
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

/** Names of the evaluations of an experiment, in the order in which `listRunRecords` comes upon them. */
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

/** By row id of the run, in the order in which they came; a run without any is absent. */
export async function evaluationsOfRuns(
  db: Db,
  runRowIds: readonly number[],
): Promise<Map<number, ExperimentEvaluation[]>> {
  const { rows } = await sql<
    Omit<ExperimentEvaluation, 'startMicros' | 'endMicros'> & { run_id: number; start: string; end: string }
  >`
    select id as "rowId", experiment_run_id as run_id, name, annotator_kind as "annotatorKind", label, score, explanation,
      trace_id as "traceId", error, metadata::text as metadata, ${toMicros(sql`start_time`)} as start,
      ${toMicros(sql`end_time`)} as end
    from experiment_evaluations where experiment_run_id = any(${runRowIds}::bigint[]) order by id
  `.execute(db);
  const byRun = new Map<number, ExperimentEvaluation[]>();
  for (const { run_id, start, end, ...rest } of rows) {
    const evaluation = { ...rest, startMicros: BigInt(start), endMicros: BigInt(end) };
    byRun.set(run_id, [...(byRun.get(run_id) ?? []), evaluation]);
  }
  return byRun;
}

const textOrNull = (text: string | null): string | null => (text === null ? null : toPostgresText(text));

/** Exact to the microsecond; the driver's dates are not. */
const toTime = (micros: bigint): RawBuilder<unknown> =>
  sql`('epoch'::timestamptz + ${String(micros / 1_000_000n)}::bigint * interval '1 second' + ${String(micros % 1_000_000n)}::bigint * interval '1 microsecond')`;
const toMicros = (time: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`trunc(extract(epoch from ${time}) * 1000000)::text`;

export const RUN_COLUMNS = sql`n.id as run_id, n.experiment_id, n.dataset_example_id, n.repetition_number, n.trace_id,
  n.output::text as run_output, ${toMicros(sql`n.start_time`)} as start, ${toMicros(sql`n.end_time`)} as end, n.error`;
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
});

const toExample = (row: ExampleRow): SnapshotExample => ({
  rowId: row.example_id,
  input: row.input,
  output: row.output,
  metadata: row.metadata,
  updatedAt: row.created_at,
});
