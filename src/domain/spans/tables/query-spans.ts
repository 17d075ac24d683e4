import { SpandrelError } from '../../../model/errors.ts';
import { SPAN_COLUMNS_ROW_COUNT_MAX, SPAN_TABLE_BYTES_MAX } from '../../../model/limits/reads.ts';
import { parseSpanFilter } from '../../../filter/spans/parse-span-filter.ts';
import type { ListPosition, TimeRange } from '../../../span-store/contract/query-terms.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import type { Ports } from '../../ports.ts';
import { type RootSpans, withRoots } from '../root-spans.ts';
import { readSpanPage, type SpanPage, toQueriedSpans } from './read-queried-spans.ts';
import { isCumulative, type QueriedSpan } from './span-key.ts';
import { keysOf, type Projection, toTable } from './span-table.ts';
import type { Table } from './table.ts';

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
  let bytesLeft = SPAN_TABLE_BYTES_MAX;
  for (const { condition, ...projection } of queries) {
    const filter = withRoots(parseSpanFilter(condition ?? ''), roots);
    const needsSums = keysOf(projection).some(isCumulative);
    const pages: SpanPage[] = [];
    let count = 0;
    let after: ListPosition | undefined;
    const query = project && { projectId: project.rowId, ...range, filter, needsSums };
    while (query && (limit < 0 || count < limit)) {
      const rowCount = limit < 0 ? SPAN_COLUMNS_ROW_COUNT_MAX : Math.min(SPAN_COLUMNS_ROW_COUNT_MAX, limit - count);
      const page = await readSpanPage({ spans }, query, { after, limit: rowCount }, options);
      bytesLeft -= page.bytes;
      if (bytesLeft < 0) {
        throw new SpandrelError('QUERY_INVALID', 'the spans are too many for a table; set a limit, a time or a filter');
      }
      pages.push(page);
      count += page.columns.rowCount;
      after = page.nextAfter;
      if (!after) break;
    }
    tables.push(await toTable(spansOf(pages), projection));
  }
  return tables;
}

function* spansOf(pages: readonly SpanPage[]): Generator<QueriedSpan> {
  for (const page of pages) yield* toQueriedSpans(page);
}
