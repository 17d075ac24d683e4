import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findRows } from '../../../../src/domain/experiments/comparison/comparison.ts';
import { differencesByRow, meansByRow } from '../../../../src/domain/experiments/comparison/paired-values.ts';
import { randomIndices } from '../../../../src/domain/experiments/comparison/statistics/random.ts';

interface PlainRun {
  readonly example: number;
  readonly repetition: number;
  readonly value: number;
}

/** Random runs of examples in the order of the columns: some missing, some without a value. */
function randomRuns(random: (count: number) => number, repetitions: number): PlainRun[] {
  const runs: PlainRun[] = [];
  for (let example = 1; example <= 12; example++) {
    for (let repetition = 1; repetition <= repetitions; repetition++) {
      if (random(4) > 0) runs.push({ example, repetition, value: random(5) === 0 ? Number.NaN : random(100) });
    }
  }
  return runs;
}

const mean = (values: readonly number[]): number =>
  values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The definition, word by word. */
function plainDifference(base: readonly PlainRun[], other: readonly PlainRun[], example: number, isPaired: boolean) {
  const of = (runs: readonly PlainRun[]) => runs.filter((run) => run.example === example && !Number.isNaN(run.value));
  if (!isPaired) return mean(of(other).map(({ value }) => value)) - mean(of(base).map(({ value }) => value));
  return mean(
    of(other).flatMap(({ repetition, value }) => {
      const pair = of(base).find((run) => run.repetition === repetition);
      return pair ? [value - pair.value] : [];
    }),
  );
}

describe('paired values', () => {
  test('agree with the plain definition on random runs with gaps', () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = randomIndices(`pairs ${seed}`);
      const repetitions = [1 + random(3), 1 + random(3)];
      const runs = repetitions.map((count) => randomRuns(random, count));
      // The chosen splits leave out some examples.
      const rows = Float64Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].filter(() => random(5) > 0));
      const rowsOfRuns = runs.map((list) =>
        findRows(
          Float64Array.from(list, (run) => run.example),
          rows,
        ),
      );
      const values = runs.map((list) => Float64Array.from(list, (run) => run.value));
      const found = differencesByRow(
        {
          exampleRowIds: rows,
          rowsOfRuns,
          experiments: repetitions.map((count) => ({ repetitions: count })),
          columns: runs.map((list) => ({ runs: { repetitions: Int32Array.from(list, (run) => run.repetition) } })),
        },
        values,
        1,
      );
      const means = meansByRow(values[0]!, rowsOfRuns[0]!, rows.length);
      for (const [row, example] of rows.entries()) {
        const [base, other] = runs as [PlainRun[], PlainRun[]];
        const expected = plainDifference(base, other, example, repetitions[0] === repetitions[1]);
        assert.ok(
          Object.is(found[row], expected) || Math.abs(found[row]! - expected) < 1e-9,
          `seed ${seed}, example ${example}: ${found[row]} is not ${expected}`,
        );
        const ofBase = base.filter((run) => run.example === example && !Number.isNaN(run.value));
        assert.ok(
          Object.is(means[row], mean(ofBase.map((run) => run.value))) ||
            Math.abs(means[row]! - mean(ofBase.map((run) => run.value))) < 1e-9,
        );
      }
    }
  });

  test('a value that the list lacks has no row', () => {
    assert.deepEqual([...findRows(Float64Array.of(1, 2, 2, 5, 9), Float64Array.of(2, 3, 9))], [-1, 0, 0, -1, 2]);
  });
});
