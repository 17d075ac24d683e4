import { useEffect } from 'react';
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table identifies its source
  useEffect(() => {
    if (!isWanted) return;
    const controller = new AbortController();
    source.read(order?.next, controller.signal).then(
      ({ entries, next }) => {
        if (controller.signal.aborted) return;
        setTraceOrder({ table: source.table, entries: append(order?.entries ?? [], entries), next });
      },
      // The open row is usable without its neighbours.
      () => undefined,
    );
    return () => controller.abort();
  }, [isWanted, source?.table, order]);
}

/** Appends a page without duplicates, because new rows may have moved some rows to the next page. */
function append(entries: readonly OrderEntry[], more: readonly OrderEntry[]): readonly OrderEntry[] {
  const known = new Set(entries.map(({ nodeId }) => nodeId));
  return [...entries, ...more.filter(({ nodeId }) => !known.has(nodeId))];
}
