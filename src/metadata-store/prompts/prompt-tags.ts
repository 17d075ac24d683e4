import { type Selectable, sql } from 'kysely';
import { groupBy } from '../../base/group-by.ts';
import type { Page } from '../../model/page.ts';
import type { NewPromptVersionTag, PromptTagRef, PromptVersionTag } from '../../model/prompts/prompt.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { codeOf, FOREIGN_KEY_VIOLATION } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { PromptVersionTagTable } from './prompt-tables.ts';

// Table: prompt_version_tags. A name is unique in a prompt: setting it again moves the tag.

/** Undefined when there is no such version. */
export async function upsertTag(
  db: Db,
  promptVersionId: number,
  { name, description }: NewPromptVersionTag,
  userId: number | null,
): Promise<PromptVersionTag | undefined> {
  const text = description ? toPostgresText(description) : null;
  const version = db
    .selectFrom('prompt_versions')
    .select(['prompt_id', 'id', sql<string>`${name}::text`.as('name'), sql<string | null>`${text}::text`.as('text')])
    .select(authorColumn(userId).as('user_id'))
    .where('id', '=', promptVersionId);
  try {
    const row = await db
      .insertInto('prompt_version_tags')
      .columns(['prompt_id', 'prompt_version_id', 'name', 'description', 'user_id'])
      .expression(version)
      .onConflict((conflict) =>
        conflict.columns(['prompt_id', 'name']).doUpdateSet(({ ref }) => ({
          prompt_version_id: ref('excluded.prompt_version_id'),
          description: ref('excluded.description'),
          user_id: ref('excluded.user_id'),
        })),
      )
      .returningAll()
      .executeTakeFirst();
    return row && toTag(row);
  } catch (error) {
    // The version was deleted while the tag was written.
    if (codeOf(error) === FOREIGN_KEY_VIOLATION) return undefined;
    throw error;
  }
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

/** Deletes and returns a tag. Undefined when there is none. */
export async function deleteTag(db: Db, ref: PromptTagRef): Promise<PromptVersionTag | undefined> {
  const remove = db.deleteFrom('prompt_version_tags').returningAll();
  if ('rowId' in ref) {
    const row = await remove.where('id', '=', ref.rowId).executeTakeFirst();
    return row && toTag(row);
  }
  const prompt = db.selectFrom('prompt_versions').select('prompt_id').where('id', '=', ref.promptVersionId);
  const row = await remove.where('name', '=', ref.name).where('prompt_id', '=', prompt).executeTakeFirst();
  return row && toTag(row);
}

const toTag = (row: Selectable<PromptVersionTagTable>): PromptVersionTag => ({
  rowId: row.id,
  name: row.name,
  description: row.description,
  promptId: row.prompt_id,
  promptVersionId: row.prompt_version_id,
  userId: row.user_id,
});
