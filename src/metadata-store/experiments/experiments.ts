import { sql } from 'kysely';
import { groupBy } from '../../base/group-by.ts';
import type { Authored } from '../../model/access/author.ts';
import type { Experiment, ExperimentChanges, ExperimentTag, NewExperiment } from '../../model/experiment.ts';
import type { Page } from '../../model/page.ts';
import { authorColumn } from '../access/author.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { allowLongStatements, toPage } from '../datasets/datasets.ts';
import { isInSplits } from '../datasets/in-splits.ts';
import { createProject } from '../projects/projects.ts';

// Tables: experiments, experiment_summaries, experiment_examples, experiment_splits, experiment_tags.

/** Creates the experiment, its project and its snapshot of the examples. Undefined when the dataset has been deleted. */
export function createExperiment(db: Db, experiment: NewExperiment): Promise<Experiment | undefined> {
  return inTransaction(db, async (tx) => {
    await allowLongStatements(tx);
    const dataset = await tx
      .selectFrom('datasets')
      .select('id')
      .where('id', '=', experiment.datasetRowId)
      .forKeyShare()
      .executeTakeFirst();
    if (!dataset) return undefined;
    await createProject(tx, { name: experiment.projectName, description: experiment.projectDescription });
    const { id } = await tx
      .insertInto('experiments')
      .values({
        dataset_id: experiment.datasetRowId,
        dataset_version_id: experiment.datasetVersionRowId,
        name: toPostgresText(experiment.name),
        description: experiment.description === null ? null : toPostgresText(experiment.description),
        repetitions: experiment.repetitions,
        metadata: experiment.metadata,
        project_name: experiment.projectName,
        example_count: 0,
        user_id: authorColumn(experiment.userId),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await tx.insertInto('experiment_summaries').values({ experiment_id: id }).execute();
    await takeSnapshot(tx, id, experiment);
    return findExperiment(tx, id);
  });
}

/** Lists the experiments that are not ephemeral, highest row id first. Empty for an unknown dataset. */
export async function listExperiments(
  db: Db,
  query: { readonly datasetRowId: number; readonly limit: number; readonly fromRowId?: number | undefined },
): Promise<Page<Experiment>> {
  let select = selectExperiments(db)
    .where('dataset_id', '=', query.datasetRowId)
    .where('is_ephemeral', '=', false)
    .orderBy('id', 'desc')
    .limit(query.limit + 1);
  if (query.fromRowId !== undefined) select = select.where('id', '<=', query.fromRowId);
  return toPage((await select.execute()).map(toExperiment), query.limit);
}

export async function findExperiment(db: Db, rowId: number): Promise<Experiment | undefined> {
  const row = await selectExperiments(db).where('id', '=', rowId).executeTakeFirst();
  return row && toExperiment(row);
}

/** False when there is no such experiment. */
export async function updateExperiment(
  db: Db,
  rowId: number,
  { name, description, metadata }: ExperimentChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('experiments')
    .set({
      ...(name !== undefined && { name: toPostgresText(name) }),
      ...(description !== undefined && { description: description === null ? null : toPostgresText(description) }),
      ...(metadata !== undefined && { metadata }),
      updated_at: sql`now()`,
    })
    .where('id', '=', rowId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Project names of all experiments of a dataset. */
export async function findProjectNames(db: Db, datasetRowId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('experiments')
    .select('project_name')
    .distinct()
    .where('dataset_id', '=', datasetRowId)
    .execute();
  return rows.map(({ project_name }) => project_name);
}

/**
 * Deletes an experiment with its runs, evaluations and tags. Returns the name of its project, or undefined when there
 * was no such experiment.
 */
export function deleteExperiment(db: Db, rowId: number): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    await allowLongStatements(tx);
    const row = await tx.deleteFrom('experiments').where('id', '=', rowId).returning('project_name').executeTakeFirst();
    return row?.project_name;
  });
}

const TAG_COLUMNS = ['id as rowId', 'experiment_id as experimentRowId', 'name', 'description'] as const;

/** A row id that no tag has is absent. */
export async function findExperimentTags(db: Db, rowIds: readonly number[]): Promise<Map<number, ExperimentTag>> {
  const rows = await db
    .selectFrom('experiment_tags')
    .select(TAG_COLUMNS)
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(rows.map((tag) => [tag.rowId, tag]));
}

/** Tags of each experiment by name. An experiment without tags is absent. */
export async function findTagsOfExperiments(
  db: Db,
  experimentRowIds: readonly number[],
): Promise<Map<number, ExperimentTag[]>> {
  const tags = await db
    .selectFrom('experiment_tags')
    .select(TAG_COLUMNS)
    .where('experiment_id', '=', sql<number>`any(${experimentRowIds}::bigint[])`)
    .orderBy('name')
    .execute();
  return groupBy(
    tags,
    (tag) => tag.experimentRowId,
    (tag) => tag,
  );
}

/** Lists the tags of an experiment by name. */
export const listExperimentTags = (db: Db, experimentRowId: number): Promise<ExperimentTag[]> =>
  db
    .selectFrom('experiment_tags')
    .select(TAG_COLUMNS)
    .where('experiment_id', '=', experimentRowId)
    .orderBy('name')
    .execute();

/** Moves the tag to this experiment from any other of its dataset. Undefined when there is no such experiment. */
export async function tagExperiment(
  db: Db,
  experimentRowId: number,
  { name, description, userId }: Pick<ExperimentTag, 'name' | 'description'> & Authored,
  { isForEphemeral }: { readonly isForEphemeral: boolean },
): Promise<ExperimentTag | undefined> {
  const { rows } = await sql<ExperimentTag>`
    insert into experiment_tags (dataset_id, experiment_id, name, description, user_id)
    select dataset_id, id, ${name}, ${description === null ? null : toPostgresText(description)}, ${authorColumn(userId)}
    from experiments where id = ${experimentRowId} and (${isForEphemeral} or not is_ephemeral)
    on conflict (dataset_id, name) do update
      set experiment_id = excluded.experiment_id, description = excluded.description, user_id = excluded.user_id
    returning id as "rowId", experiment_id as "experimentRowId", name, description
  `.execute(db);
  return rows[0];
}

/** Idempotent. A tag of another experiment stays. */
export async function untagExperiment(db: Db, experimentRowId: number, name: string): Promise<void> {
  await db
    .deleteFrom('experiment_tags')
    .where('experiment_id', '=', experimentRowId)
    .where('name', '=', name)
    .execute();
}

async function takeSnapshot(
  tx: Db,
  id: number,
  { datasetRowId, datasetVersionRowId, splitRowIds }: NewExperiment,
): Promise<void> {
  const { numAffectedRows } = await sql`
    insert into experiment_examples (experiment_id, dataset_example_id, dataset_example_revision_id)
    select ${id}, r.dataset_example_id, r.id
    from dataset_versions v
    join dataset_example_revisions r on r.dataset_id = v.dataset_id
      and r.dataset_example_id between v.first_example_id and v.last_example_id
    where v.id = ${datasetVersionRowId} and r.dataset_id = ${datasetRowId}
      and r.dataset_version_id <= ${datasetVersionRowId}
      and (r.until_version_id is null or r.until_version_id > ${datasetVersionRowId})
      and r.revision_kind <> 'DELETE' ${isInSplits(splitRowIds.length > 0 ? splitRowIds : undefined)}
    order by r.dataset_example_id
  `.execute(tx);
  await sql`update experiments set example_count = ${Number(numAffectedRows ?? 0n)} where id = ${id}`.execute(tx);
  await sql`
    insert into experiment_splits select ${id}, split from unnest(${splitRowIds}::bigint[]) as splits (split)
  `.execute(tx);
}

/** Counts come from the summary. Runs are only counted when some have been written since. */
export const selectExperiments = (db: Db) =>
  db
    .selectFrom('experiments')
    .innerJoin('experiment_summaries as s', 's.experiment_id', 'experiments.id')
    .innerJoinLateral(
      sql<{ successful: number; failed: number }>`(
        select count(*) filter (where error is null) as successful, count(error) as failed
        from experiment_runs
        where experiment_id = experiments.id and s.summarized_change_count is distinct from s.change_count
      )`.as('counts'),
      (join) => join.onTrue(),
    )
    .select([
      'id',
      'dataset_id',
      'dataset_version_id',
      'name',
      'description',
      'repetitions',
      'project_name',
      'is_ephemeral',
      'example_count',
      'created_at',
      'updated_at',
      'user_id',
      sql<number>`${IS_SUMMARIZED} then s.successful_run_count else counts.successful end`.as('successful'),
      sql<number>`${IS_SUMMARIZED} then s.failed_run_count else counts.failed end`.as('failed'),
      sql<string>`metadata::text`.as('json'),
    ]);

const IS_SUMMARIZED = sql`case when s.summarized_change_count = s.change_count`;

type ExperimentRow = Awaited<ReturnType<ReturnType<typeof selectExperiments>['executeTakeFirstOrThrow']>>;

export const toExperiment = (row: ExperimentRow): Experiment => ({
  rowId: row.id,
  datasetRowId: row.dataset_id,
  datasetVersionRowId: row.dataset_version_id,
  name: row.name,
  description: row.description,
  repetitions: row.repetitions,
  metadata: row.json,
  projectName: row.project_name,
  isEphemeral: row.is_ephemeral,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  userId: row.user_id,
  exampleCount: row.example_count,
  successfulRunCount: row.successful,
  failedRunCount: row.failed,
});
