import { SpandrelError } from '../../model/errors.ts';
import { DEFAULT_PROJECT_NAME } from '../../model/project.ts';
import type { Domain } from '../domain.ts';
import { submitDeletion } from '../submit-deletion.ts';
import { getProject } from './get-project.ts';

/**
 * Deletes a project with its traces, spans and sessions. Two stores take part, and a crash may come between any two
 * steps, so the order matters (`docs/decisions/0061-delete-a-project-in-three-steps.md`):
 *
 * 1. Journal the deletion of what it holds. A crash now leaves an empty project, which can be deleted again; had the
 *    row gone first, spans would stay that belong to no project.
 * 2. Remove its row: its name is free.
 * 3. Journal the deletion again, for spans that came between 1 and 2 and still found the row.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `PROJECT_PROTECTED`
 */
export async function deleteProject(domain: Pick<Domain, 'projects' | 'writes'>, identifier: string): Promise<void> {
  const { rowId, name } = await getProject(domain, identifier);
  if (name === DEFAULT_PROJECT_NAME) {
    throw new SpandrelError('PROJECT_PROTECTED', 'The default project cannot be deleted');
  }
  const deletion = { what: 'project', projectId: rowId, name } as const;
  await domain.writes.submitDeletion(deletion);
  await domain.projects.delete(rowId);
  await submitDeletion(domain, deletion);
}
