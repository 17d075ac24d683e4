import { EXAMPLE_CHANGE_KINDS, type ExampleChangeKind, type VersionPair } from '../../../model/example-rows.ts';
import { EXAMPLE_WINDOW_ROW_COUNT_MAX } from '../../../model/limits/examples.ts';
import { reject } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { parseCursor, toCursor } from '../cursor.ts';
import { rowIdOfNode } from '../node.ts';
import { datasetRef, datasetVersionRef, exampleRef, type NodeRef, type Resolvers } from '../resolvers.ts';

interface ChangesArguments {
  readonly first: number;
  readonly after?: string | null;
  readonly kinds?: readonly ExampleChangeKind[] | null;
}

/** Differences between versions of a dataset. */
export const versionsOfDataset: Resolvers = {
  async versionDiff(
    { rowId }: NodeRef<'Dataset'>,
    args: { readonly baseVersionId: string; readonly versionId: string },
    { domain }: GraphqlContext,
  ) {
    const get = (id: string) => domain.datasets.getVersion(rowId, rowIdOfNode('DatasetVersion', id));
    const pair: VersionPair = { base: await get(args.baseVersionId), version: await get(args.versionId) };
    return { pair };
  },
};

const count =
  (kind: ExampleChangeKind | 'unchanged') => async (source: DiffSource, _args: unknown, context: GraphqlContext) => {
    source.counts ??= context.domain.datasets.countVersionChanges(source.pair);
    return (await source.counts)[kind];
  };

interface DiffSource {
  readonly pair: VersionPair;
  counts?: Promise<Readonly<Record<ExampleChangeKind | 'unchanged', number>>>;
}

export const versionDiffResolvers: Resolvers = {
  added: count('added'),
  changed: count('changed'),
  removed: count('removed'),
  unchanged: count('unchanged'),
  async changes({ pair }: DiffSource, { first, after, kinds }: ChangesArguments, { domain }: GraphqlContext) {
    if (first < 1 || first > EXAMPLE_WINDOW_ROW_COUNT_MAX) {
      reject(`first must be between 1 and ${EXAMPLE_WINDOW_ROW_COUNT_MAX}, but received ${first}`);
    }
    const page = await domain.datasets.listChanges(pair, {
      kinds: kinds ?? EXAMPLE_CHANGE_KINDS,
      limit: first,
      fromRowId: after ? parseCursor(after, undefined).rowId : undefined,
    });
    return {
      rows: page.items.map(({ rowId, kind, fields }) => ({ example: exampleRef(rowId), kind, fields })),
      next: page.nextRowId === undefined ? null : toCursor({ rowId: page.nextRowId }, undefined),
    };
  },
};

export const versionMutations: Resolvers = {
  async restoreDatasetVersion(
    _source,
    {
      input,
    }: {
      readonly input: {
        readonly datasetId: string;
        readonly datasetVersionId: string;
        readonly versionDescription?: string | null;
      };
    },
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfNode('Dataset', input.datasetId);
    const version = await context.domain.datasets.restoreVersion(
      rowId,
      rowIdOfNode('DatasetVersion', input.datasetVersionId),
      { description: input.versionDescription?.trim() || null },
    );
    context.invalidateReads();
    return { dataset: datasetRef(rowId), version: datasetVersionRef(version) };
  },
};
