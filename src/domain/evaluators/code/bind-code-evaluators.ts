import { authorOf } from '../../../model/access/caller.ts';
import type { DatasetEvaluatorChanges, InputMapping, OutputConfig } from '../../../model/evaluators/evaluator.ts';
import type { Ports } from '../../ports.ts';
import { newTraceProjectName } from '../../projects/trace-project-name.ts';
import { getBinding, type NewBinding, STORED_TAKEN, settle } from '../bind-evaluators.ts';
import { checkCodeOutputs } from '../check-outputs.ts';
import { invalid } from '../input-mapping.ts';
import { codeUnknown } from './change-code-evaluators.ts';

type Evaluators = Pick<Ports, 'evaluators' | 'caller'>;

/**
 * Binds a code evaluator to a dataset. Without a mapping, the binding gets that of the evaluator.
 *
 * @returns the row id of the binding
 * @throws {SpandrelError} `DATASET_NOT_FOUND`, `EVALUATOR_NOT_FOUND`, `DATASET_EVALUATOR_NAME_TAKEN`, `EVALUATOR_INVALID`
 */
export async function bindCode(
  { evaluators, caller }: Evaluators,
  binding: Omit<NewBinding, 'inputMapping'> & {
    readonly evaluatorRowId: number;
    readonly inputMapping: InputMapping | null;
    readonly outputConfigs: readonly OutputConfig[] | null;
  },
): Promise<number> {
  const { evaluatorRowId, outputConfigs } = binding;
  const base = (await evaluators.findCode([evaluatorRowId])).get(evaluatorRowId) ?? codeUnknown(evaluatorRowId);
  if (outputConfigs) checkCodeOutputs(outputConfigs);
  const bound = await evaluators.bindStored({
    ...binding,
    kind: 'CODE',
    inputMapping: binding.inputMapping ?? base.inputMapping,
    projectName: newTraceProjectName('Evaluator'),
    userId: authorOf(caller),
  });
  return bound === 'evaluatorUnknown' ? codeUnknown(evaluatorRowId) : settle(bound, binding, STORED_TAKEN);
}

/** @throws {SpandrelError} `DATASET_EVALUATOR_NOT_FOUND`, `DATASET_EVALUATOR_NAME_TAKEN`, `EVALUATOR_INVALID` */
export async function changeCode(
  { evaluators }: Evaluators,
  rowId: number,
  changes: DatasetEvaluatorChanges,
): Promise<number> {
  const binding = await getBinding(evaluators, rowId);
  if (binding.evaluator.kind !== 'CODE') return invalid('Cannot update a non-code evaluator');
  if (changes.outputConfigs) checkCodeOutputs(changes.outputConfigs);
  const problem = await evaluators.updateStored(binding, changes);
  return settle(problem ?? rowId, { ...binding, name: changes.name }, STORED_TAKEN);
}
