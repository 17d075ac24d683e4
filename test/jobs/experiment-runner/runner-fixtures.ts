import { setTimeout as sleep } from 'node:timers/promises';
import { silentLog } from '../../../src/base/log.ts';
import type { SnapshotExample } from '../../../src/model/experiment.ts';
import type { ExperimentJob, JobBudget } from '../../../src/model/experiment-job.ts';
import { NO_BUDGET } from '../../../src/model/experiment-job.ts';
import type { ChatEvent } from '../../../src/model/playground/chat-event.ts';
import type { Db } from '../../../src/metadata-store/database/database.ts';
import { datasetRepository } from '../../../src/metadata-store/datasets/dataset-repository.ts';
import { experimentJobRepository } from '../../../src/metadata-store/experiment-jobs/experiment-job-repository.ts';
import { experimentRepository } from '../../../src/metadata-store/experiments/experiment-repository.ts';
import type {
  Attempt,
  EvaluationOutcome,
  EvaluationTarget,
  JobWork,
  TaskOutcome,
} from '../../../src/domain/experiments/jobs/job-work.ts';
import { ExperimentRunner } from '../../../src/jobs/experiment-runner/experiment-runner.ts';
import type { RunnerTiming } from '../../../src/jobs/experiment-runner/runner-parts.ts';
import { RateLimits } from '../../../src/jobs/rate-limits/rate-limits.ts';

/** What an attempt comes to. */
export type Step = 'ok' | 'reject' | 'transient' | 'rate' | { readonly rateAfterMs: number } | 'hang';

export interface FakeWork {
  /** Called for each attempt of a task. */
  task?: (example: SnapshotExample, attempt: Attempt) => Step | Promise<Step>;
  evaluation?: (evaluatorRowId: number, target: EvaluationTarget, signal: AbortSignal) => Step | Promise<Step>;
  /** Row ids of the evaluators, in any job. */
  evaluators?: number[];
  rateLimitKey?: string;
  cost?: number;
}

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

const outcomeOf = (step: Step, cost: number) => {
  const failed = { callCount: 1, cost: 0, receipt: null };
  if (step === 'ok') return { retry: null, errorType: null, callCount: 1, cost, receipt: null };
  if (step === 'hang') return { ...failed, retry: null, errorType: 'StoppedError' };
  if (step === 'reject') return { ...failed, retry: null, errorType: 'RequestError' };
  if (step === 'transient') {
    const retry = { isRateLimit: false, reason: 'transient error: ServerError', afterMs: undefined };
    return { ...failed, retry, errorType: 'ServerError' };
  }
  const afterMs = step === 'rate' ? undefined : step.rateAfterMs;
  return { ...failed, retry: { isRateLimit: true, reason: 'rate limit', afterMs }, errorType: 'RateLimitError' };
};

export function toJobWork(fake: FakeWork): JobWork {
  const cost = fake.cost ?? 0;
  return {
    openTask: async () => ({
      rateLimitKey: fake.rateLimitKey ?? 'key',
      refresh: async () => {},
      async run(example, attempt): Promise<TaskOutcome> {
        const step = (await fake.task?.(example, attempt)) ?? 'ok';
        if (step === 'hang') await aborted(attempt.signal);
        const now = BigInt(Date.now()) * 1_000n;
        const error = step === 'ok' ? null : `failed: ${typeof step === 'string' ? step : 'rate'}`;
        const run = { output: '{"messages":[]}', startMicros: now, endMicros: now, traceId: null, error };
        return { ...outcomeOf(step, cost), run, spanId: null };
      },
    }),
    openEvaluators: async () =>
      (fake.evaluators ?? []).map((rowId) => ({
        rowId,
        names: [`name ${rowId}`],
        rateLimitKey: `evaluator ${rowId}`,
        async run(target, { signal }): Promise<EvaluationOutcome> {
          const step = (await fake.evaluation?.(rowId, target, signal)) ?? 'ok';
          if (step === 'hang') await aborted(signal);
          const now = BigInt(Date.now()) * 1_000n;
          const evaluation = {
            name: `name ${rowId}`,
            annotatorKind: 'CODE' as const,
            label: null,
            score: step === 'ok' ? 1 : null,
            explanation: null,
            traceId: null,
            error: step === 'ok' ? null : 'failed',
            metadata: '{}',
            startMicros: now,
            endMicros: now,
          };
          return { ...outcomeOf(step, 0), evaluations: [evaluation] };
        },
      })),
    waitFor: async () => {},
    findSpanRowIds: async () => new Map(),
  };
}

