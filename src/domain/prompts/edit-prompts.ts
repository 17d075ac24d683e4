import { toGlobalId } from '../../model/global-id.ts';
import type { NewPrompt, NewPromptVersionTag, PromptChanges, PromptContent } from '../../model/prompt.ts';
import type { Ports } from '../ports.ts';
import { promptNotFound } from './change-prompt.ts';

// What is done to a prompt by its row id. Each returns the row id of the prompt that was made or changed.

type Prompts = Pick<Ports, 'prompts'>;

/** @throws {SpandrelError} `PROMPT_NAME_TAKEN` */
export async function createChatPrompt(
  { prompts }: Prompts,
  prompt: NewPrompt,
  content: PromptContent,
  tags: readonly NewPromptVersionTag[],
): Promise<number> {
  return (await prompts.addVersion({ new: prompt }, content, tags))!.promptId;
}

/** @throws {SpandrelError} `PROMPT_NOT_FOUND` */
export async function addChatPromptVersion(
  { prompts }: Prompts,
  promptId: number,
  content: PromptContent,
  tags: readonly NewPromptVersionTag[],
): Promise<number> {
  return (await prompts.addVersion({ rowId: promptId }, content, tags))?.promptId ?? notFound(promptId);
}

/**
 * A prompt of another name with all versions of this one, without their tags. Description and metadata are those of the
 * source where they are not given.
 *
 * @throws {SpandrelError} `PROMPT_NOT_FOUND`, `PROMPT_NAME_TAKEN`
 */
export async function clonePrompt({ prompts }: Prompts, sourceId: number, prompt: NewPrompt): Promise<number> {
  const source = (await prompts.findByRowIds([sourceId])).get(sourceId) ?? notFound(sourceId);
  const { description, metadata } = source;
  return (await prompts.clone(sourceId, { description, metadata, ...prompt })) ?? notFound(sourceId);
}

/** @throws {SpandrelError} `PROMPT_NOT_FOUND` */
export async function patchPrompt({ prompts }: Prompts, promptId: number, changes: PromptChanges): Promise<number> {
  return (await prompts.update({ rowId: promptId }, changes))?.rowId ?? notFound(promptId);
}

/** @throws {SpandrelError} `PROMPT_NOT_FOUND` */
export async function removePrompt({ prompts }: Prompts, promptId: number): Promise<void> {
  if (!(await prompts.delete({ rowId: promptId }))) notFound(promptId);
}

const notFound = (promptId: number): never =>
  promptNotFound(`Prompt with ID '${toGlobalId('Prompt', promptId)}' not found`);
