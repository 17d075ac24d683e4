import { Type } from '@sinclair/typebox';
import { toExactJsonText } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import {
  DATASET_FILE_BYTES_MAX,
  PARQUET_PREVIEW_BYTES_MAX,
  UPLOAD_ID_CHARS_MAX,
} from '../../../model/limits/datasets.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import { JSON_BODY_BYTES_MAX } from '../../../model/limits/requests.ts';
import { checkJsonObject } from '../../../domain/datasets/json-object.ts';
import type { RequestHead } from '../../../server/route.ts';
import { rowIdOf } from '../../contract/global-id.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { rowIdIn } from '../row-id.ts';
import { DataOf, OneOf } from '../schema.ts';
import { FileUploadJson, PreviewJson, toFileUploadJson, toStoredJson, UploadStateJson } from './dataset-file-json.ts';
import { readUploadForm } from './dataset-upload-form.ts';
import { DATASET_ID_INVALID } from './datasets.ts';
import { boundaryOf } from './read-multipart.ts';

const isForm = (request: RequestHead): boolean => boundaryOf(request.header('content-type') ?? '') !== undefined;

export const datasetFileRoutes = (spoolDir: string): RestRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/dataset_uploads',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'uploadDatasetFile',
    tag: 'datasets',
    summary: 'Upload a file to a dataset, or plan it',
    description:
      'Takes the form of `POST /v1/datasets/upload` with a file of CSV, JSON lines, Arrow or Parquet (`application/vnd.apache.parquet`), of any supported `charset` (parameter of the content type) and `delimiter` (field). It also lists the rows that are no examples, by line: a row with more or fewer cells than the header, a line that is not JSON, an ID that an earlier row has. Repeated headers get numbers, and empty ones the number of their column. An upload is one transaction: all rows that are not rejected are stored, or none. A client that disconnects before the commit rolls it back.',
    query: Type.Object({
      upload_id: Type.Optional(
        Type.String({
          maxLength: UPLOAD_ID_CHARS_MAX,
          description:
            'ID by which the client asks for the state. Choose a random one for each upload. A request with the ID of an upload that is stored stores nothing, and gets its result without samples: a browser sends a request again when its connection breaks.',
        }),
      ),
      dataset_id: Type.Optional(Type.String({ description: 'Dataset to change. Default: the dataset of the name.' })),
      version_id: Type.Optional(
        Type.String({
          description: 'The version that the caller has seen. 409 if the dataset has a newer one. Empty: it has none.',
        }),
      ),
      dry_run: Type.Boolean({ default: false, description: 'Respond with the plan and store nothing.' }),
      rejected_rows: OneOf(['fail', 'skip'], {
        default: 'fail',
        description: '`fail`: one rejected row rejects the upload. `skip`: rejected rows are left out.',
      }),
    }),
    rawBody: { bodyBytesMax: JSON_BODY_BYTES_MAX, streaming: { appliesTo: isForm, bytesMax: DATASET_FILE_BYTES_MAX } },
    success: { status: 200, description: 'Result of the upload.', schema: DataOf(FileUploadJson) },
    errors: {
      404: 'The dataset was deleted',
      409: 'A dataset named "<name>" already exists.',
      422: 'Missing CSV column header',
      429: 'Too many requests.',
    },
    async handle({ domain, query, request }) {
      const earlier = query.upload_id === undefined ? undefined : domain.datasets.findUpload(query.upload_id);
      await earlier?.ended;
      if (earlier?.outcome?.stored) {
        const { stored, plan, rejectedCount } = earlier.outcome;
        return { data: toFileUploadJson({ stored, plan, rejected: { rows: [], count: rejectedCount } }) };
      }
      const state = domain.datasets.startUpload(query.upload_id);
      try {
        const boundary = boundaryOf(request.header('content-type') ?? '');
        if (!request.bodyStream || boundary === undefined) return invalid('The body must be a form with a file');
        const form = await readUploadForm(request.bodyStream, boundary, spoolDir);
        try {
          const upload = {
            ...form.upload,
            metadata: form.metadata === undefined ? undefined : toMetadata(form.metadata),
            target: toTarget(query),
            skipsRejected: query.rejected_rows === 'skip',
            isDryRun: query.dry_run,
          };
          const result = await domain.datasets.uploadTable(upload, exampleRowIdOf, state, request.signal);
          state.end({ stored: result.stored, plan: result.plan, rejectedCount: result.rejected.count });
          return { data: toFileUploadJson(result) };
        } finally {
          await form.close();
        }
      } catch (error) {
        state.fail(error instanceof SpandrelError ? error.message : 'The server could not complete the upload');
        throw error;
      }
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/v1/dataset_uploads/:upload_id',
    access: 'member',
    operationId: 'getDatasetUpload',
    tag: 'datasets',
    summary: 'Get the state of an own upload',
    params: { upload_id: 'The ID that the client gave to the upload.' },
    success: { status: 200, description: 'State of the upload.', schema: DataOf(UploadStateJson) },
    errors: { 404: 'This server process has no upload with this ID' },
    async handle({ domain, params }) {
      const state = domain.datasets.findUpload(params.upload_id);
      if (!state) throw new SpandrelError('NODE_NOT_FOUND', 'This server process has no upload with this ID');
      const { phase, rowCount, problem, outcome } = state;
      return {
        data: {
          ...{ phase, row_count: rowCount, problem: problem ?? null },
          stored: outcome?.stored ? toStoredJson(outcome.stored) : null,
        },
      };
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/v1/dataset_uploads/parquet_preview',
    access: 'member',
    blockedWhenStorageFull: true,
    operationId: 'previewParquetFile',
    tag: 'datasets',
    summary: 'Read columns and first rows of a Parquet file',
    description:
      'The body is the start of the file followed by its end, so that a large file is not sent twice. Without `file_bytes` it is the whole file. Nothing is stored.',
    query: Type.Object({
      file_bytes: Type.Optional(Type.Integer({ minimum: 0, description: 'Size of the whole file.' })),
      head_bytes: Type.Optional(Type.Integer({ minimum: 0, description: 'Bytes of the body that are the start.' })),
    }),
    rawBody: { bodyBytesMax: PARQUET_PREVIEW_BYTES_MAX },
    success: { status: 200, description: 'Columns and rows.', schema: DataOf(PreviewJson) },
    errors: { 422: 'The file is not a readable Parquet file' },
    async handle({ domain, query, request }) {
      const { body } = request;
      const { file_bytes = body.byteLength, head_bytes = body.byteLength } = query;
      if (head_bytes > body.byteLength || file_bytes < body.byteLength || file_bytes > DATASET_FILE_BYTES_MAX) {
        invalid('file_bytes and head_bytes do not fit the body');
      }
      const gap =
        file_bytes > body.byteLength ? { offset: head_bytes, bytes: file_bytes - body.byteLength } : undefined;
      const { columns, rowCount, rows } = await domain.datasets.previewParquet(body, gap, request.signal);
      return { data: { columns: [...columns], row_count: rowCount, rows: rows ? [...rows] : null } };
    },
  }),
];

const exampleRowIdOf = (id: string): number | undefined => rowIdOf('DatasetExample', id);

interface TargetQuery {
  readonly dataset_id?: string;
  readonly version_id?: string;
}

function toTarget({ dataset_id, version_id }: TargetQuery) {
  if (dataset_id === undefined) return undefined;
  const datasetRowId = rowIdIn('Dataset', dataset_id, DATASET_ID_INVALID.replace('<id>', dataset_id));
  if (version_id === undefined) return { datasetRowId };
  const message = `Invalid dataset version ID format: ${version_id}`;
  return { datasetRowId, versionRowId: version_id === '' ? null : rowIdIn('DatasetVersion', version_id, message) };
}

function toMetadata(text: string): string {
  try {
    return toExactJsonText(checkJsonObject('metadata', parseExactJson(text, { depthMax: BODY_JSON_DEPTH_MAX })));
  } catch (error) {
    throw error instanceof SpandrelError
      ? error
      : new SpandrelError('DATASET_UPLOAD_INVALID', 'The metadata must be a JSON object', { cause: error });
  }
}

const invalid = (message: string): never => {
  throw new SpandrelError('DATASET_UPLOAD_INVALID', message);
};
