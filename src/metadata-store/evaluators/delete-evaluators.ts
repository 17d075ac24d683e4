import { sql } from 'kysely';
import type { Db } from '../database/database.ts';

// Tables: dataset_evaluators, evaluators, llm_evaluators; on request prompts. An LLM evaluator is deleted with its last
// binding, unless a project uses it. Datasets, prompts and their tags are locked first, in the order of all other locks.

/** Remaining work of the caller: the projects of the traces. */
export interface DeletedBindings {
  readonly projectRowIds: readonly number[];
}

/** Deletes bindings, all or none. Undefined when one of them does not exist. */
export function deleteDatasetEvaluators(
  db: Db,
  rowIds: readonly number[],
  { withPrompts }: { readonly withPrompts: boolean },
): Promise<DeletedBindings | undefined> {
  return db.transaction().execute(async (tx) => {
    const bindings = await lockDatasetsOf(tx, 'id', rowIds);
    if (bindings.length < rowIds.length) return undefined;
    if (withPrompts) await lockPromptsOf(tx, bindings);
    return deleteBindings(tx, bindings, { withPrompts });
  });
}

/**
 * Deletes LLM and code evaluators with all of their bindings, all or none. Undefined when one of them is neither.
 * Their prompts stay.
 */
export function deleteAuthoredEvaluators(db: Db, rowIds: readonly number[]): Promise<DeletedBindings | undefined> {
  return db.transaction().execute(async (tx) => {
    const bindings = await lockDatasetsOf(tx, 'evaluator_id', rowIds);
    const evaluators = await tx
      .selectFrom('evaluators')
      .select('id')
      .where('id', '=', anyOf(rowIds))
      .where('kind', 'in', ['LLM', 'CODE'])
      .orderBy('id')
      .forUpdate()
      .execute();
    if (evaluators.length < rowIds.length) return undefined;
    const deleted = await deleteBindings(tx, bindings, { withPrompts: false });
    await tx.deleteFrom('evaluators').where('id', '=', anyOf(rowIds)).execute();
    return deleted;
  });
}

/** Deletes all bindings of a dataset that the transaction has locked. Prompts stay. */
export async function deleteEvaluatorsOfDataset(tx: Db, datasetRowId: number): Promise<DeletedBindings> {
  const bindings = await tx
    .selectFrom('dataset_evaluators')
    .select(BINDING_COLUMNS)
    .where('dataset_id', '=', datasetRowId)
    .execute();
  return deleteBindings(tx, bindings, { withPrompts: false });
}

const BINDING_COLUMNS = ['id', 'dataset_id', 'evaluator_id', 'project_id'] as const;

interface BindingRow {
  readonly id: number;
  readonly dataset_id: number;
  readonly evaluator_id: number;
  readonly project_id: number;
}

async function lockDatasetsOf(tx: Db, column: 'id' | 'evaluator_id', rowIds: readonly number[]): Promise<BindingRow[]> {
  const find = () =>
    tx.selectFrom('dataset_evaluators').select(BINDING_COLUMNS).where(column, '=', anyOf(rowIds)).execute();
  const datasetIds = (await find()).map(({ dataset_id }) => dataset_id);
  await tx
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', anyOf(datasetIds))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  // Read again under the lock, because they may have changed before.
  return find();
}

/** Also locks their tags, which are deleted with them and which other callers delete separately. */
async function lockPromptsOf(tx: Db, bindings: readonly BindingRow[]): Promise<void> {
  const evaluatorIds = bindings.map(({ evaluator_id }) => evaluator_id);
  const rows = await tx
    .selectFrom('llm_evaluators')
    .select('prompt_id')
    .where('id', '=', anyOf(evaluatorIds))
    .execute();
  const promptIds = anyOf(rows.map(({ prompt_id }) => prompt_id));
  await tx.selectFrom('prompts').select('id').where('id', '=', promptIds).orderBy('id').forUpdate().execute();
  await tx
    .selectFrom('prompt_version_tags')
    .select('id')
    .where('prompt_id', '=', promptIds)
    .orderBy('id')
    .forUpdate()
    .execute();
}

async function deleteBindings(
  tx: Db,
  bindings: readonly BindingRow[],
  { withPrompts }: { readonly withPrompts: boolean },
): Promise<DeletedBindings> {
  await tx
    .deleteFrom('dataset_evaluators')
    .where('id', '=', anyOf(bindings.map(({ id }) => id)))
    .execute();
  const evaluatorIds = anyOf(bindings.map(({ evaluator_id }) => evaluator_id));
  const unused = await tx
    .selectFrom('llm_evaluators as l')
    .select(['l.id', 'l.prompt_id'])
    .where('l.id', '=', evaluatorIds)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('dataset_evaluators as d').select('d.id').whereRef('d.evaluator_id', '=', 'l.id'))),
    )
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('online_evaluators as o').select('o.id').whereRef('o.evaluator_id', '=', 'l.id'))),
    )
    .execute();
  await tx
    .deleteFrom('evaluators')
    .where('id', '=', anyOf(unused.map(({ id }) => id)))
    .execute();
  if (withPrompts) {
    await tx
      .deleteFrom('prompts')
      .where('id', '=', anyOf(unused.map(({ prompt_id }) => prompt_id)))
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('llm_evaluators as l').select('l.id').whereRef('l.prompt_id', '=', 'prompts.id'))),
      )
      .execute();
  }
  return { projectRowIds: bindings.map(({ project_id }) => project_id) };
}

const anyOf = (rowIds: readonly number[]) => sql<number>`any(${rowIds}::bigint[])`;
