import { sql } from 'kysely';
import { groupBy } from '../../base/group-by.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { NewPromptLabel, PromptLabel } from '../../model/prompts/prompt.ts';
import type { Db } from '../database/database.ts';
import { codeOf, FOREIGN_KEY_VIOLATION, isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';

// Tables: prompt_labels, prompts_prompt_labels.

/** Every label by name. */
export async function listPromptLabels(db: Db): Promise<PromptLabel[]> {
  const rows = await db.selectFrom('prompt_labels').select(COLUMNS).orderBy('name').execute();
  return rows;
}

/** Labels by row id; a row id that no label has is absent. */
export async function findLabelsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, PromptLabel>> {
  const rows = await db
    .selectFrom('prompt_labels')
    .select(COLUMNS)
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.rowId, row]));
}

/** Labels of each prompt by name; a prompt without labels is absent. */
export async function findLabelsOfPrompts(db: Db, promptIds: readonly number[]): Promise<Map<number, PromptLabel[]>> {
  const rows = await db
    .selectFrom('prompts_prompt_labels')
    .innerJoin('prompt_labels', 'prompt_labels.id', 'prompts_prompt_labels.prompt_label_id')
    .select([...COLUMNS, 'prompts_prompt_labels.prompt_id as promptId'])
    .where('prompts_prompt_labels.prompt_id', '=', sql<number>`any(${promptIds}::bigint[])`)
    .orderBy('prompt_labels.name')
    .execute();
  return groupBy(
    rows,
    ({ promptId }) => promptId,
    ({ promptId: _, ...label }) => label,
  );
}

/** Number of prompts with each label. An unused label is absent. */
export async function countPromptsOfLabels(db: Db, labelIds: readonly number[]): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('prompts_prompt_labels')
    .select(({ fn }) => ['prompt_label_id', fn.countAll<number>().as('count')])
    .where('prompt_label_id', '=', sql<number>`any(${labelIds}::bigint[])`)
    .groupBy('prompt_label_id')
    .execute();
  return new Map(rows.map(({ prompt_label_id, count }) => [prompt_label_id, count]));
}

/** @throws {SpandrelError} `PROMPT_LABEL_NAME_TAKEN` */
export const createPromptLabel = (db: Db, label: NewPromptLabel): Promise<PromptLabel> =>
  rejectTakenName(label.name, () =>
    db.insertInto('prompt_labels').values(toColumns(label)).returning(COLUMNS).executeTakeFirstOrThrow(),
  );

/**
 * Undefined when there is no such label.
 *
 * @throws {SpandrelError} `PROMPT_LABEL_NAME_TAKEN`
 */
export const updatePromptLabel = (
  db: Db,
  rowId: number,
  changes: Partial<NewPromptLabel>,
): Promise<PromptLabel | undefined> =>
  rejectTakenName(changes.name ?? '', () =>
    db
      .updateTable('prompt_labels')
      .set(toColumns(changes))
      .where('id', '=', rowId)
      .returning(COLUMNS)
      .executeTakeFirst(),
  );

/** Row ids of the deleted labels. */
export async function deletePromptLabels(db: Db, rowIds: readonly number[]): Promise<number[]> {
  const rows = await db
    .deleteFrom('prompt_labels')
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Links labels to a prompt, all or none. Returns false when one is linked already, or any of them does not exist. */
export async function addLabelsToPrompt(db: Db, promptId: number, labelIds: readonly number[]): Promise<boolean> {
  if (labelIds.length === 0) return true;
  try {
    await db
      .insertInto('prompts_prompt_labels')
      .values(labelIds.map((labelId) => ({ prompt_id: promptId, prompt_label_id: labelId })))
      .execute();
    return true;
  } catch (error) {
    if (isTaken(error) || codeOf(error) === FOREIGN_KEY_VIOLATION) return false;
    throw error;
  }
}

/** Unlinks labels from a prompt, all or none. Returns false when one is not linked. */
export async function removeLabelsFromPrompt(db: Db, promptId: number, labelIds: readonly number[]): Promise<boolean> {
  const wanted = new Set(labelIds);
  const missing = new Error('a label is not linked');
  try {
    await db.transaction().execute(async (tx) => {
      const { numDeletedRows } = await tx
        .deleteFrom('prompts_prompt_labels')
        .where('prompt_id', '=', promptId)
        .where('prompt_label_id', '=', sql<number>`any(${[...wanted]}::bigint[])`)
        .executeTakeFirst();
      // An error rolls back.
      if (Number(numDeletedRows) < wanted.size) throw missing;
    });
    return true;
  } catch (error) {
    if (error === missing) return false;
    throw error;
  }
}

const COLUMNS = [
  'prompt_labels.id as rowId',
  'prompt_labels.name',
  'prompt_labels.description',
  'prompt_labels.color',
] as const;

function toColumns<Label extends Partial<NewPromptLabel>>(label: Label): Label {
  const { name, description } = label;
  return {
    ...label,
    ...(name !== undefined && { name: toPostgresText(name) }),
    ...(description && { description: toPostgresText(description) }),
  };
}

async function rejectTakenName<Result>(name: string, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isTaken(error)) throw error;
    const message = `A prompt label named '${name}' already exists.`;
    throw new SpandrelError('PROMPT_LABEL_NAME_TAKEN', message, { cause: error });
  }
}
