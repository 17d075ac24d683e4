import { useEffect, useSyncExternalStore } from 'react';
import { useLocation } from '../../../router/location.ts';
import { tablePlace, toCanonical } from './table-address.ts';

/**
 * Number of rows that are searched for the open one, because each page of rows is a query. A row further down has no
 * neighbours.
 */
export const SEARCHED_ROW_COUNT_MAX = 1_000;

/** A row of the list that a trace or session was opened from. */
export interface OrderEntry {
  /** Path in the interface, without a query. */
  readonly path: string;
  /** Query of the address with its `?`, or empty. */
  readonly search: string;
  /** Node of the span, trace or session that the row is. */
  readonly nodeId: string;
  /** Nodes that can be annotated while the row is open. */
  readonly nodeIds: Readonly<Partial<Record<'span' | 'trace' | 'session', string>>>;
  /** Present where a row is one of several spans of a trace. */
  readonly spanNodeId?: string | undefined;
}

/** Rows of a table that are loaded so far. */
export interface Order {
  /** Address of the table in the interface. J and K step through its rows. */
  readonly table: string;
  readonly entries: readonly OrderEntry[];
  /** Cursor of the next page. Undefined at the end of the table. */
  readonly next: string | undefined;
}

interface Rows {
  readonly entries: readonly OrderEntry[];
  /** Node of the row that was open last. Spans that are not rows may be selected within its trace. */
  openId: string | undefined;
}

interface KnownOrder extends Order, Rows {}

let known: KnownOrder | undefined;
const listeners = new Set<() => void>();

/** Called by a table with its rows, so that an opened row knows its neighbours whichever link opened it. */
export function setTraceOrder(order: Order): void {
  known = { ...order, openId: known?.table === order.table ? known.openId : undefined };
  for (const listener of listeners) listener();
}

/** Rows that the user selected to step through. They take precedence over the table while one of them is open. */
let selected: Rows | undefined;

export function setSelectedOrder(entries: readonly OrderEntry[]): void {
  if (entries.length === 0 && !selected) return;
  selected = entries.length === 0 ? undefined : { entries, openId: undefined };
  for (const listener of listeners) listener();
}

/** Node of the row that was last opened from the table at an address. */
export const lastOpened = (table: string): string | undefined => (known?.table === table ? known.openId : undefined);

export const toPlace = ({ path, search }: OrderEntry): string => path + search;

/**
 * Position of the open row in the table that the address names. A neighbour is undefined at the end of the table, while
 * its rows are unknown, and if the table does not contain the row.
 */
export function useTraceOrder() {
  const { path, search } = useLocation();
  const order = useSyncExternalStore(subscribe, () => known);
  const selection = useSyncExternalStore(subscribe, () => selected);
  const back = tablePlace(path, search);
  const ofTable = order?.table === back ? order : undefined;
  const indexIn = (rows: Rows | undefined) =>
    findOpen(rows, toCanonical(path), search.get('selectedSpanNodeId') ?? undefined);
  const isSelection = indexIn(selection) >= 0;
  const here = isSelection ? selection : ofTable;
  const entries = here?.entries ?? [];
  const index = indexIn(here);
  useEffect(() => {
    const openId = entries[index]?.nodeId;
    if (openId === undefined) return;
    // A selected row is also a row of the table.
    for (const rows of [here, ofTable]) if (rows) rows.openId = openId;
  }, [entries, index, here, ofTable]);
  return {
    /** Rows of the table. Undefined until they are known. */
    order: ofTable as Order | undefined,
    /** Rows of the selection, or else of the table. */
    entries,
    /** Whether the user selected the rows. */
    isSelection,
    /** Index of the open row among the entries, or -1. */
    index,
    next: index < 0 ? undefined : entries[index + 1],
    previous: index < 0 ? undefined : entries[index - 1],
    /** Address of the table. */
    back,
  };
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

function findOpen(order: Rows | undefined, path: string, spanNodeId: string | undefined): number {
  if (!order) return -1;
  const isOpen = (entry: OrderEntry) => entry.path === path;
  const exact = order.entries.findIndex((entry) => isOpen(entry) && entry.spanNodeId === spanNodeId);
  if (exact >= 0) return exact;
  const last = order.entries.findIndex((entry) => isOpen(entry) && entry.nodeId === order.openId);
  return last >= 0 ? last : order.entries.findIndex(isOpen);
}

/** Address of a row with the same view as the open one. */
export function toStep({ path, search }: OrderEntry): string {
  const query = new URLSearchParams(search);
  const open = new URLSearchParams(window.location.search);
  for (const name of ['traceView', 'spanView', 'aside']) {
    const value = open.get(name);
    // Documents and turns belong to one row.
    if (value !== null) query.set(name, /^(document|turn)-/.test(value) ? 'annotations' : value);
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
