import { SpandrelError } from '../../../model/errors.ts';
import { checkMapping, NO_MAPPING } from '../../../domain/evaluators/input-mapping.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { type ConfigInput, toNewConfig } from '../annotations/annotation-config-input.ts';
import { reject } from '../arguments.ts';
import type { GraphqlContext } from '../context.ts';
import { parseNodeId, rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { type ChatPromptVersionInput, toContent } from '../prompts/prompt-input.ts';
import { datasetEvaluatorRef, QUERY, type Resolvers } from '../resolvers.ts';

interface MappingInput {
  readonly literalMapping: unknown;
  readonly pathMapping: unknown;
}
interface BindingInput {
  readonly name: string;
  readonly description?: string | null;
  readonly inputMapping?: MappingInput | null;
}
interface BuiltInInput extends BindingInput {
  readonly outputConfigs?: readonly ConfigInput[] | null;
}
interface LlmInput extends BindingInput {
  readonly datasetId: string;
  readonly promptVersionId?: string | null;
  readonly promptVersion: ChatPromptVersionInput;
  readonly outputConfigs: readonly ConfigInput[];
}
interface Input<Fields> {
  readonly input: Fields;
}

export const evaluatorMutations: Resolvers = {
  async createDatasetBuiltinEvaluator(
    _source,
    { input }: Input<BuiltInInput & { readonly datasetId: string; readonly evaluatorId: string }>,
    context: GraphqlContext,
  ) {
    const rowId = await context.domain.evaluators.bindBuiltIn({
      datasetRowId: rowIdOfNode('Dataset', input.datasetId),
      evaluatorRowId: rowIdOfNode('BuiltInEvaluator', input.evaluatorId),
      name: input.name,
      description: toDescription(input.description) ?? null,
      inputMapping: input.inputMapping ? checkMapping(input.inputMapping) : NO_MAPPING,
      projectDescription: toProjectDescription(input),
      outputConfigs: toOverrides(input.outputConfigs) ?? null,
    });
    return payload(rowId, context);
  },
  /** Absent fields keep their value. A description or configs that are null are replaced by those of the evaluator. */
  async updateDatasetBuiltinEvaluator(
    _source,
    { input }: Input<BuiltInInput & { readonly datasetEvaluatorId: string }>,
    context: GraphqlContext,
  ) {
    const { name, inputMapping } = input;
    const rowId = await context.domain.evaluators.changeBuiltIn(
      rowIdOfNode('DatasetEvaluator', input.datasetEvaluatorId),
      {
        name,
        description: toDescription(input.description),
        inputMapping: inputMapping ? checkMapping(inputMapping) : undefined,
        outputConfigs: toOverrides(input.outputConfigs),
      },
    );
    return payload(rowId, context);
  },
  async createDatasetLlmEvaluator(_source, { input }: Input<LlmInput>, context: GraphqlContext) {
    if (!input.inputMapping) return reject('input_mapping is required');
    const rowId = await context.domain.evaluators.bindLlm({
      datasetRowId: rowIdOfNode('Dataset', input.datasetId),
      name: input.name,
      description: input.description || null,
      inputMapping: checkMapping(input.inputMapping),
      projectDescription: toProjectDescription(input),
      outputConfigs: input.outputConfigs.map(toNewConfig),
      prompt: toPrompt(input),
    });
    return payload(rowId, context);
  },
  async updateDatasetLlmEvaluator(
    _source,
    { input }: Input<LlmInput & { readonly datasetEvaluatorId: string }>,
    context: GraphqlContext,
  ) {
    const { name, description, inputMapping } = input;
    const binding = {
      rowId: rowIdOfNode('DatasetEvaluator', input.datasetEvaluatorId),
      datasetRowId: rowIdOfNode('Dataset', input.datasetId),
    };
    const changes = {
      name,
      description: description || null,
      inputMapping: inputMapping ? checkMapping(inputMapping) : undefined,
      outputConfigs: input.outputConfigs.map(toNewConfig),
    };
    return payload(await context.domain.evaluators.changeLlm(binding, changes, toPrompt(input)), context);
  },
  async deleteDatasetEvaluators(
    _source,
    { input }: Input<{ readonly datasetEvaluatorIds: readonly string[]; readonly deleteAssociatedPrompt: boolean }>,
    context: GraphqlContext,
  ) {
    const rowIds = [...new Set(rowIdsOfNodes('DatasetEvaluator', input.datasetEvaluatorIds))];
    await context.domain.evaluators.unbind(rowIds, { withPrompts: input.deleteAssociatedPrompt });
    context.invalidateReads();
    return { datasetEvaluatorIds: input.datasetEvaluatorIds, query: QUERY };
  },
  async deleteEvaluators(
    _source,
    { input }: Input<{ readonly evaluatorIds: readonly string[] }>,
    context: GraphqlContext,
  ) {
    for (const evaluatorId of input.evaluatorIds) {
      if (parseNodeId(evaluatorId).type !== 'BuiltInEvaluator') continue;
      throw new SpandrelError('EVALUATOR_INVALID', 'Cannot delete a built-in evaluator');
    }
    await context.domain.evaluators.deleteLlm([...new Set(rowIdsOfNodes('LLMEvaluator', input.evaluatorIds))]);
    context.invalidateReads();
    return { evaluatorIds: input.evaluatorIds, query: QUERY };
  },
};

/** Description of the project that stores the traces of a binding. */
const toProjectDescription = ({ datasetId, name }: { readonly datasetId: string; readonly name: string }): string =>
  `dataset_id: ${toGlobalId('Dataset', rowIdOfNode('Dataset', datasetId))}\nevaluator: ${name}`;

const toDescription = (description: string | null | undefined): string | null | undefined =>
  description === undefined ? undefined : description?.trim() || null;

/** An empty list means the configs of the evaluator. */
const toOverrides = (configs: readonly ConfigInput[] | null | undefined) =>
  configs === undefined ? undefined : configs?.length ? configs.map(toNewConfig) : null;

const toPrompt = ({ promptVersion, promptVersionId }: LlmInput) => ({
  content: toContent(promptVersion),
  promptVersionRowId: promptVersionId ? rowIdOfNode('PromptVersion', promptVersionId) : undefined,
});

function payload(rowId: number, context: GraphqlContext): object {
  context.invalidateReads();
  return { evaluator: datasetEvaluatorRef(rowId), query: QUERY };
}
