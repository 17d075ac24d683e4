import { SpandrelError } from '../../model/errors.ts';
import { type NewProject, type Project, projectNameProblem } from '../../model/projects/project.ts';
import { createPrivateProject } from '../project-access/manage-project-access.ts';
import { type ProjectTexts, toChanges } from './project-texts.ts';

/** @throws {SpandrelError} `QUERY_INVALID` for a name that cannot be stored, `PROJECT_NAME_TAKEN`; as `createPrivateProject` */
export async function createProject(
  ports: Parameters<typeof createPrivateProject>[0],
  { name: given, description = null, isPrivate = false, ...colors }: NewProject,
  texts: ProjectTexts,
): Promise<Project> {
  const name = texts === 'trimmed' ? given.trim() : given;
  const problem = name === '' ? 'Name cannot be empty' : projectNameProblem(name);
  if (problem !== undefined) throw new SpandrelError('QUERY_INVALID', problem);
  const project = { name, ...toChanges({ description, ...colors }, texts) };
  return isPrivate ? createPrivateProject(ports, project) : ports.projects.create(project);
}
