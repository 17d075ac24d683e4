import { prefetchQuery } from '../../data/use-query.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { EXPERIMENT_COUNT_MAX, readAddress, toComparisonInput } from './address.ts';
import { comparableExperiments, experimentComparison } from './generated/comparison.ts';

/** Reads the first data of a comparison: the experiments, and their measures if the address names enough of them. */
export function prefetchComparison({ datasetId = '' }: RouteParams, search: URLSearchParams): void {
  const address = readAddress(search);
  const { experimentIds } = address;
  if (experimentIds.length > EXPERIMENT_COUNT_MAX) return;
  prefetchQuery(comparableExperiments, { datasetId, ids: experimentIds });
  if (experimentIds.length > 1) prefetchQuery(experimentComparison, { input: toComparisonInput(address) });
}
