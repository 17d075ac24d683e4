import { SpandrelError } from '../../../model/errors.ts';
import type { PromptRef } from '../../../model/prompts/prompt.ts';
import type { ErrorTexts } from '../../contract/error-texts.ts';
import { rowIdOf } from '../../contract/global-id.ts';

/** The prompt that a path names by its global ID or its name. */
export function promptRef(identifier: string): PromptRef {
  const rowId = rowIdOf('Prompt', identifier);
  return rowId === undefined ? { name: identifier } : { rowId };
}

/** @throws {SpandrelError} `PROMPT_INVALID` */
export function promptVersionId(globalId: string): number {
  const rowId = rowIdOf('PromptVersion', globalId);
  if (rowId === undefined) throw new SpandrelError('PROMPT_INVALID', 'Invalid prompt version ID');
  return rowId;
}

export const PROMPT_ABSENT: ErrorTexts = { PROMPT_NOT_FOUND: 'Prompt not found' };
export const VERSION_ABSENT: ErrorTexts = { PROMPT_VERSION_NOT_FOUND: 'Not Found' };
