import { SPAN_TABLE_PAGE_ROW_COUNT } from '../../../model/limits/datasets.ts';
import { parseSpanFilter } from '../../../filter/spans/parse-span-filter.ts';
import type { ListPosition } from '../../../span-store/contract/query-terms.ts';
import { type AuditParts, record } from '../../access/audit.ts';
import type { Ports } from '../../ports.ts';
import { checkStillVisible } from '../../project-access/watch-access.ts';
import { PageSize } from '../page-size.ts';
import { withRoots } from '../root-spans.ts';
import type { PackedTable } from './packed-column.ts';
import type { SpanTableQuery } from './query-spans.ts';
import { type PageQuery, readSpanPage, type SpanPage, toQueriedSpans } from './read-queried-spans.ts';
import { isCumulative } from './span-key.ts';
import { keysOf, type Projection, toTable } from './span-table.ts';
import type { Table } from './table.ts';
import { isWhole, packWholeTables } from './whole-table.ts';

type StreamPorts = Pick<Ports, 'projects' | 'projectAccess' | 'spans'> & AuditParts;

export interface SpanStreamQuery extends Omit<SpanTableQuery, 'queries'> {
  readonly query: SpanTableQuery['queries'][number];
}

/**
 * Like `querySpans` with one query, as a table for each page, so that any number of spans needs the memory of two pages: one
 * is used while the next one is read. A table of all fields is packed. Each table has the columns that its own spans have; an empty result is one table. The
 * reads end when the reader stops or `signal` fires. Recorded in the audit log as an export.
 *
 * @throws {FilterError} before the first page, for a condition or a key that is none
 */
export async function streamSpanTable(
  ports: StreamPorts,
  { projectName, query: { condition, ...projection }, limit, roots, ...range }: SpanStreamQuery,
  signal: AbortSignal,
): Promise<AsyncGenerator<Table | PackedTable>> {
  const filter = withRoots(parseSpanFilter(condition ?? ''), roots);
  const needsSums = keysOf(projection).some(isCumulative);
  const project = await ports.projects.find({ name: projectName });
  if (!project) return tablesOf(emptyPages(), projection);
  await record(ports, { action: 'export', outcome: 'DONE', target: { kind: 'Project', name: project.name } });
  const query = { projectId: project.rowId, ...range, filter, needsSums };
  return tablesOf(readPages(ports, query, limit < 0 ? Infinity : limit, signal), projection);
}

async function* tablesOf(pages: AsyncIterable<SpanPage>, projection: Projection): AsyncGenerator<Table | PackedTable> {
  let isEmpty = true;
  for await (const page of pages) {
    isEmpty = false;
    if (isWhole(projection)) yield* packWholeTables(page.columns, projection);
    else yield await toTable(toQueriedSpans(page), projection);
  }
  if (isEmpty) yield await toTable([], projection);
}

async function* emptyPages(): AsyncGenerator<SpanPage> {}

/** Reads the next page while the reader uses one. */
async function* readPages(
  ports: StreamPorts,
  query: PageQuery,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<SpanPage> {
  const ending = new AbortController();
  const options = { readClass: 'export', signal: AbortSignal.any([signal, ending.signal]) } as const;
  const size = new PageSize(SPAN_TABLE_PAGE_ROW_COUNT);
  let left = limit;
  const read = (after: ListPosition | undefined): Promise<SpanPage> => {
    checkStillVisible(ports, query.projectId);
    const page = readSpanPage(ports, query, { after, limit: Math.min(size.rowCount, left) }, options);
    // Thrown when the page is awaited, which may be never.
    page.catch(() => {});
    return page;
  };
  try {
    let next = left > 0 ? read(undefined) : undefined;
    while (next) {
      const page: SpanPage = await next;
      const { rowCount } = page.columns;
      left -= rowCount;
      size.note(rowCount, page.bytes, page.isScattered);
      next = page.nextAfter && left > 0 ? read(page.nextAfter) : undefined;
      if (rowCount > 0) yield page;
    }
  } finally {
    ending.abort();
  }
}
