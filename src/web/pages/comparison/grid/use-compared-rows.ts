import { useCallback, useMemo } from 'react';
import { send } from '../../../data/request.ts';
import { useRowWindow } from '../../../data/use-row-window.ts';
import { type ComparisonAddress, type RowSort, toFilterInput } from '../address.ts';
import type { ComparedRow, Comparison, Measure } from '../compared.ts';
import { comparedRows } from '../generated/comparison.ts';

/** The measure by whose regressions the grid is sorted at first: the first score, else the latency. */
export const firstMeasure = ({ measures }: Pick<Comparison, 'measures'>): Measure | undefined =>
  measures.find(({ kind, direction }) => kind === 'SCORE' && direction !== 'NONE') ??
  measures.find(({ kind }) => kind === 'LATENCY');

/** Sort of the address, or the default one. Undefined while the measures load; null if they could not be read. */
export function sortOf(
  { sort }: Pick<ComparisonAddress, 'sort'>,
  comparison: Pick<Comparison, 'measures'> | null | undefined,
): RowSort | 'none' | undefined {
  if (sort) return sort.by === 'position' ? 'none' : sort;
  if (comparison === undefined) return undefined;
  if (comparison === null) return 'none';
  const measure = firstMeasure(comparison);
  return measure ? { by: measure.key, order: 'asc', experimentId: undefined } : 'none';
}

/** About three windows of rows, each of which has the texts of up to eight experiments. */
const BLOCK_ROWS = 30;

const exampleId = (row: ComparedRow): string => row.exampleId;

/** Rows of the grid by index, in the order and with the filter of the address. */
export function useComparedRows(address: ComparisonAddress, sort: RowSort | 'none') {
  const { experimentIds, splitIds, filter } = address;
  const input = useMemo(() => {
    const given = toFilterInput(filter);
    return {
      experimentIds,
      ...(splitIds.length === 0 ? {} : { splitIds }),
      ...(given === undefined ? {} : { filter: given }),
      ...(sort === 'none'
        ? {}
        : {
            sort: { by: sort.by, order: sort.order, ...(sort.experimentId ? { experimentId: sort.experimentId } : {}) },
          }),
    };
  }, [experimentIds, splitIds, filter, sort]);
  const load = useCallback(
    async (offset: number, limit: number, signal: AbortSignal) => {
      const { comparison } = await send(comparedRows, { input: { ...input, offset, limit } }, signal);
      return { rows: comparison.rows, count: comparison.totalCount };
    },
    [input],
  );
  return useRowWindow([comparedRows.name, input], load, exampleId, BLOCK_ROWS);
}
