import { toExactJsonText } from '../../../base/exact-json.ts';
import type { DatasetSplit } from '../../../model/dataset.ts';
import { checkJsonObject } from '../../../domain/datasets/json-object.ts';
import { type ErrorTexts, withTexts } from '../../contract/error-texts.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { datasetRef, exampleRef, QUERY, type Resolvers } from '../resolvers.ts';
import { toLabelRef, toSplitRef } from './dataset-group.ts';

interface Input<Fields> {
  readonly input: Fields;
}
interface NewSplit {
  readonly name: string;
  readonly description?: string | null;
  readonly color: string;
  readonly metadata?: unknown;
}
type SplitPatch = Partial<Record<keyof NewSplit, unknown>> & {
  readonly datasetSplitId: string;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly color?: string | null;
};

export const splitMutations: Resolvers = {
  async createDatasetSplit(_source, { input }: Input<NewSplit>, context: GraphqlContext) {
    return splitPayload(await createSplit(input, [], context), context);
  },
  async createDatasetSplitWithExamples(
    _source,
    { input }: Input<NewSplit & { readonly exampleIds: readonly string[] }>,
    context: GraphqlContext,
  ) {
    const rowIds = [...new Set(rowIdsOfNodes('DatasetExample', input.exampleIds))];
    const payload = splitPayload(await createSplit(input, rowIds, context), context);
    return { ...payload, examples: rowIds.map((rowId) => exampleRef(rowId)) };
  },
  async patchDatasetSplit(_source, { input }: Input<SplitPatch>, context: GraphqlContext) {
    const { name, description, color, metadata } = input;
    const rowId = rowIdOfNode('DatasetSplit', input.datasetSplitId);
    const changes = {
      ...(typeof name === 'string' && { name }),
      ...(description !== undefined && { description }),
      ...(typeof color === 'string' && { color }),
      ...(metadata != null && { metadata: toMetadataText(metadata) }),
    };
    const split = await context.domain.datasets.updateSplit(rowId, changes, { fieldNames: FIELD_NAMES });
    return splitPayload(split, context);
  },
  async deleteDatasetSplits(
    _source,
    { input }: Input<{ readonly datasetSplitIds: readonly string[] }>,
    context: GraphqlContext,
  ) {
    const deleted = await context.domain.datasets.deleteSplits(rowIdsOfNodes('DatasetSplit', input.datasetSplitIds));
    context.invalidateReads();
    return { datasetSplits: deleted.map((split) => toSplitRef(split, context.loaders)), query: QUERY };
  },
  async setDatasetExampleSplits(
    _source,
    { input }: Input<{ readonly exampleId: string; readonly datasetSplitIds: readonly string[] }>,
    context: GraphqlContext,
  ) {
    const [example] = await setSplits([input.exampleId], input.datasetSplitIds, undefined, context);
    return { example, query: QUERY };
  },
  async setDatasetExamplesSplits(
    _source,
    {
      input,
    }: Input<{
      readonly exampleIds: readonly string[];
      readonly datasetSplitIds: readonly string[];
      readonly datasetId?: string | null;
    }>,
    context: GraphqlContext,
  ) {
    const datasetRowId = input.datasetId ? rowIdOfNode('Dataset', input.datasetId) : undefined;
    return { examples: await setSplits(input.exampleIds, input.datasetSplitIds, datasetRowId, context), query: QUERY };
  },
};

async function setSplits(
  exampleIds: readonly string[],
  splitIds: readonly string[],
  datasetRowId: number | undefined,
  context: GraphqlContext,
) {
  const rowIds = [...new Set(rowIdsOfNodes('DatasetExample', exampleIds))];
  const splitRowIds = [...new Set(rowIdsOfNodes('DatasetSplit', splitIds))];
  await context.domain.datasets.setSplitsOfExamples(rowIds, splitRowIds, datasetRowId);
  context.invalidateReads();
  return rowIds.map((rowId) => exampleRef(rowId));
}

const FIELD_NAMES = { name: 'Name', color: 'Color' };
const TEXTS: ErrorTexts = { DATASET_SPLIT_NAME_TAKEN: ({ message }) => `${message}.` };

const createSplit = (input: NewSplit, exampleRowIds: readonly number[], { domain }: GraphqlContext) =>
  withTexts(TEXTS, () => domain.datasets.createSplit(toSplitFields(input), exampleRowIds, { fieldNames: FIELD_NAMES }));

const toSplitFields = ({ name, description = null, color, metadata }: NewSplit) => ({
  name,
  description,
  color,
  metadata: metadata == null ? '{}' : toMetadataText(metadata),
});

const toMetadataText = (metadata: unknown): string => toExactJsonText(checkJsonObject('metadata', metadata));

function splitPayload(split: DatasetSplit, context: GraphqlContext) {
  context.invalidateReads();
  return { datasetSplit: toSplitRef(split, context.loaders), query: QUERY };
}

interface NewLabel {
  readonly name: string;
  readonly description?: string | null;
  readonly color: string;
  readonly datasetIds?: readonly string[] | null;
}

interface LabelPatch {
  readonly datasetLabelId: string;
  readonly name?: string | null;
  readonly description?: string | null;
  readonly color?: string | null;
}

export const labelMutations: Resolvers = {
  async createDatasetLabel(_source, { input }: Input<NewLabel>, context: GraphqlContext) {
    const { name, description = null, color } = input;
    const datasetRowIds = rowIdsOfNodes('Dataset', input.datasetIds ?? []);
    const label = await context.domain.datasets.createLabel({ name, description, color }, datasetRowIds);
    context.invalidateReads();
    return { datasetLabel: toLabelRef(label, context.loaders), datasets: datasetRowIds.map(datasetRef) };
  },
  async patchDatasetLabel(_source, { input }: Input<LabelPatch>, context: GraphqlContext) {
    const { name, description, color } = input;
    const label = await context.domain.datasets.updateLabel(rowIdOfNode('DatasetLabel', input.datasetLabelId), {
      ...(typeof name === 'string' && { name }),
      ...(description !== undefined && { description }),
      ...(typeof color === 'string' && { color }),
    });
    context.invalidateReads();
    return { datasetLabel: toLabelRef(label, context.loaders) };
  },
  async deleteDatasetLabels(
    _source,
    { input }: Input<{ readonly datasetLabelIds: readonly string[] }>,
    context: GraphqlContext,
  ) {
    const deleted = await context.domain.datasets.deleteLabels(rowIdsOfNodes('DatasetLabel', input.datasetLabelIds));
    context.invalidateReads();
    return { datasetLabels: deleted.map((label) => toLabelRef(label, context.loaders)) };
  },
  async setDatasetLabels(
    _source,
    { input }: Input<{ readonly datasetId: string; readonly datasetLabelIds: readonly string[] }>,
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfNode('Dataset', input.datasetId);
    await context.domain.datasets.setLabels(rowId, rowIdsOfNodes('DatasetLabel', input.datasetLabelIds));
    context.invalidateReads();
    return { dataset: datasetRef(rowId), query: QUERY };
  },
};
