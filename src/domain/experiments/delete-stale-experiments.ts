import { EPHEMERAL_EXPERIMENT_MS } from '../../model/limits/datasets.ts';
import type { AuditParts } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { deleteProjectOfExperiment } from './delete-experiments.ts';

/** Deletes the ephemeral experiments that have expired, with the traces of their runs, and returns how many. */
export async function deleteStaleExperiments(
  ports: Pick<Ports, 'experiments' | 'projects' | 'onlineEvaluators' | 'writes'> & AuditParts,
  now: Date,
): Promise<number> {
  const unchangedSince = new Date(now.getTime() - EPHEMERAL_EXPERIMENT_MS);
  for (let count = 0; ; count++) {
    const projectName = await ports.experiments.deleteStale(unchangedSince);
    if (projectName === undefined) return count;
    await deleteProjectOfExperiment(ports, projectName);
  }
}
