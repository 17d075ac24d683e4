import { SpandrelError } from '../../model/errors.ts';
import type { RowRef } from '../../span-store/contract/query-terms.ts';
import type { AuditParts } from '../access/audit.ts';
import { findRowIds } from '../find-row-ids.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';
import type { ProjectRef } from '../projects/project-repository.ts';
import { submitDeletion } from '../submit-deletion.ts';

type Parts = Pick<Ports, 'projects' | 'spans' | 'writes'> & AuditParts;

/**
 * Moves traces of one project to another, all of them or none. Their sessions stay where they are.
 *
 * @returns How many: each once.
 * @throws {SpandrelError} `QUERY_INVALID`, `NODE_NOT_FOUND`
 */
export async function transferTraces(parts: Parts, given: readonly number[], projectId: number): Promise<number> {
  const traceRowIds = [...new Set(given)];
  if (traceRowIds.length === 0) reject('Must provide at least one trace ID to transfer');
  const project = await parts.projects.find({ rowId: projectId });
  if (!project) return reject('Destination project does not exist');
  const traces = await parts.spans.get({ of: 'traces', column: 'row', rowIds: traceRowIds });
  if (traces.size < traceRowIds.length) reject('Invalid trace IDs provided');
  if (new Set([...traces.values()].map((trace) => trace.projectId)).size > 1) {
    reject('Cannot transfer traces from multiple projects');
  }
  const { receipt } = await parts.writes.submitTransfer({ traceRowIds, projectId });
  await parts.writes.waitFor(receipt);
  // The project was deleted while the record was written, so the moved traces are deleted with it.
  if (!(await parts.projects.find({ rowId: projectId }))) {
    await submitDeletion(parts, { what: 'project', projectId, name: project.name });
  }
  return traceRowIds.length;
}

/**
 * Moves traces that are named by their row ids or OpenTelemetry trace IDs.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `TRACE_NOT_FOUND`, `QUERY_INVALID`
 */
export async function transferNamedTraces(
  parts: Parts,
  traces: readonly RowRef[],
  project: ProjectRef,
): Promise<{ readonly count: number; readonly projectId: number }> {
  const { rowId: projectId } = await getProject(parts, project);
  const found = await findRowIds(parts.spans, 'traces', traces);
  const rowIds = found.filter((rowId) => rowId !== undefined);
  if (rowIds.length < found.length) throw new SpandrelError('TRACE_NOT_FOUND', 'One or more traces not found');
  return { count: await transferTraces(parts, rowIds, projectId), projectId };
}

const reject = (message: string): never => {
  throw new SpandrelError('QUERY_INVALID', message);
};
