import { SpandrelError } from '../../model/errors.ts';
import { DEFAULT_PROJECT_NAME } from '../../model/projects/project.ts';
import { type AuditParts, record } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { submitDeletion } from '../submit-deletion.ts';
import { getProject } from './get-project.ts';
import type { ProjectRef } from './project-repository.ts';

/**
 * Deletes a project with its traces, spans and sessions. The deletion is one record of the journal, and the row of the
 * project is deleted when the record is applied. Spans that were acknowledged before are deleted too, and later spans
 * create a new project. Neither a crash nor a replay changes that (`docs/decisions/deletions.md`).
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `PROJECT_PROTECTED`, `PROJECT_IN_USE` while an evaluator stores traces in it
 */
export async function deleteProject(
  ports: Pick<Ports, 'projects' | 'onlineEvaluators' | 'writes'> & AuditParts,
  project: ProjectRef,
): Promise<void> {
  const { rowId, name } = await getProject(ports, project);
  if (name === DEFAULT_PROJECT_NAME) {
    throw new SpandrelError('PROJECT_PROTECTED', 'The default project cannot be deleted');
  }
  // A project is created with its evaluator and given to no other, so a free project stays free.
  const evaluator = await ports.projects.findEvaluator(rowId);
  if (evaluator !== undefined) {
    throw new SpandrelError(
      'PROJECT_IN_USE',
      `The project '${name}' cannot be deleted while it stores the traces of the evaluator ${evaluator}`,
    );
  }
  // Their rows would be deleted with that of the project, and leave the projects of their traces.
  for (const online of await ports.onlineEvaluators.list(rowId)) {
    await ports.onlineEvaluators.delete(online.rowId);
    await deleteProject(ports, { rowId: online.traceProjectId });
  }
  // Before the deletion, which the journal makes durable at once.
  await record(ports, {
    action: 'project.delete',
    outcome: 'DONE',
    target: { kind: 'Project', id: String(rowId), name },
  });
  await submitDeletion(ports, { what: 'project', projectId: rowId, name });
}
