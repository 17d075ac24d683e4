import { SpandrelError } from '../../model/errors.ts';
import { toGlobalId } from '../../model/global-id.ts';
import type { Ports } from '../ports.ts';
import { deleteProject } from '../projects/delete-project.ts';

type Parts = Pick<Ports, 'evaluators' | 'projects' | 'writes'>;

/**
 * Takes evaluators from their datasets, all or none, then deletes their traces: a crash in between leaves projects, which
 * can be deleted on their own. An LLM evaluator goes with its last dataset, and on request its prompt with it.
 *
 * @throws {SpandrelError} `DATASET_EVALUATOR_NOT_FOUND`
 */
export async function removeDatasetEvaluators(
  ports: Parts,
  rowIds: readonly number[],
  options: { readonly withPrompts: boolean },
): Promise<void> {
  const deleted = await ports.evaluators.unbind(rowIds, options);
  if (!deleted) {
    const found = await ports.evaluators.findBound(rowIds);
    const missing = rowIds.find((rowId) => !found.has(rowId)) ?? rowIds[0]!;
    throw new SpandrelError(
      'DATASET_EVALUATOR_NOT_FOUND',
      `DatasetEvaluator with ID ${toGlobalId('DatasetEvaluator', missing)} not found`,
    );
  }
  await deleteProjectsOfEvaluators(ports, deleted.projectRowIds);
}

/**
 * Deletes LLM evaluators wherever they are bound, all or none. Their prompts stay.
 *
 * @throws {SpandrelError} `EVALUATOR_NOT_FOUND`
 */
export async function removeLlmEvaluators(ports: Parts, rowIds: readonly number[]): Promise<void> {
  const deleted = await ports.evaluators.deleteLlm(rowIds);
  if (!deleted) {
    const found = await ports.evaluators.findLlm(rowIds);
    const missing = rowIds.find((rowId) => !found.has(rowId)) ?? rowIds[0]!;
    throw new SpandrelError(
      'EVALUATOR_NOT_FOUND',
      `LLMEvaluator with ID ${toGlobalId('LLMEvaluator', missing)} not found`,
    );
  }
  await deleteProjectsOfEvaluators(ports, deleted.projectRowIds);
}

/** Projects that took the traces of evaluators that are bound no more. */
export async function deleteProjectsOfEvaluators(
  ports: Pick<Ports, 'projects' | 'writes'>,
  rowIds: readonly number[],
): Promise<void> {
  const projects = await ports.projects.findByRowIds(rowIds);
  for (const rowId of projects.keys()) await deleteProject(ports, { rowId });
}
