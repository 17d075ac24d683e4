import { useCallback, useEffect, useRef, useState } from 'react';
import type { RequestFailure } from './request.ts';
import { toFailure } from './use-query.ts';

export interface RowPage<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; undefined on the last. */
  readonly next: string | undefined;
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  readonly failure: RequestFailure | undefined;
  readonly isLoading: boolean;
  readonly isComplete: boolean;
  readonly loadMore: () => void;
  /** Reads the first page again and puts what is new on top. */
  readonly refresh: () => void;
  readonly cancel: () => void;
}

interface State<Row> {
  readonly key: string;
  readonly rows: readonly Row[];
  readonly next: string | undefined;
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
    () => (kept.get(key) as State<Row> | undefined) ?? { key: '', rows: [], next: undefined },
  );
  const [failure, setFailure] = useState<RequestFailure>();
  const [isLoading, setLoading] = useState(true);
  const running = useRef<AbortController>(undefined);
  const latest = useRef({ load, rowId, state });
  latest.current = { load, rowId, state };

  const run = useCallback(
    (after: string | undefined, merge: (page: RowPage<Row>, current: State<Row>) => State<Row>) => {
      running.current?.abort();
      const controller = new AbortController();
      running.current = controller;
      setLoading(true);
      latest.current.load(after, controller.signal).then(
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
          setFailure(toFailure(error));
          setLoading(false);
        },
      );
    },
    [],
  );

  const refresh = useCallback(() => {
    run(undefined, (page, current) =>
      current.key === key ? mergeFirstPage(page, current, latest.current.rowId) : { key, ...page },
    );
  }, [key, run]);

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
      return { key, rows: [...current.rows, ...added], next: page.next };
    });
  }, [key, run]);

  const cancel = useCallback(() => {
    running.current?.abort();
    running.current = undefined;
    setLoading(false);
  }, []);

  return {
    rows: state.rows,
    failure,
    isLoading,
    isComplete: state.next === undefined,
    loadMore,
    refresh,
    cancel,
  };
}

/** Where the new first page meets the rows that are there, these go on; where it does not, they are too old. */
function mergeFirstPage<Row>(page: RowPage<Row>, current: State<Row>, rowId: (row: Row) => string): State<Row> {
  const last = page.rows.at(-1);
  const meets = last === undefined ? -1 : current.rows.findIndex((row) => rowId(row) === rowId(last));
  if (meets < 0 || current.rows.length <= meets + 1) return { key: current.key, ...page };
  return { key: current.key, rows: [...page.rows, ...current.rows.slice(meets + 1)], next: current.next };
}

/** After a deletion: lists that were left hold no more. */
export function forgetRows(): void {
  kept.clear();
}
