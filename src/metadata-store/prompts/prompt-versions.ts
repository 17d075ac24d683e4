import { type Selectable, sql } from 'kysely';
import type { ExactJsonObject } from '../../base/exact-json.ts';
import type { Page } from '../../model/page.ts';
import type {
  NewPrompt,
  NewPromptVersionTag,
  PromptContent,
  PromptOfVersion,
  PromptRef,
  PromptVersion,
} from '../../model/prompts/prompt.ts';
import type { InvocationParameters } from '../../model/prompts/prompt-parameters.ts';
import { type PromptTemplate, templateTypeOf } from '../../model/prompts/prompt-template.ts';
import type { PromptTools, ResponseFormat } from '../../model/prompts/prompt-tools.ts';
import { RowError } from '../../model/row-error.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { jsonText, readJson, writeJson } from '../database/json-column.ts';
import { codeOf, FOREIGN_KEY_VIOLATION } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { PromptVersionTable } from './prompt-tables.ts';
import { upsertTag } from './prompt-tags.ts';
import { insertPrompt, isPrompt, lockPrompt, touchPrompt } from './prompts.ts';

// Table: prompt_versions. While a version is added its prompt is locked, so that row ids follow the order of commits.

/**
 * Undefined when there is no prompt with that row id.
 *
 * @throws {SpandrelError} `PROMPT_NAME_TAKEN` for a prompt that must be new, `PROVIDER_NOT_FOUND`
 */
export function addPromptVersion(
  db: Db,
  prompt: PromptOfVersion,
  content: PromptContent,
  tags: readonly NewPromptVersionTag[],
  userId: number | null,
): Promise<PromptVersion | undefined> {
  return inTransaction(db, async (tx) => {
    const promptId = await openPrompt(tx, prompt);
    if (promptId === undefined) return undefined;
    const version = await insertVersion(tx, promptId, content, userId);
    for (const tag of tags) await upsertTag(tx, version.rowId, tag, userId);
    return version;
  });
}

/** Adds a version to a prompt that the transaction has locked. @throws {SpandrelError} `PROVIDER_NOT_FOUND` */
export async function insertVersion(
  tx: Db,
  promptId: number,
  content: PromptContent,
  userId: number | null,
): Promise<PromptVersion> {
  const insert = tx
    .insertInto('prompt_versions')
    .values({ ...toColumns(content), prompt_id: promptId, user_id: authorColumn(userId) })
    .returning(COLUMNS);
  try {
    return toVersion(await insert.executeTakeFirstOrThrow());
  } catch (error) {
    // The prompt is locked, so the provider is the only reference of the version that can be missing.
    const { customProviderId } = content;
    if (typeof customProviderId !== 'number' || codeOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    throw new RowError(
      'PROVIDER_NOT_FOUND',
      'GenerativeModelCustomProvider',
      [customProviderId],
      (id) => `Custom provider with ID '${id}' not found`,
    );
  }
}

async function openPrompt(tx: Db, prompt: PromptOfVersion): Promise<number | undefined> {
  if ('named' in prompt) return lockPrompt(tx, prompt.named);
  return 'new' in prompt ? insertPrompt(tx, prompt.new) : touchPrompt(tx, prompt);
}

/**
 * Creates a prompt with another name and all versions of this one, or only one, with their authors and without their tags.
 * Undefined when the source, or its version, does not exist.
 *
 * @throws {SpandrelError} `PROMPT_NAME_TAKEN`
 */
export function clonePrompt(
  db: Db,
  sourceId: number,
  prompt: NewPrompt,
  versionId?: number,
): Promise<number | undefined> {
  return inTransaction(db, async (tx) => {
    // The lock keeps the source and its versions unchanged until they are copied.
    const source = await tx
      .selectFrom('prompts')
      .select('id')
      .where('id', '=', sourceId)
      .forUpdate()
      .executeTakeFirst();
    if (!source) return undefined;
    const isCopied =
      versionId === undefined ? sql`prompt_id = ${sourceId}` : sql`prompt_id = ${sourceId} and id = ${versionId}`;
    const { rows } = await sql`select 1 from prompt_versions where ${isCopied} limit 1`.execute(tx);
    if (rows.length === 0) return undefined;
    const promptId = await insertPrompt(tx, prompt, sourceId);
    const copied = sql.join(COPIED.map((name) => sql.ref(name)));
    await sql`
      insert into prompt_versions (prompt_id, ${copied})
      select ${promptId}::bigint, ${copied} from prompt_versions where ${isCopied} order by id
    `.execute(tx);
    return promptId;
  });
}

const COPIED = [
  'description',
  'template_type',
  'template_format',
  'template',
  'invocation_parameters',
  'tools',
  'response_format',
  'model_provider',
  'model_name',
  'metadata',
  'created_at',
  'custom_provider_id',
  'user_id',
] as const;

/** Highest row id first; empty when there is no such prompt. */
export async function listPromptVersions(
  db: Db,
  query: { readonly prompt: PromptRef; readonly limit: number; readonly fromRowId?: number },
): Promise<Page<PromptVersion>> {
  let select = ofPrompt(db, query.prompt)
    .orderBy('prompt_versions.id', 'desc')
    .limit(query.limit + 1);
  if (query.fromRowId !== undefined) select = select.where('prompt_versions.id', '<=', query.fromRowId);
  const rows = await select.execute();
  const next = rows[query.limit];
  const items = rows.slice(0, query.limit).map(toVersion);
  return next ? { items, nextRowId: next.id } : { items };
}

export async function findLatestVersion(db: Db, prompt: PromptRef): Promise<PromptVersion | undefined> {
  const row = await ofPrompt(db, prompt).orderBy('prompt_versions.id', 'desc').limit(1).executeTakeFirst();
  return row && toVersion(row);
}

export async function findTaggedVersion(db: Db, prompt: PromptRef, tag: string): Promise<PromptVersion | undefined> {
  const row = await ofPrompt(db, prompt)
    .innerJoin('prompt_version_tags', 'prompt_version_tags.prompt_version_id', 'prompt_versions.id')
    .where('prompt_version_tags.name', '=', tag)
    .executeTakeFirst();
  return row && toVersion(row);
}

/** Versions by row id; a row id that no version has is absent. */
export async function findVersionsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, PromptVersion>> {
  const rows = await db
    .selectFrom('prompt_versions')
    .select(COLUMNS)
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, toVersion(row)]));
}

