import type { DatasetLabel, DatasetSplit } from '../../../model/dataset.ts';
import { readStoredObject } from '../../../domain/datasets/json-object.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import type { Loaders } from '../loaders.ts';
import { datasetLabelRef, datasetSplitRef, fromRow, id, type NodeRef, type Resolvers } from '../resolvers.ts';

/** Groups of examples (splits) and of datasets (labels). */
const split = fromRow(({ datasetSplits }) => datasetSplits);

export const datasetSplitResolvers: Resolvers = {
  id,
  name: split(({ name }) => name),
  description: split(({ description }) => description),
  metadata: split(({ metadata }) => readStoredObject(metadata)),
  color: split(({ color }) => color),
  createdAt: split(({ createdAt }) => createdAt),
  updatedAt: split(({ updatedAt }) => updatedAt),
};

const label = fromRow(({ datasetLabels }) => datasetLabels);

export const datasetLabelResolvers: Resolvers = {
  id,
  name: label(({ name }) => name),
  description: label(({ description }) => description),
  color: label(({ color }) => color),
  usageCount: ({ rowId }: NodeRef, _args: unknown, { loaders }) =>
    whenKnown(loaders.datasetCountsOfLabels.load(rowId), (count) => count ?? 0),
};

export function toSplitRef(row: DatasetSplit, loaders: Loaders): NodeRef<'DatasetSplit'> {
  loaders.datasetSplits.prime(row.rowId, row);
  return datasetSplitRef(row.rowId);
}

export function toLabelRef(row: DatasetLabel, loaders: Loaders): NodeRef<'DatasetLabel'> {
  loaders.datasetLabels.prime(row.rowId, row);
  return datasetLabelRef(row.rowId);
}
