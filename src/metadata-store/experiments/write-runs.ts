import { sql } from 'kysely';
import type { NewExperimentEvaluation, NewExperimentRun } from '../../model/experiment.ts';
import { RUN_BATCH_CHARS, RUN_BATCH_COUNT } from '../../model/limits/datasets.ts';
import type { Db } from '../database/database.ts';
import { GatheredWrites } from '../database/gathered-writes.ts';
import { toTime } from '../database/microseconds.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Tables: experiment_runs, experiment_evaluations, experiment_examples.

/** `complete`: a run of that example and repetition has succeeded and does not change. */
export type RunWrite =
  | { readonly state: 'written' | 'complete'; readonly rowId: number }
  | { readonly state: 'absent'; readonly what: 'experiment' | 'example' };

export interface RunWrites {
  /** Stores a run, replacing a failed run of the same example and repetition. */
  writeRun(experimentRowId: number, run: NewExperimentRun): Promise<RunWrite>;
  /** Stores an evaluation, replacing one of the same run and name. Undefined when there is no such run. */
  writeEvaluation(runRowId: number, evaluation: NewExperimentEvaluation): Promise<number | undefined>;
  /** Like `writeEvaluation`, but one of the same run and name that has succeeded stays. */
  addEvaluation(runRowId: number, evaluation: NewExperimentEvaluation): Promise<number | undefined>;
}

/** Runs and evaluations arrive in separate requests. Concurrent ones are written together. */
export function openRunWrites(db: Db): RunWrites {
  const limits = { countMax: RUN_BATCH_COUNT, charsMax: RUN_BATCH_CHARS };
  const runs = new GatheredWrites<RunOf, RunWrite>({
    ...limits,
    write: (items) => writeRuns(db, items),
    keyOf: keyOfRun,
    charsOf: ({ output, error }) => output.length + (error?.length ?? 0),
  });
  const gatherEvaluations = (keepsSuccessful: boolean) =>
    new GatheredWrites<EvaluationOf, number | undefined>({
      ...limits,
      write: (items) => writeEvaluations(db, items, keepsSuccessful),
      keyOf: keyOfEvaluation,
      charsOf: ({ explanation, metadata }) => metadata.length + (explanation?.length ?? 0),
    });
  const evaluations = gatherEvaluations(false);
  const evaluationsOfJobs = gatherEvaluations(true);
  return {
    writeRun: (experimentRowId, run) => runs.submit({ experimentRowId, ...run }),
    writeEvaluation: (runRowId, evaluation) => evaluations.submit({ runRowId, ...evaluation }),
    addEvaluation: (runRowId, evaluation) => evaluationsOfJobs.submit({ runRowId, ...evaluation }),
  };
}

interface RunOf extends NewExperimentRun {
  readonly experimentRowId: number;
}

interface EvaluationOf extends NewExperimentEvaluation {
  readonly runRowId: number;
}

type RunKey = Pick<RunOf, 'experimentRowId' | 'exampleRowId' | 'repetitionNumber'>;

const keyOfRun = ({ experimentRowId, exampleRowId, repetitionNumber }: RunKey): string =>
  `${experimentRowId}:${exampleRowId}:${repetitionNumber}`;

const keyOfEvaluation = ({ runRowId, name }: Pick<EvaluationOf, 'runRowId' | 'name'>): string =>
  `${runRowId}:${toPostgresText(name)}`;

async function writeRuns(db: Db, runs: readonly RunOf[]): Promise<RunWrite[]> {
  const column = columnsOf(runs);
  const { rows } = await sql<RunKey & { rowId: number }>`
    insert into experiment_runs
      (experiment_id, dataset_example_id, repetition_number, trace_id, output, start_time, end_time, error, is_cached)
    select s.experiment_id, s.dataset_example_id, w.repetition_number, w.trace_id, w.output::json,
      ${toTime(sql`w.start_micros`)}, ${toTime(sql`w.end_micros`)}, w.error, w.is_cached
    from unnest(
      ${column(({ experimentRowId }) => experimentRowId)}::bigint[],
      ${column(({ exampleRowId }) => exampleRowId)}::bigint[],
      ${column(({ repetitionNumber }) => repetitionNumber)}::integer[],
      ${column(({ traceId }) => textOrNull(traceId))}::text[],
      ${column(({ output }) => output)}::text[],
      ${column(({ startMicros }) => String(startMicros))}::bigint[],
      ${column(({ endMicros }) => String(endMicros))}::bigint[],
      ${column(({ error }) => textOrNull(error))}::text[],
      ${column(({ isCached }) => isCached ?? false)}::boolean[]
    ) as w (experiment_id, example_id, repetition_number, trace_id, output, start_micros, end_micros, error, is_cached)
    join experiment_examples s on s.experiment_id = w.experiment_id and s.dataset_example_id = w.example_id
    order by ${LOCK_ORDER}
    on conflict (experiment_id, dataset_example_id, repetition_number) do update set
      trace_id = excluded.trace_id, output = excluded.output, start_time = excluded.start_time,
      end_time = excluded.end_time, error = excluded.error, is_cached = excluded.is_cached
    where experiment_runs.error is not null
    returning ${KEY_COLUMNS}
  `.execute(db);
  const written = byKey(rows);
  const unwritten = runs.filter((run) => !written.has(keyOfRun(run)));
  const complete = unwritten.length > 0 ? await findRuns(db, unwritten) : new Map<string, number>();
  const absent = unwritten.filter((run) => !complete.has(keyOfRun(run)));
  const experiments = absent.length > 0 ? await findExperiments(db, absent) : new Set<number>();
  return runs.map((run): RunWrite => {
    const key = keyOfRun(run);
    const rowId = written.get(key);
    if (rowId !== undefined) return { state: 'written', rowId };
    const completeRowId = complete.get(key);
    if (completeRowId !== undefined) return { state: 'complete', rowId: completeRowId };
    return { state: 'absent', what: experiments.has(run.experimentRowId) ? 'example' : 'experiment' };
  });
}

