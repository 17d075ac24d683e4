import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { ExperimentTag } from '../../model/experiment.ts';
import type { Ports } from '../ports.ts';
import { experimentUnknown, getExperiment } from './get-experiment.ts';

/** Tag of the experiment with which the others of its dataset are compared. */
export const BASELINE = 'baseline';

/**
 * Moves the tag to this experiment from any other of its dataset.
 *
 * @throws {SpandrelError} `EXPERIMENT_NOT_FOUND`; `EXPERIMENT_EPHEMERAL` for the baseline, because an ephemeral experiment is
 *   deleted after a day
 */
export async function tagExperiment(
  { experiments, caller }: Pick<Ports, 'experiments' | 'caller'>,
  rowId: number,
  { name, description }: Pick<ExperimentTag, 'name' | 'description'>,
): Promise<ExperimentTag> {
  const fields = { name, description, userId: authorOf(caller) };
  const tag = await experiments.tag(rowId, fields, { isForEphemeral: name !== BASELINE });
  if (tag) return tag;
  if (!(await experiments.find(rowId))) return experimentUnknown(rowId);
  throw new SpandrelError(
    'EXPERIMENT_EPHEMERAL',
    'Ephemeral experiments cannot be marked as baseline. Reinstate the experiment before tagging it as the baseline.',
  );
}

/** Removes a tag from an experiment that may lack it. @throws {SpandrelError} `EXPERIMENT_NOT_FOUND` */
export async function untagExperiment(ports: Pick<Ports, 'experiments'>, rowId: number, name: string): Promise<void> {
  await getExperiment(ports, rowId);
  await ports.experiments.untag(rowId, name);
}
