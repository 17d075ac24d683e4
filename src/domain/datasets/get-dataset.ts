import type { Dataset, RowIdOrName } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';

/** @throws {SpandrelError} `DATASET_NOT_FOUND` */
export async function getDataset({ datasets }: Pick<Ports, 'datasets'>, ref: RowIdOrName): Promise<Dataset> {
  const dataset = await datasets.find(ref);
  if (dataset) return dataset;
  if ('name' in ref) throw new SpandrelError('DATASET_NOT_FOUND', `Dataset with name ${ref.name} not found`);
  throw new RowError('DATASET_NOT_FOUND', 'Dataset', [ref.rowId], (id) => `Dataset with ID ${id} not found`);
}
