import { useSyncExternalStore } from 'react';

/** A row of the list that a trace or session was opened from. */
export interface OrderEntry {
  /** Of the interface, without a query. */
  readonly path: string;
  /** The query that belongs to it, with its `?`, or empty. */
  readonly search: string;
  /** Node of the span, trace or session that the row is. */
  readonly nodeId: string;
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
}

let openedFrom: OpenedFrom | undefined;
const listeners = new Set<() => void>();

export function setTraceOrder(entries: readonly OrderEntry[], back: string): void {
  openedFrom = { entries, back };
  for (const listener of listeners) listener();
}

/** Rows that a person selected to go through; they come before the list while one of them is open. */
let selected: readonly OrderEntry[] = [];

export function setSelectedOrder(entries: readonly OrderEntry[]): void {
  if (entries.length === 0 && selected.length === 0) return;
  selected = entries;
  for (const listener of listeners) listener();
}

export const toPlace = ({ path, search }: OrderEntry): string => path + search;

/** Rows after and before the one that is open; empty at an end, and when it was opened without a list. */
export function useTraceOrder(path: string, spanNodeId: string | null) {
  const order = useSyncExternalStore(subscribe, () => openedFrom);
  const ofSelection = useSyncExternalStore(subscribe, () => selected);
  const isSelection = indexOf(ofSelection, path, spanNodeId) >= 0;
  const entries = isSelection ? ofSelection : (order?.entries ?? []);
  const index = indexOf(entries, path, spanNodeId);
  return {
    next: index < 0 ? undefined : entries[index + 1],
    previous: index < 0 ? undefined : entries[index - 1],
    entries,
    /** Of the open row in the entries; -1 where it is not among them. */
    index,
    /** Whether the entries are rows that a person selected. */
    isSelection,
    back: order?.back,
  };
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

function indexOf(entries: readonly OrderEntry[], path: string, spanNodeId: string | null): number {
  const isOpen = (entry: OrderEntry) => entry.path === path;
  const exact = entries.findIndex((entry) => isOpen(entry) && entry.spanNodeId === (spanNodeId ?? undefined));
  return exact < 0 ? entries.findIndex(isOpen) : exact;
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
