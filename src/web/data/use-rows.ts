import { useCallback, useEffect, useRef, useState } from 'react';
import { takeEarly } from './early-answers.ts';
import type { RequestFailure } from './request.ts';
import { toFailure } from './use-query.ts';
import { useRetries } from './use-retries.ts';

export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; undefined on the last. */
  readonly next: string | undefined;
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** Reason why there are no rows, or no further rows. */
  readonly failure: RequestFailure | undefined;
  readonly isLoading: boolean;
  /** Whether the rows are still those of another key. */
  readonly isStale: boolean;
  readonly isComplete: boolean;
  /** Cursor of the next page. Undefined when the rows are complete. */
  readonly next: string | undefined;
  readonly loadMore: () => void;
  /** Asks again for what did not come. */
  readonly retry: () => void;
  /**
   * Reads the first page again and puts what is new on top. Of a list that somebody reads (`isHeld`) nothing goes: where
   * the new page does not reach down to it, it stays as it is.
   */
  readonly refresh: (isHeld?: boolean) => void;
  /** Reads all loaded rows again, and the rows after them if the list was complete. */
  readonly reread: (signal: AbortSignal) => Promise<void>;
  /** What came on top of a list while somebody read it: so many rows, or more than could be told. */
  readonly newCount: number | 'many';
  /** They were seen. */
  readonly forgetNew: () => void;
  readonly cancel: () => void;
}

interface State<Row> {
  readonly key: string;
  readonly rows: readonly Row[];
  readonly next: string | undefined;
  readonly newCount: number | 'many';
}

/** Lists as they were left, so that going back from a trace shows at once what was there. */
const kept = new Map<string, State<unknown>>();
const KEPT_COUNT_MAX = 12;

/**
 * A list that grows page by page. `key` says which list it is; while another one is on its way, the old rows stay.
 *
 * @param load Reads the page after a cursor, or the first one.
 */
