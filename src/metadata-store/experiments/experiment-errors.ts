import { sql } from 'kysely';
import type { ExperimentErrorGroup } from '../../model/experiment.ts';
import { ERROR_GROUP_CHARS_MAX, ERROR_GROUP_COUNT_MAX } from '../../model/limits/datasets.ts';
import type { Db } from '../database/database.ts';

// Tables: experiment_runs, experiment_evaluations.

/** Groups equal errors of an experiment, the most frequent first. The end of a long error does not count. */
export async function listErrors(db: Db, experimentRowId: number): Promise<ExperimentErrorGroup[]> {
  const { rows } = await sql<ExperimentErrorGroup>`
    select source, name as "evaluatorName", message, count(*) as count, min(trace_id) as "traceId" from (
      select 'TASK' as source, null as name, left(error, ${ERROR_GROUP_CHARS_MAX}) as message, trace_id
      from experiment_runs where experiment_id = ${experimentRowId} and error is not null
      union all
      select 'EVALUATOR', name, left(error, ${ERROR_GROUP_CHARS_MAX}), trace_id
      from experiment_evaluations where experiment_id = ${experimentRowId} and error is not null
    ) errors
    group by source, name, message order by count(*) desc, source desc, name, message limit ${ERROR_GROUP_COUNT_MAX}
  `.execute(db);
  return rows;
}