/** Row ids of the versions of each prompt, the newest first; a prompt without versions is absent. */
export async function findVersionIdsOfPrompts(db: Db, promptIds: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('prompt_versions')
    .select(['prompt_id', sql<number[]>`array_agg(id order by id desc)`.as('ids')])
    .where('prompt_id', '=', sql<number>`any(${promptIds}::bigint[])`)
    .groupBy('prompt_id')
    .execute();
  return new Map(rows.map(({ prompt_id, ids }) => [prompt_id, ids]));
}

const ofPrompt = (db: Db, ref: PromptRef) =>
  db
    .selectFrom('prompt_versions')
    .innerJoin('prompts', 'prompts.id', 'prompt_versions.prompt_id')
    .where(isPrompt(ref))
    .select(COLUMNS);

const COLUMNS = [
  'prompt_versions.id',
  'prompt_versions.prompt_id',
  'prompt_versions.description',
  'prompt_versions.template_format',
  'prompt_versions.model_provider',
  'prompt_versions.model_name',
  'prompt_versions.created_at',
  'prompt_versions.custom_provider_id',
  'prompt_versions.user_id',
  jsonText('prompt_versions.template').as('template'),
  jsonText('prompt_versions.invocation_parameters').as('invocation_parameters'),
  jsonText<string | null>('prompt_versions.tools').as('tools'),
  jsonText<string | null>('prompt_versions.response_format').as('response_format'),
  jsonText('prompt_versions.metadata').as('metadata'),
] as const;

const toColumns = (content: PromptContent) => ({
  description: content.description && toPostgresText(content.description),
  template_type: templateTypeOf(content.template),
  template_format: content.templateFormat,
  template: writeJson(content.template),
  invocation_parameters: writeJson(content.invocationParameters),
  tools: content.tools && writeJson(content.tools),
  response_format: content.responseFormat && writeJson(content.responseFormat),
  model_provider: content.modelProvider,
  model_name: toPostgresText(content.modelName),
  custom_provider_id: content.customProviderId ?? null,
});

const toVersion = (row: Omit<Selectable<PromptVersionTable>, 'template_type'>): PromptVersion => ({
  rowId: row.id,
  promptId: row.prompt_id,
  description: row.description,
  modelProvider: row.model_provider,
  modelName: row.model_name,
  template: readJson<PromptTemplate>(row.template),
  templateFormat: row.template_format,
  invocationParameters: readJson<InvocationParameters>(row.invocation_parameters),
  tools: row.tools === null ? null : readJson<PromptTools>(row.tools),
  responseFormat: row.response_format === null ? null : readJson<ResponseFormat>(row.response_format),
  metadata: readJson<ExactJsonObject>(row.metadata),
  createdAt: row.created_at,
  customProviderId: row.custom_provider_id,
  userId: row.user_id,
});
