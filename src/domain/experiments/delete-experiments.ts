import type { Experiment } from '../../model/experiment.ts';
import { DEFAULT_PROJECT_NAME } from '../../model/projects/project.ts';
import { dropJobs } from './jobs/toggle-job.ts';
import { type AuditParts, recorded } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { deleteProject } from '../projects/delete-project.ts';
import { experimentUnknown } from './get-experiment.ts';

/**
 * Deletes experiments with their runs and evaluations, after their jobs have been stopped. Nothing is deleted when one of them does not exist.
 *
 * `withProjects` also deletes the projects with the traces of the runs: GraphQL always does so, REST on request. A
 * project is deleted after its experiment, so a crash in between leaves traces, which can be deleted separately.
 *
 * @returns The experiments as they were, by row id.
 * @throws {SpandrelError} `EXPERIMENT_NOT_FOUND`
 */
export async function deleteExperiments(
  ports: Pick<Ports, 'experiments' | 'jobRunner' | 'projects' | 'onlineEvaluators' | 'writes'> & AuditParts,
  rowIds: readonly number[],
  { withProjects }: { readonly withProjects: boolean },
): Promise<Map<number, Experiment>> {
  const experiments = await ports.experiments.findByRowIds(rowIds);
  for (const rowId of rowIds) if (!experiments.has(rowId)) experimentUnknown(rowId);
  await dropJobs(ports, rowIds);
  for (const [rowId, { name }] of experiments) {
    const projectName = await recorded(ports, async (changed) => {
      const result = await changed.experiments.delete(rowId);
      const target = { kind: 'Experiment', id: String(rowId), name };
      return { result, entry: { action: 'experiment.delete', outcome: 'DONE', target } };
    });
    if (projectName === undefined) experimentUnknown(rowId);
    else if (withProjects) await deleteProjectOfExperiment(ports, projectName);
  }
  return experiments;
}

/** Deletes the project that stored the traces of a deleted experiment. */
export async function deleteProjectOfExperiment(
  ports: Pick<Ports, 'projects' | 'onlineEvaluators' | 'writes'> & AuditParts,
  projectName: string,
): Promise<void> {
  if (projectName === DEFAULT_PROJECT_NAME) return;
  const project = await ports.projects.find({ name: projectName });
  // Another request may have deleted it.
  if (project) await deleteProject(ports, { rowId: project.rowId });
}
