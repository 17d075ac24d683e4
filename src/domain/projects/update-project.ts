import { SpandrelError } from '../../model/errors.ts';
import type { Project } from '../../model/project.ts';
import type { Domain } from '../domain.ts';
import { getProject } from './get-project.ts';

/**
 * Changes the description; null leaves it. The name of a project never changes.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`
 */
export async function updateProject(
  { projects }: Pick<Domain, 'projects'>,
  identifier: string,
  { description }: { readonly description: string | null },
): Promise<Project> {
  const project = await getProject({ projects }, identifier);
  if (description === null) return project;
  const updated = await projects.updateDescription(project.rowId, description);
  if (updated) return updated;
  throw new SpandrelError('PROJECT_NOT_FOUND', `Project with name ${project.name} not found`);
}
