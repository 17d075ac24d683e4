import { Type } from '@sinclair/typebox';
import { toExactJsonText } from '../../../base/exact-json.ts';
import type { DatasetSplit } from '../../../model/dataset.ts';
import type { Domain } from '../../../domain/domain.ts';
import { type ErrorTexts, withTexts } from '../../contract/error-texts.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { dateText } from '../date-text.ts';
import { defineRoute, JsonText, type RestRoute } from '../define-route.ts';
import { rowIdIn } from '../row-id.ts';
import { DataOf, DateTimeText, JsonObject, Nullable } from '../schema.ts';
import { datasetRef } from './dataset-refs.ts';

const SplitJson = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    name: Type.String(),
    description: Nullable(Type.String()),
    color: Type.String(),
    metadata: JsonObject(),
    example_count: Type.Integer({ description: 'Number of examples of this dataset.' }),
    created_at: DateTimeText(),
    updated_at: DateTimeText(),
  },
  { $id: 'DatasetSplit' },
);

const ExampleIds = (description: string) => Type.Array(Type.String(), { default: [], description });
const PARAMS = { dataset_identifier: 'Global ID or exact name of the dataset.' };
const SPLIT_PARAMS = { ...PARAMS, split_id: 'Global ID of the split.' };
const NOT_FOUND = 'Dataset split with ID <id> not found';

export const datasetSplitRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/datasets/:dataset_identifier/splits',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'repeatable',
    operationId: 'createDatasetSplit',
    tag: 'datasets',
    summary: 'Create a split with examples of this dataset',
    params: PARAMS,
    body: Type.Object({
      name: Type.String({ description: 'Unique among the splits of all datasets.' }),
      description: Type.Optional(Nullable(Type.String())),
      color: Type.String({ default: '#33c5e8' }),
      metadata: JsonObject({ default: {} }),
      example_ids: ExampleIds('Global IDs of examples.'),
    }),
    success: { status: 201, description: 'The split.', schema: DataOf(SplitJson) },
    errors: { 404: 'Dataset with name <name> not found', 409: "A dataset split named '<name>' already exists" },
    async handle({ domain, params, body }) {
      const { rowId: datasetRowId } = await domain.datasets.get(datasetRef(params.dataset_identifier));
      const { name, description = null, color } = body;
      const fields = { name, description, color, metadata: toExactJsonText(body.metadata) };
      const exampleIds = toRowIds(body.example_ids);
      const split = await withTexts(EXAMPLE_ABSENT, () =>
        domain.datasets.createSplit(fields, exampleIds, { datasetRowId, fieldNames: FIELD_NAMES }),
      );
      return toResponseText(domain, split, datasetRowId);
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/datasets/:dataset_identifier/splits/:split_id',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'updateDatasetSplit',
    tag: 'datasets',
    summary: 'Change a split, or its examples of this dataset',
    params: SPLIT_PARAMS,
    body: Type.Object({
      name: Type.Optional(Nullable(Type.String())),
      description: Type.Optional(Nullable(Type.String(), { description: 'Null removes it.' })),
      color: Type.Optional(Nullable(Type.String())),
      metadata: Type.Optional(Nullable(JsonObject(), { description: 'Replaces the stored metadata.' })),
      add_example_ids: ExampleIds('Global IDs of examples.'),
      remove_example_ids: ExampleIds('Global IDs of examples. An example that is both added and removed is removed.'),
    }),
    success: { status: 200, description: 'The split.', schema: DataOf(SplitJson) },
    errors: { 404: NOT_FOUND, 409: 'A dataset split with this name already exists' },
    async handle({ domain, params, body }) {
      const splitId = params.split_id;
      const rowId = rowIdIn('DatasetSplit', splitId, `Invalid dataset split ID: ${splitId}`);
      const { rowId: datasetRowId } = await domain.datasets.get(datasetRef(params.dataset_identifier));
      const { name, description, color, metadata } = body;
      const changes = {
        // By contract null is as empty as a blank text is.
        ...(name !== undefined && { name: name ?? '' }),
        ...(description !== undefined && { description }),
        ...(color !== undefined && { color: color ?? '' }),
        ...(metadata && { metadata: toExactJsonText(metadata) }),
      };
      const membership = {
        datasetRowId,
        added: toRowIds(body.add_example_ids),
        removed: toRowIds(body.remove_example_ids),
      };
      const split = await withTexts({ ...EXAMPLE_ABSENT, ...splitAbsent(splitId) }, () =>
        domain.datasets.updateSplit(rowId, changes, { membership, fieldNames: FIELD_NAMES }),
      );
      return toResponseText(domain, split, datasetRowId);
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/datasets/:dataset_identifier/splits/:split_id',
    access: 'member',
    operationId: 'deleteDatasetSplit',
    tag: 'datasets',
    summary: 'Delete a split from all datasets',
    description: 'Its examples stay.',
    params: SPLIT_PARAMS,
    success: { status: 204, description: 'The split is deleted.' },
    errors: { 404: NOT_FOUND },
    async handle({ domain, params }) {
      const splitId = params.split_id;
      const rowId = rowIdIn('DatasetSplit', splitId, `Invalid dataset split ID: ${splitId}`);
      await domain.datasets.get(datasetRef(params.dataset_identifier));
      await withTexts(splitAbsent(splitId), () => domain.datasets.deleteSplits([rowId]));
    },
  }),
];

const FIELD_NAMES = { name: 'Dataset split name', color: 'Dataset split color' };

const EXAMPLE_ABSENT: ErrorTexts = {
  DATASET_EXAMPLE_NOT_FOUND: ({ ids }) => `Dataset examples not found in this dataset: ${ids}`,
};

const splitAbsent = (splitId: string): ErrorTexts => ({
  DATASET_SPLIT_NOT_FOUND: `Dataset split with ID ${splitId} not found`,
});

const toRowIds = (ids: readonly string[]): number[] =>
  ids.map((id) => rowIdIn('DatasetExample', id, `Invalid dataset example ID: ${id}`));

async function toResponseText({ datasets }: Domain, split: DatasetSplit, datasetRowId: number): Promise<JsonText> {
  return new JsonText(`{"data":${toText(split, await datasets.countExamplesOfSplit(split.rowId, datasetRowId))}}`);
}

const toText = (split: DatasetSplit, exampleCount: number): string =>
  `{"id":"${toGlobalId('DatasetSplit', split.rowId)}","name":${JSON.stringify(split.name)},` +
  `"description":${JSON.stringify(split.description)},"color":${JSON.stringify(split.color)},` +
  `"metadata":${split.metadata},"example_count":${exampleCount},` +
  `"created_at":"${dateText(split.createdAt)}","updated_at":"${dateText(split.updatedAt)}"}`;
