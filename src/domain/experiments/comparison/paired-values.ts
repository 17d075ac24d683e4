import type { Comparison } from './comparison.ts';

interface Parts extends Pick<Comparison, 'exampleRowIds' | 'rowsOfRuns'> {
  readonly experiments: readonly { readonly repetitions: number }[];
  readonly columns: readonly { readonly runs: { readonly repetitions: Int32Array } }[];
}

/** Whether each run has the row of its own index. */
function isInOrder(rowsOfRuns: Int32Array): boolean {
  for (let run = 0; run < rowsOfRuns.length; run++) if (rowsOfRuns[run] !== run) return false;
  return true;
}

/** The mean over the repetitions of each row, NaN where the experiment has no value. Callers do not change the array. */
export function meansByRow(values: Float64Array, rowsOfRuns: Int32Array, rowCount: number): Float64Array {
  // One run of each example, as a rule.
  if (values.length === rowCount && isInOrder(rowsOfRuns)) return values;
  const sums = new Float64Array(rowCount);
  const counts = new Uint32Array(rowCount);
  for (let run = 0; run < values.length; run++) {
    const row = rowsOfRuns[run] as number;
    const value = values[run] as number;
    if (row < 0 || Number.isNaN(value)) continue;
    sums[row] = (sums[row] as number) + value;
    counts[row] = (counts[row] as number) + 1;
  }
  // 0 / 0 is NaN.
  for (let row = 0; row < rowCount; row++) sums[row] = (sums[row] as number) / (counts[row] as number);
  return sums;
}

/**
 * The difference of an experiment to the baseline in each row, NaN where one of them has no value. With equal repetitions,
 * a row's difference is the mean of the differences of the repetitions that both have; otherwise, and with one repetition, it is
 * the difference of the row's means.
 *
 * @param means Means by row of the experiments, if they are known.
 */
export function differencesByRow(
  { exampleRowIds, rowsOfRuns, columns, experiments }: Parts,
  values: readonly Float64Array[],
  index: number,
  means?: readonly Float64Array[],
): Float64Array {
  const rowCount = exampleRowIds.length;
  const [of, ofBase] = [rowsOfRuns[index] as Int32Array, rowsOfRuns[0] as Int32Array];
  const [ours, base] = [values[index] as Float64Array, values[0] as Float64Array];
  const repetitionCount = experiments[index]?.repetitions;
  if (repetitionCount === 1 || repetitionCount !== experiments[0]?.repetitions) {
    const baseMeans = means?.[0] ?? meansByRow(base, ofBase, rowCount);
    const differences = (means?.[index] ?? meansByRow(ours, of, rowCount)).slice();
    for (let row = 0; row < rowCount; row++)
      differences[row] = (differences[row] as number) - (baseMeans[row] as number);
    return differences;
  }
  const repetitions = columns[index]?.runs.repetitions as Int32Array;
  const baseRepetitions = columns[0]?.runs.repetitions as Int32Array;
  const pairs = new Float64Array(ours.length).fill(Number.NaN);
  // Runs are sorted by row and repetition, except those of no row.
  for (let run = 0, other = 0; run < ours.length; run++) {
    const row = of[run] as number;
    if (row < 0) continue;
    const repetition = repetitions[run] as number;
    while (
      other < base.length &&
      ((ofBase[other] as number) < row || (ofBase[other] === row && (baseRepetitions[other] as number) < repetition))
    ) {
      other++;
    }
    if (ofBase[other] === row && baseRepetitions[other] === repetition) {
      pairs[run] = (ours[run] as number) - (base[other] as number);
    }
  }
  return meansByRow(pairs, of, rowCount);
}
