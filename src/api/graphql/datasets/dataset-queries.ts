import { rowIdOf } from '../../contract/global-id.ts';
import type { PageArguments } from '../arguments.ts';
import { offsetConnection } from '../connections.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { datasetRef, exampleRef, type Resolvers } from '../resolvers.ts';
import { toLabelRef, toSplitRef } from './dataset-group.ts';

interface DatasetsArguments extends PageArguments {
  readonly sort?: { readonly col: 'name' | 'createdAt'; readonly dir: 'asc' | 'desc' } | null;
  readonly filter?: { readonly value?: string | null; readonly filterLabels?: readonly string[] | null } | null;
}

interface NamedArguments extends PageArguments {
  readonly names?: readonly string[] | null;
}

interface ExternalIdArguments {
  readonly datasetId: string;
  readonly externalId: string;
}

export const datasetQueries: Resolvers = {
  async datasets(_source, args: DatasetsArguments, { domain, items }: GraphqlContext) {
    const { sort, filter } = args;
    // IDs of other objects than labels are ignored.
    const labelRowIds = (filter?.filterLabels ?? []).flatMap((labelId) => rowIdOf('DatasetLabel', labelId) ?? []);
    const ids = await domain.datasets.findIds({
      ...(filter?.value && { nameContains: filter.value }),
      ...(labelRowIds.length > 0 && { labelRowIds }),
      ...(sort && { sort: { column: sort.col, isDescending: sort.dir === 'desc' } }),
    });
    return offsetConnection(ids, args, datasetRef, items);
  },
  datasetCount: (_source, _args, { domain }: GraphqlContext) => domain.datasets.count(),
  datasetsLastUpdatedAt: async (_source, _args, { domain }: GraphqlContext) =>
    (await domain.datasets.findLatestChangeTime()) ?? null,
  async datasetLabels(_source, args: NamedArguments, { domain, loaders, items }: GraphqlContext) {
    const labels = await domain.datasets.listLabelsByName(args.names ?? undefined);
    return offsetConnection(labels, args, (label) => toLabelRef(label, loaders), items);
  },
  async datasetSplits(_source, args: NamedArguments, { domain, loaders, items }: GraphqlContext) {
    const splits = await domain.datasets.listSplits(args.names ?? undefined);
    return offsetConnection(splits, args, (split) => toSplitRef(split, loaders), items);
  },
  async getDatasetExampleByExternalId(_source, args: ExternalIdArguments, { domain, loaders }: GraphqlContext) {
    const example = await domain.datasets.findExampleByExternalId(
      rowIdOfNode('Dataset', args.datasetId),
      args.externalId,
    );
    if (!example) return null;
    loaders.examples.prime(example.rowId, example);
    return exampleRef(example.rowId);
  },
};
