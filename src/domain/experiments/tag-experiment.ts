import { SpandrelError } from '../../model/errors.ts';
import type { ExperimentTag } from '../../model/experiment.ts';
import type { Ports } from '../ports.ts';

/** The tag of the experiment that others of its dataset are measured by. */
export const BASELINE = 'baseline';

/**
 * Points the tag at this experiment, and at no other of its dataset; undefined when there is no such experiment.
 *
 * @throws {SpandrelError} `EXPERIMENT_EPHEMERAL` for the baseline: it would be gone tomorrow
 */
export async function tagExperiment(
  { experiments }: Pick<Ports, 'experiments'>,
  rowId: number,
  name: string,
  description: string | null,
): Promise<ExperimentTag | undefined> {
  const tag = await experiments.tag(rowId, name, description, { isForEphemeral: name !== BASELINE });
  if (tag || !(await experiments.find(rowId))) return tag;
  throw new SpandrelError(
    'EXPERIMENT_EPHEMERAL',
    'Ephemeral experiments cannot be marked as baseline. Reinstate the experiment before tagging it as the baseline.',
  );
}
