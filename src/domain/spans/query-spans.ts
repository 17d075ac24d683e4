import { type ExactJson, type ExactJsonObject, parseExactJson } from '../../base/exact-json.ts';
import { formatUnixNano } from '../../model/datetime.ts';
import { BODY_JSON_DEPTH_MAX, PAGE_ROW_COUNT_MAX } from '../../model/limits.ts';
import { joinAttributeParts } from '../../model/nested-attributes.ts';
import type { SpanBody, SpanRow, SpanSummary } from '../../model/span.ts';
import { parseSpanFilter } from '../../filter/parse-span-filter.ts';
import type { Domain, ListPosition, ReadOptions, TimeRange } from '../domain.ts';
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
 */
export async function querySpans(
  { projects, spans }: Pick<Domain, 'projects' | 'spans'>,
  { projectName, queries, limit, roots, ...range }: SpanTableQuery,
  options: ReadOptions,
): Promise<Table[]> {
  const project = await projects.find({ name: projectName });
  const tables: Table[] = [];
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
      found.push(
        ...(await readWhole(
          spans,
          page.items.map(({ span }) => span),
          needsSums,
          options,
        )),
      );
      after = page.nextAfter;
      if (!after) break;
    }
    tables.push(toTable(found, projection));
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

async function readWhole(
  spans: Domain['spans'],
  rows: readonly SpanRow[],
  needsSums: boolean,
  options: ReadOptions,
): Promise<QueriedSpan[]> {
  const bodies = await spans.findSpanBodies(
    rows.map(({ rowId }) => rowId),
    options,
  );
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
