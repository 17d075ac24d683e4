// biome-ignore-all lint/style/noNonNullAssertion: columns have an entry for each row.
import type { ExactJson, ExactJsonObject } from '../../../base/exact-json.ts';
import { expectPresent } from '../../../base/expect-present.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { SPAN_KINDS, type SpanKind, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import { joinAttributeParts } from '../../../model/spans/nested-attributes.ts';
import type { SpanSummary } from '../../../model/spans/span.ts';
import { formatUnixNano } from '../../../model/time/datetime.ts';
import { readNullableText, readText } from '../../../columns/read-text.ts';
import { mapTextAttributes } from '../../../columns/text-attributes.ts';
import type { SpanFilter } from '../../../filter/spans/span-filter.ts';
import { toAttributeParts } from '../../../span-store/contract/attribute-parts.ts';
import type { ListPosition, TimeRange } from '../../../span-store/contract/query-terms.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import type { SpanColumnsPage, WholeSpanColumns } from '../../../span-store/contract/spans.ts';
import type { Ports } from '../../ports.ts';
import type { QueriedSpan } from './span-key.ts';

type Reader = Pick<Ports, 'spans'>;

export interface PageQuery extends TimeRange {
  readonly projectId: number;
  readonly filter: SpanFilter | undefined;
  /** Also reads values that depend on the descendants of a span. */
  readonly needsSums: boolean;
}

/** One page of spans as it is stored, last started first. */
export interface SpanPage extends SpanColumnsPage {
  readonly sums: ReadonlyMap<number, SpanSummary>;
  /** Bytes of attributes and events. */
  readonly bytes: number;
}

export async function readSpanPage(
  { spans }: Reader,
  { needsSums, ...query }: PageQuery,
  { after, limit }: { readonly after: ListPosition | undefined; readonly limit: number },
  options: ReadOptions,
): Promise<SpanPage> {
  const page = await spans.listSpanColumns({ ...query, sort: 'startTime', order: 'desc', after, limit }, options);
  const sums = needsSums ? await readSums(spans, page.columns, options) : new Map<number, SpanSummary>();
  return { ...page, sums, bytes: bytesOf(page.columns) };
}

/** Parses the spans of a page one at a time, so that the objects of only one exist. */
export function* toQueriedSpans({ columns, sums }: SpanPage): Generator<QueriedSpan> {
  for (let row = 0; row < columns.rowCount; row++) yield toQueriedSpan(columns, row, sums.get(columns.rowIds[row]!));
}

async function readSums(
  spans: Ports['spans'],
  listed: WholeSpanColumns,
  options: ReadOptions,
): Promise<Map<number, SpanSummary>> {
  const rows = await spans.get({ of: 'spans', column: 'row', rowIds: [...listed.rowIds] }, options);
  const traceRowIds = [...new Set(Array.from(rows.values(), ({ traceRowId }) => traceRowId))];
  const found = await spans.get({ of: 'traces', column: 'spans', rowIds: traceRowIds }, options);
  return new Map([...found.values()].flat().map((summary) => [summary.rowId, summary]));
}

export function toEvents(json: string): ExactJson {
  const events = parseExactJson(json, { depthMax: BODY_JSON_DEPTH_MAX, isStored: true }) as ExactJsonObject[];
  return events.map(({ name, time_unix_nano: time, attributes }) => ({
    name: name ?? '',
    timestamp: formatUnixNano(BigInt(time as string)),
    attributes: attributes ?? {},
  }));
}

const bytesOf = ({ attributes, longAttributes, metadata, input, output, events }: WholeSpanColumns): number =>
  [attributes, longAttributes, metadata, input, output, events].reduce((sum, { utf8 }) => sum + utf8.byteLength, 0);

/** Field by field: a spread would take a third of the time of a table. */
function toQueriedSpan(columns: WholeSpanColumns, row: number, sums: SpanSummary | undefined): QueriedSpan {
  const parentId = readNullableText(columns.parentSpanId, row);
  const events = readNullableText(columns.events, row);
  return {
    view: {
      spanId: readText(columns.spanId, row),
      traceId: readText(columns.traceId, row),
      parentId,
      hasParentSpan: parentId !== null,
      name: readText(columns.name, row),
      spanKind: spanKindAt(columns, row),
      statusCode: expectPresent(STATUS_CODES[columns.statusCode[row]!], 'the stored code is an index of the list'),
      statusMessage: readText(columns.statusMessage, row),
      startTimeUnixNano: columns.startTimeUnixNano[row]!,
      endTimeUnixNano: columns.endTimeUnixNano[row]!,
      cumulativeTokensPrompt: sums?.cumulativeTokensPrompt ?? 0,
      cumulativeTokensCompletion: sums?.cumulativeTokensCompletion ?? 0,
      attributes: attributesAt(columns, row),
      annotations: NONE,
      traceAnnotations: NONE,
    },
    events: events === null ? [] : toEvents(events),
  };
}

export const spanKindAt = ({ spanKind }: WholeSpanColumns, row: number): SpanKind =>
  expectPresent(SPAN_KINDS[spanKind[row]!], 'the stored kind is an index of the list');

/** The attributes of a span as objects. */
export const attributesAt = (columns: WholeSpanColumns, row: number): ExactJsonObject =>
  joinAttributeParts(
    toAttributeParts({
      attributes: readText(columns.attributes, row),
      longAttributes: readNullableText(columns.longAttributes, row),
      metadata: readNullableText(columns.metadata, row),
      spanKind: spanKindAt(columns, row),
      input: readNullableText(columns.input, row),
      output: readNullableText(columns.output, row),
      ...mapTextAttributes(({ field }) => readNullableText(columns[field], row)),
    }),
  );

const NONE: readonly never[] = [];
