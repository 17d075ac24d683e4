import type { NewPromptVersionTag } from '../../../model/prompts/prompt.ts';
import type { GraphqlContext } from '../context.ts';
import { rowIdOfNode } from '../node.ts';
import { type NodeRef, promptRef, promptVersionTagRef, QUERY, type Resolvers } from '../resolvers.ts';
import { type ChatPromptVersionInput, checkObject, toContent } from './prompt-input.ts';

interface PromptFields {
  readonly description?: string | null;
  readonly metadata?: unknown;
}
interface VersionFields {
  readonly promptVersion: ChatPromptVersionInput;
  readonly tags?: readonly NewPromptVersionTag[] | null;
}
interface Input<Fields> {
  readonly input: Fields;
}

export const promptMutations: Resolvers = {
  async createChatPrompt(
    _source,
    { input }: Input<PromptFields & VersionFields & { readonly name: string }>,
    context: GraphqlContext,
  ) {
    const content = toContent(input.promptVersion);
    const prompt = { name: input.name, ...toChanges(input) };
    const { promptId } = await context.domain.prompts.addVersion({ new: prompt }, content, input.tags ?? []);
    return changed(promptId, context);
  },
  async createChatPromptVersion(
    _source,
    { input }: Input<VersionFields & { readonly promptId: string }>,
    context: GraphqlContext,
  ) {
    const content = toContent(input.promptVersion);
    const rowId = rowIdOfNode('Prompt', input.promptId);
    await context.domain.prompts.addVersion({ rowId }, content, input.tags ?? []);
    return changed(rowId, context);
  },
  async clonePrompt(
    _source,
    {
      input,
    }: Input<
      PromptFields & { readonly name: string; readonly promptId: string; readonly promptVersionId?: string | null }
    >,
    context: GraphqlContext,
  ) {
    const promptId = rowIdOfNode('Prompt', input.promptId);
    const prompt = { name: input.name, ...toChanges(input) };
    const { promptVersionId } = input;
    const versionId = typeof promptVersionId === 'string' ? rowIdOfNode('PromptVersion', promptVersionId) : undefined;
    return changed(await context.domain.prompts.clone(promptId, prompt, versionId), context);
  },
  async patchPrompt(_source, { input }: Input<PromptFields & { readonly promptId: string }>, context: GraphqlContext) {
    const rowId = rowIdOfNode('Prompt', input.promptId);
    await context.domain.prompts.update({ rowId }, toChanges(input));
    return changed(rowId, context);
  },
  async deletePrompt(_source, { input }: Input<{ readonly promptId: string }>, context: GraphqlContext) {
    await context.domain.prompts.delete({ rowId: rowIdOfNode('Prompt', input.promptId) });
    context.invalidateReads();
    return { query: QUERY };
  },
  async setPromptVersionTag(
    _source,
    { input }: Input<NewPromptVersionTag & { readonly promptVersionId: string }>,
    context: GraphqlContext,
  ) {
    const tag = await context.domain.prompts.setTag(rowIdOfNode('PromptVersion', input.promptVersionId), input);
    const prompt = changed(tag.promptId, context);
    return { promptVersionTag: promptVersionTagRef(tag.rowId), prompt, query: QUERY };
  },
  async deletePromptVersionTag(
    _source,
    { input }: Input<{ readonly promptVersionTagId: string }>,
    context: GraphqlContext,
  ) {
    const rowId = rowIdOfNode('PromptVersionTag', input.promptVersionTagId);
    const tag = await context.domain.prompts.deleteTag({ rowId });
    return { promptVersionTag: null, prompt: changed(tag.promptId, context), query: QUERY };
  },
};

/** The given fields. Null metadata means none. */
const toChanges = ({ description, metadata }: PromptFields) => ({
  ...(description !== undefined && { description }),
  ...(metadata !== undefined && { metadata: metadata === null ? {} : checkObject('metadata', metadata) }),
});

function changed(promptId: number, context: GraphqlContext): NodeRef {
  context.invalidateReads();
  return promptRef(promptId);
}
