import { SpandrelError } from '../../model/errors.ts';
import { RowError } from '../../model/row-error.ts';
import type { Session } from '../../model/traces/session.ts';
import type { Trace } from '../../model/traces/trace.ts';
import type { RowRef } from '../../span-store/contract/query-terms.ts';
import type { ReadOptions } from '../../span-store/contract/read-options.ts';
import { findRowId } from '../find-row-ids.ts';
import type { Ports } from '../ports.ts';

/** A session with its traces by start time. */
export interface SessionWithTraces {
  readonly session: Session;
  readonly traces: readonly Trace[];
}

/** @throws {SpandrelError} `SESSION_NOT_FOUND` */
export async function getSession(
  { spans }: Pick<Ports, 'spans'>,
  ref: RowRef,
  options?: ReadOptions,
): Promise<SessionWithTraces> {
  const rowId = 'rowId' in ref ? ref.rowId : await findRowId(spans, 'sessions', ref, options);
  if (rowId === undefined) throw sessionNotFound(ref);
  const [sessions, traces] = await Promise.all([
    spans.get({ of: 'sessions', column: 'row', rowIds: [rowId] }, options),
    spans.get({ of: 'sessions', column: 'traces', rowIds: [rowId] }, options),
  ]);
  const session = sessions.get(rowId);
  if (!session) throw sessionNotFound(ref);
  return { session, traces: traces.get(rowId) ?? [] };
}

const sessionNotFound = (ref: RowRef): SpandrelError =>
  'rowId' in ref
    ? new RowError('SESSION_NOT_FOUND', 'ProjectSession', [ref.rowId], (id) => `Session with ID ${id} not found`)
    : new SpandrelError('SESSION_NOT_FOUND', `Session with session_id ${ref.id} not found`);
