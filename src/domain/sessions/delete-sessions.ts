import { SpandrelError } from '../../model/errors.ts';
import type { RowRef } from '../../span-store/contract/query-terms.ts';
import type { Ports } from '../ports.ts';
import { submitDeletion } from '../submit-deletion.ts';
import { sessionRef } from './get-session.ts';

/**
 * Deletes a session with its traces and spans.
 *
 * @throws {SpandrelError} `SESSION_NOT_FOUND`
 */
export async function deleteSession(ports: Pick<Ports, 'spans' | 'writes'>, identifier: string): Promise<void> {
  const ref = sessionRef(identifier);
  const session = await ports.spans.findSession(ref);
  if (!session) {
    const kind = 'rowId' in ref ? 'ID' : 'session_id';
    throw new SpandrelError('SESSION_NOT_FOUND', `Session with ${kind} '${identifier}' not found`);
  }
  await submitDeletion(ports, { what: 'sessions', rowIds: [session.rowId] });
}

/**
 * Deletes sessions with their traces and spans, in one step; unknown ones are passed over.
 *
 * @throws {SpandrelError} `QUERY_INVALID` when there is none, or when global IDs and application's texts are mixed
 */
export async function deleteSessions(
  ports: Pick<Ports, 'spans' | 'writes'>,
  identifiers: readonly string[],
): Promise<void> {
  if (identifiers.length === 0) {
    throw new SpandrelError('QUERY_INVALID', 'Session identifier list must not be empty.');
  }
  const refs = identifiers.map(sessionRef);
  const isGlobal = 'rowId' in refs[0]!;
  if (refs.some((ref) => 'rowId' in ref !== isGlobal)) {
    throw new SpandrelError(
      'QUERY_INVALID',
      'All identifiers must be the same type: either all GlobalIDs or all session_id strings.',
    );
  }
  const rowIds = await findRowIds(ports, refs);
  if (rowIds.length > 0) await submitDeletion(ports, { what: 'sessions', rowIds });
}

/** A few look-ups at a time, so that one call does not fill the queue of reads. */
async function findRowIds({ spans }: Pick<Ports, 'spans'>, refs: readonly RowRef[]): Promise<number[]> {
  const rowIds = new Set<number>();
  for (let i = 0; i < refs.length; i += LOOKUPS_AT_ONCE) {
    const found = await Promise.all(refs.slice(i, i + LOOKUPS_AT_ONCE).map((ref) => spans.findSession(ref)));
    for (const session of found) if (session) rowIds.add(session.rowId);
  }
  return [...rowIds];
}

const LOOKUPS_AT_ONCE = 16;
