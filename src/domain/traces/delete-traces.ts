import { SpandrelError } from '../../model/errors.ts';
import type { Domain } from '../domain.ts';
import { submitDeletion } from '../submit-deletion.ts';

/**
 * Deletes traces of one project with their spans, and then the sessions that have no trace left. All of the traces must
 * exist, so that nothing is deleted by a list that is wrong.
 *
 * @throws {SpandrelError} `QUERY_INVALID`
 */
export async function deleteTraces(
  domain: Pick<Domain, 'spans' | 'writes'>,
  traceRowIds: readonly number[],
): Promise<void> {
  const rowIds = [...new Set(traceRowIds)];
  if (rowIds.length === 0) throw new SpandrelError('QUERY_INVALID', 'Must provide at least one trace ID to delete');
  const traces = await domain.spans.findTracesByRowIds(rowIds);
  if (traces.size < rowIds.length) throw new SpandrelError('QUERY_INVALID', 'Invalid trace IDs provided');
  const projectIds = new Set([...traces.values()].map(({ projectId }) => projectId));
  if (projectIds.size > 1) throw new SpandrelError('QUERY_INVALID', 'Cannot delete traces from multiple projects');
  await submitDeletion(domain, { what: 'traces', rowIds });
  const sessions = new Set([...traces.values()].flatMap(({ sessionRowId }) => sessionRowId ?? []));
  if (sessions.size === 0) return;
  const remaining = await domain.spans.findTracesOfSessions([...sessions]);
  const empty = [...sessions].filter((rowId) => !remaining.has(rowId));
  if (empty.length > 0) await submitDeletion(domain, { what: 'sessions', rowIds: empty });
}
