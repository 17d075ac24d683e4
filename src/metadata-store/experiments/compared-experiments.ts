import { sql } from 'kysely';
import type { ComparedExperiment, RunColumns, ScoreColumn } from '../../model/experiment-comparison.ts';
import type { Db } from '../database/database.ts';

// Tables: experiment_examples, experiment_runs, experiment_evaluations, experiment_run_annotations.

/**
 * Reads the numbers of an experiment. Postgres packs them into a few values, because a row of the driver costs more than
 * its numbers: 100,000 runs are read in a tenth of the time.
 */
export async function readComparedExperiment(db: Db, rowId: number): Promise<ComparedExperiment> {
  const [examples, runs] = await Promise.all([readExamples(db, rowId), readRuns(db, rowId)]);
  const indices = new Map<number, number>();
  for (let index = 0; index < runs.count; index++) indices.set(runs.rowIds[index] as number, index);
  const scores = await readScores(db, rowId, indices);
  return { rowId, ...examples, runs, scores, ...(await readPersonScores(db, rowId, indices, scores)) };
}

async function readExamples(db: Db, rowId: number) {
  const { rows } = await sql<{ packed: Buffer | null }>`
    select string_agg(float8send(dataset_example_id) || float8send(dataset_example_revision_id), ''::bytea) as packed
    from (
      select dataset_example_id, dataset_example_revision_id from experiment_examples
      where experiment_id = ${rowId} order by dataset_example_id
    ) examples
  `.execute(db);
  const [exampleRowIds, revisionRowIds] = unpack(rows[0]?.packed ?? null, 2);
  return { exampleRowIds: exampleRowIds as Float64Array, revisionRowIds: revisionRowIds as Float64Array };
}

async function readRuns(db: Db, rowId: number): Promise<RunColumns> {
  const { rows } = await sql<{ packed: Buffer | null; traces: string | null }>`
    select string_agg(
        float8send(id) || float8send(dataset_example_id) || float8send(repetition_number) || float8send(latency)
          || float8send(has_error), ''::bytea
      ) as packed, string_agg(trace_id, E'\n') as traces
    from (
      select id, dataset_example_id, repetition_number,
        (extract(epoch from end_time - start_time) * 1000)::float8 as latency,
        (error is not null)::integer as has_error, replace(coalesce(trace_id, ''), E'\n', '') as trace_id
      from experiment_runs where experiment_id = ${rowId} order by dataset_example_id, repetition_number
    ) runs
  `.execute(db);
  const [row] = rows;
  const columns = unpack(row?.packed ?? null, 5);
  const [rowIds, exampleRowIds, repetitions, latencyMs, hasError] = columns as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  return {
    count: rowIds.length,
    rowIds,
    exampleRowIds,
    repetitions: Int32Array.from(repetitions),
    latencyMs,
    hasError: Uint8Array.from(hasError),
    traceIds: row?.traces ?? '',
  };
}

/** Index of each run by its row id. */
type Indices = ReadonlyMap<number, number>;

async function readScores(db: Db, rowId: number, indices: Indices): Promise<Map<string, ScoreColumn>> {
  const { rows } = await sql<{ name: string; packed: Buffer | null; bad: number }>`
    select name, string_agg(float8send(experiment_run_id) || float8send(score), ''::bytea) as packed,
      count(*) filter (where score in ('NaN', 'Infinity', '-Infinity')) as bad
    from experiment_evaluations where experiment_id = ${rowId} and score is not null group by name order by name
  `.execute(db);
  return new Map(
    rows.map(({ name, packed, bad }) => {
      const values = new Float64Array(indices.size).fill(Number.NaN);
      const [runs, scores] = unpack(packed, 2) as [Float64Array, Float64Array];
      for (let index = 0; index < runs.length; index++) {
        const run = indices.get(runs[index] as number);
        const score = scores[index] as number;
        if (run !== undefined && Number.isFinite(score)) values[run] = score;
      }
      return [name, { values, nonFiniteCount: bad }];
    }),
  );
}

/** Scores of people, which are few, and the runs on which people, or people and an evaluator, disagree. */
async function readPersonScores(
  db: Db,
  rowId: number,
  indices: Indices,
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
    const index = indices.get(run);
    if (index === undefined) continue;
    const column = personScores.get(name)?.values ?? new Float64Array(indices.size).fill(Number.NaN);
    personScores.set(name, { values: column, nonFiniteCount: 0 });
    column[index] = mean;
    const disagreement = disagreements.get(name) ?? new Uint8Array(indices.size);
    disagreements.set(name, disagreement);
    const evaluated = scores.get(name)?.values[index] ?? Number.NaN;
    if (low !== high || (!Number.isNaN(evaluated) && evaluated !== low)) disagreement[index] = 1;
  }
  return { personScores, disagreements };
}

/** Columns of doubles that are stored row by row, with the highest byte first. */
function unpack(packed: Buffer | null, columnCount: number): Float64Array[] {
  const rowCount = packed === null ? 0 : packed.length / 8 / columnCount;
  const columns = Array.from({ length: columnCount }, () => new Float64Array(rowCount));
  if (packed === null) return columns;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  for (let row = 0, offset = 0; row < rowCount; row++) {
    for (const column of columns) {
      column[row] = view.getFloat64(offset);
      offset += 8;
    }
  }
  return columns;
}
