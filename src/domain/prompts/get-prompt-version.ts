import { SpandrelError } from '../../model/errors.ts';
import type { PromptVersion } from '../../model/prompt.ts';
import type { Ports } from '../ports.ts';
import { checkTagName, promptRef, promptVersionId } from './prompt-ref.ts';

/** @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_VERSION_NOT_FOUND` */
export async function getLatestVersion(
  { prompts }: Pick<Ports, 'prompts'>,
  identifier: string,
): Promise<PromptVersion> {
  return (await prompts.findLatestVersion(promptRef(identifier))) ?? versionNotFound();
}

/** @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_VERSION_NOT_FOUND` */
export async function getTaggedVersion(
  { prompts }: Pick<Ports, 'prompts'>,
  identifier: string,
  tagName: string,
): Promise<PromptVersion> {
  return (await prompts.findTaggedVersion(promptRef(identifier), checkTagName(tagName))) ?? versionNotFound();
}

/**
 * By global ID.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_VERSION_NOT_FOUND`
 */
export async function getPromptVersion({ prompts }: Pick<Ports, 'prompts'>, globalId: string): Promise<PromptVersion> {
  const rowId = promptVersionId(globalId);
  return (await prompts.findVersions([rowId])).get(rowId) ?? versionNotFound();
}

export function versionNotFound(message = 'Not Found'): never {
  throw new SpandrelError('PROMPT_VERSION_NOT_FOUND', message);
}
