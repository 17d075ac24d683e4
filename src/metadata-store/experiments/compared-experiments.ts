import { endianness } from 'node:os';
import { sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { ComparedExperiment, ScoreColumn } from '../../model/experiment-comparison.ts';
import { COMPARED_READ_COUNT } from '../../model/limits/comparisons.ts';
import type { Db } from '../database/database.ts';
import { IntegerListReader } from '../database/integer-list.ts';
import type { ExampleColumns } from './compared-examples.ts';
import { readComparedRuns } from './compared-runs.ts';
import { RunIndex } from './run-index.ts';

// Tables: experiment_evaluations, experiment_run_annotations.

/**
 * Reads the numbers of an experiment. Postgres packs each column into one value, because a row of the driver costs more than
 * its numbers.
 */
export async function readComparedExperiment(
  db: Db,
  rowId: number,
  examples: ExampleColumns,
  lists: IntegerListReader,
): Promise<ComparedExperiment> {
  const runs = await readComparedRuns(db, rowId, examples.exampleRowIds, lists);
  const index = new RunIndex(runs.rowIds);
  const scores = await readScores(db, rowId, index, lists);
  return { rowId, ...examples, runs, scores, ...(await readPersonScores(db, rowId, index, scores)) };
}

/**
 * Experiments on one version of a dataset have the same examples and revisions, and most runs are those of all examples in
 * order. Each experiment that is being read adds the list of its runs, and those of its evaluations.
 */
export const openListReader = (): IntegerListReader => new IntegerListReader(4 + 2 * COMPARED_READ_COUNT);

async function readScores(
  db: Db,
  rowId: number,
  index: RunIndex,
  lists: IntegerListReader,
): Promise<Map<string, ScoreColumn>> {
  // The runs of two names are equal, as a rule, and two lists are compared sooner than one is written as a text.
  const { rows } = await sql<{ name: string; runs: string | null; scores: Buffer }>`
    select name, case when runs = lag(runs) over (order by name) then null else runs::text end as runs,
      scores
    from (
      select name, array_agg(experiment_run_id) as runs, string_agg(float8send(score), ''::bytea) as scores
      from experiment_evaluations where experiment_id = ${rowId} and score is not null group by name
    ) columns order by name
  `.execute(db);
  let runs: Float64Array = new Float64Array();
  return new Map(
    rows.map((row) => {
      if (row.runs !== null) runs = lists.read(row.runs);
      return [row.name, toScoreColumn(runs, unpack(row.scores), index)];
    }),
  );
}

function toScoreColumn(runs: Float64Array, scores: Float64Array, index: RunIndex): ScoreColumn {
  // One score of each run, in the order of the runs.
  if (runs === index.rowIds && areFinite(scores)) return { values: scores, nonFiniteCount: 0 };
  const values = new Float64Array(index.count).fill(Number.NaN);
  let nonFiniteCount = 0;
  runs.forEach((rowId, at) => {
    const score = expectPresent(scores[at], 'a run has a score');
    const run = index.find(rowId);
    if (!Number.isFinite(score)) nonFiniteCount++;
    else if (run >= 0) values[run] = score;
  });
  return { values, nonFiniteCount };
}

function areFinite(values: Float64Array): boolean {
  for (let index = 0; index < values.length; index++) if (!Number.isFinite(values[index])) return false;
  return true;
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

/** Doubles of 8 bytes, the highest first. */
function unpack(bytes: Buffer): Float64Array {
  const values = new Float64Array(bytes.byteLength / 8);
  const copy = Buffer.from(values.buffer);
  copy.set(bytes);
  if (endianness() === 'LE') copy.swap64();
  return values;
}
