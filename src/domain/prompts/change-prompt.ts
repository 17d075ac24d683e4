import { SpandrelError } from '../../model/errors.ts';
import type { NewPrompt, Prompt, PromptChanges, PromptRef } from '../../model/prompts/prompt.ts';
import { type AuditParts, recorded } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { checkNewPrompt } from './add-prompt-version.ts';
import { checkRef, promptUnknown, versionUnknown } from './prompt-ref.ts';

type Prompts = Pick<Ports, 'prompts'>;

/**
 * Changes the given fields. A description is trimmed, and a blank one becomes null.
 *
 * @throws {SpandrelError} `QUERY_INVALID` without a field, `PROMPT_INVALID`, `PROMPT_NOT_FOUND`
 */
export async function updatePrompt(
  { prompts }: Prompts,
  ref: PromptRef,
  { description, metadata }: PromptChanges,
): Promise<Prompt> {
  if (description === undefined && metadata === undefined) {
    throw new SpandrelError('QUERY_INVALID', 'No fields provided to update');
  }
  const changes = {
    ...(description !== undefined && { description: description?.trim() || null }),
    ...(metadata !== undefined && { metadata }),
  };
  return (await prompts.update(checkRef(ref), changes)) ?? promptUnknown(ref);
}

/**
 * Deletes a prompt with its versions and their tags. Prompts that were cloned from it stay.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_NOT_FOUND`, `PROMPT_IN_USE`
 */
export async function deletePrompt(ports: AuditParts, ref: PromptRef): Promise<void> {
  await recorded(ports, async ({ prompts }) => {
    if (!(await prompts.delete(checkRef(ref)))) promptUnknown(ref);
    const target = 'rowId' in ref ? { kind: 'Prompt', id: String(ref.rowId) } : { kind: 'Prompt', name: ref.name };
    return { result: undefined, entry: { action: 'prompt.delete', outcome: 'DONE', target } };
  });
}

/**
 * Creates a prompt with all versions of another one, without their tags. Absent fields are copied from the source.
 *
 * @returns Its row id.
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_NOT_FOUND`, `PROMPT_NAME_TAKEN`
 */
export async function clonePrompt(
  { prompts }: Prompts,
  sourceRowId: number,
  prompt: NewPrompt,
  versionRowId?: number,
): Promise<number> {
  const ref = { rowId: sourceRowId };
  const source = (await prompts.findByRowIds([sourceRowId])).get(sourceRowId) ?? promptUnknown(ref);
  const { description, metadata } = source;
  const clone = { description, metadata, ...checkNewPrompt(prompt) };
  const rowId = await prompts.clone(sourceRowId, clone, versionRowId);
  return rowId ?? (versionRowId === undefined ? promptUnknown(ref) : versionUnknown(versionRowId));
}