/** Two servers that write the same rows lock them in the same order. */
const LOCK_ORDER = sql`w.experiment_id, w.example_id, w.repetition_number`;

const KEY_COLUMNS = sql`id as "rowId", experiment_id as "experimentRowId", dataset_example_id as "exampleRowId",
  repetition_number as "repetitionNumber"`;

async function findRuns(db: Db, runs: readonly RunOf[]): Promise<Map<string, number>> {
  const column = columnsOf(runs);
  const { rows } = await sql<RunKey & { rowId: number }>`
    select ${KEY_COLUMNS} from experiment_runs
    where (experiment_id, dataset_example_id, repetition_number) in (
      select * from unnest(
        ${column(({ experimentRowId }) => experimentRowId)}::bigint[],
        ${column(({ exampleRowId }) => exampleRowId)}::bigint[],
        ${column(({ repetitionNumber }) => repetitionNumber)}::integer[]
      )
    )
  `.execute(db);
  return byKey(rows);
}

async function findExperiments(db: Db, runs: readonly RunOf[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from experiments where id = any(${runs.map(({ experimentRowId }) => experimentRowId)}::bigint[])
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

const byKey = (rows: readonly (RunKey & { readonly rowId: number })[]): Map<string, number> =>
  new Map(rows.map((row) => [keyOfRun(row), row.rowId]));

async function writeEvaluations(
  db: Db,
  evaluations: readonly EvaluationOf[],
  keepsSuccessful: boolean,
): Promise<(number | undefined)[]> {
  const column = columnsOf(evaluations);
  const { rows } = await sql<{ id: number; runRowId: number; name: string }>`
    insert into experiment_evaluations (
      experiment_id, experiment_run_id, name, annotator_kind, label, score, explanation, trace_id, error, metadata,
      start_time, end_time
    )
    select n.experiment_id, n.id, w.name, w.annotator_kind, w.label, w.score, w.explanation, w.trace_id, w.error,
      w.metadata::json, ${toTime(sql`w.start_micros`)}, ${toTime(sql`w.end_micros`)}
    from unnest(
      ${column(({ runRowId }) => runRowId)}::bigint[],
      ${column(({ name }) => toPostgresText(name))}::text[],
      ${column(({ annotatorKind }) => annotatorKind)}::text[],
      ${column(({ label }) => textOrNull(label))}::text[],
      ${column(({ score }) => score)}::float8[],
      ${column(({ explanation }) => textOrNull(explanation))}::text[],
      ${column(({ traceId }) => textOrNull(traceId))}::text[],
      ${column(({ error }) => textOrNull(error))}::text[],
      ${column(({ metadata }) => metadata)}::text[],
      ${column(({ startMicros }) => String(startMicros))}::bigint[],
      ${column(({ endMicros }) => String(endMicros))}::bigint[]
    ) as w (
      run_id, name, annotator_kind, label, score, explanation, trace_id, error, metadata, start_micros, end_micros
    )
    join experiment_runs n on n.id = w.run_id
    order by w.run_id, w.name
    on conflict (experiment_run_id, name) do update set
      annotator_kind = excluded.annotator_kind, label = excluded.label, score = excluded.score,
      explanation = excluded.explanation, trace_id = excluded.trace_id, error = excluded.error,
      metadata = excluded.metadata, start_time = excluded.start_time, end_time = excluded.end_time
    ${keepsSuccessful ? sql`where experiment_evaluations.error is not null` : sql``}
    returning id, experiment_run_id as "runRowId", name
  `.execute(db);
  const ids = new Map(rows.map((row) => [keyOfEvaluation(row), row.id]));
  const unwritten = keepsSuccessful ? evaluations.filter((one) => !ids.has(keyOfEvaluation(one))) : [];
  if (unwritten.length > 0)
    for (const row of await findEvaluations(db, unwritten)) ids.set(keyOfEvaluation(row), row.id);
  return evaluations.map((evaluation) => ids.get(keyOfEvaluation(evaluation)));
}

async function findEvaluations(db: Db, evaluations: readonly EvaluationOf[]) {
  const column = columnsOf(evaluations);
  const { rows } = await sql<{ id: number; runRowId: number; name: string }>`
    select id, experiment_run_id as "runRowId", name from experiment_evaluations
    where (experiment_run_id, name) in (
      select * from unnest(
        ${column(({ runRowId }) => runRowId)}::bigint[], ${column(({ name }) => toPostgresText(name))}::text[]
      )
    )
  `.execute(db);
  return rows;
}

/** A column of the items as an array for `unnest`. */
const columnsOf =
  <Item>(items: readonly Item[]) =>
  <Value>(read: (item: Item) => Value): Value[] =>
    items.map(read);

const textOrNull = (text: string | null): string | null => (text === null ? null : toPostgresText(text));
