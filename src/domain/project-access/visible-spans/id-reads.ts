import type { RowRef } from '../../../span-store/contract/query-terms.ts';
import type { ReadOptions } from '../../../span-store/contract/read-options.ts';
import type { SpanStoreReader } from '../../../span-store/contract/span-store.ts';
import type { Guard } from './guarded-reads.ts';

/** Reads that find rows by the IDs of applications. */
export function readsOfIds({ reader, access, rows }: Guard) {
  const find = async (
    kind: 'spans' | 'traces',
    rowId: number | undefined,
    options: ReadOptions | undefined,
  ): Promise<number | undefined> => (rowId !== undefined && (await rows.has(kind, rowId, options)) ? rowId : undefined);
  const findStoredSpanIds: SpanStoreReader['findStoredSpanIds'] = async (spanIds, options) => {
    const found = await reader.findStoredSpanIds(spanIds, options);
    const visible = new Set(
      await rows.filter(
        'spans',
        found.map(({ rowId }) => rowId),
        options,
      ),
    );
    return found.filter(({ rowId }) => visible.has(rowId));
  };
  return {
    findStoredSpanIds,
    async findSpanRowId(ref: RowRef, options?: ReadOptions) {
      if (access.reachesAll || 'rowId' in ref) {
        return find('spans', await reader.findSpanRowId(ref, options), options);
      }
      // The newest span of the ID may be hidden, and an older one visible.
      const found = await findStoredSpanIds([ref.id], options);
      return found.reduce<number | undefined>((newest, { rowId }) => Math.max(newest ?? 0, rowId), undefined);
    },
    async findTraceRowId(ref: RowRef, options?: ReadOptions) {
      return find('traces', await reader.findTraceRowId(ref, options), options);
    },
    async findTraceRowIds(traceIds: readonly string[], options?: ReadOptions) {
      const found = await reader.findTraceRowIds(traceIds, options);
      const visible = new Set(await rows.filter('traces', [...found.values()], options));
      return new Map([...found].filter(([, rowId]) => visible.has(rowId)));
    },
    async findSession(ref: RowRef, options?: ReadOptions) {
      const session = await reader.findSession(ref, options);
      return session && (await rows.has('sessions', session.rowId, options)) ? session : undefined;
    },
  } satisfies Partial<SpanStoreReader>;
}

export const ID_READS = {
  findStoredSpanIds: true,
  findSpanRowId: true,
  findTraceRowId: true,
  findTraceRowIds: true,
  findSession: true,
} as const satisfies Record<keyof ReturnType<typeof readsOfIds>, true>;
