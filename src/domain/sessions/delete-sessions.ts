import { SpandrelError } from '../../model/errors.ts';
import { RowError } from '../../model/row-error.ts';
import type { RowRef } from '../../span-store/contract/query-terms.ts';
import type { AuditParts } from '../access/audit.ts';
import { findRowId, findRowIds } from '../find-row-ids.ts';
import type { Ports } from '../ports.ts';
import { submitDeletion } from '../submit-deletion.ts';

/**
 * Deletes a session with its traces and spans.
 *
 * @throws {SpandrelError} `SESSION_NOT_FOUND`
 */
export async function deleteSession(ports: Pick<Ports, 'spans' | 'writes'> & AuditParts, ref: RowRef): Promise<void> {
  const rowId = await findRowId(ports.spans, 'sessions', ref);
  if (rowId === undefined) throw sessionNotFound(ref);
  await submitDeletion(ports, { what: 'sessions', rowIds: [rowId] });
}

/**
 * Deletes sessions with their traces and spans in one step. Unknown sessions are ignored.
 *
 * @throws {SpandrelError} `QUERY_INVALID` when the list is empty, or mixes row ids and session IDs of the application
 */
export async function deleteSessions(
  ports: Pick<Ports, 'spans' | 'writes'> & AuditParts,
  refs: readonly RowRef[],
): Promise<void> {
  const [first] = refs;
  if (!first) {
    throw new SpandrelError('QUERY_INVALID', 'Session identifier list must not be empty.');
  }
  const isGlobal = 'rowId' in first;
  if (refs.some((ref) => 'rowId' in ref !== isGlobal)) {
    throw new SpandrelError(
      'QUERY_INVALID',
      'All identifiers must be the same type: either all GlobalIDs or all session_id strings.',
    );
  }
  const found = await findRowIds(ports.spans, 'sessions', refs);
  const rowIds = [...new Set(found.filter((rowId) => rowId !== undefined))];
  if (rowIds.length > 0) await submitDeletion(ports, { what: 'sessions', rowIds });
}

const sessionNotFound = (ref: RowRef): SpandrelError =>
  'rowId' in ref
    ? new RowError('SESSION_NOT_FOUND', 'ProjectSession', [ref.rowId], (id) => `Session with ID '${id}' not found`)
    : new SpandrelError('SESSION_NOT_FOUND', `Session with session_id '${ref.id}' not found`);
