import { SpandrelError } from '../../model/errors.ts';
import { DEFAULT_PROJECT_NAME } from '../../model/project.ts';
import type { Ports } from '../ports.ts';
import { deleteProject } from '../projects/delete-project.ts';

/**
 * Deletes an experiment with its runs and evaluations, and on request the project that holds the traces of its runs. The
 * project goes after the experiment: a crash in between leaves traces, which can be deleted on their own.
 *
 * @throws {SpandrelError} `EXPERIMENT_NOT_FOUND`
 */
export async function deleteExperiment(
  ports: Pick<Ports, 'experiments' | 'projects' | 'writes'>,
  rowId: number,
  { withProject }: { readonly withProject: boolean },
): Promise<void> {
  const projectName = await ports.experiments.delete(rowId);
  if (projectName === undefined) throw new SpandrelError('EXPERIMENT_NOT_FOUND', 'Experiment does not exist');
  if (withProject) await deleteProjectOfExperiment(ports, projectName);
}

/** The project that took the traces of an experiment that is gone. */
export async function deleteProjectOfExperiment(
  ports: Pick<Ports, 'projects' | 'writes'>,
  projectName: string,
): Promise<void> {
  if (projectName === DEFAULT_PROJECT_NAME) return;
  const project = await ports.projects.find({ name: projectName });
  // Somebody may have deleted it before.
  if (project) await deleteProject(ports, { rowId: project.rowId });
}
