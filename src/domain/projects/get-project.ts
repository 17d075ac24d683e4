import { SpandrelError } from '../../model/errors.ts';
import type { Project } from '../../model/projects/project.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';
import type { ProjectRef } from './project-repository.ts';

/** @throws {SpandrelError} `PROJECT_NOT_FOUND` */
export async function getProject({ projects }: Pick<Ports, 'projects'>, ref: ProjectRef): Promise<Project> {
  const project = await projects.find(ref);
  if (project) return project;
  if ('rowId' in ref) throw projectNotFound(ref.rowId);
  throw new SpandrelError('PROJECT_NOT_FOUND', `Project with name ${ref.name} not found`);
}

export const projectNotFound = (rowId: number): RowError =>
  new RowError('PROJECT_NOT_FOUND', 'Project', [rowId], (id) => `Project with ID ${id} not found`);
