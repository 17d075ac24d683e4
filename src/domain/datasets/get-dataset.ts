import type { Dataset, DatasetVersion } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { rowIdOf } from '../../model/global-id.ts';
import type { Ports } from '../ports.ts';

/**
 * The dataset that a caller names by its global ID or its name. A global ID of another type is a name.
 *
 * @throws {SpandrelError} `DATASET_NOT_FOUND`
 */
export async function getDataset({ datasets }: Pick<Ports, 'datasets'>, identifier: string): Promise<Dataset> {
  const rowId = rowIdOf('Dataset', identifier);
  const dataset = await datasets.find(rowId === undefined ? { name: identifier } : { rowId });
  if (dataset) return dataset;
  throw new SpandrelError(
    'DATASET_NOT_FOUND',
    `Dataset with ${rowId === undefined ? 'name' : 'ID'} ${identifier} not found`,
  );
}

/** The version with this row id, or the latest; undefined when the dataset has no such version. */
export const findVersion = (
  { datasets }: Pick<Ports, 'datasets'>,
  dataset: Pick<Dataset, 'rowId'>,
  versionRowId: number | undefined,
): Promise<DatasetVersion | undefined> =>
  versionRowId === undefined ? datasets.findVersion(dataset.rowId) : datasets.findVersion(dataset.rowId, versionRowId);