/** A database with datasets, and runners on it. */
export function runnerFixtures(db: Db) {
  const jobs = experimentJobRepository(db);
  const experiments = experimentRepository(db);
  const datasets = datasetRepository(db);
  let made = 0;
  return {
    jobs,
    experiments,
    openRunner(
      fake: FakeWork,
      options: { owner?: string; timing?: Partial<RunnerTiming>; callCountMax?: number } = {},
    ) {
      const { owner = 'server', timing, callCountMax } = options;
      return new ExperimentRunner({
        limits: new RateLimits(),
        owner,
        jobs,
        runs: experiments,
        evaluators: { findOfExperiments: async (rowIds) => new Map(rowIds.map((id) => [id, fake.evaluators ?? []])) },
        work: toJobWork(fake),
        log: silentLog,
        timing: { retryMs: [2, 4, 8], checkMs: 20, ...timing },
        ...(callCountMax !== undefined && { callCountMax }),
      });
    },
    async createDataset(exampleCount: number): Promise<number> {
      const datasetRowId = await datasets.create({
        ...{ name: `dataset ${++made}`, description: null, metadata: '{}', userId: null },
      });
      const examples = Array.from({ length: exampleCount }, (_, n) => ({
        ...{ id: String(n), input: `{"n":${n}}`, output: '{}', metadata: '{}', spanRowId: null, splits: [] },
        hash: Buffer.from(`${n}`.padStart(16)),
      }));
      await datasets.addExamples(datasetRowId, examples, { userId: null });
      return datasetRowId;
    },
    async createJob(
      datasetRowId: number,
      more: { repetitions?: number; maxConcurrency?: number; owner?: string; budget?: JobBudget } = {},
    ): Promise<ExperimentJob> {
      const { repetitions = 1, maxConcurrency = 10, owner = 'server', budget = NO_BUDGET } = more;
      const created = await jobs.create({
        experiment: {
          datasetRowId,
          datasetVersionRowId: (await datasets.findVersion(datasetRowId))!.rowId,
          ...{ name: 'experiment', description: null, repetitions, metadata: '{}' },
          ...{ projectName: `project ${++made}`, projectDescription: '', splitRowIds: [], userId: null },
        },
        isEphemeral: false,
        task: {
          task: {
            prompt: {
              modelProvider: 'OPENAI',
              modelName: 'm',
              template: { type: 'string', template: 'x' },
              templateFormat: 'NONE',
              invocationParameters: { type: 'openai', openai: {} },
              tools: null,
              responseFormat: null,
            },
            promptVersionRowId: null,
            promptName: null,
            connection: null,
            isStreamed: true,
          },
          paths: { templateVariables: 'input', appendedMessages: null },
        },
        datasetEvaluatorRowIds: [],
        maxConcurrency,
        needsSentSecrets: false,
        budget,
        owner,
      });
      if (created.state !== 'created') throw new Error(created.state);
      return created.job;
    },
    async readRuns(rowId: number) {
      const { items } = await experiments.listRuns({ experimentRowId: rowId, limit: 100_000 });
      return items.toSorted((a, b) => a.exampleRowId - b.exampleRowId || a.repetitionNumber - b.repetitionNumber);
    },
    async readEvaluations(rowId: number) {
      const runs = await this.readRuns(rowId);
      const found = await experiments.evaluationsOfRuns(runs.map((run) => run.rowId));
      return runs.flatMap((run) => found.get(run.rowId) ?? []);
    },
    readJob: async (rowId: number) => (await jobs.find([rowId])).get(rowId)!,
    /** Waits until a job does not run any more. */
    async ended(rowId: number): Promise<ExperimentJob> {
      for (;;) {
        const job = (await jobs.find([rowId])).get(rowId)!;
        if (job.status !== 'RUNNING') return job;
        await sleep(5);
      }
    },
  };
}

export async function collect(events: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const all: ChatEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** A generator of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}
