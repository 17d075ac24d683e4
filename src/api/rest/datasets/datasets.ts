import { Type } from '@sinclair/typebox';
import { toExactJsonText } from '../../../base/exact-json.ts';
import type { Dataset, DatasetVersion } from '../../../model/dataset.ts';
import { PAGE_ROW_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { Domain } from '../../../domain/domain.ts';
import { type ErrorTexts, withTexts } from '../../contract/error-texts.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { cursorTo, rowIdOfCursor } from '../cursor.ts';
import { dateText } from '../date-text.ts';
import { defineRoute, JsonText, type RestRoute } from '../define-route.ts';
import { rowIdIn, rowIdInNode } from '../row-id.ts';
import { Cursor, DataOf, DateTimeText, JsonObject, limitOf, Nullable, PageOf } from '../schema.ts';

const DatasetJson = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    name: Type.String(),
    description: Nullable(Type.String()),
    metadata: JsonObject(),
    created_at: DateTimeText(),
    updated_at: DateTimeText(),
    example_count: Type.Integer({ description: 'Number of examples in the latest version.' }),
  },
  { $id: 'Dataset' },
);

const DatasetVersionJson = Type.Object(
  {
    version_id: Type.String({ description: 'Global ID.' }),
    description: Nullable(Type.String()),
    metadata: JsonObject(),
    created_at: DateTimeText(),
  },
  { $id: 'DatasetVersion' },
);

export const DATASET_PARAM = { id: 'Global ID of the dataset.' };
export const DATASET_ID_INVALID = 'Invalid dataset ID format: <id>';

export const datasetRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'GET',
    path: '/v1/datasets',
    access: 'viewer',
    operationId: 'listDatasets',
    tag: 'datasets',
    summary: 'List datasets, newest first',
    query: Type.Object({
      cursor: Cursor,
      name: Type.Optional(Type.String({ description: 'The exact name.' })),
      limit: limitOf(10),
    }),
    success: { status: 200, description: 'One page of datasets.', schema: PageOf(DatasetJson) },
    errors: { 422: 'Invalid cursor format: <cursor>' },
    async handle({ domain, query }) {
      const page = await domain.datasets.list({
        limit: Math.min(query.limit, PAGE_ROW_COUNT_MAX),
        fromRowId: rowIdOfCursor(query.cursor, `Invalid cursor format: ${query.cursor}`),
        name: query.name,
      });
      const next = JSON.stringify(cursorTo('Dataset', page.nextRowId));
      return new JsonText(`{"data":[${page.items.map(toDatasetText).join(',')}],"next_cursor":${next}}`);
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/datasets/:id',
    access: 'viewer',
    operationId: 'getDataset',
    tag: 'datasets',
    summary: 'Read a dataset',
    params: DATASET_PARAM,
    success: { status: 200, description: 'The dataset.', schema: DataOf(DatasetJson) },
    errors: { 404: 'Dataset with ID <id> not found', 422: DATASET_ID_INVALID },
    async handle({ domain, params: { id } }) {
      return dataText(await getDataset(domain, id, rowIdInNode('Dataset', id, `Invalid dataset ID format: ${id}`)));
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/v1/datasets/:id',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'updateDataset',
    tag: 'datasets',
    summary: 'Change the name, description or metadata of a dataset',
    params: DATASET_PARAM,
    body: Type.Object({
      name: Type.Optional(Type.String({ minLength: 1 })),
      description: Type.Optional(Nullable(Type.String(), { description: 'Null removes it.' })),
      metadata: Type.Optional(JsonObject({ description: 'Replaces the stored metadata.' })),
    }),
    success: { status: 200, description: 'The dataset.', schema: DataOf(DatasetJson) },
    errors: {
      404: 'Dataset with ID <id> not found',
      409: 'A dataset named "<name>" already exists.',
      422: DATASET_ID_INVALID,
    },
    async handle({ domain, params: { id }, body }) {
      const rowId = rowIdInNode('Dataset', id, `Invalid dataset ID format: ${id}`);
      const metadata = body.metadata && toExactJsonText(body.metadata);
      const changes = { name: body.name, description: body.description, metadata };
      await withTexts(absent(id), () => domain.datasets.update(rowId, changes));
      return dataText(await getDataset(domain, id, rowId));
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/v1/datasets/:id',
    access: 'member',
    operationId: 'deleteDataset',
    tag: 'datasets',
    summary: 'Delete a dataset with its versions, examples, experiments and evaluators',
    description: 'The projects and traces of its experiments and evaluators stay.',
    params: DATASET_PARAM,
    success: { status: 204, description: 'The dataset is deleted.' },
    errors: { 404: 'Dataset does not exist', 422: 'Invalid Dataset ID: <id>' },
    async handle({ domain, params: { id } }) {
      const rowId = rowIdIn('Dataset', id, `Invalid Dataset ID: ${id}`);
      await withTexts({ DATASET_NOT_FOUND: 'Dataset does not exist' }, () =>
        domain.datasets.delete(rowId, { withProjects: false }),
      );
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/datasets/:id/versions',
    access: 'viewer',
    operationId: 'listDatasetVersions',
    tag: 'datasets',
    summary: 'List the versions of a dataset, newest first',
    params: DATASET_PARAM,
    query: Type.Object({ cursor: Cursor, limit: limitOf(10) }),
    success: { status: 200, description: 'One page of versions.', schema: PageOf(DatasetVersionJson) },
    errors: { 422: 'Invalid Dataset ID: <id>' },
    async handle({ domain, params: { id }, query: { cursor, limit } }) {
      const datasetRowId = rowIdIn('Dataset', id, `Invalid Dataset ID: ${id}`);
      const fromRowId = cursor ? rowIdIn('DatasetVersion', cursor, `Invalid cursor: ${cursor}`) : undefined;
      const page = await domain.datasets.listVersions({
        datasetRowId,
        limit: Math.min(limit, PAGE_ROW_COUNT_MAX),
        fromRowId,
      });
      const next = JSON.stringify(cursorTo('DatasetVersion', page.nextRowId));
      return new JsonText(`{"data":[${page.items.map(toVersionText).join(',')}],"next_cursor":${next}}`);
    },
  }),
];

/** Callers may write an ID in several ways, and read it as they wrote it. */
const absent = (id: string): ErrorTexts => ({ DATASET_NOT_FOUND: `Dataset with ID ${id} not found` });

const getDataset = ({ datasets }: Domain, id: string, rowId: number): Promise<Dataset> =>
  withTexts(absent(id), () => datasets.get({ rowId }));

const dataText = (dataset: Dataset): JsonText => new JsonText(`{"data":${toDatasetText(dataset)}}`);

const toDatasetText = (dataset: Dataset): string =>
  `{"id":"${toGlobalId('Dataset', dataset.rowId)}","name":${JSON.stringify(dataset.name)},` +
  `"description":${JSON.stringify(dataset.description)},"metadata":${dataset.metadata},` +
  `"created_at":"${dateText(dataset.createdAt)}","updated_at":"${dateText(dataset.updatedAt)}",` +
  `"example_count":${dataset.exampleCount}}`;

const toVersionText = (version: DatasetVersion): string =>
  `{"version_id":"${toGlobalId('DatasetVersion', version.rowId)}","description":${JSON.stringify(version.description)},` +
  `"metadata":${version.metadata},"created_at":"${dateText(version.createdAt)}"}`;
