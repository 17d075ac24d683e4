import { setImmediate as nextTurn } from 'node:timers/promises';
import { flattenAttributes, toFlatJson } from '../../model/spans/attributes.ts';
import { formatUnixNano } from '../../model/time/datetime.ts';
import { measure, totalOf } from '../../span-store/contract/aggregate.ts';
import { csvLine } from '../datasets/files/csv-text.ts';
import type { Ports } from '../ports.ts';
import { checkStillVisible } from '../project-access/watch-access.ts';
import { otlpFrame, toOtlpJson } from './otlp-json.ts';
import { PageSize } from './page-size.ts';
import type { SpanSelection } from './select-spans.ts';
import { type ExportedSpan, toAnnotationsText, toSpanLine } from './span-line.ts';

type Readers = Pick<Ports, 'spans' | 'projectAccess'>;

/** Number of spans that an export would have now. Spans that arrive or are deleted during the export change it. */
export async function countSelected(
  { spans }: Pick<Readers, 'spans'>,
  selection: SpanSelection,
  signal: AbortSignal,
): Promise<number> {
  const query = { ...selection, grain: 'spans', measures: { count: measure.rows } } as const;
  return totalOf(await spans.aggregate(query, { readClass: 'export', signal })).count;
}

/** Formats that are written as text, a page of spans at a time. */
export type TextFormat = 'jsonl' | 'csv' | 'otlp-json';

/** Yields the text of an export. */
export function exportSpanText(
  ports: Readers,
  format: TextFormat,
  selection: SpanSelection,
  signal: AbortSignal,
  projectName: string,
): AsyncGenerator<string> {
  switch (format) {
    case 'jsonl':
      return exportSpanLines(ports, selection, signal);
    case 'csv':
      return exportSpanCsv(ports, selection, signal);
    case 'otlp-json':
      return exportOtlpJson(ports, selection, signal, projectName);
  }
}

/** Spans as JSON lines (`span-line.ts`), in the order in which they were stored. */
export async function* exportSpanLines(
  ports: Readers,
  selection: SpanSelection,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield* exportText(ports, selection, signal, toSpanLine);
}

const CSV_COLUMNS = [
  'trace_id',
  'span_id',
  'parent_id',
  'name',
  'span_kind',
  'status_code',
  'status_message',
  'start_time',
  'end_time',
  'start_time_unix_nano',
  'end_time_unix_nano',
  'attributes',
  'events',
  'annotations',
] as const;

/**
 * Spans as CSV, with attributes, events and annotations as JSON. Cells hold the stored values even where a spreadsheet would
 * read a formula, as in the CSV of a dataset.
 */
export async function* exportSpanCsv(
  ports: Readers,
  selection: SpanSelection,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield csvLine(CSV_COLUMNS);
  yield* exportText(ports, selection, signal, toCsvLine);
}

const toCsvLine = ({ span, annotations }: ExportedSpan): string =>
  csvLine([
    span.traceId,
    span.spanId,
    span.parentSpanId ?? '',
    span.name,
    span.spanKind,
    span.statusCode,
    span.statusMessage,
    formatUnixNano(span.startTimeUnixNano),
    formatUnixNano(span.endTimeUnixNano),
    String(span.startTimeUnixNano),
    String(span.endTimeUnixNano),
    toFlatJson(flattenAttributes(span.attributeParts)),
    span.events ?? '[]',
    toAnnotationsText(annotations),
  ]);

/** Spans as one request of OTLP in JSON, which a collector and `/v1/traces` take. The format cannot hold annotations. */
export async function* exportOtlpJson(
  ports: Readers,
  selection: SpanSelection,
  signal: AbortSignal,
  projectName: string,
): AsyncGenerator<string> {
  const [head, foot] = otlpFrame(projectName);
  yield head;
  let isFirst = true;
  yield* exportText(ports, selection, signal, ({ span }) => {
    const text = toOtlpJson(span);
    if (!isFirst) return `,\n${text}`;
    isFirst = false;
    return text;
  });
  yield foot;
}

/** Characters that are written without yielding to the event loop: about 2 ms of work. */
const CHUNK_CHARS = 256 * 1024;

async function* exportText(
  ports: Readers,
  selection: SpanSelection,
  signal: AbortSignal,
  toText: (span: ExportedSpan) => string,
): AsyncGenerator<string> {
  const pages = new PageSize();
  const last = await newestRowId(ports, selection.projectId, signal);
  for (let fromRowId: number | undefined = 1; last !== undefined && fromRowId !== undefined; ) {
    checkStillVisible(ports, selection.projectId);
    const limit = pages.rowCount;
    const page = await readPage(ports, selection, { fromRowId, rowIdMax: last, limit }, signal);
    let chunk = '';
    let pageChars = 0;
    for (const exported of page.spans) {
      chunk += toText(exported);
      if (chunk.length < CHUNK_CHARS) continue;
      pageChars += chunk.length;
      yield chunk;
      chunk = '';
      await nextTurn();
    }
    if (chunk !== '') yield chunk;
    pages.note(page.spans.length, pageChars + chunk.length);
    fromRowId = page.nextRowId;
  }
}

async function newestRowId(
  { spans }: Pick<Readers, 'spans'>,
  projectId: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { items } = await spans.findSpans({ projectId, limit: 1 }, { readClass: 'export', signal });
  return items[0]?.rowId;
}

async function readPage(
  { spans: reader }: Pick<Readers, 'spans'>,
  { projectId, filter, startTimeUnixNano, endTimeUnixNano }: SpanSelection,
  place: { readonly fromRowId: number; readonly rowIdMax: number; readonly limit: number },
  signal: AbortSignal,
): Promise<{ spans: ExportedSpan[]; nextRowId: number | undefined }> {
  const options = { readClass: 'export', signal } as const;
  const range = {
    ...(startTimeUnixNano !== undefined && { startTimeUnixNano }),
    ...(endTimeUnixNano !== undefined && { endTimeUnixNano }),
  };
  const { items, nextRowId } = await reader.findSpans({ projectId, filter, ...range, order: 'asc', ...place }, options);
  const rowIds = items.map(({ rowId }) => rowId);
  const ofSpans = await reader.get({ of: 'spans', column: 'annotations', rowIds }, options);
  const ofDocuments = await reader.get({ of: 'documents', column: 'annotations', rowIds }, options);
  const spans = items.map((span) => ({
    span,
    annotations: [...(ofSpans.get(span.rowId) ?? []), ...(ofDocuments.get(span.rowId) ?? [])],
  }));
  return { spans, nextRowId };
}
