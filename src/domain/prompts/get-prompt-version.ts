import { SpandrelError } from '../../model/errors.ts';
import type { Page } from '../../model/page.ts';
import type { PromptRef, PromptVersion } from '../../model/prompts/prompt.ts';
import type { Ports } from '../ports.ts';
import { checkRef, checkTagName, versionUnknown } from './prompt-ref.ts';

type Prompts = Pick<Ports, 'prompts'>;

/** Versions of a prompt, newest first. Empty for an unknown prompt. @throws {SpandrelError} `PROMPT_INVALID` */
export async function listPromptVersions(
  { prompts }: Prompts,
  { prompt, ...page }: { readonly prompt: PromptRef; readonly limit: number; readonly fromRowId?: number },
): Promise<Page<PromptVersion>> {
  return prompts.listVersions({ prompt: checkRef(prompt), ...page });
}

/** @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_VERSION_NOT_FOUND` */
export async function getLatestVersion({ prompts }: Prompts, ref: PromptRef): Promise<PromptVersion> {
  return (await prompts.findLatestVersion(checkRef(ref))) ?? notFound('The prompt has no version');
}

/** @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_VERSION_NOT_FOUND` */
export async function getTaggedVersion({ prompts }: Prompts, ref: PromptRef, tagName: string): Promise<PromptVersion> {
  const found = await prompts.findTaggedVersion(checkRef(ref), checkTagName(tagName));
  return found ?? notFound(`The prompt has no version with the tag ${tagName}`);
}

/** @throws {SpandrelError} `PROMPT_VERSION_NOT_FOUND` */
export async function getPromptVersion({ prompts }: Prompts, rowId: number): Promise<PromptVersion> {
  return (await prompts.findVersions([rowId])).get(rowId) ?? versionUnknown(rowId);
}

function notFound(message: string): never {
  throw new SpandrelError('PROMPT_VERSION_NOT_FOUND', message);
}
