import { expectPresent } from '../../base/expect-present.ts';
import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import type {
  DatasetEvaluator,
  DatasetEvaluatorChanges,
  EvaluatorPrompt,
  InputMapping,
  LlmEvaluatorChanges,
  OutputConfig,
} from '../../model/evaluators/evaluator.ts';
import { DATASET_EVALUATOR_COUNT_MAX } from '../../model/limits/datasets.ts';
import { RowError } from '../../model/row-error.ts';
import type { BindProblem, Bound } from '../../metadata-store/evaluators/bind-evaluators.ts';
import { datasetUnknown } from '../datasets/change-dataset.ts';
import type { Ports } from '../ports.ts';
import { newTraceProjectName } from '../projects/trace-project-name.ts';
import { checkLlmPrompt } from './check-llm-prompt.ts';
import { checkLlmOutputs, checkOverrides } from './check-outputs.ts';
import { invalid } from './input-mapping.ts';

// Evaluators are bound to datasets, and bindings changed. Each returns the row id of the binding.

type Evaluators = Pick<Ports, 'evaluators' | 'caller'>;

export interface NewBinding {
  readonly datasetRowId: number;
  /** An identifier. */
  readonly name: string;
  readonly description: string | null;
  readonly inputMapping: InputMapping;
  /** Description of the project that stores its traces. */
  readonly projectDescription: string;
}

/** @throws {SpandrelError} `DATASET_NOT_FOUND`, `EVALUATOR_NOT_FOUND`, `DATASET_EVALUATOR_NAME_TAKEN`, `EVALUATOR_INVALID` */
export async function bindBuiltIn(
  { evaluators, caller }: Evaluators,
  binding: NewBinding & { readonly evaluatorRowId: number; readonly outputConfigs: readonly OutputConfig[] | null },
): Promise<number> {
  const { evaluatorRowId, outputConfigs } = binding;
  const base = (await evaluators.findBuiltIn([evaluatorRowId])).get(evaluatorRowId) ?? unknownBuiltIn(evaluatorRowId);
  if (outputConfigs) checkOverrides(outputConfigs, base.outputConfigs);
  const created = { ...binding, projectName: newTraceProjectName('Evaluator'), userId: authorOf(caller) };
  return settle(await evaluators.bindStored({ ...created, kind: 'BUILTIN' }), binding, STORED_TAKEN);
}

/**
 * Creates an LLM evaluator with its prompt for a dataset.
 *
 * @throws {SpandrelError} `DATASET_NOT_FOUND`, `PROMPT_VERSION_NOT_FOUND`, `DATASET_EVALUATOR_NAME_TAKEN`, `EVALUATOR_INVALID`
 */
export async function bindLlm(
  { evaluators, caller }: Evaluators,
  binding: NewBinding & { readonly outputConfigs: readonly OutputConfig[]; readonly prompt: EvaluatorPrompt },
): Promise<number> {
  checkLlmOutputs(binding.outputConfigs);
  checkLlmPrompt(binding.prompt.content, binding.outputConfigs, binding.description);
  const created = { ...binding, projectName: newTraceProjectName('Evaluator'), userId: authorOf(caller) };
  return settle(await evaluators.bindLlm(created), binding, LLM_TAKEN);
}

/** @throws {SpandrelError} `DATASET_EVALUATOR_NOT_FOUND`, `DATASET_EVALUATOR_NAME_TAKEN`, `EVALUATOR_INVALID` */
export async function changeBuiltIn(
  { evaluators }: Evaluators,
  rowId: number,
  changes: DatasetEvaluatorChanges,
): Promise<number> {
  const binding = await getBinding(evaluators, rowId);
  if (binding.evaluator.kind !== 'BUILTIN') return invalid('Cannot update a non-built-in evaluator');
  const baseRowId = binding.evaluator.rowId;
  const base = (await evaluators.findBuiltIn([baseRowId])).get(baseRowId) ?? unknownBinding(rowId);
  if (changes.outputConfigs) checkOverrides(changes.outputConfigs, base.outputConfigs);
  const problem = await evaluators.updateStored(binding, changes);
  return settle(problem ?? rowId, { ...binding, name: changes.name }, STORED_TAKEN);
}

/** @throws {SpandrelError} like `bindLlm`, and `DATASET_EVALUATOR_NOT_FOUND` */
export async function changeLlm(
  { evaluators, caller }: Evaluators,
  { rowId, datasetRowId }: { readonly rowId: number; readonly datasetRowId: number },
  changes: LlmEvaluatorChanges,
  prompt: EvaluatorPrompt,
): Promise<number> {
  const binding = await getBinding(evaluators, rowId);
  if (binding.datasetRowId !== datasetRowId) unknownBinding(rowId);
  if (binding.evaluator.kind !== 'LLM') return invalid('Cannot update a built-in evaluator');
  checkLlmOutputs(changes.outputConfigs);
  checkLlmPrompt(prompt.content, changes.outputConfigs, changes.description);
  const problem = await evaluators.updateLlm(binding, changes, prompt, authorOf(caller));
  return settle(problem ?? rowId, { ...binding, name: changes.name }, LLM_TAKEN);
}

export async function getBinding(evaluators: Ports['evaluators'], rowId: number): Promise<DatasetEvaluator> {
  return (await evaluators.findBound([rowId])).get(rowId) ?? unknownBinding(rowId);
}

interface Named {
  readonly datasetRowId: number;
  readonly name: string;
}

export const STORED_TAKEN = ({ datasetRowId, name }: Named): never => {
  throw new RowError(
    'DATASET_EVALUATOR_NAME_TAKEN',
    'Dataset',
    [datasetRowId],
    (id) => `DatasetEvaluator with name ${name} already exists for dataset ${id}`,
  );
};
const LLM_TAKEN = ({ name }: Named): never => {
  const message = `An evaluator with name '${name}' already exists for this dataset`;
  throw new SpandrelError('DATASET_EVALUATOR_NAME_TAKEN', message);
};

export function settle(
  bound: Bound,
  binding: Named & Partial<{ evaluatorRowId: number; rowId: number }>,
  taken: (binding: Named) => never,
): number {
  if (typeof bound === 'number') return bound;
  const problems: Readonly<Record<BindProblem, () => never>> = {
    datasetUnknown: () => datasetUnknown(binding.datasetRowId),
    evaluatorUnknown: () => unknownBuiltIn(expectPresent(binding.evaluatorRowId, 'a new binding names its evaluator')),
    bindingUnknown: () => unknownBinding(expectPresent(binding.rowId, 'a stored binding has a row ID')),
    nameTaken: () => taken(binding),
    promptVersionUnknown: () => {
      throw new SpandrelError('PROMPT_VERSION_NOT_FOUND', 'The prompt version of the evaluator was not found');
    },
    tooMany: () => invalid(`The dataset already has ${DATASET_EVALUATOR_COUNT_MAX} evaluators, the maximum`),
  };
  return problems[bound]();
}

function unknownBuiltIn(rowId: number): never {
  throw new RowError(
    'EVALUATOR_NOT_FOUND',
    'BuiltInEvaluator',
    [rowId],
    (id) => `BuiltInEvaluator with ID ${id} not found`,
  );
}

function unknownBinding(rowId: number): never {
  throw new RowError(
    'DATASET_EVALUATOR_NOT_FOUND',
    'DatasetEvaluator',
    [rowId],
    (id) => `DatasetEvaluator with ID ${id} not found`,
  );
}
