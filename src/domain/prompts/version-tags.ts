import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { Page } from '../../model/page.ts';
import type { NewPromptVersionTag, PromptTagRef, PromptVersionTag } from '../../model/prompts/prompt.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';
import { getPromptVersion } from './get-prompt-version.ts';
import { checkTagName, versionUnknown } from './prompt-ref.ts';

type Prompts = Pick<Ports, 'prompts'>;

/** Tags of a version, newest first. @throws {SpandrelError} `PROMPT_VERSION_NOT_FOUND` */
export async function listVersionTags(
  { prompts }: Prompts,
  promptVersionId: number,
  page: { readonly limit: number; readonly fromRowId?: number },
): Promise<Page<PromptVersionTag>> {
  const found = await prompts.listTags({ promptVersionId, ...page });
  if (found.items.length === 0) await getPromptVersion({ prompts }, promptVersionId);
  return found;
}

/**
 * Tags a version. A version of the same prompt that had the tag loses it.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_VERSION_NOT_FOUND`
 */
export async function setVersionTag(
  { prompts, caller }: Pick<Ports, 'prompts' | 'caller'>,
  promptVersionId: number,
  { name, description }: NewPromptVersionTag,
): Promise<PromptVersionTag> {
  const tag = { name: checkTagName(name), description };
  return (await prompts.setTag(promptVersionId, tag, authorOf(caller))) ?? versionUnknown(promptVersionId);
}

/**
 * Deletes a tag. REST names it by its name and any version of its prompt, GraphQL by its row id.
 *
 * @returns The tag as it was.
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_TAG_NOT_FOUND`
 */
export async function deleteVersionTag(
  { prompts, caller }: Pick<Ports, 'prompts' | 'caller'>,
  ref: PromptTagRef,
): Promise<PromptVersionTag> {
  if ('name' in ref) checkTagName(ref.name);
  const tag = await prompts.deleteTag(ref, authorOf(caller));
  if (tag) return tag;
  if ('name' in ref) throw new SpandrelError('PROMPT_TAG_NOT_FOUND', `The prompt has no tag ${ref.name}`);
  throw new RowError(
    'PROMPT_TAG_NOT_FOUND',
    'PromptVersionTag',
    [ref.rowId],
    (id) => `PromptVersionTag with ID ${id} not found.`,
  );
}
