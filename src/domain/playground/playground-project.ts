import type { Ports } from '../ports.ts';
import { projectNameDenied } from '../project-access/project-access.ts';

/** Project of the calls of the playground. */
export const PLAYGROUND_PROJECT_NAME = 'playground';
const DESCRIPTION = 'Traces from prompt playground';

/** Checks before a call that its span may be stored. @throws {SpandrelError} `ACCESS_DENIED` */
export function checkProjectName({ projectAccess }: Pick<Ports, 'projectAccess'>, projectName: string): void {
  if (projectAccess && !projectAccess.canSendTo(projectName)) throw projectNameDenied();
}

/**
 * Creates the project of the playground, with its description, when it does not exist. Never rejects: without it, the first
 * span creates the project.
 */
export async function ensurePlaygroundProject({ projects }: Pick<Ports, 'projects'>): Promise<void> {
  try {
    if (await projects.find({ name: PLAYGROUND_PROJECT_NAME })) return;
    await projects.create({ name: PLAYGROUND_PROJECT_NAME, description: DESCRIPTION });
  } catch {
    // Another call has created it since, or the database does not answer.
  }
}
