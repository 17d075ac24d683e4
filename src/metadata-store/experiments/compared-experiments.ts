import { sql } from 'kysely';
import type { ComparedExperiment, RunColumns, ScoreColumn } from '../../model/experiment-comparison.ts';
import { COMPARED_READ_COUNT } from '../../model/limits/comparisons.ts';
import type { Db } from '../database/database.ts';
import { IntegerListReader, readIntegerList } from '../database/integer-list.ts';
import { RunIndex } from './run-index.ts';

// Tables: experiment_examples, experiment_runs, experiment_evaluations, experiment_run_annotations.

/**
 * Reads the numbers of an experiment. Postgres packs each column into one value, because a row of the driver costs more than
 * its numbers.
 */
export async function readComparedExperiment(
  db: Db,
  rowId: number,
  lists: IntegerListReader = openListReader(),
): Promise<ComparedExperiment> {
  const examples = await readExamples(db, rowId, lists);
  const runs = await readRuns(db, rowId, lists);
  const index = new RunIndex(runs.rowIds);
  const scores = await readScores(db, rowId, index, lists);
  return { rowId, ...examples, runs, scores, ...(await readPersonScores(db, rowId, index, scores)) };
}

/**
 * Experiments on one version of a dataset have the same examples and revisions, and most runs are those of all examples in
 * order. Each experiment that is being read adds the list of its runs, and those of its evaluations.
 */
export const openListReader = (): IntegerListReader => new IntegerListReader(4 + 2 * COMPARED_READ_COUNT);

async function readExamples(db: Db, rowId: number, lists: IntegerListReader) {
  const { rows } = await sql<{ examples: string | null; revisions: string | null }>`
    select array_agg(dataset_example_id)::text as examples, array_agg(dataset_example_revision_id)::text as revisions
    from (
      select dataset_example_id, dataset_example_revision_id from experiment_examples
      where experiment_id = ${rowId} order by dataset_example_id
    ) examples
  `.execute(db);
  const [row] = rows;
  return { exampleRowIds: lists.read(row?.examples), revisionRowIds: lists.read(row?.revisions) };
}

interface PackedRuns {
  readonly ids: string | null;
  readonly examples: string | null;
  /** Null: each is 1. */
  readonly repetitions: string | null;
  readonly micros: string | null;
  /** Null: no run has failed. */
  readonly errors: string | null;
  readonly traces: string | null;
}

async function readRuns(db: Db, rowId: number, lists: IntegerListReader): Promise<RunColumns> {
  // `extract` returns a numeric, which takes longer than all other columns together.
  const { rows } = await sql<PackedRuns>`
    select array_agg(id)::text as ids, array_agg(dataset_example_id)::text as examples,
      case when max(repetition_number) > 1 then array_agg(repetition_number)::text end as repetitions,
      array_agg(micros)::text as micros, case when max(has_error) > 0 then array_agg(has_error)::text end as errors,
      string_agg(trace_id, E'\n') as traces
    from (
      select id, dataset_example_id, repetition_number, (error is not null)::integer as has_error,
        (date_part('epoch', end_time - start_time) * 1000000)::bigint as micros,
        replace(coalesce(trace_id, ''), E'\n', '') as trace_id
      from experiment_runs where experiment_id = ${rowId} order by dataset_example_id, repetition_number
    ) runs
  `.execute(db);
  const [row] = rows;
  const rowIds = lists.read(row?.ids);
  const { length } = rowIds;
  return {
    count: length,
    rowIds,
    exampleRowIds: lists.read(row?.examples),
    repetitions: row?.repetitions ? new Int32Array(readIntegerList(row.repetitions)) : new Int32Array(length).fill(1),
    latencyMs: toMs(readIntegerList(row?.micros)),
    hasError: row?.errors ? new Uint8Array(readIntegerList(row.errors)) : new Uint8Array(length),
    traceIds: row?.traces ?? '',
  };
}

/** Changes the list. */
function toMs(micros: Float64Array): Float64Array {
  for (let index = 0; index < micros.length; index++) micros[index] = (micros[index] as number) / 1_000;
  return micros;
}

async function readScores(
  db: Db,
  rowId: number,
  index: RunIndex,
  lists: IntegerListReader,
): Promise<Map<string, ScoreColumn>> {
  const { rows } = await sql<{ name: string; runs: string; scores: Buffer }>`
    select name, array_agg(experiment_run_id)::text as runs, array_send(array_agg(score)) as scores
    from experiment_evaluations where experiment_id = ${rowId} and score is not null group by name order by name
  `.execute(db);
  return new Map(rows.map((row) => [row.name, toScoreColumn(lists.read(row.runs), unpack(row.scores), index)]));
}

function toScoreColumn(runs: Float64Array, scores: Float64Array, index: RunIndex): ScoreColumn {
  const values = new Float64Array(index.count).fill(Number.NaN);
  let nonFiniteCount = 0;
  for (let at = 0; at < runs.length; at++) {
    const score = scores[at] as number;
    const run = index.find(runs[at] as number);
    if (!Number.isFinite(score)) nonFiniteCount++;
    else if (run >= 0) values[run] = score;
  }
  return { values, nonFiniteCount };
}

/** Scores of people, which are few, and the runs on which people, or people and an evaluator, disagree. */
async function readPersonScores(
  db: Db,
  rowId: number,
  index: RunIndex,
  scores: ReadonlyMap<string, ScoreColumn>,
): Promise<Pick<ComparedExperiment, 'personScores' | 'disagreements'>> {
  const { rows } = await sql<{ run: number; name: string; mean: number; low: number; high: number }>`
    select experiment_run_id as run, name, avg(score) as mean, min(score) as low, max(score) as high
    from experiment_run_annotations
    where experiment_id = ${rowId} and score is not null and score not in ('NaN', 'Infinity', '-Infinity')
    group by experiment_run_id, name order by name
  `.execute(db);
  const personScores = new Map<string, ScoreColumn>();
  const disagreements = new Map<string, Uint8Array>();
  for (const { run, name, mean, low, high } of rows) {
    const at = index.find(run);
    if (at < 0) continue;
    const column = personScores.get(name)?.values ?? new Float64Array(index.count).fill(Number.NaN);
    personScores.set(name, { values: column, nonFiniteCount: 0 });
    column[at] = mean;
    const disagreement = disagreements.get(name) ?? new Uint8Array(index.count);
    disagreements.set(name, disagreement);
    const evaluated = scores.get(name)?.values[at] ?? Number.NaN;
    if (low !== high || (!Number.isNaN(evaluated) && evaluated !== low)) disagreement[at] = 1;
  }
  return { personScores, disagreements };
}

/** Bytes of the head of a packed array of one dimension, and of the length before each of its values. */
const HEAD_BYTES = 20;
const LENGTH_BYTES = 4;

/** The doubles of an array in Postgres's binary format, without NULL. */
function unpack(array: Buffer): Float64Array {
  const view = new DataView(array.buffer, array.byteOffset, array.byteLength);
  const values = new Float64Array((array.byteLength - HEAD_BYTES) / (LENGTH_BYTES + 8));
  for (let index = 0, offset = HEAD_BYTES + LENGTH_BYTES; index < values.length; index++, offset += LENGTH_BYTES + 8) {
    values[index] = view.getFloat64(offset);
  }
  return values;
}
