import { sql } from 'kysely';
import type { JobCounts } from '../../model/experiment-job.ts';
import type { Db } from '../database/database.ts';

// Tables: experiment_jobs, experiments, experiment_runs, experiment_evaluations.

/**
 * Counts the runs and evaluations of jobs. Evaluations of the given names count.
 *
 * @param names Names of the annotations of each job's evaluators
 */
export async function countJobWork(
  db: Db,
  rowIds: readonly number[],
  names: ReadonlyMap<number, readonly string[]>,
): Promise<Map<number, JobCounts>> {
  const [runs, evaluations] = await Promise.all([countRuns(db, rowIds), countEvaluations(db, rowIds, names)]);
  return new Map(
    runs.map(({ id, ...counts }) => {
      const { done = 0, failed = 0 } = evaluations.get(id) ?? {};
      return [id, { ...counts, doneEvaluationCount: done, failedEvaluationCount: failed }];
    }),
  );
}

async function countRuns(db: Db, rowIds: readonly number[]) {
  const { rows } = await sql<{ id: number; taskCount: number; doneTaskCount: number; failedTaskCount: number }>`
    select j.id, case when j.type = 'PROMPT' then x.example_count * x.repetitions else 0 end as "taskCount",
      n.done as "doneTaskCount", n.failed as "failedTaskCount"
    from experiment_jobs j join experiments x on x.id = j.id
    cross join lateral (
      select count(*) filter (where error is null) as done, count(error) as failed
      from experiment_runs where experiment_id = j.id
    ) n
    where j.id = any(${rowIds}::bigint[])
  `.execute(db);
  return rows;
}

async function countEvaluations(db: Db, rowIds: readonly number[], names: ReadonlyMap<number, readonly string[]>) {
  const pairs = rowIds.flatMap((rowId) => (names.get(rowId) ?? []).map((name) => ({ rowId, name })));
  if (pairs.length === 0) return new Map<number, { readonly done: number; readonly failed: number }>();
  const { rows } = await sql<{ id: number; done: number; failed: number }>`
    select e.experiment_id as id, count(*) filter (where e.error is null) as done, count(e.error) as failed
    from unnest(
      ${pairs.map(({ rowId }) => rowId)}::bigint[], ${pairs.map(({ name }) => name)}::text[]
    ) as w (experiment_id, name)
    join experiment_evaluations e on e.experiment_id = w.experiment_id and e.name = w.name
    group by e.experiment_id
  `.execute(db);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
