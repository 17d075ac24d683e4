import { SpandrelError } from '../../model/errors.ts';
import { type NewProject, type Project, projectNameProblem } from '../../model/projects/project.ts';
import type { Ports } from '../ports.ts';
import { type ProjectTexts, toChanges } from './project-texts.ts';

/** @throws {SpandrelError} `QUERY_INVALID` for a name that cannot be stored, `PROJECT_NAME_TAKEN` */
export async function createProject(
  { projects }: Pick<Ports, 'projects'>,
  { name: given, description = null, ...colors }: NewProject,
  texts: ProjectTexts,
): Promise<Project> {
  const name = texts === 'trimmed' ? given.trim() : given;
  const problem = name === '' ? 'Name cannot be empty' : projectNameProblem(name);
  if (problem !== undefined) throw new SpandrelError('QUERY_INVALID', problem);
  return projects.create({ name, ...toChanges({ description, ...colors }, texts) });
}
