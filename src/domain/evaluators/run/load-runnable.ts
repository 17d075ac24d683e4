import { SpandrelError } from '../../../model/errors.ts';
import type {
  BuiltInEvaluator,
  EvaluatorRef,
  InputMapping,
  OutputConfig,
} from '../../../model/evaluators/evaluator.ts';
import type { PromptVersion } from '../../../model/prompts/prompt.ts';
import { RowError } from '../../../model/row-error.ts';
import type { Ports } from '../../ports.ts';
import type { SandboxParts } from '../../sandboxes/find-usable-config.ts';
import { loadCode } from '../code/load-code.ts';
import type { Runnable } from './runnable.ts';

export type LoadPorts = Pick<Ports, 'evaluators' | 'projects' | 'prompts'> & SandboxParts;

/**
 * Loads an evaluator of a dataset with everything that its runs need.
 *
 * @throws {SpandrelError} `DATASET_EVALUATOR_NOT_FOUND`, also while it is being deleted; `PROMPT_VERSION_NOT_FOUND`
 */
export async function loadRunnable(ports: LoadPorts, datasetEvaluatorRowId: number): Promise<Runnable> {
  const unknown = () => bindingUnknown(datasetEvaluatorRowId);
  const binding = (await ports.evaluators.findBound([datasetEvaluatorRowId])).get(datasetEvaluatorRowId) ?? unknown();
  const { evaluator, inputMapping, outputConfigs, projectRowId } = binding;
  const project = (await ports.projects.findByRowIds([projectRowId])).get(projectRowId);
  const projectName = project?.name ?? null;
  return (await loadEvaluator(ports, evaluator, { inputMapping, outputConfigs, projectName })) ?? unknown();
}

/** How an evaluator is used. */
export interface EvaluatorUse {
  readonly inputMapping: InputMapping;
  /** Null: those of the evaluator. */
  readonly outputConfigs: readonly OutputConfig[] | null;
  readonly projectName: string | null;
  /** Version of the prompt of an LLM evaluator. Default: that of its tag, else the newest. */
  readonly promptVersionRowId?: number | undefined;
}

/**
 * Loads an evaluator for a use. Undefined when it does not exist.
 *
 * @throws {SpandrelError} `PROMPT_VERSION_NOT_FOUND`
 */
export async function loadEvaluator(
  ports: LoadPorts,
  { kind, rowId }: EvaluatorRef,
  use: EvaluatorUse,
): Promise<Runnable | undefined> {
  if (kind === 'LLM') return loadLlm(ports, rowId, use);
  if (kind === 'CODE') return loadCode(ports, rowId, use);
  const found = (await ports.evaluators.findBuiltIn([rowId])).get(rowId);
  return found && toRunnableBuiltIn(found, use);
}

export const toRunnableBuiltIn = (
  { name, inputSchema, outputConfigs }: BuiltInEvaluator,
  use: EvaluatorUse,
): Runnable => ({
  kind: 'BUILTIN',
  name,
  key: name,
  inputSchema,
  inputMapping: use.inputMapping,
  outputConfigs: use.outputConfigs ?? outputConfigs,
  projectName: use.projectName,
});

async function loadLlm(ports: LoadPorts, rowId: number, use: EvaluatorUse): Promise<Runnable | undefined> {
  const found = (await ports.evaluators.findLlm([rowId])).get(rowId);
  if (!found) return undefined;
  const { promptId, promptVersionTagId } = found;
  const version = await findVersion(ports, promptId, promptVersionTagId, use.promptVersionRowId);
  const prompt = (await ports.prompts.findByRowIds([promptId])).get(promptId);
  if (!version || version.promptId !== promptId || !prompt) {
    throw new SpandrelError(
      'PROMPT_VERSION_NOT_FOUND',
      `The prompt version of the evaluator '${found.name}' was not found`,
    );
  }
  return {
    kind: 'LLM',
    name: found.name,
    promptName: prompt.name,
    promptVersionRowId: version.rowId,
    prompt: version,
    inputMapping: use.inputMapping,
    outputConfigs: use.outputConfigs ?? found.outputConfigs,
    projectName: use.projectName,
  };
}

async function findVersion(
  { prompts }: LoadPorts,
  promptId: number,
  tagId: number | null,
  chosenRowId: number | undefined,
): Promise<PromptVersion | undefined> {
  const tag = chosenRowId === undefined && tagId !== null ? (await prompts.findTags([tagId])).get(tagId) : undefined;
  const rowId = chosenRowId ?? tag?.promptVersionId;
  if (rowId === undefined) return prompts.findLatestVersion({ rowId: promptId });
  return (await prompts.findVersions([rowId])).get(rowId);
}

export function bindingUnknown(rowId: number): never {
  throw new RowError(
    'DATASET_EVALUATOR_NOT_FOUND',
    'DatasetEvaluator',
    [rowId],
    (id) => `DatasetEvaluator with ID ${id} not found`,
  );
}
