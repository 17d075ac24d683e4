import type { DatasetSplit } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { rowIdOf } from '../../model/global-id.ts';
import type { Ports } from '../ports.ts';

/**
 * Splits by global IDs or names, trimmed; lowest row id first.
 *
 * @throws {SpandrelError} `QUERY_INVALID` for an empty one, `DATASET_SPLIT_NOT_FOUND` with those that are not there
 */
export async function resolveSplits(
  { datasets }: Pick<Ports, 'datasets'>,
  identifiers: readonly string[],
): Promise<Pick<DatasetSplit, 'rowId' | 'name'>[]> {
  if (identifiers.length === 0) return [];
  const rowIds: number[] = [];
  const names: string[] = [];
  for (const identifier of identifiers.map((text) => text.trim())) {
    if (identifier === '') throw new SpandrelError('QUERY_INVALID', 'Invalid split identifier');
    const rowId = rowIdOf('DatasetSplit', identifier);
    if (rowId === undefined) names.push(identifier);
    else rowIds.push(rowId);
  }
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
