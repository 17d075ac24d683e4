import type { Experiment } from '../../model/experiment.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';

/** @throws {SpandrelError} `EXPERIMENT_NOT_FOUND` */
export async function getExperiment({ experiments }: Pick<Ports, 'experiments'>, rowId: number): Promise<Experiment> {
  return (await experiments.find(rowId)) ?? experimentUnknown(rowId);
}

export function experimentUnknown(rowId: number): never {
  throw new RowError('EXPERIMENT_NOT_FOUND', 'Experiment', [rowId], (id) => `Experiment with ID ${id} does not exist`);
}
