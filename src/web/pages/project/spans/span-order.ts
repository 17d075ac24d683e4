import type { OrderEntry } from '../../trace/order/trace-order.ts';
import type { OrderSource } from '../../trace/order/use-read-order.ts';
import { readSpans, type SpanList } from './span-list.ts';
import type { TraceRow } from './span-row.ts';

export interface SpanOrder extends OrderSource {
  readonly entry: (row: TraceRow) => OrderEntry;
}

/**
 * Order of a table of spans or traces for stepping through its rows.
 *
 * @param query Parameters of the table in the address.
 */
export function toSpanOrder(list: SpanList, query: string): SpanOrder {
  const { projectId, tab, isRootsOnly } = list;
  const path = `/projects/${encodeURIComponent(projectId)}/${tab}`;
  const entry = ({ id, context, trace, isChild }: TraceRow): OrderEntry => {
    const spanNodeId = !isRootsOnly || isChild ? id : undefined;
    const span = spanNodeId === undefined ? '' : new URLSearchParams({ selectedSpanNodeId: spanNodeId }).toString();
    const search = [query, span].filter((part) => part !== '').join('&');
    return {
      path: `${path}/${context.traceId}`,
      search: search && `?${search}`,
      nodeId: id,
      nodeIds: { span: id, trace: trace.id },
      spanNodeId,
    };
  };
  return {
    table: `${path}${query && `?${query}`}`,
    entry,
    async read(after, signal) {
      const { rows, next } = await readSpans(list, after, signal);
      return { entries: rows.map(entry), next };
    },
  };
}
