import type { NewPromptVersionTag } from '../../../model/prompt.ts';
import {
  addChatPromptVersion,
  clonePrompt,
  createChatPrompt,
  patchPrompt,
  removePrompt,
} from '../../../domain/prompts/edit-prompts.ts';
import { refuse } from '../arguments.ts';
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
    return changed(await createChatPrompt(context.domain, prompt, content, input.tags ?? []), context);
  },
  async createChatPromptVersion(
    _source,
    { input }: Input<VersionFields & { readonly promptId: string }>,
    context: GraphqlContext,
  ) {
    const content = toContent(input.promptVersion);
    const promptId = rowIdOfNode('Prompt', input.promptId);
    return changed(await addChatPromptVersion(context.domain, promptId, content, input.tags ?? []), context);
  },
  async clonePrompt(
    _source,
    { input }: Input<PromptFields & { readonly name: string; readonly promptId: string }>,
    context: GraphqlContext,
  ) {
    const promptId = rowIdOfNode('Prompt', input.promptId);
    return changed(await clonePrompt(context.domain, promptId, { name: input.name, ...toChanges(input) }), context);
  },
  async patchPrompt(_source, { input }: Input<PromptFields & { readonly promptId: string }>, context: GraphqlContext) {
    const changes = toChanges(input);
    if (Object.keys(changes).length === 0) refuse('No fields provided to update');
    return changed(await patchPrompt(context.domain, rowIdOfNode('Prompt', input.promptId), changes), context);
  },
  async deletePrompt(_source, { input }: Input<{ readonly promptId: string }>, context: GraphqlContext) {
    await removePrompt(context.domain, rowIdOfNode('Prompt', input.promptId));
    context.forgetReads();
    return { query: QUERY };
  },
  async setPromptVersionTag(
    _source,
    { input }: Input<NewPromptVersionTag & { readonly promptVersionId: string }>,
    context: GraphqlContext,
  ) {
    const tag = await context.domain.prompts.setTag(rowIdOfNode('PromptVersion', input.promptVersionId), input);
    if (!tag) return refuse(`PromptVersion with ID ${input.promptVersionId} not found.`);
    const prompt = changed(tag.promptId, context);
    return { promptVersionTag: promptVersionTagRef(tag.rowId), prompt, query: QUERY };
  },
  async deletePromptVersionTag(
    _source,
    { input }: Input<{ readonly promptVersionTagId: string }>,
    context: GraphqlContext,
  ) {
    const tag = await context.domain.prompts.deleteTag(rowIdOfNode('PromptVersionTag', input.promptVersionTagId));
    if (!tag) return refuse(`PromptVersionTag with ID ${input.promptVersionTagId} not found.`);
    return { promptVersionTag: null, prompt: changed(tag.promptId, context), query: QUERY };
  },
};

/** What is given; null metadata is none. */
const toChanges = ({ description, metadata }: PromptFields) => ({
  ...(description !== undefined && { description: description?.trim() || null }),
  ...(metadata !== undefined && { metadata: metadata === null ? {} : checkObject('metadata', metadata) }),
});

function changed(promptId: number, context: GraphqlContext): NodeRef {
  context.forgetReads();
  return promptRef(promptId);
}
