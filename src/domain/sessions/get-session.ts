import { SpandrelError } from '../../model/errors.ts';
import { rowIdOf } from '../../model/global-id.ts';
import type { Session } from '../../model/session.ts';
import type { Trace } from '../../model/trace.ts';
import type { RowRef } from '../../span-store/contract/query-terms.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import type { Ports } from '../ports.ts';

/** A session with its traces by start time. */
export interface SessionWithTraces {
  readonly session: Session;
  readonly traces: readonly Trace[];
}

/** A session by its global ID, else by the text that the application gave it. */
export function sessionRef(identifier: string): RowRef {
  const rowId = rowIdOf('ProjectSession', identifier);
  return rowId === undefined ? { id: identifier } : { rowId };
}

/** @throws {SpandrelError} `SESSION_NOT_FOUND` */
export async function getSession(
  { spans }: Pick<Ports, 'spans'>,
  identifier: string,
  options?: ReadOptions,
): Promise<SessionWithTraces> {
  const ref = sessionRef(identifier);
  const session = await spans.findSession(ref, options);
  if (!session) {
    const kind = 'rowId' in ref ? 'ID' : 'session_id';
    throw new SpandrelError('SESSION_NOT_FOUND', `Session with ${kind} ${identifier} not found`);
  }
  const traces = await spans.findTracesOfSessions([session.rowId], options);
  return { session, traces: traces.get(session.rowId) ?? [] };
}
