import { type RawBuilder, sql } from 'kysely';
import type { ExperimentJob, JobBudget, JobSpending, JobStatus } from '../../model/experiment-job.ts';
import { CLAIMED_JOB_COUNT_MAX } from '../../model/limits/jobs.ts';
import type { Db } from '../database/database.ts';
import { inTransaction } from '../database/in-transaction.ts';
import { toPostgresText } from '../database/postgres-text.ts';
import { attachEvaluators } from './create-job.ts';
import { deleteJobLogs } from './job-logs.ts';
import { JOB_COLUMNS, type JobRow, toJob } from './jobs.ts';

// Table: experiment_jobs. A status is always written together with the claim. Times are those of the database.

/**
 * Claims running jobs that no server runs: unclaimed ones, those whose claim is older than the lease, and, at the start of
 * the owner, those that it ran before.
 */
export async function claimOrphans(
  db: Db,
  owner: string,
  { leaseMs, isStart }: { readonly leaseMs: number; readonly isStart: boolean },
): Promise<ExperimentJob[]> {
  const { rows } = await sql<JobRow>`
    update experiment_jobs set claimed_by = ${owner}, claimed_at = now()
    where id in (
      select id from experiment_jobs
      where status = 'RUNNING' and (
        claimed_by is null or claimed_at is null or claimed_at < now() - ${leaseMs} * interval '1 millisecond'
        or (${isStart} and claimed_by = ${owner})
      )
      order by id limit ${CLAIMED_JOB_COUNT_MAX} for update skip locked
    )
    returning ${JOB_COLUMNS}
  `.execute(db);
  return rows.map(toJob).sort((a, b) => a.rowId - b.rowId);
}

/** Renews the claims of the owner on running jobs, and returns those that it still has. */
export async function renewClaims(db: Db, owner: string, rowIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    update experiment_jobs set claimed_at = now()
    where id = any(${rowIds}::bigint[]) and claimed_by = ${owner} and status = 'RUNNING' returning id
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** The running jobs of these that the owner has claimed. */
export async function findClaims(db: Db, owner: string, rowIds: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ id: number }>`
    select id from experiment_jobs
    where id = any(${rowIds}::bigint[]) and claimed_by = ${owner} and status = 'RUNNING'
  `.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Ends a job that the owner runs. False when it no longer does. */
export async function finishJob(
  db: Db,
  owner: string,
  rowId: number,
  { status, stopReason }: { readonly status: Exclude<JobStatus, 'RUNNING'>; readonly stopReason: string | null },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update experiment_jobs
    set status = ${status}, stop_reason = ${stopReason && toPostgresText(stopReason)}, claimed_by = null, claimed_at = null
    where id = ${rowId} and claimed_by = ${owner} and status = 'RUNNING'
  `.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

/** Adds to what a job has spent. Without effect on a job that does not exist. */
export async function addSpending(db: Db, rowId: number, { callCount, cost }: JobSpending): Promise<void> {
  await sql`
    update experiment_jobs set call_count = call_count + ${callCount}, cost = cost + ${cost}::float8 where id = ${rowId}
  `.execute(db);
}

/** `unchanged`: the job already had that state. */
export type JobToggle = 'changed' | 'unchanged' | 'cooldown' | 'absent';

/** Stops a running job by order of a user. */
export async function stopJob(db: Db, rowId: number, cooldownMs: number): Promise<JobToggle> {
  const { numAffectedRows } = await sql`
    update experiment_jobs
    set status = 'STOPPED', stop_reason = null, claimed_by = null, claimed_at = null, cooldown_until = ${after(cooldownMs)}
    where id = ${rowId} and status = 'RUNNING' and ${IS_WARM}
  `.execute(db);
  if ((numAffectedRows ?? 0n) > 0n) return 'changed';
  const state = await readState(db, rowId);
  if (!state) return 'absent';
  return state.status === 'RUNNING' ? 'cooldown' : 'unchanged';
}

/** Starts a job that does not run, and claims it. Its logs are deleted. An absent budget stays as it is. */
export function resumeJob(
  db: Db,
  rowId: number,
  options: {
    readonly owner: string;
    readonly cooldownMs: number;
    readonly needsSentSecrets: boolean;
    readonly budget?: JobBudget | undefined;
  },
): Promise<JobToggle> {
  const { owner, cooldownMs, needsSentSecrets, budget } = options;
  return inTransaction(db, async (tx) => {
    const { numAffectedRows } = await sql`
      update experiment_jobs
      set status = 'RUNNING', stop_reason = null, runs_tasks = (type = 'PROMPT'), claimed_by = ${owner},
        claimed_at = now(), cooldown_until = ${after(cooldownMs)}, needs_sent_secrets = ${needsSentSecrets}
        ${budget ? sql`, call_count_max = ${budget.callCountMax}, cost_max = ${budget.costMax}` : sql``}
      where id = ${rowId} and status <> 'RUNNING' and ${IS_WARM}
    `.execute(tx);
    if ((numAffectedRows ?? 0n) > 0n) {
      await deleteJobLogs(tx, rowId);
      return 'changed';
    }
    const state = await readState(tx, rowId);
    if (!state) return 'absent';
    return state.status === 'RUNNING' ? 'unchanged' : 'cooldown';
  });
}

/**
 * Attaches evaluators to an experiment and starts its job, which is created for an experiment without one, to evaluate its
 * runs. A job that runs already goes on with its tasks.
 *
 * @returns whether the owner is to start the job; undefined when there is no such experiment
 */
export function startEvaluating(
  db: Db,
  experimentRowId: number,
  options: {
    readonly owner: string;
    readonly datasetEvaluatorRowIds: readonly number[];
    readonly maxConcurrency: number;
    readonly needsSentSecrets: boolean;
    readonly budget: JobBudget;
  },
): Promise<{ readonly isStarted: boolean } | undefined> {
  const { owner, datasetEvaluatorRowIds, maxConcurrency, needsSentSecrets, budget } = options;
  return inTransaction(db, async (tx) => {
    const { numAffectedRows } = await sql`
      insert into experiment_jobs (
        id, type, status, runs_tasks, claimed_by, claimed_at, max_concurrency, needs_sent_secrets, call_count_max, cost_max
      )
      select id, 'EVAL_ONLY', 'RUNNING', false, ${owner}, now(), ${maxConcurrency}::integer, ${needsSentSecrets}::boolean,
        ${budget.callCountMax}::bigint, ${budget.costMax}::float8
      from experiments where id = ${experimentRowId}
      on conflict (id) do update set
        status = 'RUNNING', stop_reason = null, runs_tasks = false, claimed_by = excluded.claimed_by, claimed_at = now(),
        needs_sent_secrets = excluded.needs_sent_secrets
      where experiment_jobs.status <> 'RUNNING'
    `.execute(tx);
    const isStarted = (numAffectedRows ?? 0n) > 0n;
    if (!isStarted && !(await readState(tx, experimentRowId))) return undefined;
    if (isStarted) await deleteJobLogs(tx, experimentRowId);
    await attachEvaluators(tx, experimentRowId, datasetEvaluatorRowIds);
    return { isStarted };
  });
}

const after = (ms: number): RawBuilder<unknown> => sql`now() + ${ms} * interval '1 millisecond'`;

const IS_WARM = sql`(cooldown_until is null or cooldown_until <= now())`;

async function readState(db: Db, rowId: number): Promise<{ readonly status: JobStatus } | undefined> {
  const { rows } = await sql<{ status: JobStatus }>`select status from experiment_jobs where id = ${rowId}`.execute(db);
  return rows[0];
}
