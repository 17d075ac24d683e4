import type { CostRecomputation } from '../../model/cost-recomputation.ts';
import { SpandrelError } from '../../model/errors.ts';
import { OPEN_RECOMPUTATION_COUNT_MAX } from '../../model/limits.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';

/**
 * Has stored spans priced anew, in the background: those of a project, or all.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `RECOMPUTATIONS_TOO_MANY`
 */
export async function recomputeCosts(
  { projects, recomputations }: Pick<Ports, 'projects' | 'recomputations'>,
  projectIdentifier: string | undefined,
): Promise<CostRecomputation> {
  const project = projectIdentifier === undefined ? undefined : await getProject({ projects }, projectIdentifier);
  if ((await recomputations.countOpen()) >= OPEN_RECOMPUTATION_COUNT_MAX) {
    throw new SpandrelError(
      'RECOMPUTATIONS_TOO_MANY',
      `There are ${OPEN_RECOMPUTATION_COUNT_MAX} recomputations that have not ended; wait for them`,
    );
  }
  return recomputations.create(project?.rowId ?? null);
}

/** @throws {SpandrelError} `RECOMPUTATION_NOT_FOUND` */
export async function getRecomputation(
  { recomputations }: Pick<Ports, 'recomputations'>,
  id: string,
): Promise<CostRecomputation> {
  const found = /^\d{1,15}$/.test(id) ? await recomputations.find(Number(id)) : undefined;
  if (found) return found;
  throw new SpandrelError('RECOMPUTATION_NOT_FOUND', `Recomputation with id ${id} not found`);
}
