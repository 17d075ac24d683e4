import { type AuditParts, record } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { submitDeletion } from '../submit-deletion.ts';
import { getProject } from './get-project.ts';
import type { ProjectRef } from './project-repository.ts';

/**
 * Deletes the traces of a project, or those that start before a time. A session that has any of them is deleted with all
 * of its traces, because a conversation is deleted as a whole.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`
 */
export async function clearProject(
  ports: Pick<Ports, 'projects' | 'writes'> & AuditParts,
  project: ProjectRef,
  endTimeUnixNano: bigint | undefined,
): Promise<void> {
  const { rowId: projectId, name } = await getProject(ports, project);
  const target = { kind: 'Project', id: String(projectId), name };
  const after = { endTimeUnixNano: endTimeUnixNano === undefined ? null : String(endTimeUnixNano) };
  await record(ports, { action: 'project.clear', outcome: 'DONE', target, after });
  await submitDeletion(ports, { what: 'tracesOfProject', projectId, endTimeUnixNano, withSessions: true });
}
