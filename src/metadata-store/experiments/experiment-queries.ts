import { type RawBuilder, sql } from 'kysely';
import type { ExampleAtVersion } from '../../model/dataset.ts';
import type { Experiment, ExperimentSort } from '../../model/experiment.ts';
import { DATASET_LIST_COUNT_MAX } from '../../model/limits/datasets.ts';
import type { RunFilter } from '../../filter/runs/run-filter.ts';
import type { Db } from '../database/database.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { summarizeDataset } from './experiment-summaries.ts';
import { selectExperiments, toExperiment } from './experiments.ts';
import { runFilterToSql } from './run-filter-to-sql.ts';

// Tables: experiments, experiment_summaries, experiment_examples, dataset_example_revisions, experiment_splits, experiment_tags.

/** Row ids of a dataset's experiments, highest first unless sorted otherwise. */
export async function findExperimentIds(
  db: Db,
  query: {
    readonly datasetRowId: number;
    /** Part of the name or description. Case is ignored. */
    readonly textContains?: string | undefined;
    readonly rowIds?: readonly number[] | undefined;
    readonly includesEphemeral: boolean;
    readonly sort?: ExperimentSort | undefined;
    /** Groups the experiments by their value of this key of the metadata, before they are sorted. */
    readonly metadataKey?: string | undefined;
  },
): Promise<number[]> {
  const text = query.textContains && toPostgresText(query.textContains);
  const holdsText = text
    ? sql`and (position(lower(${text}) in lower(name)) > 0 or position(lower(${text}) in lower(description)) > 0)`
    : sql``;
  const isNamed = query.rowIds ? sql`and id = any(${query.rowIds}::bigint[])` : sql``;
  const { sort, metadataKey } = query;
  // The order may depend on summaries.
  if (sort) await summarizeDataset(db, query.datasetRowId);
  const direction = sort?.isDescending === false ? sql`asc nulls last` : sql`desc nulls last`;
  const group = metadataKey === undefined ? sql`` : sql`${metadataValue(metadataKey)} nulls last,`;
  const order = sort ? sql`${sortValue(sort.by)} ${direction},` : sql``;
  const { rows } = await sql<{ id: number }>`
    select id from experiments join experiment_summaries s on s.experiment_id = id
    where dataset_id = ${query.datasetRowId} and (${query.includesEphemeral} or not is_ephemeral) ${holdsText} ${isNamed}
    order by ${group} ${order} id ${direction} limit ${DATASET_LIST_COUNT_MAX}
  `.execute(db);
  return rows.map(({ id }) => id);
}

function sortValue(by: ExperimentSort['by']): RawBuilder<unknown> {
  if (typeof by === 'object') {
    return sql`(
      select (one->>'meanScore')::float8 from jsonb_array_elements(s.evaluations) as one where one->>'name' = ${toPostgresText(by.meanScore)}
    )`;
  }
  return {
    createdAt: sql`created_at`,
    name: sql`lower(name)`,
    repetitions: sql`repetitions`,
    runCount: sql`s.successful_run_count + s.failed_run_count`,
    errorRate: sql`s.error_rate`,
    averageRunLatencyMs: sql`s.average_latency_ms`,
  }[by];
}

/** Text of a value of the metadata: as it is, or as JSON. Null when the experiment lacks the key. */
export const metadataValue = (key: string): RawBuilder<unknown> => sql`metadata->>${toPostgresText(key)}`;

/** A row id that no experiment has is absent. */
export async function findExperimentsByRowIds(db: Db, rowIds: readonly number[]): Promise<Map<number, Experiment>> {
  const rows = await selectExperiments(db).where('id', '=', sql<number>`any(${rowIds}::bigint[])`).execute();
  return new Map(rows.map((row) => [row.id, toExperiment(row)]));
}

/** Counts the experiments of all versions or of one version. A dataset without experiments is absent. */
export async function countExperimentsOfDatasets(
  db: Db,
  datasetRowIds: readonly number[],
  { versionRowId, includesEphemeral }: { readonly versionRowId?: number; readonly includesEphemeral: boolean },
): Promise<Map<number, number>> {
  const ofVersion = versionRowId === undefined ? sql`` : sql`and dataset_version_id = ${versionRowId}`;
  return toMap(
    await sql<Pair>`
      select dataset_id as key, count(*) as value from experiments
      where dataset_id = any(${datasetRowIds}::bigint[]) and (${includesEphemeral} or not is_ephemeral) ${ofVersion}
      group by dataset_id
    `.execute(db),
  );
}

