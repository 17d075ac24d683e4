import { sql } from 'kysely';
import type { ExactJsonObject } from '../../base/exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { CodeEvaluator, CodeEvaluatorChanges, CodeVersion } from '../../model/evaluators/evaluator.ts';
import { CODE_VERSION_COUNT_MAX } from '../../model/limits/sandbox.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { jsonText, readJson, writeJson } from '../database/json-column.ts';
import { codeOf, FOREIGN_KEY_VIOLATION, isTaken } from '../database/pool-errors.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { readMapping, writeMapping } from './dataset-evaluators.ts';
import { EVALUATOR_COLUMNS, toEvaluatorBase } from './evaluators.ts';

// Tables: evaluators, code_evaluators, code_evaluator_code_versions.

export interface NewSource {
  readonly sourceCode: string;
  readonly inputSchema: ExactJsonObject;
  readonly userId: number | null;
}

export type NewCodeEvaluator = NewSource &
  Pick<CodeEvaluator, 'name' | 'description' | 'language' | 'inputMapping' | 'outputConfigs'> & {
    readonly sandboxConfigRowId: number;
  };

/** Row id of the evaluator. @throws {SpandrelError} `EVALUATOR_NAME_TAKEN`, `SANDBOX_CONFIG_NOT_FOUND` */
export const createCodeEvaluator = (db: Db, evaluator: NewCodeEvaluator): Promise<number> =>
  withWriteErrors(evaluator.name, () =>
    inTransaction(db, async (tx) => {
      const { name, description, language, inputMapping, outputConfigs, sandboxConfigRowId, userId } = evaluator;
      const { id } = await tx
        .insertInto('evaluators')
        .values({
          kind: 'CODE',
          name,
          description: description && toPostgresText(description),
          user_id: authorColumn(userId),
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      await tx
        .insertInto('code_evaluators')
        .values({
          id,
          language,
          input_mapping: writeMapping(inputMapping),
          output_configs: writeJson(outputConfigs),
          sandbox_config_id: sandboxConfigRowId,
        })
        .execute();
      await insertSource(tx, id, evaluator);
      return id;
    }),
  );

/** False when there is no such evaluator. @throws {SpandrelError} `EVALUATOR_NAME_TAKEN`, `SANDBOX_CONFIG_NOT_FOUND` */
export const updateCodeEvaluator = (db: Db, rowId: number, changes: CodeEvaluatorChanges): Promise<boolean> =>
  withWriteErrors(changes.name, () =>
    inTransaction(db, async (tx) => {
      const { name, description, sandboxConfigRowId, inputMapping, outputConfigs } = changes;
      const updated = await tx
        .updateTable('code_evaluators')
        .set({
          ...(sandboxConfigRowId !== undefined && { sandbox_config_id: sandboxConfigRowId }),
          ...(inputMapping !== undefined && { input_mapping: writeMapping(inputMapping) }),
          ...(outputConfigs !== undefined && { output_configs: writeJson(outputConfigs) }),
          updated_at: sql`now()`,
        })
        .where('id', '=', rowId)
        .returning('id')
        .executeTakeFirst();
      if (!updated) return false;
      if (name === undefined && description === undefined) return true;
      await tx
        .updateTable('evaluators')
        .set({
          ...(name !== undefined && { name }),
          ...(description !== undefined && { description: description && toPostgresText(description) }),
        })
        .where('id', '=', rowId)
        .execute();
      return true;
    }),
  );

/** Adds a version unless the newest one has the same source. Undefined when there is no such evaluator. */
export const addCodeVersion = (
  db: Db,
  rowId: number,
  source: NewSource,
): Promise<'added' | 'unchanged' | 'tooMany' | undefined> =>
  inTransaction(db, async (tx) => {
    // Versions are added one at a time, so that row ids follow the order of commits.
    const found = await tx
      .selectFrom('code_evaluators')
      .select('id')
      .where('id', '=', rowId)
      .forUpdate()
      .executeTakeFirst();
    if (!found) return undefined;
    const { count, newest } = await tx
      .selectFrom('code_evaluator_code_versions')
      .select(({ fn }) => [
        fn.countAll<number>().as('count'),
        sql<string | null>`(array_agg(source_code order by id desc))[1]`.as('newest'),
      ])
      .where('code_evaluator_id', '=', rowId)
      .executeTakeFirstOrThrow();
    if (newest === toPostgresText(source.sourceCode)) return 'unchanged';
    if (count >= CODE_VERSION_COUNT_MAX) return 'tooMany';
    await insertSource(tx, rowId, source);
    await tx.updateTable('code_evaluators').set({ updated_at: sql`now()` }).where('id', '=', rowId).execute();
    return 'added';
  });

async function insertSource(tx: Db, rowId: number, { sourceCode, inputSchema, userId }: NewSource): Promise<void> {
  await tx
    .insertInto('code_evaluator_code_versions')
    .values({
      code_evaluator_id: rowId,
      source_code: toPostgresText(sourceCode),
      input_schema: writeJson(inputSchema),
      user_id: authorColumn(userId),
    })
    .execute();
}

/** A row id that no code evaluator has is absent. */
export async function findCodeEvaluators(db: Db, rowIds: readonly number[]): Promise<Map<number, CodeEvaluator>> {
  const rows = await db
    .selectFrom('evaluators as e')
    .innerJoin('code_evaluators as c', 'c.id', 'e.id')
    .select([...EVALUATOR_COLUMNS, 'c.language', 'c.sandbox_config_id', 'c.updated_at'])
    .select([jsonText('c.output_configs').as('output_configs'), jsonText('c.input_mapping').as('input_mapping')])
    .where('e.id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...toEvaluatorBase(row),
        language: row.language,
        inputMapping: readMapping(row.input_mapping),
        sandboxConfigRowId: row.sandbox_config_id,
      },
    ]),
  );
}

