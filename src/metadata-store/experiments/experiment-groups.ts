import { sql } from 'kysely';
import type { ExperimentGroup } from '../../model/experiment.ts';
import { EXPERIMENT_GROUP_COUNT_MAX, METADATA_KEY_COUNT_MAX } from '../../model/limits/datasets.ts';
import type { Db } from '../database/database.ts';
import { metadataValue } from './experiment-queries.ts';
import { summarizeDataset } from './experiment-summaries.ts';

// Tables: experiments, experiment_summaries.

/** Keys of the metadata of a dataset's experiments, the most frequent first. */
export async function listMetadataKeys(db: Db, datasetRowId: number): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from experiments, json_object_keys(metadata) as key
    where dataset_id = ${datasetRowId} and not is_ephemeral
    group by key order by count(*) desc, key limit ${METADATA_KEY_COUNT_MAX}
  `.execute(db);
  return rows.map(({ key }) => key);
}

/** Groups the experiments of a dataset by a value of their metadata. Each experiment has the same weight in means. */
export async function groupExperiments(
  db: Db,
  { datasetRowId, key }: { readonly datasetRowId: number; readonly key: string },
): Promise<ExperimentGroup[]> {
  await summarizeDataset(db, datasetRowId);
  const { rows } = await sql<ExperimentGroup>`
    with members as (
      select ${metadataValue(key)} as value, s.* from experiments x join experiment_summaries s on s.experiment_id = x.id
      where dataset_id = ${datasetRowId} and not is_ephemeral
    ), scores as (
      select value, name, avg("meanScore") as mean from members,
        jsonb_to_recordset(evaluations) as e (name text, "meanScore" float8)
      group by value, name
    )
    select value, count(*) as "experimentCount", avg(error_rate) as "errorRate",
      avg(average_latency_ms) as "averageLatencyMs", coalesce((
        select json_agg(json_build_object('name', name, 'meanScore', mean) order by name) from scores s
        where s.value is not distinct from m.value and mean is not null
      ), '[]') as scores
    from members m group by value order by value nulls last limit ${EXPERIMENT_GROUP_COUNT_MAX}
  `.execute(db);
  return rows;
}
