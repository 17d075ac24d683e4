import type { DatasetSplit, RowIdOrName } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Ports } from '../ports.ts';

/**
 * Finds splits by row ids and names, which are trimmed; lowest row id first.
 *
 * @throws {SpandrelError} `QUERY_INVALID` for a blank name; `DATASET_SPLIT_NOT_FOUND`, whose text has row ids by contract
 */
export async function resolveSplits(
  { datasets }: Pick<Ports, 'datasets'>,
  refs: readonly RowIdOrName[],
): Promise<Pick<DatasetSplit, 'rowId' | 'name'>[]> {
  if (refs.length === 0) return [];
  const rowIds = refs.flatMap((ref) => ('rowId' in ref ? ref.rowId : []));
  const names = refs.flatMap((ref) => ('name' in ref ? ref.name.trim() : []));
  if (names.includes('')) throw new SpandrelError('QUERY_INVALID', 'Invalid split identifier');
  const found = await datasets.findSplits({ rowIds, names });
  const absentIds = rowIds.filter((rowId) => !found.some((split) => split.rowId === rowId));
  if (absentIds.length > 0) notFound(`Dataset splits not found for IDs: ${absentIds.join(', ')}`);
  const absentNames = names.filter((name) => !found.some((split) => split.name === name));
  if (absentNames.length > 0) notFound(`Dataset splits not found: ${absentNames.join(', ')}`);
  return found;
}

const notFound = (message: string): never => {
  throw new SpandrelError('DATASET_SPLIT_NOT_FOUND', message);
};
