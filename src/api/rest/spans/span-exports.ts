import { type Static, Type } from '@sinclair/typebox';
import { EXPORT_TRACE_COUNT_MAX } from '../../../model/limits/reads.ts';
import type { Domain } from '../../../domain/domain.ts';
import type { TextFormat } from '../../../domain/spans/export-spans.ts';
import { type SpanSelection, selectSpans } from '../../../domain/spans/select-spans.ts';
import { toProjectRef } from '../../contract/parse-refs.ts';
import { attachment } from '../content-disposition.ts';
import { defineRoute, OtherAnswer, type RestRoute, TextStream } from '../define-route.ts';
import { PROJECT_NOT_FOUND, PROJECT_PARAM } from '../projects/projects.ts';
import { OneOf } from '../schema.ts';
import { TIME_WINDOW, toTimeWindow } from './span-filters.ts';

const CONTENT_TYPES = {
  jsonl: 'application/x-ndjson',
  csv: 'text/csv',
  'otlp-json': 'application/json',
} as const satisfies Record<TextFormat, string>;

const Selection = {
  format: OneOf(['jsonl', 'csv', 'parquet', 'otlp-json'], { default: 'jsonl' }),
  ...TIME_WINDOW,
  filter_condition: Type.Optional(Type.String({ description: 'In the language of span filters.' })),
  root_spans_only: Type.Boolean({ default: false }),
  orphan_span_as_root_span: Type.Boolean({
    default: true,
    description: 'A span whose parent is not stored counts as a root.',
  }),
};
const ExportQuery = Type.Object(Selection);
const ExportBody = Type.Object({
  ...Selection,
  trace_ids: Type.Optional(
    Type.Array(Type.String(), { description: 'Only spans of these traces.', maxItems: EXPORT_TRACE_COUNT_MAX }),
  ),
});

const EXPORT = {
  path: '/v1/projects/:project_identifier/spans/export',
  access: 'viewer',
  tag: 'spans',
  params: PROJECT_PARAM,
  success: { status: 200, description: 'The file.', contentType: CONTENT_TYPES.jsonl },
  errors: { 404: PROJECT_NOT_FOUND, 422: 'The error in the filter.' },
} as const;

export const spanExportRoutes = (): RestRoute[] => [
  defineRoute({
    ...EXPORT,
    method: 'GET',
    operationId: 'exportSpans',
    summary: 'Download the spans of a project',
    description:
      'Spans are in the order in which they were stored, with their annotations. Spans that arrive during the download are left out. The file is written while it is sent, and `X-Span-Count` is the expected number of spans. JSON lines and Parquet can be imported again. OTLP in JSON is one request as exporters send it, without annotations. A Parquet file is written before it is sent, and `X-File-Bytes` is its size: times are timestamps in nanoseconds, fields of filters have columns, and `attributes` (short ones), `long_attributes`, `metadata`, `events` and `annotations` are JSON texts. Cells of CSV hold the stored values. A spreadsheet may run a text that starts with `=`, `+`, `-` or `@` as a formula, so import the columns as text.',
    query: ExportQuery,
    handle: ({ domain, params, query, signal }) => exportFile(domain, params.project_identifier, query, signal),
  }),
  defineRoute({
    ...EXPORT,
    method: 'POST',
    operationId: 'exportChosenSpans',
    summary: 'Download the spans of a project by a long list',
    description: 'Like `GET`, with the selection in the body, which may be longer than an address. Nothing is changed.',
    body: ExportBody,
    handle: ({ domain, params, body, signal }) => exportFile(domain, params.project_identifier, body, signal),
  }),
];

async function exportFile(
  domain: Domain,
  identifier: string,
  selected: Static<typeof ExportBody>,
  signal: AbortSignal,
): Promise<OtherAnswer | TextStream> {
  const { format } = selected;
  const project = await domain.projects.get(toProjectRef(identifier));
  const selection = toSelection(project.rowId, selected);
  await domain.audit.recordExport({ kind: 'Project', name: project.name });
  const headers = {
    'content-disposition': attachment(project.name, format === 'otlp-json' ? 'otlp.json' : format),
    'x-span-count': String(await domain.spans.countSelected(selection, signal)),
  };
  if (format === 'parquet') {
    const { bytes, chunks } = await domain.spans.writeParquet(selection, { readClass: 'background', signal });
    const type = 'application/vnd.apache.parquet';
    const sized = { ...headers, 'content-type': type, 'x-file-bytes': String(bytes) };
    return new OtherAnswer({ status: 200, headers: sized, body: chunks });
  }
  const text = domain.spans.exportText(format, selection, signal, project.name);
  return new TextStream({ ...headers, 'content-type': CONTENT_TYPES[format] }, text);
}

function toSelection(projectId: number, selected: Static<typeof ExportBody>): SpanSelection {
  const orphans = selected.orphan_span_as_root_span ? 'orphansToo' : 'parentless';
  return selectSpans({
    projectId,
    ...toTimeWindow(selected),
    traceIds: selected.trace_ids,
    condition: selected.filter_condition,
    roots: selected.root_spans_only ? orphans : undefined,
  });
}
