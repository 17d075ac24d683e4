import { useEffect, useEffectEvent } from 'react';
import { useRead } from '../../../data/use-query.ts';
import { type Order, type OrderEntry, SEARCHED_ROW_COUNT_MAX, setTraceOrder, useTraceOrder } from './trace-order.ts';

/** A table whose rows can be read while it is not shown. */
export interface OrderSource {
  /** Address of the table in the interface. */
  readonly table: string;
  /** Reads the page of rows after a cursor, or the first page. */
  readonly read: (after: string | undefined, signal: AbortSignal) => Promise<Omit<Order, 'table'>>;
}

/** Number of rows after the open one that are read ahead, so that a step does not wait. */
const AHEAD_COUNT = 5;

/**
 * Reads the rows of the table that the address names if they are not loaded: in another tab, after a reload, and when J
 * steps beyond the loaded rows. `source` is undefined while other data has priority.
 */
export function useReadOrder(source: OrderSource | undefined): void {
  const { order, index } = useTraceOrder();
  const rowCount = order?.entries.length ?? 0;
  const isNearEnd = index < 0 ? rowCount < SEARCHED_ROW_COUNT_MAX : index + AHEAD_COUNT >= rowCount;
  const isWanted = source !== undefined && (!order || (order.next !== undefined && isNearEnd));
  const key = isWanted ? ['row order', source.table, order?.next ?? null] : undefined;
  const { data: page, isStale } = useRead(key, (signal) => source!.read(order?.next, signal), { keeps: false });
  const add = useEffectEvent((table: string, { entries, next }: Omit<Order, 'table'>) =>
    setTraceOrder({ table, entries: append(order?.entries ?? [], entries), next }),
  );
  const table = source?.table;
  useEffect(() => {
    if (page && !isStale && table !== undefined) add(table, page);
  }, [page, isStale, table]);
}

/** Appends a page without duplicates, because new rows may have moved some rows to the next page. */
function append(entries: readonly OrderEntry[], more: readonly OrderEntry[]): readonly OrderEntry[] {
  const known = new Set(entries.map(({ nodeId }) => nodeId));
  return [...entries, ...more.filter(({ nodeId }) => !known.has(nodeId))];
}
