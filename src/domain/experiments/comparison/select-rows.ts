import { SpandrelError } from '../../../model/errors.ts';
import { COMPARISON_SEARCH_CHARS_MAX } from '../../../model/limits/comparisons.ts';
import { parseRunFilter } from '../../../filter/runs/parse-run-filter.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import type { Comparison } from './comparison.ts';
import { FIRST_MEASURE, findMeasure, type Measure } from './measures.ts';
import { differencesByRow, meansByRow } from './paired-values.ts';
import type { CostPorts } from './run-costs.ts';

/** A condition on rows. Those with an experiment apply to it alone, and otherwise to any experiment. */
export interface RowFilter {
  /** Key of a measure on which the row is worse, or better, than the baseline's. */
  readonly regressedOn?: string | undefined;
  readonly improvedOn?: string | undefined;
  readonly experimentRowId?: number | undefined;
  readonly hasError?: boolean | undefined;
  /** An experiment has no run of the example. */
  readonly isMissing?: boolean | undefined;
  readonly slowerThanMs?: number | undefined;
  /** Name or key of a score on which annotators of one run disagree. */
  readonly disagreeOn?: string | undefined;
  /** Text of a run filter. */
  readonly condition?: string | undefined;
  readonly text?: string | undefined;
}

export interface RowSort {
  /** Key of a measure, or `FIRST_MEASURE`, which sorts nothing where no measure has a value. */
  readonly by: string;
  /** Undefined: the worst of the others. The baseline: its own value. */
  readonly experimentRowId?: number | undefined;
  /** False: the worst first, for each direction of the measure. */
  readonly isDescending: boolean;
}

export interface SelectedRows {
  readonly rows: Int32Array;
  /** Key of the measure that sorts the rows. Undefined: the order of the dataset. */
  readonly sortedBy: string | undefined;
}

/** Rows that match, in order. Rows without a value are last. @throws {SpandrelError} `QUERY_INVALID`, `FilterError` */
export async function selectRows(
  ports: CostPorts,
  comparison: Comparison,
  { filter, sort }: { readonly filter?: RowFilter | undefined; readonly sort?: RowSort | undefined },
  options: ReadOptions,
): Promise<SelectedRows> {
  const rowCount = comparison.exampleRowIds.length;
  const isShown = new Uint8Array(rowCount).fill(1);
  const keep = (test: (row: number) => boolean) => {
    for (let row = 0; row < rowCount; row++) if (isShown[row] && !test(row)) isShown[row] = 0;
  };
  if (filter) await applyFilter(ports, comparison, filter, keep, options);
  const rows = Int32Array.from({ length: rowCount }, (_, row) => row).filter((row) => isShown[row] === 1);
  const measure = sort && (await findMeasure(ports, comparison, sort.by, options));
  if (!sort || (!measure && sort.by === FIRST_MEASURE)) return { rows, sortedBy: undefined };
  if (!measure) return rejectMeasure(sort.by);
  const values = sortValues(comparison, measure, sort);
  const sign = sort.isDescending ? -1 : 1;
  rows.sort((a, b) => {
    const [x, y] = [values[a] as number, values[b] as number];
    if (Number.isNaN(x) || Number.isNaN(y)) return Number(Number.isNaN(x)) - Number(Number.isNaN(y)) || a - b;
    return sign * (x - y) || a - b;
  });
  return { rows, sortedBy: measure.key };
}

