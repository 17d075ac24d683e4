import { type RawBuilder, sql } from 'kysely';
import { groupBy } from '../../base/group-by.ts';
import type { ExperimentJob, JobStatus, JobTask, JobType } from '../../model/experiment-job.ts';
import { DATASET_LIST_COUNT_MAX } from '../../model/limits/datasets.ts';
import type { TaskConnection } from '../../model/playground/chat-task.ts';
import type { InvocationParameters } from '../../model/prompts/prompt-parameters.ts';
import type { PromptTemplate } from '../../model/prompts/prompt-template.ts';
import type { PromptTools, ResponseFormat } from '../../model/prompts/prompt-tools.ts';
import type { Db } from '../database/database.ts';
import { jsonText, readJson } from '../database/json-column.ts';

// Tables: experiment_jobs, experiment_prompt_tasks.

/** A row id that no job has is absent. */
export async function findJobs(db: Db, rowIds: readonly number[]): Promise<Map<number, ExperimentJob>> {
  const { rows } = await sql<JobRow>`
    select ${JOB_COLUMNS} from experiment_jobs where id = any(${rowIds}::bigint[])
  `.execute(db);
  return new Map(rows.map((row) => [row.id, toJob(row)]));
}

/** Row ids of the jobs of a dataset's experiments, highest first. */
export async function findJobIdsOfDatasets(db: Db, datasetRowIds: readonly number[]): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ id: number; dataset: number }>`
    select j.id, x.dataset_id as dataset from experiment_jobs j join experiments x on x.id = j.id
    where x.dataset_id = any(${datasetRowIds}::bigint[]) order by j.id desc limit ${DATASET_LIST_COUNT_MAX}
  `.execute(db);
  return groupBy(
    rows,
    ({ dataset }) => dataset,
    ({ id }) => id,
  );
}

/** Tasks of jobs. A job without a task is absent. */
export async function findJobTasks(db: Db, rowIds: readonly number[]): Promise<Map<number, JobTask>> {
  const rows = await db
    .selectFrom('experiment_prompt_tasks as t')
    .select(['id', 'prompt_version_id', 'prompt_name', 'model_provider', 'model_name', 'custom_provider_id'])
    .select(['uses_custom_provider', 'template_format', 'stream_model_output'])
    .select(['template_variables_path', 'appended_messages_path'])
    .select([jsonText('t.template').as('template'), jsonText<string | null>('t.tools').as('tools')])
    .select(jsonText<string | null>('t.response_format').as('response_format'))
    .select(jsonText('t.invocation_parameters').as('invocation_parameters'))
    .select(jsonText<string | null>('t.connection').as('connection'))
    .where('id', '=', sql<number>`any(${rowIds}::bigint[])`)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      {
        task: {
          prompt: {
            modelProvider: row.model_provider,
            modelName: row.model_name,
            template: readJson<PromptTemplate>(row.template),
            templateFormat: row.template_format,
            invocationParameters: readJson<InvocationParameters>(row.invocation_parameters),
            tools: readOptional<PromptTools>(row.tools),
            responseFormat: readOptional<ResponseFormat>(row.response_format),
            customProviderId: row.custom_provider_id,
          },
          promptVersionRowId: row.prompt_version_id,
          promptName: row.prompt_name,
          connection: readOptional<TaskConnection>(row.connection),
          isStreamed: row.stream_model_output,
        },
        isProviderDeleted: row.uses_custom_provider && row.custom_provider_id === null,
        paths: { templateVariables: row.template_variables_path, appendedMessages: row.appended_messages_path },
      },
    ]),
  );
}

const readOptional = <Value>(text: string | null): Value | null => (text === null ? null : readJson<Value>(text));

export const JOB_COLUMNS: RawBuilder<unknown> = sql`id, type, status, stop_reason, runs_tasks, max_concurrency,
  needs_sent_secrets, uses_cache, call_count_max, cost_max, call_count, cost, created_at`;

export interface JobRow {
  readonly id: number;
  readonly type: JobType;
  readonly status: JobStatus;
  readonly stop_reason: string | null;
  readonly runs_tasks: boolean;
  readonly max_concurrency: number;
  readonly needs_sent_secrets: boolean;
  readonly uses_cache: boolean;
  readonly call_count_max: number | null;
  readonly cost_max: number | null;
  readonly call_count: number;
  readonly cost: number;
  readonly created_at: Date;
}

export const toJob = (row: JobRow): ExperimentJob => ({
  rowId: row.id,
  type: row.type,
  status: row.status,
  stopReason: row.stop_reason,
  runsTasks: row.runs_tasks,
  maxConcurrency: row.max_concurrency,
  needsSentSecrets: row.needs_sent_secrets,
  usesCache: row.uses_cache,
  budget: { callCountMax: row.call_count_max, costMax: row.cost_max },
  spent: { callCount: row.call_count, cost: row.cost },
  createdAt: row.created_at,
});
