import { SpandrelError } from '../../model/errors.ts';
import type { Page } from '../../model/page.ts';
import type { NewPromptVersionTag, PromptVersionTag } from '../../model/prompt.ts';
import type { Ports } from '../ports.ts';
import { versionNotFound } from './get-prompt-version.ts';
import { checkTagName, promptVersionId } from './prompt-ref.ts';

/** @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_VERSION_NOT_FOUND` */
export async function listVersionTags(
  { prompts }: Pick<Ports, 'prompts'>,
  versionId: string,
  page: { readonly limit: number; readonly fromRowId?: number },
): Promise<Page<PromptVersionTag>> {
  const rowId = promptVersionId(versionId);
  const found = await prompts.listTags({ promptVersionId: rowId, ...page });
  if (found.items.length > 0 || (await prompts.findVersions([rowId])).has(rowId)) return found;
  return versionNotFound('Prompt version not found');
}

/**
 * Gives a version a tag, which leaves the version of the same prompt that had it.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_VERSION_NOT_FOUND`
 */
export async function setVersionTag(
  { prompts }: Pick<Ports, 'prompts'>,
  versionId: string,
  tag: NewPromptVersionTag,
): Promise<PromptVersionTag> {
  return (await prompts.setTag(promptVersionId(versionId), tag)) ?? versionNotFound();
}

/**
 * Removes a tag from the prompt of a version, whichever version it names.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_TAG_NOT_FOUND` when there is no such version or tag
 */
export async function deleteVersionTag(
  { prompts }: Pick<Ports, 'prompts'>,
  versionId: string,
  tagName: string,
): Promise<void> {
  if (await prompts.deleteTagByName(promptVersionId(versionId), checkTagName(tagName))) return;
  throw new SpandrelError('PROMPT_TAG_NOT_FOUND', 'Not Found');
}
