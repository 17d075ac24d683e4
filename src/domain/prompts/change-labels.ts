import { SpandrelError } from '../../model/errors.ts';
import { LABEL_NAME_BYTES_MAX } from '../../model/limits/datasets.ts';
import type { NewPromptLabel, PromptLabel } from '../../model/prompts/prompt.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';

type Prompts = Pick<Ports, 'prompts'>;

/**
 * Creates a label. Texts are trimmed, a blank description becomes null, and a color is stored in lower case.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_LABEL_NAME_TAKEN`
 */
export async function createLabel({ prompts }: Prompts, label: NewPromptLabel): Promise<PromptLabel> {
  const { name, description, color } = label;
  return prompts.createLabel({
    name: checkName(name),
    description: checkDescription(description),
    color: checkColor(color),
  });
}

function checkColor(color: string): string {
  const lowerCase = color.toLowerCase();
  if (!COLOR.test(lowerCase)) reject('A color must be written as #rrggbb');
  return lowerCase;
}

const COLOR = /^#[0-9a-f]{6}$/;

/**
 * Changes a label by the rules of `createLabel`.
 *
 * @throws {SpandrelError} `PROMPT_INVALID`, `PROMPT_LABEL_NOT_FOUND`, `PROMPT_LABEL_NAME_TAKEN`
 */
export async function updateLabel(
  { prompts }: Prompts,
  rowId: number,
  { name, description, color }: Partial<NewPromptLabel>,
): Promise<PromptLabel> {
  if (name === undefined && description === undefined && color === undefined) reject('No fields provided to update');
  const label = await prompts.updateLabel(rowId, {
    ...(name !== undefined && { name: checkName(name) }),
    ...(description !== undefined && { description: checkDescription(description) }),
    ...(color !== undefined && { color: checkColor(color) }),
  });
  if (label) return label;
  throw new RowError('PROMPT_LABEL_NOT_FOUND', 'PromptLabel', [rowId], (id) => `PromptLabel with ID ${id} not found`);
}

/** Deletes labels, also from their prompts. Returns the row ids of the deleted labels. */
export const deleteLabels = ({ prompts }: Prompts, rowIds: readonly number[]): Promise<number[]> =>
  prompts.deleteLabels(rowIds);

/**
 * @throws {SpandrelError} `PROMPT_LABEL_NAME_TAKEN` when the prompt has one of them, or a label or the prompt does not
 * exist
 */
export async function addLabels({ prompts }: Prompts, promptId: number, labelIds: readonly number[]): Promise<void> {
  if (await prompts.addLabels(promptId, labelIds)) return;
  throw new SpandrelError('PROMPT_LABEL_NAME_TAKEN', 'Failed to associate PromptLabel with Prompt.');
}

/** @throws {SpandrelError} `PROMPT_LABEL_NOT_FOUND` when the prompt lacks one of them; then it keeps the others */
export async function removeLabels({ prompts }: Prompts, promptId: number, labelIds: readonly number[]): Promise<void> {
  if (await prompts.removeLabels(promptId, labelIds)) return;
  throw new SpandrelError('PROMPT_LABEL_NOT_FOUND', 'Failed to find all PromptLabel associations of the Prompt.');
}

const checkDescription = (description: string | null | undefined): string | null => description?.trim() || null;

function checkName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '') reject('A label name must not be empty');
  if (Buffer.byteLength(trimmed) > LABEL_NAME_BYTES_MAX) {
    reject(`A label name must have at most ${LABEL_NAME_BYTES_MAX} bytes of UTF-8`);
  }
  return trimmed;
}

const reject = (message: string): never => {
  throw new SpandrelError('PROMPT_INVALID', message);
};
