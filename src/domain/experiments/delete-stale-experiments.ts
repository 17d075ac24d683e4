import { EPHEMERAL_EXPERIMENT_MS } from '../../model/limits.ts';
import type { Ports } from '../ports.ts';
import { deleteProjectOfExperiment } from './delete-experiment.ts';

/** Deletes the ephemeral experiments whose time has come, with the traces of their runs; how many. */
export async function deleteStaleExperiments(
  ports: Pick<Ports, 'experiments' | 'projects' | 'writes'>,
  now: Date,
): Promise<number> {
  const unchangedSince = new Date(now.getTime() - EPHEMERAL_EXPERIMENT_MS);
  for (let count = 0; ; count++) {
    const projectName = await ports.experiments.deleteStale(unchangedSince);
    if (projectName === undefined) return count;
    await deleteProjectOfExperiment(ports, projectName);
  }
}
