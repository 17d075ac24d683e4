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
  ports: Pick<Ports, 'projects' | 'writes'>,
  project: ProjectRef,
  endTimeUnixNano: bigint | undefined,
): Promise<void> {
  const { rowId: projectId } = await getProject(ports, project);
  await submitDeletion(ports, { what: 'tracesOfProject', projectId, endTimeUnixNano, withSessions: true });
}
