import { FIRST_PAGE_ROW_COUNT, PAGE_ROW_COUNT } from '../limits.ts';
import type { ToolContext } from '../tool.ts';
import type { Found } from './fit.ts';

/** One page of a list of the server. */
export interface PageBody {
  readonly data: readonly unknown[];
  readonly next_cursor?: string | null;
}

/** Reads a page. The cursor names its first row. */
export type ReadPage = (page: { readonly limit: number; readonly cursor: string | undefined }) => Promise<PageBody>;

interface ListOptions {
  readonly key: string;
  readonly limit: number;
  readonly cursor: string | undefined;
  readonly context: ToolContext;
  readonly read: ReadPage;
  readonly toRow?: (row: never) => unknown;
}

/** Reads pages until there are `limit` rows, or more than the answer has room for. */
export async function readList({ key, limit, cursor, context, read, toRow }: ListOptions): Promise<Found> {
  const rows: unknown[] = [];
  const starts: { readonly cursor: string | undefined; readonly index: number }[] = [];
  let next: string | undefined | null = cursor;
  let chars = 0;
  // Texts are shortened, so more rows than fit whole may be shown.
  const charsMax = 4 * context.dataChars;
  do {
    starts.push({ cursor: next ?? undefined, index: rows.length });
    const size = rowCountFor(rows.length, chars, charsMax);
    const page = await read({ limit: Math.min(size, limit - rows.length), cursor: next ?? undefined });
    for (const row of page.data) {
      const shown = toRow ? toRow(row as never) : row;
      chars += JSON.stringify(shown).length;
      rows.push(shown);
    }
    next = page.next_cursor;
    if (page.data.length === 0) break;
  } while (next && rows.length < limit && chars < charsMax);
  const restAt = (at: string | null) => (at ? `Rows after these. Repeat the call with cursor "${at}".` : undefined);
  return {
    data: { [key]: rows, nextCursor: next ?? null },
    list: key,
    rest: restAt(next ?? null),
    cutList: async (count) => {
      const nextCursor = await cursorOfRow(count, starts, read);
      return { data: { nextCursor }, rest: restAt(nextCursor) ?? '' };
    },
  };
}

/** Rows of the next page: about as many as there is room for, so that pages of large rows are small. */
function rowCountFor(count: number, chars: number, charsMax: number): number {
  if (count === 0) return FIRST_PAGE_ROW_COUNT;
  const wanted = Math.ceil((charsMax - chars) / Math.max(1, chars / count));
  return Math.min(PAGE_ROW_COUNT, Math.max(1, wanted));
}

/** A shorter page ends before the row, so its `next_cursor` names the row. */
async function cursorOfRow(
  index: number,
  starts: readonly { readonly cursor: string | undefined; readonly index: number }[],
  read: ReadPage,
): Promise<string | null> {
  const start = starts.findLast((page) => page.index <= index);
  if (!start) return null;
  if (start.index === index) return start.cursor ?? null;
  const { next_cursor: cursor } = await read({ limit: index - start.index, cursor: start.cursor });
  return cursor ?? null;
}