export function useRows<Row>(
  key: string,
  load: (after: string | undefined, signal: AbortSignal) => Promise<RowPage<Row>>,
  rowId: (row: Row) => string,
): Rows<Row> {
  const [state, setState] = useState<State<Row>>(
    () => (kept.get(key) as State<Row> | undefined) ?? { key: '', rows: [], next: undefined, newCount: 0 },
  );
  const [failure, setFailure] = useState<RequestFailure>();
  const [isLoading, setLoading] = useState(true);
  const running = useRef<AbortController>(undefined);
  const again = useRef<() => void>(undefined);
  const hasFailedMore = useRef(false);
  const latest = useRef({ load, rowId, state });
  latest.current = { load, rowId, state };

  const run = useCallback(
    (after: string | undefined, merge: (page: RowPage<Row>, current: State<Row>) => State<Row>) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      again.current = () => run(after, merge);
      setLoading(true);
      const early = after === undefined ? takeEarly<RowPage<Row>>(key) : undefined;
      (early ?? latest.current.load(after, controller.signal)).then(
        (page) => {
          if (controller.signal.aborted) return;
          running.current = undefined;
          const next = merge(page, latest.current.state);
          kept.delete(next.key);
          kept.set(next.key, next);
          if (kept.size > KEPT_COUNT_MAX) kept.delete(kept.keys().next().value!);
          setState(next);
          setFailure(undefined);
          setLoading(false);
        },
        (error: unknown) => {
          if (running.current === controller) running.current = undefined;
          if (controller.signal.aborted) return;
          hasFailedMore.current = after !== undefined;
          setFailure(toFailure(error));
          setLoading(false);
        },
      );
    },
    [key],
  );

  const refresh = useCallback(
    (isHeld = false) => {
      run(undefined, (page, current) =>
        current.key === key
          ? mergeFirstPage(page, current, latest.current.rowId, isHeld)
          : { key, ...page, newCount: 0 },
      );
    },
    [key, run],
  );

  useEffect(() => {
    const known = kept.get(key) as State<Row> | undefined;
    if (known) setState(known);
    latest.current.state = known ?? latest.current.state;
    refresh();
    return () => running.current?.abort();
  }, [key, refresh]);

  const loadMore = useCallback(() => {
    const { next, key: stateKey } = latest.current.state;
    if (next === undefined || running.current || stateKey !== key) return;
    run(next, (page, current) => {
      const known = new Set(current.rows.map(latest.current.rowId));
      const added = page.rows.filter((row) => !known.has(latest.current.rowId(row)));
      return { ...current, rows: [...current.rows, ...added], next: page.next };
    });
  }, [key, run]);

  const hasRows = state.key === key && state.rows.length > 0;
  const retry = useCallback(() => again.current?.(), []);
  // The end of the list shows why no further rows were loaded. The top of the page shows that a refresh has failed.
  const isRefresh = hasRows && !hasFailedMore.current;
  useRetries(failure, isRefresh, retry);

  const reread = useCallback(
    async (signal: AbortSignal) => {
      const { state: before, rowId: idOf } = latest.current;
      // A load in progress has priority.
      if (before.key !== key || running.current) return;
      const known = new Map(before.rows.map((row) => [idOf(row), row]));
      const rows: Row[] = [];
      let next: string | undefined;
      do {
        const page = await latest.current.load(next, signal);
        for (const row of page.rows) rows.push(unlessSame(known.get(idOf(row)), row));
        next = page.next;
      } while (next !== undefined && (before.next === undefined || rows.length < before.rows.length));
      if (signal.aborted || latest.current.state !== before) return;
      const after = { ...before, rows, next };
      kept.set(key, after);
      setState(after);
      setFailure(undefined);
    },
    [key],
  );

  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setLoading(false);
  }, []);

  const forgetNew = useCallback(() => {
    setState((current) => (current.newCount === 0 ? current : { ...current, newCount: 0 }));
  }, []);

  return {
    newCount: state.newCount,
    forgetNew,
    rows: state.rows,
    failure: isRefresh ? undefined : failure,
    isLoading,
    isStale: state.key !== key,
    isComplete: state.next === undefined,
    next: state.next,
    loadMore,
    retry,
    reread,
    refresh,
    cancel,
  };
}

/** Rows that a list that nobody reads below its top keeps, so that it does not grow for hours. */
const UNREAD_COUNT_MAX = 600;

/** Where the new first page meets the rows that are there, these go on; where it does not, they are too old. */
function mergeFirstPage<Row>(
  page: RowPage<Row>,
  current: State<Row>,
  rowId: (row: Row) => string,
  isHeld: boolean,
): State<Row> {
  const { key, rows, next, newCount } = current;
  const known = new Map(rows.map((row, index) => [rowId(row), index]));
  const last = page.rows.at(-1);
  const meets = last === undefined ? undefined : known.get(rowId(last));
  if (isHeld && meets === undefined && rows.length > 0) {
    return newCount === 'many' ? current : { ...current, newCount: 'many' };
  }
  const added = page.rows.filter((row) => !known.has(rowId(row))).length;
  const first = page.rows.map((row) => unlessSame(rows[known.get(rowId(row)) ?? -1], row));
  const count = !isHeld ? 0 : newCount === 'many' ? newCount : newCount + added;
  const isOver = meets === undefined || rows.length <= meets + 1 || (!isHeld && rows.length > UNREAD_COUNT_MAX);
  if (isOver) return { key, rows: first, next: page.next, newCount: count };
  return { key, rows: [...first, ...rows.slice(meets + 1)], next, newCount: count };
}

/** An equal row keeps its object identity, so that it is not rendered again. */
const unlessSame = <Row>(before: Row | undefined, row: Row): Row =>
  before !== undefined && JSON.stringify(before) === JSON.stringify(row) ? before : row;

/** After a deletion: lists that were left hold no more. */
export function forgetRows(): void {
  kept.clear();
}
