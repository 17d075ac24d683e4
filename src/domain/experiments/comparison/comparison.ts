import type { OptimizationDirection } from '../../../model/annotations/annotation-config.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { Experiment } from '../../../model/experiment.ts';
import type { ComparedExperiment } from '../../../model/experiment-comparison.ts';
import { COMPARED_EXPERIMENT_COUNT_MAX } from '../../../model/limits/comparisons.ts';
import type { Ports } from '../../ports.ts';
import { experimentUnknown } from '../get-experiment.ts';

/** Which experiments are compared, the baseline first, and on which examples. */
export interface ComparisonQuery {
  readonly experimentRowIds: readonly number[];
  /** Only examples that are in one of these splits now. Empty or absent: all. */
  readonly splitRowIds?: readonly number[] | undefined;
}

/** Experiments that are compared, the baseline first, with their numbers in columns. */
export interface Comparison {
  readonly experiments: readonly Experiment[];
  readonly columns: readonly ComparedExperiment[];
  /** Row ids of the baseline's examples in ascending order. An index of this list is a row of the comparison. */
  readonly exampleRowIds: Float64Array;
  /** For each experiment, the row of each run. −1: the baseline or the chosen splits lack the example. */
  readonly rowsOfRuns: readonly Int32Array[];
  /** Directions of the annotation configs by name. */
  readonly directions: ReadonlyMap<string, OptimizationDirection>;
}

/**
 * Reads the numbers of the compared experiments.
 *
 * @throws {SpandrelError} `QUERY_INVALID` when they cannot be compared, `EXPERIMENT_NOT_FOUND`
 */
export async function readComparison(
  ports: Pick<Ports, 'experiments' | 'annotationConfigs'>,
  { experimentRowIds, splitRowIds = [] }: ComparisonQuery,
): Promise<Comparison> {
  const experiments = await findComparable(ports, experimentRowIds);
  const [columnsByRowId, configs, splits] = await Promise.all([
    ports.experiments.readCompared(experimentRowIds),
    ports.annotationConfigs.listByName(),
    splitRowIds.length === 0
      ? undefined
      : ports.experiments.findExamplesOfSplits(experiments[0]?.datasetRowId ?? 0, splitRowIds),
  ]);
  // An experiment may have been deleted since it was found.
  const columns = experimentRowIds.map((rowId) => columnsByRowId.get(rowId) ?? experimentUnknown(rowId));
  const ofSplits = splits && new Set(splits.flatMap(({ exampleRowIds }) => [...exampleRowIds]));
  const ofBaseline = columns[0]?.exampleRowIds ?? new Float64Array();
  const exampleRowIds = ofSplits ? ofBaseline.filter((rowId) => ofSplits.has(rowId)) : ofBaseline;
  return {
    experiments,
    columns,
    exampleRowIds,
    rowsOfRuns: columns.map(({ runs }) => findRows(runs.exampleRowIds, exampleRowIds)),
    directions: new Map(configs.map((config) => [config.name, config.optimizationDirection ?? 'NONE'])),
  };
}

/** @throws {SpandrelError} `QUERY_INVALID`, `EXPERIMENT_NOT_FOUND` */
async function findComparable(
  { experiments }: Pick<Ports, 'experiments'>,
  rowIds: readonly number[],
): Promise<Experiment[]> {
  checkCompared(rowIds);
  const found = await experiments.findByRowIds(rowIds);
  const list = rowIds.map((rowId) => found.get(rowId) ?? experimentUnknown(rowId));
  if (new Set(list.map(({ datasetRowId }) => datasetRowId)).size > 1) {
    throw new SpandrelError('QUERY_INVALID', 'The experiments of a comparison must belong to the same dataset.');
  }
  return list;
}

/** @throws {SpandrelError} `QUERY_INVALID` when no experiments with these row ids could be compared */
export function checkCompared(rowIds: readonly number[]): void {
  if (rowIds.length < 2 || rowIds.length > COMPARED_EXPERIMENT_COUNT_MAX) {
    throw new SpandrelError(
      'QUERY_INVALID',
      `A comparison has 2 to ${COMPARED_EXPERIMENT_COUNT_MAX} experiments, but received ${rowIds.length}.`,
    );
  }
  if (new Set(rowIds).size < rowIds.length) {
    throw new SpandrelError('QUERY_INVALID', 'The experiments of a comparison must be different.');
  }
}

/** The index of each value in a list, or −1. Both are in ascending order, and values may repeat. */
export function findRows(values: Float64Array, list: Float64Array): Int32Array {
  const rows = new Int32Array(values.length);
  // Experiments on all examples of one version share their list.
  if (values === list) {
    for (let index = 0; index < rows.length; index++) rows[index] = index;
    return rows;
  }
  for (let index = 0, row = 0; index < values.length; index++) {
    const value = values[index] as number;
    while (row < list.length && (list[row] as number) < value) row++;
    rows[index] = list[row] === value ? row : -1;
  }
  return rows;
}
