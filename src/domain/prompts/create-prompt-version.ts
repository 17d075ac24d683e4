import { SpandrelError } from '../../model/errors.ts';
import type { NewPrompt, PromptContent, PromptVersion } from '../../model/prompt.ts';
import type { Ports } from '../ports.ts';

/**
 * Adds a version to the prompt of a name, which is made when it is missing; of one that is there nothing else changes,
 * and its tags stay where they are.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`
 */
export async function createPromptVersion(
  { prompts }: Pick<Ports, 'prompts'>,
  prompt: NewPrompt,
  content: PromptContent,
): Promise<PromptVersion> {
  if (content.template.type !== 'chat') {
    throw new SpandrelError('PROMPT_INVALID', 'Only CHAT template type is supported for prompts');
  }
  return (await prompts.addVersion({ named: prompt }, content))!;
}
