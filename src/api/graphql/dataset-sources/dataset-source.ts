import type { DatasetSource, MappedField, SpanMapping } from '../../../model/dataset-source.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { checkJsonObject } from '../../../domain/datasets/json-object.ts';
import { rowIdOf, toGlobalId } from '../../contract/global-id.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { datasetRef, type NodeRef, projectRef, type Resolvers } from '../resolvers.ts';

interface Input<Fields> {
  readonly input: Fields;
}

interface MappingInput {
  readonly input?: readonly MappedField[] | null;
  readonly output?: readonly MappedField[] | null;
  readonly metadata?: readonly MappedField[] | null;
}

interface PreviewInput {
  readonly spanIds: readonly string[];
  readonly mapping: MappingInput;
  readonly datasetId?: string | null;
}

interface AddInput {
  readonly datasetId: string;
  readonly spanId: string;
  readonly input: unknown;
  readonly output: unknown;
  readonly metadata: unknown;
  readonly splitNames?: readonly string[] | null;
  readonly keepsRepeated?: boolean | null;
}

interface SaveInput {
  readonly projectId: string;
  readonly datasetId: string;
  readonly name: string;
  readonly filter: string;
  readonly mapping: MappingInput;
  readonly splitNames?: readonly string[] | null;
  readonly isFromNow?: boolean | null;
}

export const datasetSourceQueries: Resolvers = {
  async previewSpanExamples(_source, { input }: Input<PreviewInput>, { domain, items }: GraphqlContext) {
    const previews = await domain.datasetSources.previewSpans(
      {
        spanRowIds: rowIdsOfNodes('Span', input.spanIds),
        mapping: toMapping(input.mapping),
        datasetRowId: input.datasetId ? rowIdOfNode('Dataset', input.datasetId) : undefined,
      },
      userIdText,
    );
    items.take(previews.length);
    return previews.map(({ spanRowId, example, repetition }) => ({
      spanId: toGlobalId('Span', spanRowId),
      ...example,
      repetition,
    }));
  },
};

export const datasetSourceMutations: Resolvers = {
  async addSpanExample(_source, { input }: Input<AddInput>, { domain, invalidateReads }: GraphqlContext) {
    const { datasetRowId, ...counts } = await domain.datasetSources.addEditedSpan({
      datasetRowId: rowIdOfNode('Dataset', input.datasetId),
      spanRowId: rowIdOfNode('Span', input.spanId),
      input: checkJsonObject('input', input.input),
      output: checkJsonObject('output', input.output),
      metadata: checkJsonObject('metadata', input.metadata),
      splitNames: input.splitNames ?? [],
      keepsRepeated: input.keepsRepeated ?? false,
    });
    invalidateReads();
    return { ...counts, dataset: datasetRef(datasetRowId) };
  },
  rememberSpanMapping(
    _source,
    { input }: Input<{ readonly projectId: string; readonly mapping: MappingInput }>,
    { domain }: GraphqlContext,
  ) {
    return domain.datasetSources.rememberMapping(rowIdOfNode('Project', input.projectId), toMapping(input.mapping));
  },
  async saveDatasetSource(_source, { input }: Input<SaveInput>, { domain }: GraphqlContext) {
    const source = await domain.datasetSources.create({
      projectId: rowIdOfNode('Project', input.projectId),
      datasetRowId: rowIdOfNode('Dataset', input.datasetId),
      name: input.name,
      filter: input.filter,
      mapping: toMapping(input.mapping),
      splitNames: input.splitNames ?? [],
      isFromNow: input.isFromNow ?? false,
    });
    return toObject(source);
  },
  async deleteDatasetSource(_source, { id }: { readonly id: string }, { domain }: GraphqlContext) {
    const rowId = rowIdOf('DatasetSource', id);
    if (rowId === undefined) throw new SpandrelError('QUERY_INVALID', 'This is not the ID of a source of a dataset');
    // Its matches cannot be counted any more.
    return { ...toObject(await domain.datasetSources.delete(rowId)), isDeleted: true };
  },
};

export const sourcesOfProject: Resolvers = {
  spanMapping: async ({ rowId }: NodeRef, _args, { domain }: GraphqlContext) =>
    (await domain.datasetSources.findMapping(rowId)) ?? null,
  async datasetSources({ rowId }: NodeRef, _args, { domain, items }: GraphqlContext) {
    const sources = await domain.datasetSources.list({ projectId: rowId });
    items.take(sources.length);
    return sources.map(toObject);
  },
};

export const sourcesOfDataset: Resolvers = {
  async sources({ rowId }: NodeRef, _args, { domain, items }: GraphqlContext) {
    const sources = await domain.datasetSources.list({ datasetRowId: rowId });
    items.take(sources.length);
    return sources.map(toObject);
  },
};

export const datasetSourceResolvers: Resolvers = {
  newMatchCount: (
    { rowId, isDeleted }: { readonly rowId: number; readonly isDeleted?: true },
    _args,
    { domain }: GraphqlContext,
  ) => (isDeleted ? 0 : domain.datasetSources.countNewMatches(rowId)),
};

const toObject = ({ projectId, datasetRowId, ...source }: DatasetSource) => ({
  ...source,
  id: toGlobalId('DatasetSource', source.rowId),
  project: projectRef(projectId),
  dataset: datasetRef(datasetRowId),
});

const toMapping = ({ input = null, output = null, metadata = null }: MappingInput): SpanMapping => ({
  input,
  output,
  metadata,
});

const userIdText = (userRowId: number): string => toGlobalId('User', userRowId);
