import { sql } from 'kysely';
import { toCanonicalJson } from '../../base/canonical-json.ts';
import type { ExactJson } from '../../base/exact-json.ts';
import type { BuiltInDefinition } from '../../model/evaluators/evaluator.ts';
import type { Db } from '../database/database.ts';
import { writeJson } from '../database/json-column.ts';
import { findBuiltInEvaluators } from './evaluators.ts';

// Tables: evaluators, builtin_evaluators.

/** Any number of servers may start at once. */
const SYNC_LOCK = 7_203_115;

/**
 * Syncs the built-in evaluators with this list: adds, changes, removes. A key keeps its row id. If an LLM evaluator has
 * the name of a new one, that evaluator gets another name.
 *
 * @returns Row ids of the projects that only bindings of removed evaluators used.
 */
export function syncBuiltInEvaluators(db: Db, definitions: readonly BuiltInDefinition[]): Promise<number[]> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(${SYNC_LOCK})`.execute(tx);
    const rows = await tx.selectFrom('builtin_evaluators').select(['id', 'key']).execute();
    const idByKey = new Map(rows.map(({ id, key }) => [key, id]));
    const stored = await findBuiltInEvaluators(tx, [...idByKey.values()]);
    for (const evaluator of definitions) {
      const id = idByKey.get(evaluator.key);
      const before = id === undefined ? undefined : stored.get(id);
      idByKey.delete(evaluator.key);
      if (id === undefined) await insert(tx, evaluator);
      else if (!before || contentOf(before) !== contentOf(evaluator)) await replace(tx, id, evaluator);
    }
    return remove(tx, [...idByKey.values()]);
  });
}

async function insert(tx: Db, { key, description, inputSchema, outputConfigs }: BuiltInDefinition): Promise<void> {
  await tx
    .updateTable('evaluators')
    .set({ name: sql`name || '-' || left(md5(random()::text), 8)` })
    .where('name', '=', key)
    .execute();
  const { id } = await tx
    .insertInto('evaluators')
    .values({ name: key, description, kind: 'BUILTIN' })
    .returning('id')
    .executeTakeFirstOrThrow();
  await tx
    .insertInto('builtin_evaluators')
    .values({ id, key, input_schema: writeJson(inputSchema), output_configs: writeJson(outputConfigs) })
    .execute();
}

async function replace(tx: Db, id: number, { description, inputSchema, outputConfigs }: BuiltInDefinition) {
  await tx.updateTable('evaluators').set({ description }).where('id', '=', id).execute();
  await tx
    .updateTable('builtin_evaluators')
    .set({ input_schema: writeJson(inputSchema), output_configs: writeJson(outputConfigs), synced_at: new Date() })
    .where('id', '=', id)
    .execute();
}

async function remove(tx: Db, rowIds: readonly number[]): Promise<number[]> {
  if (rowIds.length === 0) return [];
  const toDelete = sql<number>`any(${rowIds}::bigint[])`;
  const bindings = await tx
    .deleteFrom('dataset_evaluators')
    .where('evaluator_id', '=', toDelete)
    .returning('project_id')
    .execute();
  await tx.deleteFrom('evaluators').where('id', '=', toDelete).execute();
  return bindings.map(({ project_id }) => project_id);
}

const contentOf = ({ description, inputSchema, outputConfigs }: ContentFields): string =>
  toCanonicalJson({ description, inputSchema, outputConfigs } as unknown as ExactJson);

type ContentFields = Pick<BuiltInDefinition, 'inputSchema' | 'outputConfigs'> & { readonly description: string | null };
