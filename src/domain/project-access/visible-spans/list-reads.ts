import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import { type Guard, type Guarded, guardedRead } from './guarded-reads.ts';

/** Reads whose rows are known to be visible afterwards, and lists of sessions, whose traces may be in hidden projects. */
export function readsOfLists(guard: Guard) {
  const { access, rows } = guard;
  const guarded = <Name extends keyof Guarded>(name: Name) => guardedRead(guard, name);
  const addSpans = (spans: readonly { readonly rowId: number; readonly traceRowId: number }[]) => {
    if (access.reachesAll) return;
    rows.add(
      'spans',
      spans.map(({ rowId }) => rowId),
    );
    rows.add(
      'traces',
      spans.map(({ traceRowId }) => traceRowId),
    );
  };
  const addRows = (kind: 'spans' | 'traces', found: readonly { readonly rowId: number }[]) => {
    if (access.reachesAll) return;
    rows.add(
      kind,
      found.map(({ rowId }) => rowId),
    );
  };
  const areVisible = async (found: readonly { readonly rowId: number }[], options?: ReadOptions) =>
    new Set(
      await rows.filter(
        'sessions',
        found.map(({ rowId }) => rowId),
        options,
      ),
    );
  return {
    async findSpans(query, options) {
      const page = await guarded('findSpans')(query, options);
      addRows('spans', page.items);
      return page;
    },
    async listSpans(query, options) {
      const page = await guarded('listSpans')(query, options);
      addSpans(page.items.map(({ span }) => span));
      return page;
    },
    async listRootSpans(query, options) {
      const page = await guarded('listRootSpans')(query, options);
      addSpans(page.items.map(({ span }) => span));
      return page;
    },
    async findTraces(query, options) {
      const page = await guarded('findTraces')(query, options);
      addRows('traces', page.items);
      return page;
    },
    async findSessions(query, options) {
      const page = await guarded('findSessions')(query, options);
      if (access.reachesAll) return page;
      const visible = await areVisible(page.items, options);
      return { ...page, items: page.items.filter(({ rowId }) => visible.has(rowId)) };
    },
    async listSessions(query, options) {
      const page = await guarded('listSessions')(query, options);
      if (access.reachesAll) return page;
      const visible = await areVisible(
        page.items.map(({ session }) => session),
        options,
      );
      return { ...page, items: page.items.filter(({ session }) => visible.has(session.rowId)) };
    },
  } satisfies Partial<Guarded>;
}

export const LIST_READS = {
  findSpans: true,
  listSpans: true,
  listRootSpans: true,
  findTraces: true,
  findSessions: true,
  listSessions: true,
} as const satisfies Record<keyof ReturnType<typeof readsOfLists>, true>;
