import { SpandrelError } from '../../model/errors.ts';
import { OPEN_RECOMPUTATION_COUNT_MAX } from '../../model/limits/models.ts';
import type { CostRecomputation } from '../../model/models/cost-recomputation.ts';
import type { Ports } from '../ports.ts';
import { getProject } from '../projects/get-project.ts';
import type { ProjectRef } from '../projects/project-repository.ts';

/**
 * Requests that stored spans of a project, or of all projects, are priced again in the background.
 *
 * @throws {SpandrelError} `PROJECT_NOT_FOUND`, `RECOMPUTATIONS_TOO_MANY`
 */
export async function recomputeCosts(
  { projects, recomputations }: Pick<Ports, 'projects' | 'recomputations'>,
  project: ProjectRef | undefined,
): Promise<CostRecomputation> {
  const found = project && (await getProject({ projects }, project));
  if ((await recomputations.countOpen()) >= OPEN_RECOMPUTATION_COUNT_MAX) {
    throw new SpandrelError(
      'RECOMPUTATIONS_TOO_MANY',
      `There are ${OPEN_RECOMPUTATION_COUNT_MAX} recomputations that have not ended; wait for them`,
    );
  }
  return recomputations.create(found?.rowId ?? null);
}

/** @throws {SpandrelError} `RECOMPUTATION_NOT_FOUND` */
export async function getRecomputation(
  { recomputations }: Pick<Ports, 'recomputations'>,
  rowId: number,
): Promise<CostRecomputation> {
  const found = await recomputations.find(rowId);
  if (found) return found;
  throw new SpandrelError('RECOMPUTATION_NOT_FOUND', `Recomputation with id ${rowId} not found`);
}
