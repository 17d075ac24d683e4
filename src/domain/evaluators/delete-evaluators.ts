import { expectPresent } from '../../base/expect-present.ts';
import { RowError } from '../../model/row-error.ts';
import type { AuditParts } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { deleteProject } from '../projects/delete-project.ts';

type Parts = Pick<Ports, 'evaluators' | 'jobRunner' | 'projects' | 'onlineEvaluators' | 'writes'> & AuditParts;

/**
 * Removes evaluators from their datasets, all or none, then deletes their traces: a crash in between leaves projects,
 * which can be deleted separately. An LLM evaluator is deleted with its last dataset, and on request with its prompt.
 *
 * @throws {SpandrelError} `DATASET_EVALUATOR_NOT_FOUND`
 */
export async function unbindEvaluators(
  ports: Parts,
  rowIds: readonly number[],
  options: { readonly withPrompts: boolean },
): Promise<void> {
  const deleted = await ports.evaluators.unbind(rowIds, options);
  if (!deleted) {
    const found = await ports.evaluators.findBound(rowIds);
    const missing =
      rowIds.find((rowId) => !found.has(rowId)) ?? expectPresent(rowIds[0], 'only a missing row stops a deletion');
    throw new RowError(
      'DATASET_EVALUATOR_NOT_FOUND',
      'DatasetEvaluator',
      [missing],
      (id) => `DatasetEvaluator with ID ${id} not found`,
    );
  }
  // Evaluations in flight would create the deleted projects again.
  await ports.jobRunner.dropEvaluators(rowIds);
  await deleteProjectsOfEvaluators(ports, deleted.projectRowIds);
}

/**
 * Deletes LLM and code evaluators with all of their bindings, all or none. Their prompts stay.
 *
 * @throws {SpandrelError} `EVALUATOR_NOT_FOUND`
 */
export async function deleteAuthoredEvaluators(ports: Parts, rowIds: readonly number[]): Promise<void> {
  const deleted = await ports.evaluators.deleteAuthored(rowIds);
  if (!deleted) {
    const [judges, code] = [await ports.evaluators.findLlm(rowIds), await ports.evaluators.findCode(rowIds)];
    const found = new Set([...judges.keys(), ...code.keys()]);
    const missing =
      rowIds.find((rowId) => !found.has(rowId)) ?? expectPresent(rowIds[0], 'only a missing row stops a deletion');
    throw new RowError(
      'EVALUATOR_NOT_FOUND',
      'LLMEvaluator',
      [missing],
      (id) => `LLMEvaluator with ID ${id} not found`,
    );
  }
  await deleteProjectsOfEvaluators(ports, deleted.projectRowIds);
}

/** Deletes the projects that stored the traces of evaluators that have been removed from their datasets. */
export async function deleteProjectsOfEvaluators(
  ports: Pick<Ports, 'projects' | 'onlineEvaluators' | 'writes'> & AuditParts,
  rowIds: readonly number[],
): Promise<void> {
  const projects = await ports.projects.findByRowIds(rowIds);
  for (const rowId of projects.keys()) await deleteProject(ports, { rowId });
}
