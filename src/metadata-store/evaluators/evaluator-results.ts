import { sql } from 'kysely';
import { groupBy } from '../../base/group-by.ts';
import type { AnnotationPair, EvaluatorResults } from '../../model/evaluators/evaluator-results.ts';
import { ANNOTATION_PAIR_COUNT_MAX, RECENT_EXPERIMENT_COUNT } from '../../model/limits/datasets.ts';
import type { Db } from '../database/database.ts';
import { summarizeDataset } from '../experiments/experiment-summaries.ts';

// Tables: dataset_evaluators, experiments, experiment_summaries, experiment_evaluations, experiment_run_annotations.

/** Results of evaluators in the newest experiments of their datasets, by binding. One without results is absent. */
export async function findRecentResults(db: Db, rowIds: readonly number[]): Promise<Map<number, EvaluatorResults>> {
  const datasets = await sql<{ id: number }>`
    select distinct dataset_id as id from dataset_evaluators where id = any(${rowIds}::bigint[])
  `.execute(db);
  for (const { id } of datasets.rows) await summarizeDataset(db, id);
  const { rows } = await sql<EvaluatorResults & { rowId: number }>`
    select d.id as "rowId", count(*) as "experimentCount", sum(r."scoreCount")::bigint as "scoreCount",
      sum(r."labelCount")::bigint as "labelCount", sum(r."errorCount")::bigint as "errorCount",
      (sum(r."meanScore" * r."scoreCount") / nullif(sum(r."scoreCount") filter (where r."meanScore" is not null), 0))::float8
        as "meanScore"
    from dataset_evaluators d
    cross join lateral (
      select e.* from experiments x join experiment_summaries s on s.experiment_id = x.id
      cross join jsonb_to_recordset(s.evaluations) as e (
        name text, "meanScore" float8, "scoreCount" bigint, "labelCount" bigint, "errorCount" bigint
      )
      where x.dataset_id = d.dataset_id and not x.is_ephemeral and e.name = d.name
      order by x.id desc limit ${RECENT_EXPERIMENT_COUNT}
    ) r
    where d.id = any(${rowIds}::bigint[]) group by d.id
  `.execute(db);
  return new Map(rows.map(({ rowId, ...results }) => [rowId, results]));
}

/** Newest annotations of people with the results of the evaluator on the same runs, by binding. One without any is absent. */
export async function findAnnotationPairs(db: Db, rowIds: readonly number[]): Promise<Map<number, AnnotationPair[]>> {
  const { rows } = await sql<{
    rowId: number;
    personLabel: string | null;
    personScore: number | null;
    label: string | null;
    score: number | null;
  }>`
    select d.id as "rowId", p.* from dataset_evaluators d
    cross join lateral (
      select a.label as "personLabel", a.score as "personScore", e.label, e.score
      from experiments x
      join experiment_run_annotations a on a.experiment_id = x.id
      join experiment_evaluations e on e.experiment_run_id = a.experiment_run_id
      where x.dataset_id = d.dataset_id and a.name = d.name and e.name = d.name and e.annotator_kind <> 'HUMAN'
        and e.error is null
      order by a.id desc limit ${ANNOTATION_PAIR_COUNT_MAX}
    ) p
    where d.id = any(${rowIds}::bigint[])
  `.execute(db);
  return groupBy(
    rows,
    ({ rowId }) => rowId,
    ({ personLabel, personScore, label, score }): AnnotationPair => ({
      person: { label: personLabel, score: personScore },
      evaluator: { label, score },
    }),
  );
}
