import { toGlobalId } from '../../model/global-id.ts';
import type { Ports } from '../ports.ts';
import { submitDeletion } from '../submit-deletion.ts';
import { getProject } from './get-project.ts';

/**
 * Deletes the traces of a project, or those that start before a time, and the sessions that any of them belong to with
 * all of their traces: a conversation goes as a whole.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`
 */
export async function clearProject(
  ports: Pick<Ports, 'projects' | 'writes'>,
  projectId: number,
  endTimeUnixNano: bigint | undefined,
): Promise<void> {
  await getProject(ports, toGlobalId('Project', projectId));
  await submitDeletion(ports, { what: 'tracesOfProject', projectId, endTimeUnixNano, withSessions: true });
}
