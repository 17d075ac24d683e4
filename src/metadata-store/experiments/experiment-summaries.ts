import { sql } from 'kysely';
import type { EvaluationSummary, ExperimentSummary } from '../../model/experiment.ts';
import { SUMMARIZED_EXPERIMENT_COUNT } from '../../model/limits/datasets.ts';
import type { Db } from '../database/database.ts';

// Tables: experiment_summaries, experiment_runs, experiment_evaluations.

interface StoredRow {
  readonly id: number;
  readonly isFresh: boolean;
  readonly successful: number;
  readonly failed: number;
  readonly errorRate: number | null;
  readonly averageLatencyMs: number | null;
  readonly evaluations: readonly EvaluationSummary[];
}

/**
 * Summarizes experiments by row id. A summary is stored, and computed again when runs or evaluations have been written
 * since. A row id that no experiment has is absent.
 */
export async function summarizeExperiments(
  db: Db,
  experimentRowIds: readonly number[],
): Promise<Map<number, ExperimentSummary>> {
  const read = () =>
    sql<StoredRow>`
      select experiment_id as id, summarized_change_count is not distinct from change_count as "isFresh",
        successful_run_count as successful, failed_run_count as failed, error_rate as "errorRate",
        average_latency_ms as "averageLatencyMs", evaluations
      from experiment_summaries where experiment_id = any(${experimentRowIds}::bigint[])
    `.execute(db);
  const { rows } = await read();
  const outdated = rows.filter(({ isFresh }) => !isFresh).map(({ id }) => id);
  await computeSummaries(db, outdated);
  // Runs that were written since then are in the next summary.
  const current = outdated.length === 0 ? rows : (await read()).rows;
  return new Map(
    current.map(({ id, isFresh: _, successful, failed, ...summary }) => [
      id,
      { ...summary, successfulRunCount: successful, failedRunCount: failed },
    ]),
  );
}

/** Updates the summaries of the experiments of a dataset that have changed, so that a statement can sort by them. */
export async function summarizeDataset(db: Db, datasetRowId: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`
    select s.experiment_id as id from experiments x join experiment_summaries s on s.experiment_id = x.id
    where x.dataset_id = ${datasetRowId} and s.summarized_change_count is distinct from s.change_count
  `.execute(db);
  await computeSummaries(
    db,
    rows.map(({ id }) => id),
  );
}

/**
 * Computes and stores summaries, some experiments at a time: a statement has a time limit, and what it has stored stays.
 * Each example has the same weight in means, whatever its repetitions. Scores that are not finite do not count.
 */
async function computeSummaries(db: Db, experimentRowIds: readonly number[]): Promise<void> {
  const ordered = experimentRowIds.toSorted((a, b) => a - b);
  for (let from = 0; from < ordered.length; from += SUMMARIZED_EXPERIMENT_COUNT) {
    const ids = ordered.slice(from, from + SUMMARIZED_EXPERIMENT_COUNT);
    await sql`
      with summarized as materialized (
        select experiment_id as id, change_count from experiment_summaries where experiment_id = any(${ids}::bigint[])
      ), runs as (
        select id, sum(count - failed) as successful, sum(failed) as failed, avg(failed::float8 / count) as error_rate,
          avg(latency)::float8 as latency
        from (
          select experiment_id as id, count(*) as count, count(error) as failed,
            avg(extract(epoch from end_time - start_time)::float8 * 1000) as latency
          from experiment_runs where experiment_id = any(${ids}::bigint[]) group by experiment_id, dataset_example_id
        ) examples group by id
      ), evaluations as materialized (
        select e.experiment_id as id, e.name, e.label, e.error, n.dataset_example_id as example_id,
          case when e.score not in ('NaN', 'Infinity', '-Infinity') then e.score end as score
        from experiment_evaluations e join experiment_runs n on n.id = e.experiment_run_id
        where e.experiment_id = any(${ids}::bigint[])
      ), means as (
        select id, name, avg(mean) as mean from (
          select id, name, avg(score) as mean from evaluations group by id, name, example_id
        ) examples group by id, name
      ), labels as (
        select id, name, jsonb_agg(jsonb_build_object('label', label, 'count', count) order by count desc, label) as labels
        from (
          select id, name, label, count(*) as count from evaluations where label is not null group by id, name, label
        ) counted group by id, name
      ), totals as (
        select id, name, min(score) as low, max(score) as high, count(*) as count, count(error) as errors,
          count(score) as scores, count(label) as labels,
          percentile_cont(array[0.1, 0.5, 0.9]) within group (order by score) as percentiles
        from evaluations group by id, name
      ), bins as (
        select id, name, jsonb_agg(count order by bin) as counts from (
          select t.id, t.name, b.bin, count(e.score) as count
          from totals t cross join generate_series(1, ${SCORE_BIN_COUNT}) as b (bin)
          left join (
            select e.id, e.name, e.score,
              case when t.low = t.high then 1
                else least(${SCORE_BIN_COUNT}, width_bucket(e.score, t.low, t.high, ${SCORE_BIN_COUNT})) end as bin
            from evaluations e join totals t using (id, name) where e.score is not null
          ) e on e.id = t.id and e.name = t.name and e.bin = b.bin
          where t.scores > 0 group by t.id, t.name, b.bin
        ) counted group by id, name
      ), scored as (
        select t.id, jsonb_agg(jsonb_build_object(
          'name', t.name, 'minScore', t.low, 'maxScore', t.high, 'meanScore', m.mean, 'count', t.count,
          'errorCount', t.errors, 'scoreCount', t.scores, 'labelCount', t.labels, 'percentiles', t.percentiles,
          'labels', coalesce(l.labels, '[]'), 'scoreBins', coalesce(b.counts, '[]')
        ) order by t.name) as evaluations
        from totals t join means m using (id, name) left join labels l using (id, name) left join bins b using (id, name)
        group by t.id
      )
      update experiment_summaries s set summarized_change_count = z.change_count,
        successful_run_count = coalesce(r.successful, 0), failed_run_count = coalesce(r.failed, 0),
        error_rate = r.error_rate, average_latency_ms = r.latency, evaluations = coalesce(e.evaluations, '[]')
      from summarized z left join runs r on r.id = z.id left join scored e on e.id = z.id
      where s.experiment_id = z.id and coalesce(s.summarized_change_count, -1) < z.change_count
    `.execute(db);
  }
}

/** Bins of the distribution of scores, of equal width from the least to the greatest score. */
const SCORE_BIN_COUNT = sql.raw('12');
