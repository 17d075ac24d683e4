import { SpandrelError } from '../../model/errors.ts';
import type { Project, ProjectChanges } from '../../model/project.ts';
import type { Ports } from '../ports.ts';
import { getProject } from './get-project.ts';

/**
 * Changes what is given. The name of a project never changes.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`
 */
export async function updateProject(
  { projects }: Pick<Ports, 'projects'>,
  identifier: string,
  changes: ProjectChanges,
): Promise<Project> {
  const project = await getProject({ projects }, identifier);
  if (Object.values(changes).every((change) => change === undefined)) return project;
  const updated = await projects.update(project.rowId, changes);
  if (updated) return updated;
  throw new SpandrelError('PROJECT_NOT_FOUND', `Project with name ${project.name} not found`);
}
