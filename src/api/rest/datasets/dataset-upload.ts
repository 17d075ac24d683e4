import { Type } from '@sinclair/typebox';
import { JsonSyntaxError } from '../../../base/exact-json.ts';
import { expectPresent } from '../../../base/expect-present.ts';
import { UPLOAD_ACTIONS, type UploadResult } from '../../../model/dataset.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { DATASET_FILE_BYTES_MAX } from '../../../model/limits/datasets.ts';
import { BULK_JSON_BODY_BYTES_MAX } from '../../../model/limits/requests.ts';
import type { Domain } from '../../../domain/domain.ts';
import type { HttpRequest, RequestHead } from '../../../server/route.ts';
import { rowIdOf, toGlobalId } from '../../contract/global-id.ts';
import { toProjectRef } from '../../contract/parse-refs.ts';
import { defineRoute, JsonText, type RestRoute } from '../define-route.ts';
import { readBody } from '../read-request.ts';
import { DataOf, JsonObject, Nullable, OneOf } from '../schema.ts';
import { readUploadForm } from './dataset-upload-form.ts';
import { boundaryOf } from './read-multipart.ts';

const UploadedJson = Type.Object(
  {
    dataset_id: Type.String({ description: 'Global ID.' }),
    version_id: Type.String({
      description: 'Global ID of the version that the upload created, or of the latest version if nothing changed.',
    }),
    num_created_examples: Type.Integer(),
    num_updated_examples: Type.Integer({ description: 'Examples whose content or splits changed.' }),
    num_deleted_examples: Type.Integer(),
  },
  { $id: 'DatasetUpload' },
);

const NewDatasetJson = Type.Object(
  {
    action: Type.Optional(Type.String({ enum: ['create', 'append', 'update'], default: 'create' })),
    name: Type.String(),
    description: Type.Optional(Type.String({ description: 'Used when the upload creates the dataset.' })),
    inputs: Type.Array(JsonObject()),
    outputs: Type.Optional(Type.Array(JsonObject())),
    metadata: Type.Optional(Type.Array(JsonObject())),
    splits: Type.Optional(Type.Array(Nullable(Type.String()), { description: 'Names, lists of names, or null.' })),
    span_ids: Type.Optional(Type.Array(Nullable(Type.String()))),
    example_ids: Type.Optional(Type.Array(Nullable(Type.String()))),
  },
  { $id: 'NewDataset' },
);

const SpansOfFilterJson = Type.Object(
  {
    action: Type.Optional(OneOf(UPLOAD_ACTIONS, { default: 'append' })),
    name: Type.String({ description: 'Name of the dataset. It is created if it does not exist.' }),
    description: Type.Optional(Type.String({ description: 'Used when the upload creates the dataset.' })),
    project: Type.String({ description: 'Name or global ID.' }),
    filter: Type.Optional(Type.String({ description: 'A span filter. Default: all spans of the project.' })),
  },
  { $id: 'DatasetSpans' },
);

const isForm = (request: RequestHead): boolean => boundaryOf(request.header('content-type') ?? '') !== undefined;

export const datasetUploadRoutes = (spoolDir: string): RestRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/datasets/upload',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'once',
    operationId: 'uploadDataset',
    tag: 'datasets',
    summary: 'Upload examples to a dataset',
    description:
      'Stores all examples or none. The body is JSON, or `multipart/form-data` with a `file` of CSV, JSON lines or an Arrow stream (`text/csv`, `application/jsonl`, `application/x-pandas-pyarrow`), which may be compressed (`Content-Encoding` of the part). The upload is durable when the server responds, with and without `sync`.',
    query: Type.Object({
      sync: Type.Boolean({
        default: false,
        description: 'Respond with the result of the upload. Otherwise the response is null.',
      }),
    }),
    body: NewDatasetJson,
    bodyExample: {
      name: 'questions',
      inputs: [{ question: 'What is a span?' }],
      outputs: [{ answer: 'A unit of work.' }],
    },
    rawBody: {
      bodyBytesMax: BULK_JSON_BODY_BYTES_MAX,
      streaming: { appliesTo: isForm, bytesMax: DATASET_FILE_BYTES_MAX },
    },
    success: { status: 200, description: 'Result of the upload, or null.', schema: Nullable(DataOf(UploadedJson)) },
    errors: {
      400: 'Missing content-type header',
      409: 'A dataset named "<name>" already exists.',
      422: 'Invalid request Content-Type',
      429: 'Too many requests.',
    },
    async handle({ domain, query, request }) {
      const result = await upload(domain, request, spoolDir);
      return query.sync ? { data: toJson(result) } : new JsonText('null');
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/datasets/upload/spans',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'once',
    operationId: 'uploadSpansToDataset',
    tag: 'datasets',
    summary: 'Create examples from the spans that a filter selects',
    description:
      'Stores all examples or none. Input and output of a span become those of its example, and its annotations become part of the metadata. The example contains the ID of the span. Examples are matched by content, so a repeated `append` adds only what is new.',
    body: SpansOfFilterJson,
    bodyExample: { name: 'failed calls', project: 'default', filter: "span_kind == 'LLM' and status_code == 'ERROR'" },
    success: { status: 200, description: 'Result of the upload.', schema: DataOf(UploadedJson) },
    errors: {
      404: 'Project with identifier <identifier> not found',
      409: 'A dataset named "<name>" already exists.',
      422: 'The error in the filter',
    },
    async handle({ domain, body: { action = 'append', name, description = '', filter = '', project } }) {
      const { rowId: projectRowId } = await domain.projects.get(toProjectRef(project));
      const upload = { action, name, description, filter, projectRowId };
      return { data: toJson(await domain.datasets.uploadSpans(upload, (userId) => toGlobalId('User', userId))) };
    },
  }),
];

const exampleRowIdOf = (id: string): number | undefined => rowIdOf('DatasetExample', id);

async function upload(domain: Domain, request: HttpRequest, spoolDir: string): Promise<UploadResult> {
  const contentType = request.header('content-type');
  if (!contentType) throw new SpandrelError('CONTENT_TYPE_MISSING', 'Missing content-type header');
  if (!request.bodyStream) return domain.datasets.uploadJson(await readJson(request, contentType), exampleRowIdOf);
  const form = await readUploadForm(
    request.bodyStream,
    expectPresent(boundaryOf(contentType), 'only a form is streamed'),
    spoolDir,
  );
  try {
    return await domain.datasets.uploadFile(form.upload, exampleRowIdOf);
  } finally {
    await form.close();
  }
}

async function readJson(request: HttpRequest, contentType: string) {
  if (!/^application\/json\s*(;|$)/i.test(contentType)) invalid('Invalid request Content-Type');
  try {
    const body = await readBody(request);
    return body.kind === 'json' ? body.value : invalid('The body must be a JSON object');
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return invalid(`${error.message}: char ${error.offset}`);
  }
}

const invalid = (message: string): never => {
  throw new SpandrelError('DATASET_UPLOAD_INVALID', message);
};

const toJson = (result: UploadResult) => ({
  dataset_id: toGlobalId('Dataset', result.datasetRowId),
  version_id: toGlobalId('DatasetVersion', result.versionRowId),
  num_created_examples: result.createdCount,
  num_updated_examples: result.updatedCount,
  num_deleted_examples: result.deletedCount,
});
