import type { Page } from '../../model/page.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { SessionQuery } from '../../span-store/contract/sessions.ts';
import type { Ports } from '../ports.ts';
import type { SessionWithTraces } from './get-session.ts';

/** One page of sessions by row id, each with its traces by start time. */
export async function listSessions(
  { spans }: Pick<Ports, 'spans'>,
  query: SessionQuery,
  options?: ReadOptions,
): Promise<Page<SessionWithTraces>> {
  const page = await spans.findSessions(query, options);
  const traces = page.items.length
    ? await spans.get({ of: 'sessions', column: 'traces', rowIds: page.items.map(({ rowId }) => rowId) }, options)
    : new Map<number, never>();
  return { ...page, items: page.items.map((session) => ({ session, traces: traces.get(session.rowId) ?? [] })) };
}
