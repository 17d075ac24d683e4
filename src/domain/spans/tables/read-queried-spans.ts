import type { ExactJson, ExactJsonObject } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import { joinAttributeParts } from '../../../model/spans/nested-attributes.ts';
import type { Span, SpanSummary } from '../../../model/spans/span.ts';
import { formatUnixNano } from '../../../model/time/datetime.ts';
import type { SpanFilter } from '../../../filter/spans/span-filter.ts';
import type { ListPosition, TimeRange } from '../../../span-store/contract/query-terms.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
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
export interface SpanPage {
  readonly spans: readonly Span[];
  readonly sums: ReadonlyMap<number, SpanSummary>;
  /** Characters of attributes and events. */
  readonly chars: number;
  readonly nextAfter: ListPosition | undefined;
}

export async function readSpanPage(
  { spans }: Reader,
  { needsSums, ...query }: PageQuery,
  { after, limit }: { readonly after: ListPosition | undefined; readonly limit: number },
  options: ReadOptions,
): Promise<SpanPage> {
  const page = await spans.listWholeSpans({ ...query, sort: 'startTime', order: 'desc', after, limit }, options);
  const sums = needsSums ? await readSums(spans, page.items, options) : new Map<number, SpanSummary>();
  return { spans: page.items, sums, chars: charsOf(page.items), nextAfter: page.nextAfter };
}

/** Parses the spans of a page one at a time, so that the objects of only one exist. */
export function* toQueriedSpans({ spans, sums }: SpanPage): Generator<QueriedSpan> {
  for (const span of spans) yield toQueriedSpan(span, sums.get(span.rowId));
}

async function readSums(
  spans: Ports['spans'],
  listed: readonly Span[],
  options: ReadOptions,
): Promise<Map<number, SpanSummary>> {
  const rowIds = listed.map(({ rowId }) => rowId);
  const rows = await spans.findSpanRows(rowIds, options);
  const traceRowIds = [...new Set(Array.from(rows.values(), ({ traceRowId }) => traceRowId))];
  const found = await spans.findSpansOfTraces(traceRowIds, options);
  return new Map([...found.values()].flat().map((summary) => [summary.rowId, summary]));
}

function toEvents(json: string): ExactJson {
  const events = parseExactJson(json, { depthMax: BODY_JSON_DEPTH_MAX, isStored: true }) as ExactJsonObject[];
  return events.map(({ name, time_unix_nano: time, attributes }) => ({
    name: name ?? '',
    timestamp: formatUnixNano(BigInt(time as string)),
    attributes: attributes ?? {},
  }));
}

function charsOf(spans: readonly Span[]): number {
  let chars = 0;
  for (const { attributeParts, events } of spans) {
    for (const part of attributeParts) chars += part.length;
    chars += events?.length ?? 0;
  }
  return chars;
}

/** Field by field: a spread of the span would take a third of the time of a table. */
function toQueriedSpan(span: Span, sums: SpanSummary | undefined): QueriedSpan {
  return {
    view: {
      spanId: span.spanId,
      traceId: span.traceId,
      parentId: span.parentSpanId,
      hasParentSpan: span.parentSpanId !== null,
      name: span.name,
      spanKind: span.spanKind,
      statusCode: span.statusCode,
      statusMessage: span.statusMessage,
      startTimeUnixNano: span.startTimeUnixNano,
      endTimeUnixNano: span.endTimeUnixNano,
      cumulativeTokensPrompt: sums?.cumulativeTokensPrompt ?? 0,
      cumulativeTokensCompletion: sums?.cumulativeTokensCompletion ?? 0,
      attributes: joinAttributeParts(span.attributeParts),
      annotations: NONE,
      traceAnnotations: NONE,
    },
    events: span.events === null ? [] : toEvents(span.events),
  };
}

const NONE: readonly never[] = [];
