import { sql } from 'kysely';
import type { EvaluatorPrompt } from '../../model/evaluators/evaluator.ts';
import type { PromptVersion } from '../../model/prompts/prompt.ts';
import { hasSameContent } from '../../model/prompts/same-content.ts';
import type { Db } from '../database/database.ts';
import { insertUnderFreeName } from '../database/free-name.ts';
import { findLatestVersion, findVersionsByRowIds, insertVersion } from '../prompts/prompt-versions.ts';
import { insertPromptIfFree, touchPrompt } from '../prompts/prompts.ts';

// Tables: prompts, prompt_versions, prompt_version_tags, prompt_labels, prompts_prompt_labels. An LLM evaluator has its
// own tag in its prompt, which marks the version that it uses.

/** The label of prompts that LLM evaluators use. */
const LABEL = { name: 'evaluator', description: 'Asked by LLM evaluators', color: '#7c5cff' };

interface Place {
  readonly promptId: number;
  readonly tagId: number;
}

interface Asker {
  readonly name: string;
  readonly description: string | null;
  /** Absent for a new evaluator. */
  readonly evaluatorRowId?: number;
}

/**
 * Tags the prompt version that an evaluator uses: the version that it was created from if that is equal, else a new
 * version of that prompt, else a new prompt. Undefined when the named version does not exist.
 */
export async function placePrompt(
  tx: Db,
  { content, promptVersionRowId }: EvaluatorPrompt,
  asker: Asker,
): Promise<Place | undefined> {
  const own = asker.evaluatorRowId === undefined ? undefined : await findOwn(tx, asker.evaluatorRowId);
  const base =
    promptVersionRowId === undefined
      ? own?.version
      : (await findVersionsByRowIds(tx, [promptVersionRowId])).get(promptVersionRowId);
  if (promptVersionRowId !== undefined && !base) return undefined;
  const promptId = base
    ? await touchPrompt(tx, { rowId: base.promptId })
    : await insertUnderFreeName(asker.name, (name) => insertPromptIfFree(tx, { name, description: asker.description }));
  // It was deleted a moment ago.
  if (promptId === undefined) return undefined;
  const version = base && hasSameContent(base, content) ? base : await insertVersion(tx, promptId, content);
  await addLabel(tx, promptId);
  if (own?.tagId && own.promptId === promptId) {
    const moved = await tx
      .updateTable('prompt_version_tags')
      .set({ prompt_version_id: version.rowId })
      .where('id', '=', own.tagId)
      .returning('id')
      .executeTakeFirst();
    if (moved) return { promptId, tagId: moved.id };
  }
  const { id } = await insertUnderFreeName(asker.name, (name) =>
    tx
      .insertInto('prompt_version_tags')
      .values({ name, description: null, prompt_id: promptId, prompt_version_id: version.rowId })
      .onConflict((conflict) => conflict.columns(['prompt_id', 'name']).doNothing())
      .returning('id')
      .executeTakeFirst(),
  );
  // Its tag in the prompt that it used before.
  if (own?.tagId) await tx.deleteFrom('prompt_version_tags').where('id', '=', own.tagId).execute();
  return { promptId, tagId: id };
}

interface Own {
  readonly promptId: number;
  readonly tagId: number | null;
  /** The version that it uses now. Absent for a prompt without versions. */
  readonly version: PromptVersion | undefined;
}

async function findOwn(tx: Db, evaluatorRowId: number): Promise<Own | undefined> {
  const row = await tx
    .selectFrom('llm_evaluators as l')
    .leftJoin('prompt_version_tags as t', 't.id', 'l.prompt_version_tag_id')
    .select(['l.prompt_id', 't.id as tag_id', 't.prompt_version_id'])
    .where('l.id', '=', evaluatorRowId)
    .executeTakeFirst();
  if (!row) return undefined;
  const tagged = row.prompt_version_id;
  const version =
    tagged === null
      ? await findLatestVersion(tx, { rowId: row.prompt_id })
      : (await findVersionsByRowIds(tx, [tagged])).get(tagged);
  return { promptId: row.prompt_id, tagId: row.tag_id, version };
}

async function addLabel(tx: Db, promptId: number): Promise<void> {
  await tx
    .insertInto('prompt_labels')
    .values(LABEL)
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // The lock prevents the deletion of the label before this transaction commits.
  await sql`
    insert into prompts_prompt_labels (prompt_label_id, prompt_id)
    select id, ${promptId}::bigint from (select id from prompt_labels where name = ${LABEL.name} for key share) l
    on conflict do nothing
  `.execute(tx);
}
