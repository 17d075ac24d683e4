import type { DatasetLabel } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Ports } from '../ports.ts';
import { datasetUnknown } from './edit-dataset.ts';
import { checkIndexed } from './upload-invalid.ts';

type Datasets = Pick<Ports, 'datasets'>;

/**
 * A label, given to these datasets. Names are trimmed, colours written small.
 *
 * @throws {SpandrelError} `QUERY_INVALID`, `DATASET_LABEL_NAME_TAKEN`, `DATASET_NOT_FOUND`
 */
export async function createLabel(
  { datasets }: Datasets,
  { name, description, color }: Omit<DatasetLabel, 'rowId'>,
  datasetRowIds: readonly number[],
): Promise<DatasetLabel> {
  const fields = {
    name: checkIndexed('the name of a label', name.trim()),
    description: description?.trim() || null,
    color: color.trim().toLowerCase(),
  };
  if (fields.name === '') throw new SpandrelError('QUERY_INVALID', 'Name cannot be empty');
  if (!COLOR.test(fields.color)) {
    throw new SpandrelError('QUERY_INVALID', 'Color must be a hex color, written as #rrggbb');
  }
  return datasets.createLabelOf(fields, datasetRowIds);
}

const COLOR = /^#[0-9a-f]{6}$/;

/** All of them, or none. @throws {SpandrelError} `DATASET_LABEL_NOT_FOUND` */
export const deleteLabels = async ({ datasets }: Datasets, rowIds: readonly number[]): Promise<DatasetLabel[]> =>
  (await datasets.deleteLabels(rowIds)) ?? labelsAbsent();

/** Makes these the dataset's labels, and no others. @throws {SpandrelError} `DATASET_NOT_FOUND`, `DATASET_LABEL_NOT_FOUND` */
export async function setLabels({ datasets }: Datasets, rowId: number, labelRowIds: readonly number[]): Promise<void> {
  if (!(await datasets.find({ rowId }))) datasetUnknown(rowId);
  if (!(await datasets.setLabelsOfDataset(rowId, labelRowIds))) labelsAbsent();
}

function labelsAbsent(): never {
  throw new SpandrelError('DATASET_LABEL_NOT_FOUND', 'One or more dataset labels not found');
}
