import { SpandrelError } from '../../model/errors.ts';
import { rowIdOf } from '../../model/global-id.ts';
import { isIdentifier } from '../../model/identifier.ts';
import type { PromptRef } from '../../metadata-store/prompts/prompts.ts';

/**
 * What a caller names by its global ID or its name.
 *
 * @throws {SpandrelError} `PROMPT_INVALID` when no prompt can have that name
 */
export function promptRef(identifier: string): PromptRef {
  const rowId = rowIdOf('Prompt', identifier);
  if (rowId !== undefined) return { rowId };
  if (!isIdentifier(identifier)) throw new SpandrelError('PROMPT_INVALID', 'Invalid prompt name');
  return { name: identifier };
}

/** @throws {SpandrelError} `PROMPT_INVALID` */
export function promptVersionId(globalId: string): number {
  const rowId = rowIdOf('PromptVersion', globalId);
  if (rowId === undefined) throw new SpandrelError('PROMPT_INVALID', 'Invalid prompt version ID');
  return rowId;
}

/** @throws {SpandrelError} `PROMPT_INVALID` */
export function checkTagName(name: string): string {
  if (!isIdentifier(name)) throw new SpandrelError('PROMPT_INVALID', 'Invalid tag name');
  return name;
}
