import { SpandrelError } from '../../../model/errors.ts';
import { checkMapping, NO_MAPPING } from '../../../domain/evaluators/input-mapping.ts';
import { type ConfigInput, toNewConfig } from '../annotations/annotation-config-input.ts';
import type { GraphqlContext } from '../context.ts';
import { parseNodeId, rowIdOfNode, rowIdsOfNodes } from '../node.ts';
import { type ChatPromptVersionInput, toContent } from '../prompts/prompt-input.ts';
import { QUERY, type Resolvers } from '../resolvers.ts';
import {
  type BindingChangesInput,
  bindingPayload,
  type MappingInput,
  type NewBindingInput,
  toBindingChanges,
  toNewBinding,
  toProjectDescription,
} from './binding-input.ts';

interface BindingInput {
  readonly name: string;
  readonly description?: string | null;
  readonly inputMapping?: MappingInput | null;
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
  async createDatasetBuiltinEvaluator(_source, { input }: Input<NewBindingInput>, context: GraphqlContext) {
    const inputMapping = input.inputMapping ? checkMapping(input.inputMapping) : NO_MAPPING;
    const binding = { ...toNewBinding(input, 'BuiltInEvaluator'), inputMapping };
    return bindingPayload(await context.domain.evaluators.bindBuiltIn(binding), context);
  },
  async updateDatasetBuiltinEvaluator(_source, { input }: Input<BindingChangesInput>, context: GraphqlContext) {
    const rowId = rowIdOfNode('DatasetEvaluator', input.datasetEvaluatorId);
    return bindingPayload(await context.domain.evaluators.changeBuiltIn(rowId, toBindingChanges(input)), context);
  },
  async createDatasetLlmEvaluator(_source, { input }: Input<LlmInput>, context: GraphqlContext) {
    const rowId = await context.domain.evaluators.bindLlm({
      datasetRowId: rowIdOfNode('Dataset', input.datasetId),
      name: input.name,
      description: input.description || null,
      inputMapping: input.inputMapping ? checkMapping(input.inputMapping) : NO_MAPPING,
      projectDescription: toProjectDescription(input),
      outputConfigs: input.outputConfigs.map(toNewConfig),
      prompt: toPrompt(input),
    });
    return bindingPayload(rowId, context);
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
    return bindingPayload(await context.domain.evaluators.changeLlm(binding, changes, toPrompt(input)), context);
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
    const rowIds = input.evaluatorIds.map((evaluatorId) => {
      const { type, rowId } = parseNodeId(evaluatorId);
      if (type === 'CodeEvaluator') return rowId;
      if (type !== 'BuiltInEvaluator') return rowIdOfNode('LLMEvaluator', evaluatorId);
      throw new SpandrelError('EVALUATOR_INVALID', 'Cannot delete a built-in evaluator');
    });
    await context.domain.evaluators.deleteAuthored([...new Set(rowIds)]);
    context.invalidateReads();
    return { evaluatorIds: input.evaluatorIds, query: QUERY };
  },
};

const toPrompt = ({ promptVersion, promptVersionId }: LlmInput) => ({
  content: toContent(promptVersion),
  promptVersionRowId: promptVersionId ? rowIdOfNode('PromptVersion', promptVersionId) : undefined,
});
