import { SpandrelError } from '../../model/errors.ts';
import { isIdentifier } from '../../model/identifier.ts';
import type { PromptRef } from '../../model/prompts/prompt.ts';
import { RowError } from '../../model/row-error.ts';

/** @throws {SpandrelError} `PROMPT_INVALID` when no prompt can have that name */
export function checkRef(ref: PromptRef): PromptRef {
  if ('name' in ref) checkPromptName(ref.name);
  return ref;
}

/** @throws {SpandrelError} `PROMPT_INVALID` */
export function checkPromptName(name: string): string {
  if (!isIdentifier(name)) throw new SpandrelError('PROMPT_INVALID', 'Invalid prompt name');
  return name;
}

/** @throws {SpandrelError} `PROMPT_INVALID` */
export function checkTagName(name: string): string {
  if (!isIdentifier(name)) throw new SpandrelError('PROMPT_INVALID', 'Invalid tag name');
  return name;
}

export function promptUnknown(ref: PromptRef): never {
  if ('name' in ref) throw new SpandrelError('PROMPT_NOT_FOUND', `Prompt with name '${ref.name}' not found`);
  throw new RowError('PROMPT_NOT_FOUND', 'Prompt', [ref.rowId], (id) => `Prompt with ID '${id}' not found`);
}

export function versionUnknown(rowId: number): never {
  throw new RowError(
    'PROMPT_VERSION_NOT_FOUND',
    'PromptVersion',
    [rowId],
    (id) => `PromptVersion with ID ${id} not found.`,
  );
}
