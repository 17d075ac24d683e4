import { authorOf } from '../../model/access/caller.ts';
import type { DatasetSplit, SplitFields, SplitMembership } from '../../model/dataset.ts';
import { SpandrelError } from '../../model/errors.ts';
import { EXAMPLE_SELECTION_COUNT_MAX } from '../../model/limits/examples.ts';
import type { Ports } from '../ports.ts';
import { checkIndexed } from './upload-invalid.ts';

type Datasets = Pick<Ports, 'datasets'>;

/** Names of the fields in the error about an empty one. The contracts of REST and GraphQL write them differently. */
export interface SplitFieldNames {
  readonly name: string;
  readonly color: string;
}

/**
 * Creates a split with examples. Texts are trimmed, and a blank description becomes null.
 *
 * @param options.datasetRowId The REST route belongs to one dataset and accepts only its examples. Default: any
 * dataset.
 * @throws {SpandrelError} `QUERY_INVALID`, `DATASET_UPLOAD_INVALID`, `DATASET_SPLIT_NAME_TAKEN`, `DATASET_EXAMPLE_NOT_FOUND`
 */
export async function createSplit(
  { datasets, caller }: Pick<Ports, 'datasets' | 'caller'>,
  { name, description, color, metadata }: SplitFields,
  exampleRowIds: readonly number[],
  options: { readonly datasetRowId?: number; readonly fieldNames: SplitFieldNames },
): Promise<DatasetSplit> {
  const { datasetRowId, fieldNames } = options;
  const fields = {
    name: checkName(name, fieldNames),
    description: checkDescription(description),
    color: checkText(fieldNames.color, color),
    metadata,
    userId: authorOf(caller),
  };
  return datasets.createSplit(fields, exampleRowIds, datasetRowId);
}

/**
 * Changes a split by the rules of `createSplit`, and its examples of one dataset.
 *
 * @throws {SpandrelError} as `createSplit`, and `DATASET_SPLIT_NOT_FOUND`
 */
export async function updateSplit(
  { datasets }: Datasets,
  rowId: number,
  { name, description, color, metadata }: Partial<SplitFields>,
  options: { readonly membership?: SplitMembership; readonly fieldNames: SplitFieldNames },
): Promise<DatasetSplit> {
  const { membership, fieldNames } = options;
  const changes = {
    ...(name !== undefined && { name: checkName(name, fieldNames) }),
    ...(description !== undefined && { description: checkDescription(description) }),
    ...(color !== undefined && { color: checkText(fieldNames.color, color) }),
    ...(metadata !== undefined && { metadata }),
  };
  return (await datasets.updateSplit(rowId, changes, membership)) ?? splitsAbsent();
}

/** Deletes splits, all or none. @throws {SpandrelError} `DATASET_SPLIT_NOT_FOUND` */
export const deleteSplits = async ({ datasets }: Datasets, rowIds: readonly number[]): Promise<DatasetSplit[]> =>
  (await datasets.deleteSplits(rowIds)) ?? splitsAbsent();

/**
 * Replaces the splits of examples, which belong to one dataset if it is given.
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

/**
 * Adds examples of a dataset to splits and removes them from others.
 *
 * @throws {SpandrelError} `QUERY_INVALID`, `DATASET_EXAMPLE_NOT_FOUND`, `DATASET_SPLIT_NOT_FOUND`
 */
export async function changeSplitsOfExamples(
  { datasets }: Datasets,
  datasetRowId: number,
  exampleRowIds: readonly number[],
  change: { readonly added: readonly number[]; readonly removed: readonly number[] },
): Promise<void> {
  if (exampleRowIds.length > EXAMPLE_SELECTION_COUNT_MAX) {
    throw new SpandrelError(
      'QUERY_INVALID',
      `At most ${EXAMPLE_SELECTION_COUNT_MAX} examples may change at once, but received ${exampleRowIds.length}.`,
    );
  }
  await datasets.changeSplitsOfExamples(datasetRowId, exampleRowIds, change);
}

const checkName = (name: string, fieldNames: SplitFieldNames): string =>
  checkIndexed('the name of a split', checkText(fieldNames.name, name));

const checkDescription = (description: string | null): string | null => description?.trim() || null;

function checkText(fieldName: string, text: string): string {
  const trimmed = text.trim();
  if (trimmed === '') throw new SpandrelError('QUERY_INVALID', `${fieldName} cannot be empty`);
  return trimmed;
}

function splitsAbsent(): never {
  throw new SpandrelError('DATASET_SPLIT_NOT_FOUND', 'One or more dataset splits not found');
}