/** Row ids of the versions of each evaluator, the newest first. */
export async function findCodeVersionIds(db: Db, rowIds: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('code_evaluator_code_versions')
    .select(['code_evaluator_id', sql<number[]>`array_agg(id order by id desc)`.as('ids')])
    .where('code_evaluator_id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .groupBy('code_evaluator_id')
    .execute();
  return new Map(rows.map(({ code_evaluator_id, ids }) => [code_evaluator_id, ids]));
}

/** A row id that no version has is absent. */
export async function findCodeVersions(db: Db, rowIds: readonly number[]): Promise<Map<number, CodeVersion>> {
  const rows = await db
    .selectFrom('code_evaluator_code_versions as v')
    .select(['v.id', 'v.code_evaluator_id', 'v.source_code', 'v.created_at', 'v.user_id'])
    .select([
      jsonText('v.input_schema').as('input_schema'),
      sql<number>`(select count(*) from code_evaluator_code_versions o
        where o.code_evaluator_id = v.code_evaluator_id and o.id <= v.id)`.as('sequence_number'),
      sql<number | null>`(select max(id) from code_evaluator_code_versions o
        where o.code_evaluator_id = v.code_evaluator_id and o.id < v.id)`.as('previous_id'),
    ])
    .where('v.id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        rowId: row.id,
        evaluatorRowId: row.code_evaluator_id,
        sourceCode: row.source_code,
        inputSchema: readJson<ExactJsonObject>(row.input_schema),
        sequenceNumber: row.sequence_number,
        previousRowId: row.previous_id,
        createdAt: row.created_at,
        userId: row.user_id,
      },
    ]),
  );
}

async function withWriteErrors<Result>(name: string | undefined, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (isTaken(error)) {
      throw new SpandrelError('EVALUATOR_NAME_TAKEN', `Evaluator with name '${name}' already exists`, { cause: error });
    }
    if (codeOf(error) !== FOREIGN_KEY_VIOLATION) throw error;
    const message = 'The sandbox config was not found, or is for another language';
    throw new SpandrelError('SANDBOX_CONFIG_NOT_FOUND', message, { cause: error });
  }
}