async function applyFilter(
  ports: CostPorts,
  comparison: Comparison,
  filter: RowFilter,
  keep: (test: (row: number) => boolean) => void,
  options: ReadOptions,
): Promise<void> {
  const { experiments, columns, exampleRowIds, rowsOfRuns } = comparison;
  const rowCount = exampleRowIds.length;
  const chosen = filter.experimentRowId === undefined ? undefined : indexOf(comparison, filter.experimentRowId);
  const indices = chosen === undefined ? experiments.map((_, index) => index) : [chosen];
  const others = indices.filter((index) => index > 0);
  /** Rows with a run, of one of the experiments, for which the test is true. */
  const anyRun = (test: (index: number, run: number) => boolean): Uint8Array => {
    const found = new Uint8Array(rowCount);
    for (const index of indices) {
      const rows = rowsOfRuns[index] as Int32Array;
      for (let run = 0; run < rows.length; run++) {
        const row = rows[run] as number;
        if (row >= 0 && test(index, run)) found[row] = 1;
      }
    }
    return found;
  };
  const keepRuns = (test: (index: number, run: number) => boolean, isWanted = true) => {
    const found = anyRun(test);
    keep((row) => (found[row] === 1) === isWanted);
  };
  for (const [key, sign] of [
    [filter.regressedOn, -1],
    [filter.improvedOn, 1],
  ] as const) {
    if (key === undefined) continue;
    const measure = (await findMeasure(ports, comparison, key, options)) ?? rejectMeasure(key);
    const gains = gainsOf(comparison, measure, others);
    keep((row) => gains.some((gain) => sign * (gain[row] as number) > 0));
  }
  if (filter.hasError !== undefined) {
    keepRuns((index, run) => columns[index]?.runs.hasError[run] === 1, filter.hasError);
  }
  if (filter.isMissing !== undefined) {
    const present = indices.map((index) => {
      const found = new Uint8Array(rowCount);
      for (const row of rowsOfRuns[index] as Int32Array) if (row >= 0) found[row] = 1;
      return found;
    });
    keep((row) => present.some((found) => found[row] === 0) === filter.isMissing);
  }
  const { slowerThanMs, disagreeOn } = filter;
  if (slowerThanMs !== undefined) {
    keepRuns((index, run) => (columns[index]?.runs.latencyMs[run] as number) > slowerThanMs);
  }
  if (disagreeOn !== undefined) {
    const name = disagreeOn.replace(/^(score|human):/, '');
    keepRuns((index, run) => columns[index]?.disagreements.get(name)?.[run] === 1);
  }
  const { text } = filter;
  const condition = parseRunFilter(filter.condition ?? '', experiments.length);
  if (condition || text) {
    if (text && text.length > COMPARISON_SEARCH_CHARS_MAX) {
      reject(`A search has at most ${COMPARISON_SEARCH_CHARS_MAX} characters, but received ${text.length}.`);
    }
    const rowIds = experiments.map(({ rowId }) => rowId);
    const found = new Set(await ports.experiments.searchComparedExamples(rowIds, { text, filter: condition }));
    keep((row) => found.has(exampleRowIds[row] as number));
  }
}

function sortValues(comparison: Comparison, measure: Measure, { experimentRowId }: RowSort): Float64Array {
  const { experiments, exampleRowIds, rowsOfRuns } = comparison;
  const chosen = experimentRowId === undefined ? undefined : indexOf(comparison, experimentRowId);
  if (chosen === 0) {
    const means = meansByRow(measure.values[0] as Float64Array, rowsOfRuns[0] as Int32Array, exampleRowIds.length);
    return means.map((mean) => signOf(measure) * mean);
  }
  const others = chosen === undefined ? experiments.map((_, index) => index).slice(1) : [chosen];
  const gains = gainsOf(comparison, measure, others);
  const worst = new Float64Array(exampleRowIds.length).fill(Number.NaN);
  for (const gain of gains) {
    for (let row = 0; row < gain.length; row++) {
      const value = gain[row] as number;
      if (!(value >= (worst[row] as number)) && !Number.isNaN(value)) worst[row] = value;
    }
  }
  return worst;
}

/** Differences to the baseline of these experiments by row. A positive one is better. */
const gainsOf = (comparison: Comparison, measure: Measure, indices: readonly number[]): Float64Array[] =>
  indices.map((index) =>
    differencesByRow(comparison, measure.values, index).map((difference) => signOf(measure) * difference),
  );

/** A measure without a direction is sorted like one whose higher values are better. */
export const signOf = ({ direction }: Pick<Measure, 'direction'>): 1 | -1 => (direction === 'MINIMIZE' ? -1 : 1);

const rejectMeasure = (key: string): never => reject(`These experiments have no measure '${key}'.`);

function indexOf({ experiments }: Comparison, rowId: number): number {
  const index = experiments.findIndex((experiment) => experiment.rowId === rowId);
  return index >= 0 ? index : reject('The experiment of a sort or filter must be one of the compared experiments.');
}

function reject(message: string): never {
  throw new SpandrelError('QUERY_INVALID', message);
}
