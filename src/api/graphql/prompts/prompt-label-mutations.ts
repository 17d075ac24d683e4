import type { NewPromptLabel, PromptLabel } from '../../../model/prompts/prompt.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { promptLabelRef, QUERY, type Resolvers } from '../resolvers.ts';

interface LinkInput {
  readonly input: { readonly promptId: string; readonly promptLabelIds: readonly string[] };
}
interface LabelFields {
  readonly name?: string | null;
  readonly description?: string | null;
  readonly color?: string | null;
}

export const promptLabelMutations: Resolvers = {
  async createPromptLabel(_source, { input }: { readonly input: NewPromptLabel }, context: GraphqlContext) {
    return payload(await context.domain.prompts.createLabel(input), context);
  },
  async patchPromptLabel(
    _source,
    { input }: { readonly input: LabelFields & { readonly promptLabelId: string } },
    context: GraphqlContext,
  ) {
    const { name, description, color } = input;
    const label = await context.domain.prompts.updateLabel(rowIdOfNode('PromptLabel', input.promptLabelId), {
      ...(typeof name === 'string' && { name }),
      ...(description !== undefined && { description }),
      ...(typeof color === 'string' && { color }),
    });
    return payload(label, context);
  },
  async deletePromptLabels(
    _source,
    { input }: { readonly input: { readonly promptLabelIds: readonly string[] } },
    context: GraphqlContext,
  ) {
    const deleted = await context.domain.prompts.deleteLabels(labelIds(input.promptLabelIds));
    context.invalidateReads();
    return { deletedPromptLabelIds: deleted.map((rowId) => toGlobalId('PromptLabel', rowId)), query: QUERY };
  },
  async setPromptLabels(_source, { input }: LinkInput, context: GraphqlContext) {
    await context.domain.prompts.addLabels(rowIdOfNode('Prompt', input.promptId), labelIds(input.promptLabelIds));
    context.invalidateReads();
    return { query: QUERY };
  },
  async unsetPromptLabels(_source, { input }: LinkInput, context: GraphqlContext) {
    await context.domain.prompts.removeLabels(rowIdOfNode('Prompt', input.promptId), labelIds(input.promptLabelIds));
    context.invalidateReads();
    return { query: QUERY };
  },
};

const labelIds = (ids: readonly string[]): number[] => ids.map((labelId) => rowIdOfNode('PromptLabel', labelId));

function payload(label: PromptLabel, context: GraphqlContext): object {
  context.invalidateReads();
  context.loaders.promptLabels.prime(label.rowId, label);
  return { promptLabels: [promptLabelRef(label.rowId)], query: QUERY };
}
