import { type Selectable, sql } from 'kysely';
import type { ExactJsonObject } from '../../base/exact-json.ts';
import { groupBy } from '../../base/group-by.ts';
import type { DatasetEvaluator, EvaluatorKind, InputMapping } from '../../model/evaluators/evaluator.ts';
import type { Db } from '../database/database.ts';
import { jsonText, readJson, writeJson } from '../database/json-column.ts';
import type { DatasetEvaluatorTable } from './evaluator-tables.ts';
import { readConfigs } from './evaluators.ts';

// Tables: dataset_evaluators, experiment_dataset_evaluators.

/** A row id that no binding has is absent. */
export async function findDatasetEvaluators(db: Db, rowIds: readonly number[]): Promise<Map<number, DatasetEvaluator>> {
  const rows = await selectBindings(db).where('d.id', '=', sql<number>`any(${rowIds}::bigint[])`).execute();
  return new Map(rows.map((row) => [row.id, toDatasetEvaluator(row)]));
}

/** Finds the evaluators of each dataset by name. A dataset without evaluators is absent. */
export async function findEvaluatorsOfDatasets(
  db: Db,
  datasetRowIds: readonly number[],
): Promise<Map<number, DatasetEvaluator[]>> {
  const rows = await selectBindings(db)
    .where('d.dataset_id', '=', sql<number>`any(${datasetRowIds}::bigint[])`)
    .orderBy(sql`d.name collate "C"`)
    .execute();
  return groupBy(rows, (row) => row.dataset_id, toDatasetEvaluator);
}

/** A dataset without evaluators is absent. */
export async function countEvaluatorsOfDatasets(
  db: Db,
  datasetRowIds: readonly number[],
): Promise<Map<number, number>> {
  const rows = await db
    .selectFrom('dataset_evaluators')
    .select(({ fn }) => ['dataset_id', fn.countAll<number>().as('count')])
    .where('dataset_id', '=', sql<number>`any(${datasetRowIds}::bigint[])`)
    .groupBy('dataset_id')
    .execute();
  return new Map(rows.map(({ dataset_id, count }) => [dataset_id, count]));
}

/** A use of an evaluator, by row ids. */
export interface Binding {
  readonly rowId: number;
  readonly datasetRowId: number;
}

/** Finds the bindings by row id of the evaluator. An evaluator that no dataset uses is absent. */
export async function findBindingsOfEvaluators(
  db: Db,
  evaluatorRowIds: readonly number[],
): Promise<Map<number, Binding[]>> {
  const rows = await db
    .selectFrom('dataset_evaluators')
    .select(['id', 'dataset_id', 'evaluator_id'])
    .where('evaluator_id', '=', sql<number>`any(${evaluatorRowIds}::bigint[])`)
    .orderBy('id')
    .execute();
  return groupBy(
    rows,
    (row) => row.evaluator_id,
    ({ id, dataset_id }): Binding => ({ rowId: id, datasetRowId: dataset_id }),
  );
}

/** Row ids of the bindings by name. An experiment without evaluators of the server is absent. */
export async function findEvaluatorsOfExperiments(
  db: Db,
  experimentRowIds: readonly number[],
): Promise<Map<number, number[]>> {
  const rows = await db
    .selectFrom('experiment_dataset_evaluators as x')
    .innerJoin('dataset_evaluators as d', 'd.id', 'x.dataset_evaluator_id')
    .select(['x.experiment_id', 'd.id'])
    .where('x.experiment_id', '=', sql<number>`any(${experimentRowIds}::bigint[])`)
    .orderBy(sql`d.name collate "C"`)
    .execute();
  return groupBy(
    rows,
    (row) => row.experiment_id,
    ({ id }) => id,
  );
}

/** Description of the evaluator whose traces a project stores. Undefined when there is none. */
export async function findEvaluatorOfProject(db: Db, projectRowId: number): Promise<string | undefined> {
  const online = await db
    .selectFrom('online_evaluators as o')
    .innerJoin('projects', 'projects.id', 'o.project_id')
    .select(['o.name', 'projects.name as project'])
    .where('o.trace_project_id', '=', projectRowId)
    .executeTakeFirst();
  if (online) return `'${online.name}' of the project '${online.project}'`;
  const row = await db
    .selectFrom('dataset_evaluators as d')
    .innerJoin('datasets', 'datasets.id', 'd.dataset_id')
    .select(['d.name', 'datasets.name as dataset'])
    .where('d.project_id', '=', projectRowId)
    .executeTakeFirst();
  return row && `'${row.name}' of the dataset '${row.dataset}'`;
}

const selectBindings = (db: Db) =>
  db
    .selectFrom('dataset_evaluators as d')
    .innerJoin('evaluators as e', 'e.id', 'd.evaluator_id')
    .select(['d.id', 'd.dataset_id', 'd.evaluator_id', 'e.kind', 'd.name', 'd.description', 'd.project_id'])
    .select(['d.created_at', 'd.updated_at', 'd.user_id', jsonText('d.input_mapping').as('input_mapping')])
    .select(jsonText<string | null>('d.output_configs').as('output_configs'));

type BindingRow = Selectable<DatasetEvaluatorTable> & { readonly kind: EvaluatorKind };

const toDatasetEvaluator = (row: BindingRow): DatasetEvaluator => ({
  rowId: row.id,
  datasetRowId: row.dataset_id,
  evaluator: { rowId: row.evaluator_id, kind: row.kind },
  name: row.name,
  description: row.description,
  outputConfigs: row.output_configs === null ? null : readConfigs(row.output_configs),
  inputMapping: readMapping(row.input_mapping),
  projectRowId: row.project_id,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  userId: row.user_id,
});

interface StoredMapping {
  readonly path_mapping: Readonly<Record<string, string>>;
  readonly literal_mapping: ExactJsonObject;
}

/** Reads the column `input_mapping`. */
export function readMapping(text: string): InputMapping {
  const { path_mapping, literal_mapping } = readJson<StoredMapping>(text);
  return { paths: path_mapping, literals: literal_mapping };
}

/** Text for the column `input_mapping`. */
export const writeMapping = ({ paths, literals }: InputMapping): string =>
  writeJson({ path_mapping: paths, literal_mapping: literals } satisfies StoredMapping);
