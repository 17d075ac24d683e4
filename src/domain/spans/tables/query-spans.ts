import { SpandrelError } from '../../../model/errors.ts';
import { PAGE_ROW_COUNT_MAX, SPAN_TABLE_CHARS_MAX } from '../../../model/limits/reads.ts';
import { parseSpanFilter } from '../../../filter/spans/parse-span-filter.ts';
import type { ListPosition, TimeRange } from '../../../span-store/contract/query-terms.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import type { Ports } from '../../ports.ts';
import { type RootSpans, withRoots } from '../root-spans.ts';
import { readSpanPage, toQueriedSpans } from './read-queried-spans.ts';
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
    const query = project && { projectId: project.rowId, ...range, filter, needsSums };
    while (query && (limit < 0 || found.length < limit)) {
      const rowCount = limit < 0 ? PAGE_ROW_COUNT_MAX : Math.min(PAGE_ROW_COUNT_MAX, limit - found.length);
      const page = await readSpanPage({ spans }, query, { after, limit: rowCount }, options);
      charsLeft -= page.chars;
      if (charsLeft < 0) {
        throw new SpandrelError('QUERY_INVALID', 'the spans are too many for a table; set a limit, a time or a filter');
      }
      for (const span of await toQueriedSpans(page)) found.push(span);
      after = page.nextAfter;
      if (!after) break;
    }
    tables.push(await toTable(found, projection));
  }
  return tables;
}
