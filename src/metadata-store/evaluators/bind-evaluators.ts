import { sql } from 'kysely';
import type { Authored } from '../../model/access/author.ts';
import type {
  DatasetEvaluator,
  DatasetEvaluatorChanges,
  EvaluatorPrompt,
  InputMapping,
  LlmEvaluatorChanges,
  OutputConfig,
} from '../../model/evaluators/evaluator.ts';
import { DATASET_EVALUATOR_COUNT_MAX } from '../../model/limits/datasets.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { insertUnderFreeName } from '../database/free-name.ts';
import { writeJson } from '../database/json-column.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { createProject } from '../projects/projects.ts';
import { writeMapping } from './dataset-evaluators.ts';
import { placePrompt } from './evaluator-prompts.ts';

// Tables: dataset_evaluators, evaluators, llm_evaluators. A change of bindings locks its dataset first, then prompt,
// tag, evaluator and binding, so that callers cannot deadlock.

/** The reason why nothing was written. */
export type BindProblem =
  | 'datasetUnknown'
  | 'evaluatorUnknown'
  | 'promptVersionUnknown'
  | 'bindingUnknown'
  | 'nameTaken'
  | 'tooMany';

/** The row id of the binding, or the reason why it was not created. */
export type Bound = number | BindProblem;

interface NewBinding extends Authored {
  readonly datasetRowId: number;
  /** An identifier. */
  readonly name: string;
  readonly description: string | null;
  readonly inputMapping: InputMapping;
  /** Name of the project of its traces, which is created with it. */
  readonly projectName: string;
  readonly projectDescription: string;
}

/** A binding of an evaluator that exists: a built-in one or code. */
export interface NewStoredBinding extends NewBinding {
  readonly kind: 'BUILTIN' | 'CODE';
  readonly evaluatorRowId: number;
  /** Null for that of the evaluator. */
  readonly outputConfigs: readonly OutputConfig[] | null;
}

export interface NewLlmBinding extends NewBinding {
  readonly outputConfigs: readonly OutputConfig[];
  readonly prompt: EvaluatorPrompt;
}

export function bindStoredEvaluator(db: Db, binding: NewStoredBinding): Promise<Bound> {
  return db.transaction().execute(async (tx) => {
    const problem = await lockDatasetFor(tx, binding);
    if (problem) return problem;
    const evaluator = await tx
      .selectFrom('evaluators')
      .select('id')
      .where('id', '=', binding.evaluatorRowId)
      .where('kind', '=', binding.kind)
      .forKeyShare()
      .executeTakeFirst();
    return evaluator ? insertBinding(tx, binding) : 'evaluatorUnknown';
  });
}

/** Creates the evaluator, and a prompt or prompt version unless an equal one exists. */
export function bindLlmEvaluator(db: Db, { outputConfigs, prompt, ...binding }: NewLlmBinding): Promise<Bound> {
  return db.transaction().execute(async (tx) => {
    const problem = await lockDatasetFor(tx, binding);
    if (problem) return problem;
    const place = await placePrompt(tx, prompt, binding);
    if (!place) return 'promptVersionUnknown';
    const evaluator = await insertUnderFreeName(binding.name, (name) =>
      tx
        .insertInto('evaluators')
        .values({
          kind: 'LLM',
          name,
          description: binding.description && toPostgresText(binding.description),
          user_id: authorColumn(binding.userId),
        })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('id')
        .executeTakeFirst(),
    );
    await tx
      .insertInto('llm_evaluators')
      .values({
        id: evaluator.id,
        prompt_id: place.promptId,
        prompt_version_tag_id: place.tagId,
        output_configs: writeJson(outputConfigs),
      })
      .execute();
    // The description is stored with the evaluator.
    return insertBinding(tx, { ...binding, description: null, evaluatorRowId: evaluator.id, outputConfigs: null });
  });
}

/** Changes the given fields. */
export function updateStoredBinding(
  db: Db,
  binding: DatasetEvaluator,
  changes: DatasetEvaluatorChanges,
): Promise<BindProblem | undefined> {
  return db.transaction().execute(async (tx) => {
    const problem = await lockBinding(tx, binding, changes.name);
    if (problem) return problem;
    const { description, outputConfigs } = changes;
    await updateBinding(tx, binding.rowId, {
      ...changesOf(changes),
      ...(description !== undefined && { description: description && toPostgresText(description) }),
      ...(outputConfigs !== undefined && { output_configs: outputConfigs && writeJson(outputConfigs) }),
    });
    return undefined;
  });
}

