import { type RowReader, toRowIds } from '../../span-store/contract/rows.ts';

/** Finds spans that the server itself has just recorded. */
export interface StoredSpans {
  /** Row id by span ID. Null when no span has it. */
  find(spanId: string): Promise<number | null>;
}

/**
 * Joins the searches of one iteration of the event loop. A search reads the column of span IDs of the whole store, and the calls of
 * one commit end together.
 */
export function createStoredSpans(spans: Pick<RowReader, 'findByIds'>): StoredSpans {
  let next: { readonly spanIds: string[]; readonly found: Promise<ReadonlyMap<string, number>> } | undefined;
  const begin = () => {
    const spanIds: string[] = [];
    const found = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
      next = undefined;
      return toRowIds(await spans.findByIds({ of: 'spans', ids: spanIds }));
    });
    return { spanIds, found };
  };
  return {
    async find(spanId) {
      next ??= begin();
      next.spanIds.push(spanId);
      return (await next.found).get(spanId) ?? null;
    },
  };
}
