import type { QueryKey } from '@tanstack/react-query';
import { send } from '../../data/request.ts';
import type { RowBlock } from '../../data/use-row-window.ts';
import { type ComparisonAddress, type RowSort, toFilterInput } from './address.ts';
import type { ComparedRow } from './compared.ts';
import { comparedRows } from './generated/comparison.ts';

/** About three windows of rows, each of which has the texts of up to eight experiments. */
export const BLOCK_ROWS = 30;

/** Stands for the first measure, which the server finds, so that the grid need not wait for the measures. */
export const FIRST_MEASURE = 'first';
const DEFAULT_SORT: RowSort = { by: FIRST_MEASURE, order: 'asc', experimentId: undefined };

/** Sort of the address, or the default one: the largest regressions on the first measure. */
export function sortOf({ sort = DEFAULT_SORT }: Pick<ComparisonAddress, 'sort'>): RowSort | 'none' {
  return sort.by === 'position' ? 'none' : sort;
}

type RowsAddress = Pick<ComparisonAddress, 'experimentIds' | 'splitIds' | 'filter' | 'sort'>;

export interface ComparedBlock extends RowBlock<ComparedRow> {
  /** Key of the measure that sorts the rows. Null: the order of the dataset. */
  readonly sortedBy: string | null;
}

interface ComparedRowsRead {
  readonly key: QueryKey;
  readonly load: (offset: number, limit: number, signal: AbortSignal) => Promise<ComparedBlock>;
}

/** How the rows of an address are read, in its order and with its filter. */
export function readComparedRows(address: RowsAddress): ComparedRowsRead {
  const { experimentIds, splitIds } = address;
  const filter = toFilterInput(address.filter);
  const sort = sortOf(address);
  const input = {
    experimentIds,
    ...(splitIds.length === 0 ? {} : { splitIds }),
    ...(filter === undefined ? {} : { filter }),
    ...(sort === 'none'
      ? {}
      : {
          sort: { by: sort.by, order: sort.order, ...(sort.experimentId ? { experimentId: sort.experimentId } : {}) },
        }),
  };
  return {
    key: [comparedRows.name, input],
    async load(offset, limit, signal) {
      const { comparison } = await send(comparedRows, { input: { ...input, offset, limit } }, signal);
      return { rows: comparison.rows, count: comparison.totalCount, sortedBy: comparison.sortedBy };
    },
  };
}