/** Changes the binding, its evaluator, and the prompt, in the name of a user, if the requests to the model change. */
export function updateLlmBinding(
  db: Db,
  binding: DatasetEvaluator,
  changes: LlmEvaluatorChanges,
  prompt: EvaluatorPrompt,
  userId: number | null,
): Promise<BindProblem | undefined> {
  return db.transaction().execute(async (tx) => {
    const problem = await lockBinding(tx, binding, changes.name);
    if (problem) return problem;
    const { description, name } = changes;
    const evaluatorRowId = binding.evaluator.rowId;
    const place = await placePrompt(tx, prompt, { name, description, evaluatorRowId, userId });
    if (!place) return 'promptVersionUnknown';
    await tx
      .updateTable('evaluators')
      .set({ description: description && toPostgresText(description) })
      .where('id', '=', evaluatorRowId)
      .execute();
    if (name !== binding.name) await renameEvaluator(tx, evaluatorRowId, name);
    await tx
      .updateTable('llm_evaluators')
      .set({
        prompt_id: place.promptId,
        prompt_version_tag_id: place.tagId,
        output_configs: writeJson(changes.outputConfigs),
        updated_at: sql`now()`,
      })
      .where('id', '=', evaluatorRowId)
      .execute();
    await updateBinding(tx, binding.rowId, changesOf(changes));
    return undefined;
  });
}

async function renameEvaluator(tx: Db, rowId: number, name: string): Promise<void> {
  // An unused name stays unused: the lock prevents inserts and renames.
  await sql`lock table evaluators in share row exclusive mode`.execute(tx);
  await insertUnderFreeName(name, (candidate) =>
    tx
      .updateTable('evaluators')
      .set({ name: candidate })
      .where('id', '=', rowId)
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('evaluators as e').select('e.id').where('e.name', '=', candidate).where('e.id', '!=', rowId),
          ),
        ),
      )
      .returning('id')
      .executeTakeFirst(),
  );
}

const changesOf = ({ name, inputMapping }: DatasetEvaluatorChanges) => ({
  name,
  ...(inputMapping && { input_mapping: writeMapping(inputMapping) }),
});

async function updateBinding(
  tx: Db,
  rowId: number,
  columns: { readonly name: string; readonly description?: string | null; readonly output_configs?: string | null },
): Promise<void> {
  await tx
    .updateTable('dataset_evaluators')
    .set({ ...columns, updated_at: sql`now()` })
    .where('id', '=', rowId)
    .execute();
}

async function insertBinding(tx: Db, binding: Omit<NewStoredBinding, 'kind'>): Promise<number> {
  const { description, outputConfigs } = binding;
  const project = await createProject(tx, { name: binding.projectName, description: binding.projectDescription });
  const { id } = await tx
    .insertInto('dataset_evaluators')
    .values({
      dataset_id: binding.datasetRowId,
      evaluator_id: binding.evaluatorRowId,
      name: binding.name,
      description: description && toPostgresText(description),
      output_configs: outputConfigs && writeJson(outputConfigs),
      input_mapping: writeMapping(binding.inputMapping),
      project_id: project.rowId,
      user_id: authorColumn(binding.userId),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Locks the dataset against other changes to its evaluators. */
async function lockDatasetFor(
  tx: Db,
  { datasetRowId, name }: { readonly datasetRowId: number; readonly name: string },
): Promise<BindProblem | undefined> {
  const dataset = await tx
    .selectFrom('datasets')
    .select('id')
    .where('id', '=', datasetRowId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!dataset) return 'datasetUnknown';
  const { count, taken } = await tx
    .selectFrom('dataset_evaluators')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      sql<number>`count(*) filter (where name = ${name})`.as('taken'),
    ])
    .where('dataset_id', '=', datasetRowId)
    .executeTakeFirstOrThrow();
  if (taken > 0) return 'nameTaken';
  return count >= DATASET_EVALUATOR_COUNT_MAX ? 'tooMany' : undefined;
}

/** Locks the dataset of a binding that was read before, to give the binding this name. */
async function lockBinding(
  tx: Db,
  { rowId, datasetRowId }: DatasetEvaluator,
  name: string,
): Promise<BindProblem | undefined> {
  await tx.selectFrom('datasets').select('id').where('id', '=', datasetRowId).forNoKeyUpdate().execute();
  const rows = await tx
    .selectFrom('dataset_evaluators')
    .select(['id', 'name'])
    .where('dataset_id', '=', datasetRowId)
    .where(({ or, eb }) => or([eb('id', '=', rowId), eb('name', '=', name)]))
    .execute();
  if (!rows.some(({ id }) => id === rowId)) return 'bindingUnknown';
  return rows.length > 1 ? 'nameTaken' : undefined;
}
