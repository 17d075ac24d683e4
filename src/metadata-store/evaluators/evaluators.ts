import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { ExactJsonObject } from '../../base/exact-json.ts';
import type { BuiltInEvaluator, EvaluatorRef, LlmEvaluator, OutputConfig } from '../../model/evaluators/evaluator.ts';
import { EVALUATOR_LIST_COUNT_MAX } from '../../model/limits/datasets.ts';
import type { Db } from '../database/database.ts';
import { jsonText, readJson } from '../database/json-column.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import type { EvaluatorTable } from './evaluator-tables.ts';

// Tables: evaluators, llm_evaluators, builtin_evaluators.

export interface EvaluatorSort {
  readonly col: 'name' | 'kind' | 'createdAt' | 'updatedAt';
  readonly dir: 'asc' | 'desc';
}

/**
 * Evaluators that users see: LLM and code evaluators, and built-in ones that a dataset has. `nameContains` ignores case and also
 * applies to the names in datasets.
 */
export async function findEvaluatorRefs(
  db: Db,
  { nameContains, sort }: { readonly nameContains?: string | undefined; readonly sort: EvaluatorSort },
): Promise<EvaluatorRef[]> {
  let select = selectListed(db)
    .leftJoin('llm_evaluators as l', 'l.id', 'e.id')
    .leftJoin('builtin_evaluators as b', 'b.id', 'e.id')
    .leftJoin('code_evaluators as c', 'c.id', 'e.id')
    .select(['e.id as rowId', 'e.kind'])
    .orderBy(SORT_COLUMNS[sort.col], sort.dir)
    .orderBy('e.id', sort.dir)
    .limit(EVALUATOR_LIST_COUNT_MAX);
  if (nameContains) {
    const part = toPostgresText(nameContains);
    select = select.where(({ or, exists, selectFrom }) =>
      or([
        sql<boolean>`position(lower(${part}) in e.name) > 0`,
        exists(
          selectFrom('dataset_evaluators as d')
            .select('d.id')
            .whereRef('d.evaluator_id', '=', 'e.id')
            .where(sql<boolean>`position(lower(${part}) in d.name) > 0`),
        ),
      ]),
    );
  }
  return select.execute();
}

/** Counts the evaluators that `findEvaluatorRefs` lists. */
export async function countEvaluators(db: Db): Promise<number> {
  const { count } = await selectListed(db)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

const selectListed = (db: Db) =>
  db
    .selectFrom('evaluators as e')
    .where(({ or, eb, exists, selectFrom }) =>
      or([
        eb('e.kind', 'in', ['LLM', 'CODE']),
        exists(selectFrom('dataset_evaluators as d').select('d.id').whereRef('d.evaluator_id', '=', 'e.id')),
      ]),
    );

const SORT_COLUMNS: Readonly<Record<EvaluatorSort['col'], RawBuilder<unknown>>> = {
  name: sql`e.name collate "C"`,
  kind: sql`e.kind collate "C"`,
  createdAt: sql`e.created_at`,
  updatedAt: sql`coalesce(l.updated_at, c.updated_at, b.synced_at)`,
};

/** Lists the row ids of the built-in evaluators by name. */
export async function listBuiltInIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('evaluators').select('id').where('kind', '=', 'BUILTIN').orderBy('name').execute();
  return rows.map(({ id }) => id);
}

/** A row id that no LLM evaluator has is absent. */
export async function findLlmEvaluators(db: Db, rowIds: readonly number[]): Promise<Map<number, LlmEvaluator>> {
  const rows = await db
    .selectFrom('evaluators as e')
    .innerJoin('llm_evaluators as l', 'l.id', 'e.id')
    .select([...EVALUATOR_COLUMNS, 'l.prompt_id', 'l.prompt_version_tag_id', 'l.updated_at'])
    .select(jsonText('l.output_configs').as('output_configs'))
    .where('e.id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      { ...toEvaluatorBase(row), promptId: row.prompt_id, promptVersionTagId: row.prompt_version_tag_id },
    ]),
  );
}

/** A row id that no built-in evaluator has is absent. */
export async function findBuiltInEvaluators(db: Db, rowIds: readonly number[]): Promise<Map<number, BuiltInEvaluator>> {
  const rows = await db
    .selectFrom('evaluators as e')
    .innerJoin('builtin_evaluators as b', 'b.id', 'e.id')
    .select([...EVALUATOR_COLUMNS, 'b.synced_at as updated_at'])
    .select([jsonText('b.output_configs').as('output_configs'), jsonText('b.input_schema').as('input_schema')])
    .where('e.id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(
    rows.map((row) => [row.id, { ...toEvaluatorBase(row), inputSchema: readJson<ExactJsonObject>(row.input_schema) }]),
  );
}

/** Columns of all evaluators. */
export const EVALUATOR_COLUMNS = [
  'e.id',
  'e.name',
  'e.description',
  'e.created_at',
  'e.user_id',
  jsonText('e.metadata').as('metadata'),
] as const;

type BaseRow = Omit<Selectable<EvaluatorTable>, 'kind'> & {
  readonly output_configs: string;
  readonly updated_at: Date;
};

export const toEvaluatorBase = (row: BaseRow) => ({
  rowId: row.id,
  name: row.name,
  description: row.description,
  metadata: readJson<ExactJsonObject>(row.metadata),
  outputConfigs: readConfigs(row.output_configs),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  userId: row.user_id,
});

/** Bounds and scores may have any notation, and are doubles. */
export const readConfigs = (text: string): OutputConfig[] => JSON.parse(text);
