import { SpandrelError } from '../../model/errors.ts';
import type { Prompt, PromptChanges } from '../../model/prompt.ts';
import type { Ports } from '../ports.ts';
import { promptRef } from './prompt-ref.ts';

/**
 * Changes what is given; a description is trimmed, and a blank one is none.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_NOT_FOUND`
 */
export async function updatePrompt(
  { prompts }: Pick<Ports, 'prompts'>,
  identifier: string,
  { description, metadata }: PromptChanges,
): Promise<Prompt> {
  const changes = { description: description === undefined ? undefined : description?.trim() || null, metadata };
  return (await prompts.update(promptRef(identifier), changes)) ?? promptNotFound();
}

/**
 * With all that belongs to it; prompts that were cloned from it stay.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_NOT_FOUND`
 */
export async function deletePrompt({ prompts }: Pick<Ports, 'prompts'>, identifier: string): Promise<void> {
  if (!(await prompts.delete(promptRef(identifier)))) promptNotFound();
}

export function promptNotFound(message = 'Prompt not found'): never {
  throw new SpandrelError('PROMPT_NOT_FOUND', message);
}
