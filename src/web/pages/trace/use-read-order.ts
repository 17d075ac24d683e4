import { useEffect } from 'react';
import { type Order, type OrderEntry, setTraceOrder, useTraceOrder } from './trace-order.ts';

/** A table whose rows can be read without showing it. */
export interface OrderSource {
  /** Place of the table in the interface. */
  readonly table: string;
  /** The page of rows after a cursor, or the first one. */
  readonly read: (after: string | undefined, signal: AbortSignal) => Promise<Omit<Order, 'table'>>;
}

/** So many rows after the open one are known ahead, so that a step waits for nothing. */
const AHEAD_COUNT = 5;
/** A row that stands further down is shown without neighbours: each page of rows is a search for the server. */
const SOUGHT_COUNT_MAX = 1_000;

/**
 * Reads the rows of the table that the address names where nobody has yet: in another tab, after a reload, and where J
 * goes on beyond what the table had read. `source` is undefined while something else comes first.
 */
export function useReadOrder(source: OrderSource | undefined): void {
  const { order, index } = useTraceOrder();
  const rowCount = order?.entries.length ?? 0;
  const isNearEnd = index < 0 ? rowCount < SOUGHT_COUNT_MAX : index + AHEAD_COUNT >= rowCount;
  const isWanted = source !== undefined && (!order || (order.next !== undefined && isNearEnd));
  // biome-ignore lint/correctness/useExhaustiveDependencies: the table stands for its source
  useEffect(() => {
    if (!isWanted) return;
    const controller = new AbortController();
    source.read(order?.next, controller.signal).then(
      ({ entries, next }) => {
        if (controller.signal.aborted) return;
        setTraceOrder({ table: source.table, entries: append(order?.entries ?? [], entries), next });
      },
      // What is open can be read without its neighbours.
      () => undefined,
    );
    return () => controller.abort();
  }, [isWanted, source?.table, order]);
}

/** New rows may have pushed some of a page into the next one. */
function append(entries: readonly OrderEntry[], more: readonly OrderEntry[]): readonly OrderEntry[] {
  const known = new Set(entries.map(({ nodeId }) => nodeId));
  return [...entries, ...more.filter(({ nodeId }) => !known.has(nodeId))];
}
