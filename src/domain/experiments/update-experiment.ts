import { SpandrelError } from '../../model/errors.ts';
import type { ExperimentChanges } from '../../model/experiment.ts';
import type { Ports } from '../ports.ts';
import { experimentUnknown } from './get-experiment.ts';

/**
 * Changes the given fields. A name and a description are stored as received.
 *
 * @throws {SpandrelError} `QUERY_INVALID` without a field, `EXPERIMENT_NOT_FOUND`
 */
export async function updateExperiment(
  { experiments }: Pick<Ports, 'experiments'>,
  rowId: number,
  changes: ExperimentChanges,
): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) {
    // An unknown experiment is reported before an empty change.
    if (!(await experiments.find(rowId))) experimentUnknown(rowId);
    throw new SpandrelError('QUERY_INVALID', 'No fields to update');
  }
  if (!(await experiments.update(rowId, changes))) experimentUnknown(rowId);
}

/**
 * Marks an experiment as ephemeral, so that it is deleted a day after its last change, or as one that stays.
 *
 * @throws {SpandrelError} `EXPERIMENT_NOT_FOUND`
 */
export async function setEphemeral(
  { experiments }: Pick<Ports, 'experiments'>,
  rowId: number,
  isEphemeral: boolean,
): Promise<void> {
  if (!(await experiments.setEphemeral(rowId, isEphemeral))) experimentUnknown(rowId);
}
