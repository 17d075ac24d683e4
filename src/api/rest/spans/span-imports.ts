import { Type } from '@sinclair/typebox';
import { SpandrelError } from '../../../model/errors.ts';
import { SPAN_IMPORT_BYTES_MAX } from '../../../model/limits/datasets.ts';
import { BULK_JSON_BODY_BYTES_MAX } from '../../../model/limits/requests.ts';
import { type FileEncoding, unpackFile } from '../../../domain/datasets/files/decode-file.ts';
import { toProjectRef } from '../../contract/parse-refs.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { PROJECT_PARAM } from '../projects/projects.ts';
import { DataOf } from '../schema.ts';

const ImportedSpans = Type.Object(
  {
    received_span_count: Type.Integer(),
    stored_span_count: Type.Integer(),
    repeated_span_count: Type.Integer({
      description: 'Spans that are already stored, in any project, or occur twice in the file.',
    }),
    refused_span_count: Type.Integer(),
    annotation_count: Type.Integer({ description: 'Added annotations.' }),
    refusals: Type.Array(
      Type.Object({
        line: Type.Integer({ description: 'Number of the line, from 1. For Parquet, of the row.' }),
        reason: Type.String(),
      }),
      {
        description: 'The first rejected lines or rows.',
      },
    ),
  },
  { $id: 'ImportedSpans' },
);

export const spanImportRoutes = (): RestRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/projects/:project_identifier/spans/import',
    access: 'member',
    blockedWhenStorageFull: true,
    idempotency: 'repeatable',
    operationId: 'importSpans',
    tag: 'spans',
    summary: 'Store the spans of a file that an export wrote',
    description:
      'The body is JSON lines or Parquet as `GET …/spans/export` writes them, of any size, plain or with `Content-Encoding: gzip` or `deflate`. A stored span stays unchanged in its project, so the same file may be sent again, for example after a lost connection. An invalid line or row is rejected, and others are stored. A project that is given by its name is created when it does not exist.',
    params: PROJECT_PARAM,
    rawBody: {
      bodyBytesMax: BULK_JSON_BODY_BYTES_MAX,
      streaming: { appliesTo: () => true, bytesMax: SPAN_IMPORT_BYTES_MAX },
    },
    success: { status: 200, description: 'Result of the import. All of it is durable.', schema: DataOf(ImportedSpans) },
    errors: {
      404: 'Project with ID <id> not found',
      429: 'Too many requests.',
      422: 'The file is not valid UTF-8; the Parquet file is not an export of spans: column <name> must be <type>, it has none',
    },
    async handle({ domain, params, request, header, signal }) {
      const bytes = unpackFile(request.bodyStream ?? none(), encodingOf(header('content-encoding')));
      const done = await domain.spans.importFile(toProjectRef(params.project_identifier), bytes, signal);
      return {
        data: {
          received_span_count: done.receivedCount,
          stored_span_count: done.storedCount,
          repeated_span_count: done.repeatedCount,
          refused_span_count: done.rejectedCount,
          annotation_count: done.annotationCount,
          refusals: done.rejections.map(({ lineNumber, reason }) => ({ line: lineNumber, reason })),
        },
      };
    },
  }),
];

function encodingOf(header = 'identity'): FileEncoding {
  const name = header.trim().toLowerCase();
  if (name === 'identity' || name === '') return 'none';
  if (name === 'gzip' || name === 'deflate') return name;
  throw new SpandrelError('QUERY_INVALID', `Invalid content encoding: ${header}`);
}

async function* none(): AsyncGenerator<Uint8Array> {}