/** The position of each experiment in its dataset, from 1. Ephemeral experiments do not count. */
export const findSequenceNumbers = async (db: Db, rowIds: readonly number[]): Promise<Map<number, number>> =>
  toMap(
    await sql<Pair>`
      select x.id as key, (
        select count(*) from experiments y where y.dataset_id = x.dataset_id and y.id <= x.id and (y.id = x.id or not y.is_ephemeral)
      ) as value
      from experiments x where x.id = any(${rowIds}::bigint[])
    `.execute(db),
  );

/** The experiment of each dataset that is tagged `baseline`, unless it is ephemeral. */
export const findBaselines = async (db: Db, datasetRowIds: readonly number[]): Promise<Map<number, number>> =>
  toMap(
    await sql<Pair>`
      select t.dataset_id as key, t.experiment_id as value from experiment_tags t
      join experiments x on x.id = t.experiment_id and not x.is_ephemeral
      where t.dataset_id = any(${datasetRowIds}::bigint[]) and t.name = 'baseline'
    `.execute(db),
  );

/** The project of the traces of each experiment, if it exists. */
export const findProjectsOfExperiments = async (db: Db, rowIds: readonly number[]): Promise<Map<number, number>> =>
  toMap(
    await sql<Pair>`
      select x.id as key, p.id as value from experiments x join projects p on p.name = x.project_name
      where x.id = any(${rowIds}::bigint[])
    `.execute(db),
  );

/** Row ids of the splits that each experiment is limited to. */
export async function findSplitsOfExperiments(db: Db, rowIds: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ id: number; splits: number[] }>`
    select experiment_id as id, array_agg(dataset_split_id order by dataset_split_id) as splits
    from experiment_splits where experiment_id = any(${rowIds}::bigint[]) group by experiment_id
  `.execute(db);
  return new Map(rows.map(({ id, splits }) => [id, splits]));
}

/** Examples of the first of the compared experiments after the given row id, lowest first. */
export async function findComparedExamples(
  db: Db,
  query: {
    /** The base is first. */
    readonly experimentRowIds: readonly number[];
    readonly filter?: RunFilter | undefined;
    readonly afterRowId: number;
    readonly limit: number;
  },
): Promise<ExampleAtVersion[]> {
  const { filter, experimentRowIds } = query;
  const { rows } = await sql<ExampleAtVersion>`
    select s.dataset_example_id as "rowId", s.dataset_example_revision_id as "revisionRowId"
    from experiment_examples s
    ${filter ? sql`join dataset_example_revisions r on r.id = s.dataset_example_revision_id` : sql``}
    where s.experiment_id = ${experimentRowIds[0]} and s.dataset_example_id > ${query.afterRowId}
    ${filter ? sql`and ${runFilterToSql(filter, experimentRowIds)}` : sql``}
    order by s.dataset_example_id limit ${query.limit}
  `.execute(db);
  return rows;
}

/** Scores of a dataset's experiments by name of the evaluation, sorted by name. Scores that are not finite do not count. */
export async function findScoreRanges(
  db: Db,
  datasetRowId: number,
  { includesEphemeral }: { readonly includesEphemeral: boolean },
): Promise<{ readonly name: string; readonly minScore: number | null; readonly maxScore: number | null }[]> {
  await summarizeDataset(db, datasetRowId);
  const { rows } = await sql<{ name: string; minScore: number | null; maxScore: number | null }>`
    select e.name, min(e."minScore") as "minScore", max(e."maxScore") as "maxScore"
    from experiments x join experiment_summaries s on s.experiment_id = x.id
    cross join jsonb_to_recordset(s.evaluations) as e (name text, "minScore" float8, "maxScore" float8)
    where x.dataset_id = ${datasetRowId} and (${includesEphemeral} or not x.is_ephemeral) group by e.name order by e.name
  `.execute(db);
  return rows;
}

interface Pair {
  readonly key: number;
  readonly value: number;
}

const toMap = ({ rows }: { readonly rows: readonly Pair[] }): Map<number, number> =>
  new Map(rows.map(({ key, value }) => [key, value]));
