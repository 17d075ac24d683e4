import type { DatasetExample } from '../datasets/datasets.ts';
import { toJsonValue } from '../http/json-value.ts';
import type { ExperimentRun, ExperimentTask } from './experiment-types.ts';
import type { Progress } from './logger.ts';
import type { ResultPoster } from './post-results.ts';
import { randomHex, valueAttributes } from './span-sender.ts';
import type { WorkSession } from './work-session.ts';

/** One execution of a task that is to be made. */
export interface PlannedRun {
  readonly example: DatasetExample;
  readonly repetitionNumber: number;
}

/** A run as the task left it. Its ID is a promise, because the server gives it. */
export interface FinishedRun extends Omit<ExperimentRun, 'id'> {
  readonly example: DatasetExample;
  readonly id: Promise<string>;
}

export interface TaskPlan {
  readonly experimentId: string;
  readonly projectName: string | null;
  readonly task: ExperimentTask;
  readonly runs: AsyncIterable<PlannedRun> | Iterable<PlannedRun>;
  /** Undefined: nothing is posted. */
  readonly poster: ResultPoster | undefined;
  readonly progress: Progress;
  readonly stopOnFirstError?: boolean;
}

/** Runs the task for each planned run. Returns the runs in the order of the plan. */
export async function runTasks(session: WorkSession, plan: TaskPlan): Promise<FinishedRun[]> {
  const finished: FinishedRun[] = [];
  await session.pool.run(plan.runs, async (planned, place) => {
    const run = await runTask(session, plan, planned);
    finished[place] = run;
    plan.progress.add(run.error !== null);
    if (run.error !== null && plan.stopOnFirstError) session.stop('error');
    await plan.poster?.ready();
  });
  return finished;
}

async function runTask(
  session: WorkSession,
  plan: TaskPlan,
  { example, repetitionNumber }: PlannedRun,
): Promise<FinishedRun> {
  const ids = { traceId: randomHex(16), spanId: randomHex(8) };
  const addCost = (cost: number) => session.addCost(cost);
  let startTime = new Date();
  let output: unknown = null;
  let error: string | null = null;
  try {
    output = toJsonValue(
      await session.pool.attempt(() => {
        startTime = new Date();
        return session.runTimed((signal) =>
          plan.task(structuredClone(example), { signal, repetitionNumber, ...ids, addCost }),
        );
      }),
    );
  } catch (reason) {
    error = toErrorText(reason);
  }
  const endTime = new Date();
  session.spans.add(plan.poster ? plan.projectName : null, {
    ...ids,
    name: `Task: ${plan.task.name || 'task'}`,
    kind: 'CHAIN',
    startTime,
    endTime,
    error,
    attributes: {
      ...valueAttributes('input', example.input),
      ...(error === null && valueAttributes('output', output)),
    },
  });
  const run = {
    datasetExampleId: example.nodeId,
    repetitionNumber,
    startTime,
    endTime,
    output,
    error,
    traceId: ids.traceId,
  };
  const kept = await plan.poster?.add('run', toBody(run));
  const id = kept?.posted ?? Promise.resolve(`local_${randomHex(6)}`);
  return { ...run, example, experimentId: plan.experimentId, id };
}

const toBody = (run: Omit<ExperimentRun, 'id' | 'experimentId'>) => ({
  dataset_example_id: run.datasetExampleId,
  output: run.output,
  repetition_number: run.repetitionNumber,
  start_time: run.startTime.toISOString(),
  end_time: run.endTime.toISOString(),
  trace_id: run.traceId,
  error: run.error,
});

const ERROR_CHARS_MAX = 10_000;

/** Name and message of an error, without its stack, in which paths of the machine are. */
export function toErrorText(reason: unknown): string {
  const text = reason instanceof Error ? `${reason.name}: ${reason.message}` : String(reason);
  return text.slice(0, ERROR_CHARS_MAX) || 'unknown error';
}
