import { type Static, Type } from '@sinclair/typebox';
import type { DatasetLabel } from '../../../model/dataset.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import { withTexts } from '../../contract/error-texts.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { cursorTo } from '../cursor.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { rowIdIn } from '../row-id.ts';
import { Cursor, DataOf, limitOf, Nullable, PageOf } from '../schema.ts';
import { datasetRef } from './dataset-refs.ts';

const LabelJson = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    name: Type.String(),
    description: Nullable(Type.String()),
    color: Type.String({ description: '`#rrggbb` in lower case.' }),
  },
  { $id: 'DatasetLabel' },
);

const Name = () => Type.String({ minLength: 1, description: 'Unique.' });
const Color = () => Type.String({ pattern: '^#[0-9a-f]{6}$', description: '`#rrggbb` in lower case.' });
const LABEL_PARAM = { label_id: 'Global ID of the label.' };
const DATASET_PARAM = { dataset_identifier: 'Global ID or exact name of the dataset.' };
const LABEL_NOT_FOUND = 'Dataset label not found';
const DATASET_NOT_FOUND = 'Dataset with name <name> not found';
const NAME_TAKEN = "A dataset label named '<name>' already exists";

export const datasetLabelRoutes = (): RestRoute[] => [...labelRoutes(), ...labelsOfDatasetRoutes()];

const labelRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/dataset_labels',
    access: 'viewer',
    operationId: 'listDatasetLabels',
    tag: 'datasets',
    summary: 'List labels of datasets, newest first',
    query: Type.Object({ cursor: Cursor, limit: limitOf(100) }),
    success: { status: 200, description: 'One page of labels.', schema: PageOf(LabelJson) },
    async handle({ domain, query: { cursor, limit } }) {
      const fromRowId = cursor ? rowIdIn('DatasetLabel', cursor, `Invalid cursor: ${cursor}`) : undefined;
      const page = await domain.datasets.listLabels({ limit: Math.min(limit, PAGE_ROW_COUNT_MAX), fromRowId });
      return { data: page.items.map(toJson), next_cursor: cursorTo('DatasetLabel', page.nextRowId) };
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/dataset_labels/:label_id',
    access: 'viewer',
    operationId: 'getDatasetLabel',
    tag: 'datasets',
    summary: 'Read a label',
    params: LABEL_PARAM,
    success: { status: 200, description: 'The label.', schema: DataOf(LabelJson) },
    errors: { 404: LABEL_NOT_FOUND },
    handle: async ({ domain, params }) => ({
      data: toJson((await domain.datasets.findLabel(labelRowId(params.label_id))) ?? notFound()),
    }),
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/dataset_labels',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'repeatable',
    operationId: 'createDatasetLabel',
    tag: 'datasets',
    summary: 'Create a label',
    body: Type.Object({ name: Name(), color: Color(), description: Type.Optional(Nullable(Type.String())) }),
    bodyExample: { name: 'golden', color: '#ffd700' },
    success: { status: 201, description: 'The label.', schema: DataOf(LabelJson) },
    errors: { 409: NAME_TAKEN },
    async handle({ domain, body: { name, color, description = null } }) {
      return { data: toJson(await domain.datasets.createLabel({ name, color, description }, [])) };
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/dataset_labels/:label_id',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'updateDatasetLabel',
    tag: 'datasets',
    summary: 'Change a label',
    params: LABEL_PARAM,
    body: Type.Object({
      name: Type.Optional(Nullable(Name())),
      color: Type.Optional(Nullable(Color())),
      description: Type.Optional(Nullable(Type.String(), { description: 'Null removes it.' })),
    }),
    success: { status: 200, description: 'The label.', schema: DataOf(LabelJson) },
    errors: { 404: LABEL_NOT_FOUND, 409: NAME_TAKEN },
    async handle({ domain, params, body: { name, color, description } }) {
      const rowId = labelRowId(params.label_id);
      const changes = {
        ...(name != null && { name }),
        ...(color != null && { color }),
        ...(description !== undefined && { description }),
      };
      return { data: toJson(await domain.datasets.updateLabel(rowId, changes)) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/dataset_labels/:label_id',
    access: 'member',
    operationId: 'deleteDatasetLabel',
    tag: 'datasets',
    summary: 'Delete a label from all datasets',
    params: LABEL_PARAM,
    success: { status: 204, description: 'The label is deleted.' },
    errors: { 404: LABEL_NOT_FOUND },
    async handle({ domain, params }) {
      const rowId = labelRowId(params.label_id);
      await withTexts({ DATASET_LABEL_NOT_FOUND: LABEL_NOT_FOUND }, () => domain.datasets.deleteLabels([rowId]));
    },
  }),
];

const labelsOfDatasetRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/datasets/:dataset_identifier/labels',
    access: 'viewer',
    operationId: 'listLabelsOfDataset',
    tag: 'datasets',
    summary: 'List the labels of a dataset',
    params: DATASET_PARAM,
    success: {
      status: 200,
      description: 'The labels of the dataset, newest first.',
      schema: DataOf(Type.Array(LabelJson)),
    },
    errors: { 404: DATASET_NOT_FOUND },
    async handle({ domain, params }) {
      const dataset = await domain.datasets.get(datasetRef(params.dataset_identifier));
      return { data: (await domain.datasets.listLabelsOfDataset(dataset.rowId)).map(toJson) };
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/datasets/:dataset_identifier/labels/:label_id',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'addLabelToDataset',
    tag: 'datasets',
    summary: 'Add a label to a dataset',
    params: { ...DATASET_PARAM, ...LABEL_PARAM },
    success: { status: 200, description: 'The label.', schema: DataOf(LabelJson) },
    errors: { 404: LABEL_NOT_FOUND },
    async handle({ domain, params }) {
      const rowId = labelRowId(params.label_id);
      const dataset = await domain.datasets.get(datasetRef(params.dataset_identifier));
      return { data: toJson(await domain.datasets.addLabel(dataset.rowId, rowId)) };
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/datasets/:dataset_identifier/labels/:label_id',
    access: 'member',
    operationId: 'removeLabelFromDataset',
    tag: 'datasets',
    summary: 'Remove a label from a dataset',
    params: { ...DATASET_PARAM, ...LABEL_PARAM },
    success: { status: 204, description: 'The dataset does not have the label.' },
    errors: { 404: DATASET_NOT_FOUND },
    async handle({ domain, params }) {
      const rowId = labelRowId(params.label_id);
      const dataset = await domain.datasets.get(datasetRef(params.dataset_identifier));
      await domain.datasets.removeLabel(dataset.rowId, rowId);
    },
  }),
  defineRoute({
    method: 'PUT',
    path: '/v1/datasets/:dataset_identifier/labels',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'setLabelsOfDataset',
    tag: 'datasets',
    summary: 'Replace the labels of a dataset',
    params: DATASET_PARAM,
    body: Type.Object({
      dataset_label_ids: Type.Array(Type.String(), { default: [], description: 'Global IDs of labels.' }),
    }),
    success: {
      status: 200,
      description: 'The labels of the dataset, newest first.',
      schema: DataOf(Type.Array(LabelJson)),
    },
    errors: { 404: 'One or more dataset labels not found' },
    async handle({ domain, params, body }) {
      const rowIds = body.dataset_label_ids.map(labelRowId);
      const dataset = await domain.datasets.get(datasetRef(params.dataset_identifier));
      await domain.datasets.setLabels(dataset.rowId, rowIds);
      return { data: (await domain.datasets.listLabelsOfDataset(dataset.rowId)).map(toJson) };
    },
  }),
];

const labelRowId = (id: string): number => rowIdIn('DatasetLabel', id, `Invalid dataset label ID: ${id}`);

const notFound = (): never => {
  throw new SpandrelError('DATASET_LABEL_NOT_FOUND', LABEL_NOT_FOUND);
};

const toJson = ({ rowId, ...rest }: DatasetLabel): Static<typeof LabelJson> => ({
  id: toGlobalId('DatasetLabel', rowId),
  ...rest,
});
