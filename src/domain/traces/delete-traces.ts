import { SpandrelError } from '../../model/errors.ts';
import type { AuditParts } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { submitDeletion } from '../submit-deletion.ts';

/**
 * Deletes traces of one project with their spans, and then the sessions that have no trace left. All of the traces must
 * exist, so that a wrong list deletes nothing.
 *
 * @throws {SpandrelError} `QUERY_INVALID`
 */
export async function deleteTraces(
  ports: Pick<Ports, 'spans' | 'writes'> & AuditParts,
  traceRowIds: readonly number[],
): Promise<void> {
  const rowIds = [...new Set(traceRowIds)];
  if (rowIds.length === 0) throw new SpandrelError('QUERY_INVALID', 'Must provide at least one trace ID to delete');
  const traces = await ports.spans.get({ of: 'traces', column: 'row', rowIds });
  if (traces.size < rowIds.length) throw new SpandrelError('QUERY_INVALID', 'Invalid trace IDs provided');
  const projectIds = new Set([...traces.values()].map(({ projectId }) => projectId));
  if (projectIds.size > 1) throw new SpandrelError('QUERY_INVALID', 'Cannot delete traces from multiple projects');
  await submitDeletion(ports, { what: 'traces', rowIds });
  const sessions = new Set([...traces.values()].flatMap(({ sessionRowId }) => sessionRowId ?? []));
  if (sessions.size === 0) return;
  const remaining = await ports.spans.get({ of: 'sessions', column: 'traces', rowIds: [...sessions] });
  const empty = [...sessions].filter((rowId) => !remaining.has(rowId));
  if (empty.length > 0) await submitDeletion(ports, { what: 'sessions', rowIds: empty });
}
