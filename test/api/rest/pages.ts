import type { TestServer } from '../test-server.ts';

export interface Page {
  readonly data: Record<string, unknown>[];
  readonly next_cursor: string | null;
}

/** Rows of every page of a list. */
export async function walk(server: Pick<TestServer, 'call'>, path: string): Promise<Record<string, unknown>[]> {
  const rows: Record<string, unknown>[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page = (await server.call('GET', `${path}&cursor=${encodeURIComponent(cursor)}`)).json as Page;
    rows.push(...page.data);
    cursor = page.next_cursor;
  }
  return rows;
}
