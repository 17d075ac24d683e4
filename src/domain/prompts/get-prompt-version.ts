import { SpandrelError } from '../../model/errors.ts';
import type { PromptVersion } from '../../model/prompt.ts';
import type { Domain } from '../domain.ts';
import { checkTagName, promptRef, promptVersionId } from './prompt-ref.ts';

/** @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_VERSION_NOT_FOUND` */
export async function getLatestVersion(
  { prompts }: Pick<Domain, 'prompts'>,
  identifier: string,
): Promise<PromptVersion> {
  return (await prompts.findLatestVersion(promptRef(identifier))) ?? versionNotFound();
}

/** @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_VERSION_NOT_FOUND` */
export async function getTaggedVersion(
  { prompts }: Pick<Domain, 'prompts'>,
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
export async function getPromptVersion({ prompts }: Pick<Domain, 'prompts'>, globalId: string): Promise<PromptVersion> {
  const rowId = promptVersionId(globalId);
  return (await prompts.findVersions([rowId])).get(rowId) ?? versionNotFound();
}

export function versionNotFound(message = 'Not Found'): never {
  throw new SpandrelError('PROMPT_VERSION_NOT_FOUND', message);
}
