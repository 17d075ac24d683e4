import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ExactJsonObject } from '../../base/exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import { PROMPT_LIST_COUNT_MAX } from '../../model/limits/datasets.ts';
import type { Page } from '../../model/page.ts';
import type { NewPrompt, Prompt, PromptChanges, PromptRef } from '../../model/prompts/prompt.ts';
import type { Db } from '../database/database.ts';
import { jsonText, readJson, writeJson } from '../database/json-column.ts';
import { codeOf, FOREIGN_KEY_VIOLATION, isTaken, RESTRICT_VIOLATION } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { PromptTable } from './prompt-tables.ts';

// Table: prompts. Descriptions are stored as `toPostgresText` returns them; names are identifiers.

/** Highest row id first. */
export async function listPrompts(
  db: Db,
  query: { readonly limit: number; readonly fromRowId?: number },
): Promise<Page<Prompt>> {
  let select = db
    .selectFrom('prompts')
    .select(COLUMNS)
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.fromRowId !== undefined) select = select.where('id', '<=', query.fromRowId);
  const rows = await select.execute();
  const next = rows[query.limit];
  const items = rows.slice(0, query.limit).map(toPrompt);
  return next ? { items, nextRowId: next.id } : { items };
}

/** Row ids of the prompts whose name contains a text, ignoring case, and that have any of the labels, highest first. */
export async function findPromptIds(
  db: Db,
  { nameContains, labelIds }: { readonly nameContains?: string; readonly labelIds?: readonly number[] },
): Promise<number[]> {
  let select = db.selectFrom('prompts').select('id').orderBy('id', 'desc').limit(PROMPT_LIST_COUNT_MAX);
  if (nameContains) {
    select = select.where(sql<boolean>`position(lower(${toPostgresText(nameContains)}) in name) > 0`);
  }
  if (labelIds) {
    const links = db
      .selectFrom('prompts_prompt_labels')
      .select('prompt_id')
      .where('prompt_label_id', '=', sql<number>`any(${labelIds}::bigint[])`);
    select = select.where('id', 'in', links);
  }
  return (await select.execute()).map(({ id }) => id);
}

export async function countPrompts(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('prompts')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Prompts by row id; a row id that no prompt has is absent. */
export async function findPromptsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, Prompt>> {
  const rows = await db
    .selectFrom('prompts')
    .select(COLUMNS)
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, toPrompt(row)]));
}

/** @throws {SpandrelError} `PROMPT_NAME_TAKEN` */
export async function insertPrompt(tx: Db, prompt: NewPrompt, sourcePromptId?: number) {
  try {
    const row = await tx
      .insertInto('prompts')
      .values({ ...toColumns(prompt), name: prompt.name, source_prompt_id: sourcePromptId ?? null })
      .returning('id')
      .executeTakeFirstOrThrow();
    return row.id;
  } catch (error) {
    if (!isTaken(error)) throw error;
    throw new SpandrelError('PROMPT_NAME_TAKEN', `A prompt named '${prompt.name}' already exists`, { cause: error });
  }
}

/**
 * Locks the prompt of this name until the transaction ends, so that other writers of versions wait. Creates it when it is
 * missing.
 */
export async function lockPrompt(tx: Db, prompt: NewPrompt): Promise<number> {
  // More than one round only when another caller deletes the prompt in between.
  for (;;) {
    const rowId = (await insertPromptIfFree(tx, prompt)) ?? (await touchPrompt(tx, { name: prompt.name }));
    if (rowId !== undefined) return rowId;
  }
}

/** Undefined when a prompt with this name exists. */
export async function insertPromptIfFree(tx: Db, prompt: NewPrompt): Promise<number | undefined> {
  const made = await tx
    .insertInto('prompts')
    .values({ ...toColumns(prompt), name: prompt.name, source_prompt_id: null })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('id')
    .executeTakeFirst();
  return made?.id;
}

/** Locks a prompt until the transaction ends, and records its change. Undefined when there is none. */
export async function touchPrompt(tx: Db, ref: PromptRef): Promise<number | undefined> {
  const row = await tx
    .updateTable('prompts')
    .set({ updated_at: sql`now()` })
    .where(isPrompt(ref))
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/** Undefined when there is no such prompt. */
export async function updatePrompt(db: Db, ref: PromptRef, changes: PromptChanges): Promise<Prompt | undefined> {
  const row = await db
    .updateTable('prompts')
    .set({ ...toColumns(changes), updated_at: sql`now()` })
    .where(isPrompt(ref))
    .returning(COLUMNS)
    .executeTakeFirst();
  return row && toPrompt(row);
}

/**
 * Deletes a prompt with its versions, their tags and its links to labels. Returns whether it existed. Row ids are never
 * reused.
 *
 * @throws {SpandrelError} `PROMPT_IN_USE` while an LLM evaluator uses it
 */
export async function deletePrompt(db: Db, ref: PromptRef): Promise<boolean> {
  // Before the deletion, because a failed statement ends the transaction of the caller.
  const names = (await findEvaluatorNames(db, ref)).map((name) => `'${name}'`).join(', ');
  if (names !== '') throw inUse(names);
  try {
    const { numDeletedRows } = await db.deleteFrom('prompts').where(isPrompt(ref)).executeTakeFirst();
    return numDeletedRows > 0n;
  } catch (error) {
    const code = codeOf(error);
    if (code !== FOREIGN_KEY_VIOLATION && code !== RESTRICT_VIOLATION) throw error;
    // An evaluator was bound to the prompt at the same time.
    throw inUse('one does', error);
  }
}

const inUse = (names: string, cause?: unknown): SpandrelError =>
  new SpandrelError('PROMPT_IN_USE', `The prompt cannot be deleted while an LLM evaluator uses it: ${names}`, {
    cause,
  });

/** Names of some LLM evaluators that use the prompt. */
async function findEvaluatorNames(db: Db, ref: PromptRef): Promise<string[]> {
  const rows = await db
    .selectFrom('prompts')
    .innerJoin('llm_evaluators', 'llm_evaluators.prompt_id', 'prompts.id')
    .innerJoin('evaluators', 'evaluators.id', 'llm_evaluators.id')
    .select('evaluators.name')
    .where(isPrompt(ref))
    .orderBy('evaluators.name')
    .limit(10)
    .execute();
  return rows.map(({ name }) => name);
}

export const isPrompt = (ref: PromptRef): RawBuilder<boolean> =>
  'rowId' in ref ? sql`prompts.id = ${ref.rowId}` : sql`prompts.name = ${ref.name}`;

const COLUMNS = [
  'id',
  'name',
  'description',
  'source_prompt_id',
  'created_at',
  'updated_at',
  jsonText('prompts.metadata').as('metadata'),
] as const;

const toColumns = ({ description, metadata }: PromptChanges | NewPrompt) => ({
  ...(description !== undefined && { description: description && toPostgresText(description) }),
  ...(metadata && { metadata: writeJson(metadata) }),
});

const toPrompt = (row: Selectable<PromptTable>): Prompt => ({
  rowId: row.id,
  name: row.name,
  description: row.description,
  metadata: readJson<ExactJsonObject>(row.metadata),
  sourcePromptId: row.source_prompt_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
});
