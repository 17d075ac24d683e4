import { authorOf } from '../../model/access/caller.ts';
import type { DatasetLabel, LabelFields } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Ports } from '../ports.ts';
import { datasetUnknown } from './change-dataset.ts';
import { checkIndexed } from './upload-invalid.ts';

type Datasets = Pick<Ports, 'datasets'>;

/**
 * Creates a label of these datasets. Texts are trimmed, a blank description becomes null, and a color is stored in
 * lower case.
 *
 * @throws {SpandrelError} `QUERY_INVALID`, `DATASET_UPLOAD_INVALID`, `DATASET_LABEL_NAME_TAKEN`, `DATASET_NOT_FOUND`
 */
export async function createLabel(
  { datasets, caller }: Pick<Ports, 'datasets' | 'caller'>,
  { name, description, color }: LabelFields,
  datasetRowIds: readonly number[],
): Promise<DatasetLabel> {
  const fields = {
    name: checkName(name),
    description: checkDescription(description),
    color: checkColor(color),
    userId: authorOf(caller),
  };
  return datasets.createLabel(fields, datasetRowIds);
}

/**
 * Changes a label by the rules of `createLabel`.
 *
 * @throws {SpandrelError} as `createLabel`, `QUERY_INVALID` when nothing is given, `DATASET_LABEL_NOT_FOUND`
 */
export async function updateLabel(
  { datasets }: Datasets,
  rowId: number,
  { name, description, color }: Partial<LabelFields>,
): Promise<DatasetLabel> {
  const changes = {
    ...(name !== undefined && { name: checkName(name) }),
    ...(description !== undefined && { description: checkDescription(description) }),
    ...(color !== undefined && { color: checkColor(color) }),
  };
  if (Object.keys(changes).length === 0) throw new SpandrelError('QUERY_INVALID', 'No fields to update');
  return (await datasets.updateLabel(rowId, changes)) ?? labelAbsent();
}

/** Deletes labels, also from their datasets, all or none. @throws {SpandrelError} `DATASET_LABEL_NOT_FOUND` */
export const deleteLabels = async ({ datasets }: Datasets, rowIds: readonly number[]): Promise<DatasetLabel[]> =>
  (await datasets.deleteLabels(rowIds)) ?? labelsAbsent();

/** Adds a label to a dataset that may have it. @throws {SpandrelError} `DATASET_LABEL_NOT_FOUND` when either is not there */
export async function addLabel({ datasets }: Datasets, rowId: number, labelRowId: number): Promise<DatasetLabel> {
  const label = await datasets.findLabel(labelRowId);
  if (!label || !(await datasets.addLabelToDataset(rowId, labelRowId))) return labelAbsent();
  return label;
}

/** Removes a label from a dataset that may lack it. */
export const removeLabel = ({ datasets }: Datasets, rowId: number, labelRowId: number): Promise<void> =>
  datasets.removeLabelFromDataset(rowId, labelRowId);

/** Replaces the labels of the dataset. @throws {SpandrelError} `DATASET_NOT_FOUND`, `DATASET_LABEL_NOT_FOUND` */
export async function setLabels({ datasets }: Datasets, rowId: number, labelRowIds: readonly number[]): Promise<void> {
  if (!(await datasets.find({ rowId }))) datasetUnknown(rowId);
  if (!(await datasets.setLabelsOfDataset(rowId, labelRowIds))) labelsAbsent();
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') throw new SpandrelError('QUERY_INVALID', 'Name cannot be empty');
  return checkIndexed('the name of a label', trimmed);
}

const checkDescription = (description: string | null): string | null => description?.trim() || null;

function checkColor(color: string): string {
  const lowerCase = color.trim().toLowerCase();
  if (COLOR.test(lowerCase)) return lowerCase;
  throw new SpandrelError('QUERY_INVALID', 'Color must be a hex color, written as #rrggbb');
}

const COLOR = /^#[0-9a-f]{6}$/;

function labelAbsent(): never {
  throw new SpandrelError('DATASET_LABEL_NOT_FOUND', 'Dataset label not found');
}

function labelsAbsent(): never {
  throw new SpandrelError('DATASET_LABEL_NOT_FOUND', 'One or more dataset labels not found');
}
