import { type Selectable, sql } from 'kysely';
import { groupBy } from '../../base/group-by.ts';
import type { Page } from '../../model/page.ts';
import type { NewPromptVersionTag, PromptTagMove, PromptTagRef, PromptVersionTag } from '../../model/prompts/prompt.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { codeOf, FOREIGN_KEY_VIOLATION } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { PromptVersionTagTable } from './prompt-tables.ts';

// Tables: prompt_version_tags, prompt_tag_moves. A name is unique in a prompt: setting it again moves the tag.

/** Undefined when there is no such version. A change of the version is recorded in the history of the tag. */
export async function upsertTag(
  db: Db,
  promptVersionId: number,
  { name, description }: NewPromptVersionTag,
  userId: number | null,
): Promise<PromptVersionTag | undefined> {
  const text = description ? toPostgresText(description) : null;
  try {
    return await inTransaction(db, async (tx) => {
      const promptId = await lockPromptOf(tx, promptVersionId);
      if (promptId === undefined) return undefined;
      const before = await findTag(tx, promptId, name);
      const values = {
        prompt_version_id: promptVersionId,
        description: text,
        user_id: authorColumn(userId),
      };
      const row = await tx
        .insertInto('prompt_version_tags')
        .values({ ...values, prompt_id: promptId, name })
        .onConflict((conflict) => conflict.columns(['prompt_id', 'name']).doUpdateSet(values))
        .returningAll()
        .executeTakeFirstOrThrow();
      const fromVersionId = before?.prompt_version_id ?? null;
      if (fromVersionId !== promptVersionId) {
        await recordMove(tx, { promptId, tagName: name, fromVersionId, toVersionId: promptVersionId, userId });
      }
      return toTag(row);
    });
  } catch (error) {
    // The version was deleted while the tag was written.
    if (codeOf(error) === FOREIGN_KEY_VIOLATION) return undefined;
    throw error;
  }
}

/** Locks the prompt of a version, so that moves of its tags are recorded in their order. Undefined: no such version. */
async function lockPromptOf(tx: Db, promptVersionId: number): Promise<number | undefined> {
  const row = await tx
    .selectFrom('prompts')
    .innerJoin('prompt_versions', 'prompt_versions.prompt_id', 'prompts.id')
    .select('prompts.id')
    .where('prompt_versions.id', '=', promptVersionId)
    .forNoKeyUpdate('prompts')
    .executeTakeFirst();
  return row?.id;
}

const findTag = (tx: Db, promptId: number, name: string) =>
  tx
    .selectFrom('prompt_version_tags')
    .select('prompt_version_id')
    .where('prompt_id', '=', promptId)
    .where('name', '=', name)
    .executeTakeFirst();

const recordMove = (tx: Db, move: Omit<PromptTagMove, 'movedAt'> & { readonly promptId: number }) =>
  tx
    .insertInto('prompt_tag_moves')
    .values({
      prompt_id: move.promptId,
      tag_name: move.tagName,
      from_version_id: move.fromVersionId,
      to_version_id: move.toVersionId,
      user_id: authorColumn(move.userId),
    })
    .execute();

/** Moves of the tags of a prompt, newest first. */
export async function listTagMoves(
  db: Db,
  { promptId, limit }: { readonly promptId: number; readonly limit: number },
): Promise<PromptTagMove[]> {
  const rows = await db
    .selectFrom('prompt_tag_moves')
    .selectAll()
    .where('prompt_id', '=', promptId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    tagName: row.tag_name,
    fromVersionId: row.from_version_id,
    toVersionId: row.to_version_id,
    userId: row.user_id,
    movedAt: row.created_at,
  }));
}

/** Highest row id first. */
export async function listTags(
  db: Db,
  query: { readonly promptVersionId: number; readonly limit: number; readonly fromRowId?: number },
): Promise<Page<PromptVersionTag>> {
  let select = db
    .selectFrom('prompt_version_tags')
    .selectAll()
    .where('prompt_version_id', '=', query.promptVersionId)
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.fromRowId !== undefined) select = select.where('id', '<=', query.fromRowId);
  const rows = await select.execute();
  const next = rows[query.limit];
  const items = rows.slice(0, query.limit).map(toTag);
  return next ? { items, nextRowId: next.id } : { items };
}

/** Tags by row id; a row id that no tag has is absent. */
export async function findTagsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, PromptVersionTag>> {
  const rows = await db
    .selectFrom('prompt_version_tags')
    .selectAll()
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, toTag(row)]));
}

/** Tags of each prompt by name; a prompt without tags is absent. */
export async function findTagsOfPrompts(
  db: Db,
  promptIds: readonly number[],
): Promise<Map<number, PromptVersionTag[]>> {
  const rows = await db
    .selectFrom('prompt_version_tags')
    .selectAll()
    .where('prompt_id', '=', sql<number>`any(${promptIds}::bigint[])`)
    .orderBy('name')
    .execute();
  return groupBy(rows, (row) => row.prompt_id, toTag);
}

/** Deletes and returns a tag, and records it in the history. Undefined when there is none. */
export function deleteTag(db: Db, ref: PromptTagRef, userId: number | null): Promise<PromptVersionTag | undefined> {
  return inTransaction(db, async (tx) => {
    const promptOf =
      'rowId' in ref
        ? tx.selectFrom('prompt_version_tags').select('prompt_id').where('id', '=', ref.rowId)
        : tx.selectFrom('prompt_versions').select('prompt_id').where('id', '=', ref.promptVersionId);
    // The history refers to the prompt. All others lock it before its tags, too, so callers cannot deadlock.
    await tx.selectFrom('prompts').select('id').where('id', '=', promptOf).forNoKeyUpdate().execute();
    const remove = tx.deleteFrom('prompt_version_tags').returningAll();
    const row = await ('rowId' in ref
      ? remove.where('id', '=', ref.rowId)
      : remove.where('name', '=', ref.name).where('prompt_id', '=', promptOf)
    ).executeTakeFirst();
    if (!row) return undefined;
    const { prompt_id: promptId, name: tagName, prompt_version_id: fromVersionId } = row;
    await recordMove(tx, { promptId, tagName, fromVersionId, toVersionId: null, userId });
    return toTag(row);
  });
}

const toTag = (row: Selectable<PromptVersionTagTable>): PromptVersionTag => ({
  rowId: row.id,
  name: row.name,
  description: row.description,
  promptId: row.prompt_id,
  promptVersionId: row.prompt_version_id,
  userId: row.user_id,
});
