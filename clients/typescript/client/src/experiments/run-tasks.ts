import type { DatasetExample } from '../datasets/datasets.ts';
import { toJsonValue } from '../http/json-value.ts';
import type { ExperimentRun, ExperimentTask } from './experiment-types.ts';
import type { Progress } from './logger.ts';
import type { ResultPoster } from './post-results.ts';
import { randomHex } from './span-sender.ts';
import type { WorkSession } from './work-session.ts';

/** One execution of a task that is to be made. */
export interface PlannedRun {
  readonly example: DatasetExample;
  readonly repetitionNumber: number;
}

/** A run as the task left it. Its ID is a promise, because the server gives it. */
export interface FinishedRun {
  readonly run: Omit<ExperimentRun, 'id'>;
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
    const one = await runTask(session, plan, planned);
    const isFailed = one.run.error !== null;
    finished[place] = one;
    plan.progress.add(one.run.error);
    if (isFailed && plan.stopOnFirstError) session.stop('error');
    await plan.poster?.ready();
  });
  return finished;
}

async function runTask(
  session: WorkSession,
  plan: TaskPlan,
  { example, repetitionNumber }: PlannedRun,
): Promise<FinishedRun> {
  const traceId = randomHex(16);
  const spanId = randomHex(8);
  const addCost = (cost: number) => session.addCost(cost);
  let startTime = new Date();
  let output: unknown = null;
  let error: string | null = null;
  try {
    output = toJsonValue(
      await session.pool.attempt(() => {
        startTime = new Date();
        return session.runTimed((controller) =>
          plan.task(structuredClone(example), {
            // Made when the task asks for it, which few do.
            get signal() {
              return controller.signal;
            },
            repetitionNumber,
            traceId,
            spanId,
            addCost,
          }),
        );
      }),
    );
  } catch (reason) {
    error = toErrorText(reason);
  }
  const endTime = new Date();
  session.spans.add(plan.poster ? plan.projectName : null, {
    traceId,
    spanId,
    name: `Task: ${plan.task.name || 'task'}`,
    kind: 'CHAIN',
    startTime,
    endTime,
    error,
    input: example.input,
    output: error === null ? output : undefined,
  });
  const run = {
    experimentId: plan.experimentId,
    datasetExampleId: example.nodeId,
    repetitionNumber,
    startTime,
    endTime,
    output,
    error,
    traceId,
  };
  const kept = await plan.poster?.add('run', toBody(run));
  return { run, id: kept?.posted ?? Promise.resolve(`local_${randomHex(6)}`) };
}

/** The run with the ID that the server gave it. Lists the fields, because an object that is spread from another takes several times the memory. */
export const withRunId = (run: FinishedRun['run'], id: string): ExperimentRun => ({
  id,
  experimentId: run.experimentId,
  datasetExampleId: run.datasetExampleId,
  repetitionNumber: run.repetitionNumber,
  startTime: run.startTime,
  endTime: run.endTime,
  output: run.output,
  error: run.error,
  traceId: run.traceId,
});

const toBody = (run: FinishedRun['run']) => ({
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
