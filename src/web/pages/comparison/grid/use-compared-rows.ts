import { useMemo } from 'react';
import { useRowWindow } from '../../../data/use-row-window.ts';
import type { ComparisonAddress } from '../address.ts';
import type { ComparedRow } from '../compared.ts';
import { BLOCK_ROWS, readComparedRows } from '../load-compared-rows.ts';

const exampleId = (row: ComparedRow): string => row.exampleId;

/** Rows of the grid by index, in the order and with the filter of the address. */
export function useComparedRows({ experimentIds, splitIds, filter, sort }: ComparisonAddress) {
  const { key, load } = useMemo(
    () => readComparedRows({ experimentIds, splitIds, filter, sort }),
    [experimentIds, splitIds, filter, sort],
  );
  return useRowWindow(key, load, exampleId, BLOCK_ROWS);
}
