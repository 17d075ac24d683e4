import type { Project, ProjectChanges } from '../../model/projects/project.ts';
import type { Ports } from '../ports.ts';
import { getProject, projectNotFound } from './get-project.ts';
import type { ProjectRef } from './project-repository.ts';
import { type ProjectTexts, toChanges } from './project-texts.ts';

/**
 * Changes the given fields. The name of a project never changes.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`
 */
export async function updateProject(
  { projects }: Pick<Ports, 'projects'>,
  ref: ProjectRef,
  given: ProjectChanges,
  texts: ProjectTexts,
): Promise<Project> {
  const project = await getProject({ projects }, ref);
  const changes = toChanges(given, texts);
  if (Object.values(changes).every((change) => change === undefined)) return project;
  const updated = await projects.update(project.rowId, changes);
  if (updated) return updated;
  throw projectNotFound(project.rowId);
}
