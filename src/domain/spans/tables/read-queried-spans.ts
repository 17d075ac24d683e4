import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExactJson, ExactJsonObject } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import { joinAttributeParts } from '../../../model/spans/nested-attributes.ts';
import type { SpanBody, SpanRow, SpanSummary } from '../../../model/spans/span.ts';
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
  readonly rows: readonly SpanRow[];
  readonly bodies: ReadonlyMap<number, SpanBody>;
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
  const page = await spans.listSpans({ ...query, sort: 'startTime', order: 'desc', after, limit }, options);
  const rows = page.items.map(({ span }) => span);
  const bodies = await spans.findSpanBodies(
    rows.map(({ rowId }) => rowId),
    options,
  );
  const sums = needsSums ? await readSums(spans, rows, options) : new Map<number, SpanSummary>();
  return { rows, bodies, sums, chars: charsOf(bodies.values()), nextAfter: page.nextAfter };
}

/** Spans that are parsed without yielding to the event loop: a few milliseconds of work. */
const TURN_SPAN_COUNT = 100;

/** Parses the spans of a page. One that was deleted while the page was read is absent. */
export async function toQueriedSpans({ rows, bodies, sums }: SpanPage): Promise<QueriedSpan[]> {
  const found: QueriedSpan[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % TURN_SPAN_COUNT === TURN_SPAN_COUNT - 1) await nextTurn();
    const body = bodies.get(row.rowId);
    if (body) found.push(toQueriedSpan(row, body, sums.get(row.rowId)));
  }
  return found;
}

async function readSums(
  spans: Ports['spans'],
  rows: readonly SpanRow[],
  options: ReadOptions,
): Promise<Map<number, SpanSummary>> {
  const traceRowIds = [...new Set(rows.map(({ traceRowId }) => traceRowId))];
  const found = await spans.findSpansOfTraces(traceRowIds, options);
  return new Map([...found.values()].flat().map((summary) => [summary.rowId, summary]));
}

function toEvents(json: string): ExactJson {
  const events = parseExactJson(json, { depthMax: BODY_JSON_DEPTH_MAX }) as ExactJsonObject[];
  return events.map(({ name, time_unix_nano: time, attributes }) => ({
    name: name ?? '',
    timestamp: formatUnixNano(BigInt(time as string)),
    attributes: attributes ?? {},
  }));
}

function charsOf(bodies: Iterable<SpanBody>): number {
  let chars = 0;
  for (const { attributeParts, events } of bodies) {
    for (const part of attributeParts) chars += part.length;
    chars += events?.length ?? 0;
  }
  return chars;
}

function toQueriedSpan(row: SpanRow, body: SpanBody, sums: SpanSummary | undefined): QueriedSpan {
  return {
    view: {
      ...row,
      parentId: row.parentSpanId,
      hasParentSpan: row.parentSpanId !== null,
      cumulativeTokensPrompt: sums?.cumulativeTokensPrompt ?? 0,
      cumulativeTokensCompletion: sums?.cumulativeTokensCompletion ?? 0,
      attributes: joinAttributeParts(body.attributeParts),
      annotations: [],
      traceAnnotations: [],
    },
    events: body.events === null ? [] : toEvents(body.events),
  };
}
