import { Type } from '@sinclair/typebox';
import { SpandrelError } from '../../../model/errors.ts';
import { rowIdOf } from '../../../model/global-id.ts';
import { BULK_JSON_BODY_BYTES_MAX, SPAN_IMPORT_BYTES_MAX } from '../../../model/limits.ts';
import { decodeText, type FileEncoding, unpackFile } from '../../../domain/datasets/decode-file.ts';
import type { Domain } from '../../../domain/domain.ts';
import { getProject } from '../../../domain/projects/get-project.ts';
import { importSpans, rowsOfLines, type SpanImport } from '../../../domain/spans/import-spans.ts';
import { rowsOfParquet } from '../../../domain/spans/rows-of-parquet.ts';
import { defineRoute, type RestRoute } from '../define-route.ts';
import { PROJECT_PARAM } from '../projects/projects.ts';
import { DataOf } from '../schema.ts';

const ImportedSpans = Type.Object(
  {
    received_span_count: Type.Integer(),
    stored_span_count: Type.Integer(),
    repeated_span_count: Type.Integer({ description: 'Stored before, in whatever project, or twice in the file.' }),
    refused_span_count: Type.Integer(),
    annotation_count: Type.Integer({ description: 'Annotations that their spans did not have.' }),
    refusals: Type.Array(
      Type.Object({ line: Type.Integer({ description: 'From 1; of Parquet a row.' }), reason: Type.String() }),
      {
        description: 'Of the first refused lines or rows.',
      },
    ),
  },
  { $id: 'ImportedSpans' },
);

export const spanImportRoutes = (domain: Domain): RestRoute[] => [
  defineRoute({
    method: 'POST',
    path: '/v1/projects/:project_identifier/spans/import',
    access: 'member',
    growsStorage: true,
    operationId: 'importSpans',
    tag: 'spans',
    summary: 'Store the spans of a file that an export wrote',
    description:
      'The body is JSON lines or Parquet as `GET …/spans/export` writes them, of any size, plain or with `Content-Encoding: gzip` or `deflate`. A span that is stored already stays as it is, in the project it is in; so the same file may be sent again, when the connection broke off for instance. A line or row that is no span is refused, others are stored. A project that is named, not given by its ID, is made when it does not exist.',
    params: PROJECT_PARAM,
    rawBody: {
      bodyBytesMax: BULK_JSON_BODY_BYTES_MAX,
      streaming: { appliesTo: () => true, bytesMax: SPAN_IMPORT_BYTES_MAX },
    },
    success: { status: 200, description: 'What the import did; all of it is durable.', schema: DataOf(ImportedSpans) },
    errors: {
      404: 'Project with ID <id> not found',
      429: 'Too many requests.',
      422: 'The file is not valid UTF-8; the Parquet file is no export of spans: column <name> must be <type>, it has none',
    },
    async handle({ params, request, header, signal }) {
      const identifier = params.project_identifier;
      const isId = rowIdOf('Project', identifier) !== undefined;
      const name = isId ? (await getProject(domain, identifier)).name : identifier;
      const bytes = unpackFile(request.bodyStream ?? none(), encodingOf(header('content-encoding')));
      const done = await domain.imports.run(async () =>
        importFile(domain, name, await peek(bytes, PARQUET_MAGIC.length), signal),
      );
      return {
        data: {
          received_span_count: done.receivedCount,
          stored_span_count: done.storedCount,
          repeated_span_count: done.repeatedCount,
          refused_span_count: done.refusedCount,
          annotation_count: done.annotationCount,
          refusals: done.refusals.map(({ lineNumber, reason }) => ({ line: lineNumber, reason })),
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

const PARQUET_MAGIC = Buffer.from('PAR1');

async function importFile(
  domain: Domain,
  projectName: string,
  { head, bytes }: Peeked,
  signal: AbortSignal,
): Promise<SpanImport> {
  if (!PARQUET_MAGIC.equals(head))
    return importSpans(domain, projectName, rowsOfLines(decodeText(bytes), domain.imports));
  const file = await domain.spans.openParquet(bytes, { readClass: 'export', signal });
  try {
    return await importSpans(domain, projectName, rowsOfParquet(file));
  } finally {
    await file.close();
  }
}

interface Peeked {
  /** The first bytes, fewer only of a shorter file. */
  readonly head: Uint8Array;
  /** All of it. */
  readonly bytes: AsyncIterable<Uint8Array>;
}

async function peek(source: AsyncGenerator<Uint8Array>, byteCount: number): Promise<Peeked> {
  let start = Buffer.alloc(0);
  while (start.byteLength < byteCount) {
    const { value, done } = await source.next();
    if (done) break;
    start = Buffer.concat([start, value]);
  }
  const bytes = async function* () {
    yield start;
    yield* source;
  };
  return { head: start.subarray(0, byteCount), bytes: bytes() };
}

async function* none(): AsyncGenerator<Uint8Array> {}
