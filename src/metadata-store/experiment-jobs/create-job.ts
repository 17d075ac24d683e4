import { sql } from 'kysely';
import { expectPresent } from '../../base/expect-present.ts';
import type { Experiment, NewExperiment } from '../../model/experiment.ts';
import type { ExperimentJob, JobBudget, JobTask } from '../../model/experiment-job.ts';
import { templateTypeOf } from '../../model/prompts/prompt-template.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { writeJson } from '../database/json-column.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { createExperiment } from '../experiments/experiments.ts';
import { JOB_COLUMNS, type JobRow, toJob } from './jobs.ts';

// Tables: experiment_jobs, experiment_prompt_tasks, experiment_dataset_evaluators.

export interface NewPromptJob {
  readonly experiment: NewExperiment;
  readonly isEphemeral: boolean;
  readonly task: Omit<JobTask, 'isProviderDeleted'>;
  /** Bindings of the dataset. Those that have been deleted are omitted. */
  readonly datasetEvaluatorRowIds: readonly number[];
  readonly maxConcurrency: number;
  readonly needsSentSecrets: boolean;
  readonly usesCache?: boolean;
  readonly budget: JobBudget;
  /** ID of the server that runs it. */
  readonly owner: string;
}

/** Without examples, or when the dataset has been deleted, nothing is created. */
export type CreatedJob =
  | { readonly state: 'created'; readonly experiment: Experiment; readonly job: ExperimentJob }
  | { readonly state: 'datasetAbsent' }
  | { readonly state: 'noExamples' };

/** Creates an experiment with its project, its snapshot of examples and its running job, in one transaction. */
export async function createPromptJob(db: Db, job: NewPromptJob): Promise<CreatedJob> {
  try {
    return await inTransaction(db, (tx) => insertAll(tx, job));
  } catch (error) {
    if (error instanceof NoExamples) return { state: 'noExamples' };
    throw error;
  }
}

/** Undoes the transaction. */
class NoExamples extends Error {}

async function insertAll(tx: Db, job: NewPromptJob): Promise<CreatedJob> {
  const experiment = await createExperiment(tx, job.experiment);
  if (!experiment) return { state: 'datasetAbsent' };
  if (experiment.exampleCount === 0) throw new NoExamples();
  if (job.isEphemeral) await sql`update experiments set is_ephemeral = true where id = ${experiment.rowId}`.execute(tx);
  const { rows } = await sql<JobRow>`
    insert into experiment_jobs (
      id, type, status, runs_tasks, claimed_by, claimed_at, max_concurrency, needs_sent_secrets, uses_cache, call_count_max,
      cost_max
    ) values (
      ${experiment.rowId}, 'PROMPT', 'RUNNING', true, ${job.owner}, now(), ${job.maxConcurrency}, ${job.needsSentSecrets},
      ${job.usesCache ?? false}, ${job.budget.callCountMax}, ${job.budget.costMax}
    ) returning ${JOB_COLUMNS}
  `.execute(tx);
  await insertTask(tx, experiment.rowId, job.task);
  await attachEvaluators(tx, experiment.rowId, job.datasetEvaluatorRowIds);
  return {
    state: 'created',
    experiment: { ...experiment, isEphemeral: job.isEphemeral },
    job: toJob(expectPresent(rows[0], 'an insertion without a conflict returns its row')),
  };
}

async function insertTask(tx: Db, rowId: number, { task, paths }: NewPromptJob['task']): Promise<void> {
  const { prompt } = task;
  await tx
    .insertInto('experiment_prompt_tasks')
    .values({
      id: rowId,
      // A version that has been deleted is an edited prompt.
      prompt_version_id: sql<number | null>`(select id from prompt_versions where id = ${task.promptVersionRowId})`,
      prompt_name: task.promptName && toPostgresText(task.promptName),
      model_provider: prompt.modelProvider,
      model_name: toPostgresText(prompt.modelName),
      custom_provider_id: sql<
        number | null
      >`(select id from generative_model_custom_providers where id = ${prompt.customProviderId ?? null})`,
      uses_custom_provider: prompt.customProviderId != null,
      template_type: templateTypeOf(prompt.template),
      template_format: prompt.templateFormat,
      template: writeJson(prompt.template),
      tools: prompt.tools && writeJson(prompt.tools),
      response_format: prompt.responseFormat && writeJson(prompt.responseFormat),
      invocation_parameters: writeJson(prompt.invocationParameters),
      connection: task.connection && writeJson(task.connection),
      template_variables_path: toPostgresText(paths.templateVariables),
      appended_messages_path: paths.appendedMessages && toPostgresText(paths.appendedMessages),
      stream_model_output: task.isStreamed,
    })
    .execute();
}

/** Idempotent. Bindings of other datasets, and those that no longer exist, are omitted. */
export async function attachEvaluators(
  db: Db,
  experimentRowId: number,
  datasetEvaluatorRowIds: readonly number[],
): Promise<void> {
  await sql`
    insert into experiment_dataset_evaluators (experiment_id, dataset_evaluator_id)
    select x.id, d.id from experiments x join dataset_evaluators d on d.dataset_id = x.dataset_id
    where x.id = ${experimentRowId} and d.id = any(${datasetEvaluatorRowIds}::bigint[])
    on conflict do nothing
  `.execute(db);
}
