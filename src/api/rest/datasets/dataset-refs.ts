import type { RowIdOrName } from '../../../model/dataset.ts';
import { rowIdOf } from '../../contract/global-id.ts';

/** The dataset that a path names by its global ID or its name. A global ID of another type is a name. */
export function datasetRef(identifier: string): RowIdOrName {
  const rowId = rowIdOf('Dataset', identifier);
  return rowId === undefined ? { name: identifier } : { rowId };
}

/** Splits that a caller names by global IDs or names. */
export const splitRefs = (identifiers: readonly string[]): RowIdOrName[] =>
  identifiers.map((identifier) => {
    const rowId = rowIdOf('DatasetSplit', identifier.trim());
    return rowId === undefined ? { name: identifier } : { rowId };
  });
