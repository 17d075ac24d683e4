import type { DatasetSplit, SplitFields } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Ports } from '../ports.ts';
import { checkIndexed } from './upload-invalid.ts';

type Datasets = Pick<Ports, 'datasets'>;

/** A split with examples of any datasets. @throws {SpandrelError} `QUERY_INVALID`, and as `createSplitOver` */
export const createSplit = (
  { datasets }: Datasets,
  fields: SplitFields,
  exampleRowIds: readonly number[],
): Promise<DatasetSplit> => datasets.createSplitOver(checkFields(fields) as SplitFields, exampleRowIds);

/** @throws {SpandrelError} `QUERY_INVALID`, `DATASET_SPLIT_NOT_FOUND`, `DATASET_SPLIT_NAME_TAKEN` */
export async function patchSplit(
  { datasets }: Datasets,
  rowId: number,
  changes: Partial<SplitFields>,
): Promise<DatasetSplit> {
  return (await datasets.patchSplit(rowId, checkFields(changes))) ?? splitsAbsent();
}

/** All of them, or none. @throws {SpandrelError} `DATASET_SPLIT_NOT_FOUND` */
export const deleteSplits = async ({ datasets }: Datasets, rowIds: readonly number[]): Promise<DatasetSplit[]> =>
  (await datasets.deleteSplits(rowIds)) ?? splitsAbsent();

/**
 * Puts examples, of one dataset where it is given, into these splits and no others.
 *
 * @throws {SpandrelError} `QUERY_INVALID`, `DATASET_EXAMPLE_NOT_FOUND`, `DATASET_SPLIT_NOT_FOUND`
 */
export async function setSplitsOfExamples(
  { datasets }: Datasets,
  exampleRowIds: readonly number[],
  splitRowIds: readonly number[],
  datasetRowId: number | undefined,
): Promise<void> {
  if (datasetRowId !== undefined) {
    const examples = await datasets.findExamplesByRowIds(exampleRowIds);
    if ([...examples.values()].some((example) => example.datasetRowId !== datasetRowId)) {
      throw new SpandrelError('QUERY_INVALID', 'Examples must come from the same dataset.');
    }
  }
  await datasets.setSplitsOfExamples(exampleRowIds, splitRowIds);
}

function checkFields({ name, description, color, ...rest }: Partial<SplitFields>): Partial<SplitFields> {
  return {
    ...rest,
    ...(name !== undefined && { name: checkIndexed('the name of a split', nonEmpty('Name', name)) }),
    ...(description !== undefined && { description: description?.trim() || null }),
    ...(color !== undefined && { color: nonEmpty('Color', color) }),
  };
}

function nonEmpty(what: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new SpandrelError('QUERY_INVALID', `${what} cannot be empty`);
  return trimmed;
}

function splitsAbsent(): never {
  throw new SpandrelError('DATASET_SPLIT_NOT_FOUND', 'One or more dataset splits not found');
}
