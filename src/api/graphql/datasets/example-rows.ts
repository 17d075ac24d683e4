import type { EXAMPLE_SORTS, ExampleListing, ExampleSort } from '../../../model/example-rows.ts';
import { EXAMPLE_SELECTION_COUNT_MAX } from '../../../model/limits/examples.ts';
import { checkCellPath } from '../../../domain/datasets/examples/cell-path.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { reject } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import type { NodeRef, Resolvers } from '../resolvers.ts';
import { findVersion } from './dataset.ts';
import { toSplitRef } from './dataset-group.ts';

type DatasetRef = NodeRef<'Dataset'>;

interface ListArguments {
  readonly datasetVersionId?: string | null;
  readonly splitIds?: readonly string[] | null;
  readonly filter?: string | null;
  readonly sort?: SortInput | null;
}

interface SortInput {
  readonly col?: (typeof EXAMPLE_SORTS)[number] | null;
  readonly path?: readonly string[] | null;
  readonly dir: string;
}

/** Lists of examples by index, for the table of a dataset. */
export const exampleRowsOfDataset: Resolvers = {
  async exampleRows(
    { rowId }: DatasetRef,
    args: ListArguments & {
      readonly offset: number;
      readonly limit: number;
      readonly cells?: readonly (readonly string[])[] | null;
    },
    context: GraphqlContext,
  ) {
    const listing = await toListing(rowId, args, context);
    if (!listing) return { count: 0, versionId: null, rows: [] };
    const { datasets } = context.domain;
    const cells = (args.cells ?? []).map(checkCellPath);
    const { count, rows } = await datasets.readExampleRows(listing, { ...args, cells });
    const splits = await datasets.findSplitsOfExamples(rows.map((row) => row.rowId));
    return {
      count,
      versionId: toGlobalId('DatasetVersion', listing.versionRowId),
      rows: rows.map(({ rowId: exampleRowId, revisionRowId, ...row }) => ({
        ...row,
        id: toGlobalId('DatasetExample', exampleRowId),
        revisionId: String(revisionRowId),
        splits: (splits.get(exampleRowId) ?? []).map((split) => toSplitRef(split, context.loaders)),
      })),
    };
  },
  async exampleOffset({ rowId }: DatasetRef, args: ListArguments & { readonly exampleId: string }, context) {
    const listing = await toListing(rowId, args, context);
    const exampleRowId = rowIdOfNode('DatasetExample', args.exampleId);
    return listing && context.domain.datasets.findExampleOffset(listing, exampleRowId);
  },
  async exampleIds({ rowId }: DatasetRef, args: ListArguments & { readonly limit: number }, context) {
    if (args.limit > EXAMPLE_SELECTION_COUNT_MAX) {
      reject(`limit must be at most ${EXAMPLE_SELECTION_COUNT_MAX}, but received ${args.limit}`);
    }
    const listing = await toListing(rowId, args, context);
    const { rowIds } = listing ? await context.domain.datasets.listExampleIds(listing, args.limit) : { rowIds: [] };
    return rowIds.map((id) => toGlobalId('DatasetExample', id));
  },
  async exampleKeys({ rowId }: DatasetRef, args: ListArguments, context) {
    const listing = await toListing(rowId, args, context);
    return listing ? context.domain.datasets.listExampleKeys(listing) : [];
  },
};

/** Undefined if the dataset has no version. */
async function toListing(
  datasetRowId: number,
  args: ListArguments,
  context: GraphqlContext,
): Promise<ExampleListing | undefined> {
  const versionRowId = await findVersion(datasetRowId, args, context);
  if (versionRowId === undefined) return undefined;
  const { splitIds, filter, sort } = args;
  return {
    datasetRowId,
    versionRowId,
    ...(splitIds?.length && { splitRowIds: rowIdsOfNodes('DatasetSplit', splitIds) }),
    ...(filter && { textContains: filter }),
    ...(sort && { sort: toSort(sort) }),
  };
}

/** @throws {SpandrelError} `QUERY_INVALID` */
function toSort({ col, path, dir }: SortInput): ExampleSort {
  const isDescending = dir === 'desc';
  if (col && !path) return { by: col, isDescending };
  if (path && !col) return { by: checkCellPath(path), isDescending };
  return reject('sort needs either col or path');
}
