import { SpandrelError } from '../../model/errors.ts';
import { rowIdOf } from '../../model/global-id.ts';
import type { Project } from '../../model/project.ts';
import type { Ports } from '../ports.ts';

/**
 * The project that a caller names by its global ID or its name. A global ID of another type is a name.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`
 */
export async function getProject({ projects }: Pick<Ports, 'projects'>, identifier: string): Promise<Project> {
  const rowId = rowIdOf('Project', identifier);
  if (rowId !== undefined) {
    return (await projects.find({ rowId })) ?? notFound(`Project with ID ${identifier} not found`);
  }
  return (await projects.find({ name: identifier })) ?? notFound(`Project with name ${identifier} not found`);
}

const notFound = (message: string): never => {
  throw new SpandrelError('PROJECT_NOT_FOUND', message);
};
