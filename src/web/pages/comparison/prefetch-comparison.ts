import { prefetchQuery } from '../../data/use-query.ts';
import { prefetchRowWindow } from '../../data/use-row-window.ts';
import type { RouteParams } from '../../router/match-route.ts';
import { EXPERIMENT_COUNT_MAX, readAddress, toComparisonInput } from './address.ts';
import { comparableExperiments, experimentComparison } from './generated/comparison.ts';
import { BLOCK_ROWS, readComparedRows } from './load-compared-rows.ts';

/**
 * Reads the first data of a comparison: the experiments, and, if the address names enough of them, the rows that the grid shows
 * first and the measures.
 */
export function prefetchComparison({ datasetId = '' }: RouteParams, search: URLSearchParams): void {
  const address = readAddress(search);
  const { experimentIds } = address;
  if (experimentIds.length > EXPERIMENT_COUNT_MAX) return;
  prefetchQuery(comparableExperiments, { datasetId, ids: experimentIds });
  if (experimentIds.length < 2) return;
  if (address.view === 'grid') {
    const { key, load } = readComparedRows(address);
    prefetchRowWindow(key, load, BLOCK_ROWS);
  }
  prefetchQuery(experimentComparison, { input: toComparisonInput(address) });
}
