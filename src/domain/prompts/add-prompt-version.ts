import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import type {
  NewPrompt,
  NewPromptVersionTag,
  PromptContent,
  PromptOfVersion,
  PromptVersion,
} from '../../model/prompts/prompt.ts';
import type { Ports } from '../ports.ts';
import { checkPromptName, checkTagName, promptUnknown } from './prompt-ref.ts';

/**
 * Adds a version, and tags that name it, to a prompt.
 *
 * REST names the prompt and creates it when it does not exist; an existing prompt keeps its description, metadata and
 * tags. GraphQL either creates a prompt, whose name must be unused, or names one by its row id. Descriptions are
 * trimmed, and a blank one becomes null.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_NAME_TAKEN`, `PROMPT_NOT_FOUND`, `PROVIDER_NOT_FOUND`
 */
export async function addPromptVersion(
  { prompts, caller }: Pick<Ports, 'prompts' | 'caller'>,
  prompt: PromptOfVersion,
  content: PromptContent,
  tags: readonly NewPromptVersionTag[] = [],
): Promise<PromptVersion> {
  if (content.template.type !== 'chat') {
    throw new SpandrelError('PROMPT_INVALID', 'Only CHAT template type is supported for prompts');
  }
  for (const { name } of tags) checkTagName(name);
  const version = { ...content, description: content.description?.trim() || null };
  const added = await prompts.addVersion(toTarget(prompt), version, tags, authorOf(caller));
  if (added) return added;
  return promptUnknown('rowId' in prompt ? prompt : { name: 'new' in prompt ? prompt.new.name : prompt.named.name });
}

function toTarget(prompt: PromptOfVersion): PromptOfVersion {
  if ('new' in prompt) return { new: checkNewPrompt(prompt.new) };
  return 'named' in prompt ? { named: checkNewPrompt(prompt.named) } : prompt;
}

/** @throws {SpandrelError} `PROMPT_INVALID` */
export const checkNewPrompt = ({ name, description, metadata }: NewPrompt): NewPrompt => ({
  name: checkPromptName(name),
  ...(description !== undefined && { description: description?.trim() || null }),
  ...(metadata !== undefined && { metadata }),
});
