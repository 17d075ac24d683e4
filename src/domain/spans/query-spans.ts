import type { ExactJson, ExactJsonObject } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import { BODY_JSON_DEPTH_MAX, PAGE_ROW_COUNT_MAX, SPAN_TABLE_CHARS_MAX } from '../../model/limits/reads.ts';
import { joinAttributeParts } from '../../model/spans/nested-attributes.ts';
import type { SpanBody, SpanRow, SpanSummary } from '../../model/spans/span.ts';
import { formatUnixNano } from '../../model/time/datetime.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import type { ListPosition, TimeRange } from '../../span-store/contract/query-terms.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { Ports } from '../ports.ts';
import { type RootSpans, withRoots } from './root-spans.ts';
import { isCumulative, type QueriedSpan } from './span-key.ts';
import { keysOf, type Projection, type Table, toTable } from './span-table.ts';

export interface SpanTableQuery extends TimeRange {
  readonly projectName: string;
  readonly queries: readonly (Projection & { readonly condition?: string | undefined })[];
  /** Spans of each query; all of them when negative. */
  readonly limit: number;
  readonly roots?: RootSpans | undefined;
}

/**
 * A table for each query, of the spans that it selects, last started first. An unknown project has no spans.
 *
 * @throws {FilterError} for a condition or a key that is none
 * @throws {SpandrelError} `QUERY_INVALID` when a table cannot hold all spans
 */
export async function querySpans(
  { projects, spans }: Pick<Ports, 'projects' | 'spans'>,
  { projectName, queries, limit, roots, ...range }: SpanTableQuery,
  options: ReadOptions,
): Promise<Table[]> {
  const project = await projects.find({ name: projectName });
  const tables: Table[] = [];
  let charsLeft = SPAN_TABLE_CHARS_MAX;
  for (const { condition, ...projection } of queries) {
    const filter = withRoots(parseSpanFilter(condition ?? ''), roots);
    const needsSums = keysOf(projection).some(isCumulative);
    const found: QueriedSpan[] = [];
    let after: ListPosition | undefined;
    while (project && (limit < 0 || found.length < limit)) {
      const page = await spans.listSpans(
        {
          projectId: project.rowId,
          ...range,
          filter,
          sort: 'startTime',
          order: 'desc',
          after,
          limit: limit < 0 ? PAGE_ROW_COUNT_MAX : Math.min(PAGE_ROW_COUNT_MAX, limit - found.length),
        },
        options,
      );
      const rows = page.items.map(({ span }) => span);
      const bodies = await readBodies(spans, rows, options);
      charsLeft -= charsOf(bodies.values());
      if (charsLeft < 0) {
        throw new SpandrelError('QUERY_INVALID', 'the spans are too many for a table; set a limit, a time or a filter');
      }
      found.push(...(await readWhole(spans, rows, bodies, needsSums, options)));
      after = page.nextAfter;
      if (!after) break;
    }
    tables.push(await toTable(found, projection));
  }
  return tables;
}

function toEvents(json: string): ExactJson {
  const events = parseExactJson(json, { depthMax: BODY_JSON_DEPTH_MAX }) as ExactJsonObject[];
  return events.map(({ name, time_unix_nano: time, attributes }) => ({
    name: name ?? '',
    timestamp: formatUnixNano(BigInt(time as string)),
    attributes: attributes ?? {},
  }));
}

const readBodies = (spans: Ports['spans'], rows: readonly SpanRow[], options: ReadOptions) =>
  spans.findSpanBodies(
    rows.map(({ rowId }) => rowId),
    options,
  );

function charsOf(bodies: Iterable<SpanBody>): number {
  let chars = 0;
  for (const { attributeParts, events } of bodies) {
    for (const part of attributeParts) chars += part.length;
    chars += events?.length ?? 0;
  }
  return chars;
}

async function readWhole(
  spans: Ports['spans'],
  rows: readonly SpanRow[],
  bodies: ReadonlyMap<number, SpanBody>,
  needsSums: boolean,
  options: ReadOptions,
): Promise<QueriedSpan[]> {
  const sums = new Map<number, SpanSummary>();
  if (needsSums) {
    const traceRowIds = [...new Set(rows.map(({ traceRowId }) => traceRowId))];
    const found = await spans.findSpansOfTraces(traceRowIds, options);
    for (const summary of [...found.values()].flat()) sums.set(summary.rowId, summary);
  }
  return rows.flatMap((row) => {
    const body = bodies.get(row.rowId);
    return body ? toQueriedSpan(row, body, sums.get(row.rowId)) : [];
  });
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
