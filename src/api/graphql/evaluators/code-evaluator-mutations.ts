import type { CodeLanguage } from '../../../model/evaluators/sandbox-config.ts';
import { checkMapping, NO_MAPPING } from '../../../domain/evaluators/input-mapping.ts';
import { type ConfigInput, toNewConfig } from '../annotations/annotation-config-input.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { codeEvaluatorRef, QUERY, type Resolvers } from '../resolvers.ts';
import {
  type BindingChangesInput,
  bindingPayload,
  type MappingInput,
  type NewBindingInput,
  toBindingChanges,
  toDescription,
  toNewBinding,
} from './binding-input.ts';

interface CreateInput {
  readonly name: string;
  readonly sourceCode: string;
  readonly language: CodeLanguage;
  readonly sandboxConfigId: string;
  readonly description?: string | null;
  readonly outputConfigs?: readonly ConfigInput[] | null;
  readonly inputMapping?: MappingInput | null;
}
interface PatchInput extends Partial<Omit<CreateInput, 'name' | 'sandboxConfigId'>> {
  readonly id: string;
  readonly name?: string | null;
  readonly sandboxConfigId?: string | null;
}
interface Input<Fields> {
  readonly input: Fields;
}

export const codeEvaluatorMutations: Resolvers = {
  async createCodeEvaluator(_source, { input }: Input<CreateInput>, context: GraphqlContext) {
    const rowId = await context.domain.evaluators.createCode({
      name: input.name,
      description: toDescription(input.description) ?? null,
      language: input.language,
      sourceCode: input.sourceCode,
      sandboxConfigRowId: rowIdOfNode('SandboxConfig', input.sandboxConfigId),
      inputMapping: input.inputMapping ? checkMapping(input.inputMapping) : NO_MAPPING,
      outputConfigs: input.outputConfigs?.map(toNewConfig) ?? [],
    });
    return payload(rowId, context);
  },
  async patchCodeEvaluator(_source, { input }: Input<PatchInput>, context: GraphqlContext) {
    const { name, sandboxConfigId, inputMapping, outputConfigs } = input;
    const rowId = rowIdOfNode('CodeEvaluator', input.id);
    await context.domain.evaluators.patchCode(rowId, {
      name: name ?? undefined,
      description: toDescription(input.description),
      sandboxConfigRowId: sandboxConfigId ? rowIdOfNode('SandboxConfig', sandboxConfigId) : undefined,
      inputMapping: inputMapping ? checkMapping(inputMapping) : undefined,
      outputConfigs: outputConfigs?.map(toNewConfig),
    });
    return payload(rowId, context);
  },
  async createCodeEvaluatorVersion(
    _source,
    { input }: Input<{ readonly codeEvaluatorId: string; readonly sourceCode: string }>,
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfNode('CodeEvaluator', input.codeEvaluatorId);
    const wasCreated = await context.domain.evaluators.addCodeVersion(rowId, input.sourceCode);
    return { ...payload(rowId, context), wasCreated };
  },
  async createDatasetCodeEvaluator(_source, { input }: Input<NewBindingInput>, context: GraphqlContext) {
    const inputMapping = input.inputMapping ? checkMapping(input.inputMapping) : null;
    const binding = { ...toNewBinding(input, 'CodeEvaluator'), inputMapping };
    return bindingPayload(await context.domain.evaluators.bindCode(binding), context);
  },
  async updateDatasetCodeEvaluator(_source, { input }: Input<BindingChangesInput>, context: GraphqlContext) {
    const rowId = rowIdOfNode('DatasetEvaluator', input.datasetEvaluatorId);
    return bindingPayload(await context.domain.evaluators.changeCode(rowId, toBindingChanges(input)), context);
  },
};

function payload(rowId: number, context: GraphqlContext): object {
  context.invalidateReads();
  return { evaluator: codeEvaluatorRef(rowId), query: QUERY };
}
