import { sql } from 'kysely';
import type { EvaluationSummary, RunSummary } from '../../model/experiment.ts';
import type { Db } from '../database/database.ts';

// Tables: experiment_runs, experiment_evaluations.

/** Summarizes runs by row id of the experiment. An experiment without runs is absent. */
export async function summarizeRuns(db: Db, experimentRowIds: readonly number[]): Promise<Map<number, RunSummary>> {
  const { rows } = await sql<RunSummary & { id: number }>`
    select experiment_id as id, avg(error_rate)::float8 as "errorRate", avg(latency)::float8 as "averageLatencyMs"
    from (
      select experiment_id, count(error)::float8 / count(*) as error_rate,
        avg(extract(epoch from end_time - start_time) * 1000) as latency
      from experiment_runs where experiment_id = any(${experimentRowIds}::bigint[])
      group by experiment_id, dataset_example_id
    ) examples
    group by experiment_id
  `.execute(db);
  return new Map(rows.map(({ id, ...summary }) => [id, summary]));
}

/** Summaries by name for each row id of an experiment. An experiment without evaluations is absent. */
export async function summarizeEvaluations(
  db: Db,
  experimentRowIds: readonly number[],
): Promise<Map<number, EvaluationSummary[]>> {
  const { rows } = await sql<EvaluationSummary & { id: number }>`
    with evaluations as (
      select e.experiment_id as id, e.name, e.label, e.score, e.error, n.dataset_example_id as example_id
      from experiment_evaluations e join experiment_runs n on n.id = e.experiment_run_id
      where e.experiment_id = any(${experimentRowIds}::bigint[])
    ), means as (
      select id, name, avg(mean)::float8 as mean from (
        select id, name, avg(score) as mean from evaluations group by id, name, example_id
      ) examples group by id, name
    ), labels as (
      select id, name, json_agg(json_build_object('label', label, 'count', count) order by count desc, label) as labels
      from (
        select id, name, label, count(*) as count from evaluations where label is not null group by id, name, label
      ) counted group by id, name
    )
    select e.id, e.name, min(e.score) as "minScore", max(e.score) as "maxScore", min(m.mean) as "meanScore",
      count(*) as count, count(e.error) as "errorCount", count(e.score) as "scoreCount", count(e.label) as "labelCount",
      coalesce((select l.labels from labels l where l.id = e.id and l.name = e.name), '[]') as labels
    from evaluations e join means m on m.id = e.id and m.name = e.name
    group by e.id, e.name order by e.name
  `.execute(db);
  const summaries = new Map<number, EvaluationSummary[]>();
  for (const { id, ...summary } of rows) summaries.set(id, [...(summaries.get(id) ?? []), summary]);
  return summaries;
}
