import { SpandrelError } from '../../model/errors.ts';
import { toGlobalId } from '../../model/global-id.ts';
import { LABEL_NAME_BYTES_MAX } from '../../model/limits.ts';
import type { NewPromptLabel, PromptLabel } from '../../model/prompt.ts';
import type { Ports } from '../ports.ts';

type Prompts = Pick<Ports, 'prompts'>;

/**
 * Names are trimmed, colours written small.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_LABEL_NAME_TAKEN`
 */
export async function createPromptLabel({ prompts }: Prompts, label: NewPromptLabel): Promise<PromptLabel> {
  const color = label.color.toLowerCase();
  if (!COLOR.test(color)) refuse('A color must be written as #rrggbb');
  return prompts.createLabel({ name: checkName(label.name), description: label.description ?? null, color });
}

const COLOR = /^#[0-9a-f]{6}$/;

/** @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_LABEL_NOT_FOUND`, `PROMPT_LABEL_NAME_TAKEN` */
export async function updatePromptLabel(
  { prompts }: Prompts,
  rowId: number,
  changes: Partial<NewPromptLabel>,
): Promise<PromptLabel> {
  if (Object.keys(changes).length === 0) refuse('No fields provided to update');
  const { name } = changes;
  const label = await prompts.updateLabel(rowId, { ...changes, ...(name !== undefined && { name: checkName(name) }) });
  if (label) return label;
  throw new SpandrelError(
    'PROMPT_LABEL_NOT_FOUND',
    `PromptLabel with ID ${toGlobalId('PromptLabel', rowId)} not found`,
  );
}

/** @throws {SpandrelError} `PROMPT_LABEL_NAME_TAKEN` when the prompt has one of them, or anything is not there */
export async function linkLabels({ prompts }: Prompts, promptId: number, labelIds: readonly number[]): Promise<void> {
  if (await prompts.addLabels(promptId, labelIds)) return;
  throw new SpandrelError('PROMPT_LABEL_NAME_TAKEN', 'Failed to associate PromptLabel with Prompt.');
}

/** @throws {SpandrelError} `PROMPT_LABEL_NOT_FOUND` when the prompt lacks one of them; then it keeps the others */
export async function unlinkLabels({ prompts }: Prompts, promptId: number, labelIds: readonly number[]): Promise<void> {
  if (await prompts.removeLabels(promptId, labelIds)) return;
  throw new SpandrelError('PROMPT_LABEL_NOT_FOUND', 'Failed to find all PromptLabel associations of the Prompt.');
}

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') refuse('A label name must not be empty');
  if (Buffer.byteLength(trimmed) > LABEL_NAME_BYTES_MAX) {
    refuse(`A label name must have at most ${LABEL_NAME_BYTES_MAX} bytes of UTF-8`);
  }
  return trimmed;
}

const refuse = (message: string): never => {
  throw new SpandrelError('PROMPT_INVALID', message);
};
