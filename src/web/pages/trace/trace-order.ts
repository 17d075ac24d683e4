import { useSyncExternalStore } from 'react';

/** A row of the list that a trace or session was opened from. */
export interface OrderEntry {
  /** Of the interface, without a query. */
  readonly path: string;
  /** The query that belongs to it, with its `?`, or empty. */
  readonly search: string;
  /** Nodes that can be annotated where the row is open. */
  readonly nodeIds: Readonly<Partial<Record<'span' | 'trace' | 'session', string>>>;
  /** Present where a row is one of several spans of a trace. */
  readonly spanNodeId?: string | undefined;
}

/** The list that a trace or session was opened from: what J and K step through, and where Escape leads. */
interface OpenedFrom {
  readonly entries: readonly OrderEntry[];
  /** Place in the interface. */
  readonly back: string;
  /** Whether a person selected these rows one by one. */
  readonly isSelection: boolean;
}

let openedFrom: OpenedFrom | undefined;
const listeners = new Set<() => void>();

export function setTraceOrder(entries: readonly OrderEntry[], back: string, isSelection = false): void {
  openedFrom = { entries, back, isSelection };
  for (const listener of listeners) listener();
}

/** Takes over what a table has loaded since. A selection stays as it was made. */
export function updateTraceOrder(entries: readonly OrderEntry[], back: string): void {
  if (!openedFrom?.isSelection) setTraceOrder(entries, back);
}

export const toPlace = ({ path, search }: OrderEntry): string => path + search;

/** Rows after and before the one that is open; empty at an end, and when it was opened without a list. */
export function useTraceOrder(path: string, spanNodeId: string | null) {
  const order = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    () => openedFrom,
  );
  const entries = order?.entries ?? [];
  const isOpen = (entry: OrderEntry) => entry.path === path;
  const exact = entries.findIndex((entry) => isOpen(entry) && entry.spanNodeId === (spanNodeId ?? undefined));
  const index = exact < 0 ? entries.findIndex(isOpen) : exact;
  return {
    next: index < 0 ? undefined : entries[index + 1],
    previous: index < 0 ? undefined : entries[index - 1],
    entries,
    /** Of the open row in the entries; -1 where it is not among them. */
    index,
    isSelection: order?.isSelection ?? false,
    back: order?.back,
  };
}

/** The place of a row, looked at in the same way as the one that is open. */
export function toStep({ path, search }: OrderEntry): string {
  const query = new URLSearchParams(search);
  const open = new URLSearchParams(window.location.search);
  for (const name of ['traceView', 'spanView', 'aside']) {
    const value = open.get(name);
    // Another row has other documents and turns.
    if (value !== null) query.set(name, /^(document|turn)-/.test(value) ? 'annotations' : value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
