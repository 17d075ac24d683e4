import { SpandrelError } from '../../../model/errors.ts';
import { GRAPHQL_ITEM_COUNT_MAX } from '../../../model/limits/graphql.ts';
import { readStoredObject } from '../../../domain/datasets/json-object.ts';
import { authorRef } from '../access/user.ts';
import { type PageArguments, reject } from '../arguments.ts';
import { type Connection, keysetConnection, offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { parseCursor, toCursor } from '../cursor.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import {
  datasetVersionRef,
  type ExampleRef,
  exampleRef,
  fromRow,
  id,
  type NodeRef,
  type Resolvers,
} from '../resolvers.ts';
import { toLabelRef, toSplitRef } from './dataset-group.ts';

type DatasetRef = NodeRef<'Dataset'>;

interface ExamplesArguments {
  readonly datasetVersionId?: string | null;
  readonly splitIds?: readonly string[] | null;
}

const row = fromRow(({ datasets }) => datasets);

export const datasetResolvers: Resolvers = {
  id,
  name: row(({ name }) => name),
  description: row(({ description }) => description),
  metadata: row(({ metadata }) => readStoredObject(metadata)),
  createdAt: row(({ createdAt }) => createdAt),
  updatedAt: row(({ updatedAt }) => updatedAt),
  createdBy: row(authorRef),
  updatedBy: ({ rowId }: DatasetRef, _args: unknown, context) =>
    whenKnown(context.loaders.latestVersionsOfDatasets.load(rowId), (latest) =>
      latest === undefined
        ? null
        : whenKnown(context.loaders.datasetVersions.load(latest), (version) => version && authorRef(version, context)),
    ),
  lastUpdatedAt: ({ rowId }: DatasetRef, _args: unknown, { loaders }) => loaders.changeTimesOfDatasets.load(rowId),
  versions: ({ rowId }: DatasetRef, args: PageArguments & { readonly sort?: { dir: string } | null }, context) =>
    whenKnown(context.loaders.versionIdsOfDatasets.load(rowId), (ids = []) =>
      offsetConnection(args.sort?.dir === 'asc' ? ids.toReversed() : ids, args, datasetVersionRef, context.items),
    ),
  exampleCount: row(async (dataset, context, args: ExamplesArguments) => {
    if (!args.datasetVersionId && !args.splitIds?.length) return dataset.exampleCount;
    const versionRowId = await findVersion(dataset.rowId, args, context);
    if (versionRowId === undefined) return 0;
    return context.domain.datasets.countExamples({ datasetRowId: dataset.rowId, versionRowId, ...toSplitIds(args) });
  }),
  examples: listExamples,
  splits: ({ rowId }: DatasetRef, _args: unknown, { loaders, items }) =>
    whenKnown(loaders.splitsOfDatasets.load(rowId), (splits = []) => {
      items.take(splits.length);
      return splits.map((split) => toSplitRef(split, loaders));
    }),
  labels: ({ rowId }: DatasetRef, _args: unknown, { loaders, items }) =>
    whenKnown(loaders.labelsOfDatasets.load(rowId), (labels = []) => {
      items.take(labels.length);
      return labels.map((label) => toLabelRef(label, loaders));
    }),
};

interface ExampleListArguments extends ExamplesArguments, PageArguments {
  readonly filter?: string | null;
  readonly filterIds?: readonly string[] | null;
}

/** Forward pagination only, because a dataset may have very many examples. */
async function listExamples(
  { rowId }: DatasetRef,
  args: ExampleListArguments,
  context: GraphqlContext,
): Promise<Connection<ExampleRef>> {
  const { first, last, after, before, filter, filterIds } = args;
  if (typeof first === 'number' && first < 0) reject('Argument "first" must be a non-negative int');
  if (typeof last === 'number') reject('Backward pagination with `last` is not supported');
  if (before) reject('Backward pagination with `before` is not supported');
  const versionRowId = await findVersion(rowId, args, context);
  if (versionRowId === undefined || first === 0) return keysetConnection([], undefined, context.items);
  const count = Math.min(first ?? GRAPHQL_ITEM_COUNT_MAX, GRAPHQL_ITEM_COUNT_MAX);
  const found = await context.domain.datasets.findExampleIds({
    datasetRowId: rowId,
    versionRowId,
    ...toSplitIds(args),
    ...(filterIds && { rowIds: rowIdsOfNodes('DatasetExample', filterIds) }),
    ...(filter && { textContains: filter }),
    afterRowId: after ? parseCursor(after, undefined).rowId : 0,
    limit: count + 1,
  });
  const edges = found.slice(0, count).map((example) => ({
    cursor: toCursor({ rowId: example.rowId }, undefined),
    node: exampleRef(example.rowId, example.revisionRowId),
  }));
  return keysetConnection(edges, found.length > count ? edges.at(-1)?.cursor : undefined, context.items);
}

const toSplitIds = ({ splitIds }: ExamplesArguments) =>
  splitIds?.length ? { splitRowIds: rowIdsOfNodes('DatasetSplit', splitIds) } : {};

/** The requested version, else the latest. Undefined when there is none. */
export async function findVersion(
  datasetRowId: number,
  { datasetVersionId }: Pick<ExamplesArguments, 'datasetVersionId'>,
  { loaders }: GraphqlContext,
): Promise<number | undefined> {
  if (!datasetVersionId) return loaders.latestVersionsOfDatasets.load(datasetRowId);
  const versionRowId = rowIdOfNode('DatasetVersion', datasetVersionId);
  const version = await loaders.datasetVersions.load(versionRowId);
  if (version?.datasetRowId === datasetRowId) return versionRowId;
  throw new SpandrelError('DATASET_VERSION_NOT_FOUND', `Dataset version not found: ${datasetVersionId}`);
}

const version = fromRow(({ datasetVersions }) => datasetVersions);

export const datasetVersionResolvers: Resolvers = {
  id,
  description: version(({ description }) => description),
  metadata: version(({ metadata }) => readStoredObject(metadata)),
  createdAt: version(({ createdAt }) => createdAt),
  user: version(authorRef),
  exampleCount: version(({ exampleCount }) => exampleCount),
};
