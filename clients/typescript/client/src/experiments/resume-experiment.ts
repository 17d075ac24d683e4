import { bodyOf, type SpandrelClient } from '../client.ts';
import { toExample } from '../datasets/datasets.ts';
import { ArgumentError } from '../http/errors.ts';
import { type EvaluatorsInput, getExperimentEvaluators } from './evaluators.ts';
import { type ExperimentInfo, type ExperimentTask, type StopReason, toExperimentRun } from './experiment-types.ts';
import { getExperimentInfo } from './experiments.ts';
import { Progress } from './logger.ts';
import { openRecording, type Recording } from './recording.ts';
import { type PlannedEvaluation, runEvaluators } from './run-evaluators.ts';
import { experimentUrl } from './run-experiment.ts';
import { type PlannedRun, runTasks } from './run-tasks.ts';
import { type WorkOptions, WorkSession } from './work-session.ts';

/** What resuming did. */
export interface ResumedExperiment extends ExperimentInfo {
  /** Results of an earlier process that were posted without running anything again. */
  readonly sentCount: number;
  readonly runCount: number;
  readonly evaluationCount: number;
  /** Absent when nothing was left to start. */
  readonly stopReason?: StopReason;
}

interface ResumeOptions extends WorkOptions {
  readonly experimentId: string;
  /** No task is started after one that failed. Default false. */
  readonly stopOnFirstError?: boolean;
}

const PAGE_ROW_COUNT = 50;

/**
 * Posts what an earlier process has left in the outbox, runs the task for runs that are missing or failed, and then the
 * evaluators that lack a result, also if no run was missing.
 *
 * @throws {UnsentResultsError} when results could not be posted; they are in the outbox
 */
export async function resumeExperiment({
  task,
  evaluators,
  ...options
}: ResumeOptions & {
  readonly task: ExperimentTask;
  readonly evaluators?: EvaluatorsInput;
}): Promise<ResumedExperiment> {
  return withRecording(options, async (session, recording, info) => {
    const progress = new Progress(session.logger, 'tasks', missingCount(info));
    const finished = await runTasks(session, {
      experimentId: info.id,
      projectName: info.projectName,
      task,
      runs: listIncompleteRuns(session.client, info.id),
      poster: recording.poster,
      progress,
      stopOnFirstError: options.stopOnFirstError ?? false,
    });
    progress.show();
    await recording.poster.flush();
    await Promise.all(finished.map(({ id }) => id));
    const evaluationCount = evaluators ? await evaluateIncomplete(session, recording, info, evaluators, options) : 0;
    return { runCount: finished.length, evaluationCount };
  });
}

/**
 * Posts what an earlier process has left in the outbox, and runs the evaluators over the runs that lack their result.
 *
 * @throws {UnsentResultsError} when results could not be posted; they are in the outbox
 */
export async function resumeEvaluation({
  evaluators,
  ...options
}: ResumeOptions & { readonly evaluators: EvaluatorsInput }): Promise<ResumedExperiment> {
  return withRecording(options, async (session, recording, info) => ({
    runCount: 0,
    evaluationCount: await evaluateIncomplete(session, recording, info, evaluators, options),
  }));
}

async function withRecording(
  options: ResumeOptions,
  work: (
    session: WorkSession,
    recording: Recording,
    info: ExperimentInfo,
  ) => Promise<Pick<ResumedExperiment, 'runCount' | 'evaluationCount'>>,
): Promise<ResumedExperiment> {
  const { experimentId } = options;
  const session = new WorkSession(options);
  let recording: Recording | undefined;
  try {
    const { client, signal } = session;
    recording = await openRecording(session, experimentId);
    const info = await getExperimentInfo({ client, signal, experimentId });
    const counts = await work(session, recording, info);
    await session.spans.flush();
    const last = await getExperimentInfo({ client, experimentId });
    session.logger.info(`${missingCount(last)} runs are missing or failed: ${experimentUrl(client, last)}`);
    const { stopReason } = session;
    return { ...last, ...counts, sentCount: recording.sentCount, ...(stopReason && { stopReason }) };
  } finally {
    await session.close();
    await recording?.close();
  }
}

const missingCount = ({ exampleCount, repetitions, successfulRunCount }: ExperimentInfo): number =>
  exampleCount * repetitions - successfulRunCount;

async function evaluateIncomplete(
  session: WorkSession,
  { poster }: Recording,
  info: ExperimentInfo,
  evaluators: EvaluatorsInput,
  { stopOnFirstError = false }: ResumeOptions,
): Promise<number> {
  const byName = new Map(getExperimentEvaluators(evaluators).map((evaluator) => [evaluator.name, evaluator]));
  if (byName.size === 0) throw new ArgumentError('There are no evaluators to run.');
  const progress = new Progress(session.logger, 'evaluations');
  const done = await runEvaluators(session, {
    projectName: info.projectName,
    evaluations: listIncompleteEvaluations(session.client, info.id, byName),
    poster,
    progress,
    stopOnFirstError,
  });
  progress.show();
  return done.length;
}

/** Pages are read while runs are written; their cursor is a position that does not move. */
async function* listIncompleteRuns(client: SpandrelClient, experimentId: string): AsyncGenerator<PlannedRun> {
  let cursor: string | undefined;
  do {
    const params = { path: { experiment_id: experimentId }, query: { limit: PAGE_ROW_COUNT, cursor } };
    const page = await bodyOf(client.GET('/v1/experiments/{experiment_id}/incomplete-runs', { params }));
    for (const { dataset_example: example, repetition_numbers: numbers } of page.data) {
      for (const repetitionNumber of numbers) yield { example: toExample(example), repetitionNumber };
    }
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
}

async function* listIncompleteEvaluations(
  client: SpandrelClient,
  experimentId: string,
  evaluators: ReadonlyMap<string, PlannedEvaluation['evaluator']>,
): AsyncGenerator<PlannedEvaluation> {
  const names = [...evaluators.keys()];
  let cursor: string | undefined;
  do {
    const query = { limit: PAGE_ROW_COUNT, cursor, evaluation_name: names };
    const params = { path: { experiment_id: experimentId }, query };
    const page = await bodyOf(client.GET('/v1/experiments/{experiment_id}/incomplete-evaluations', { params }));
    for (const item of page.data) {
      const run = toExperimentRun(item.experiment_run);
      const example = toExample(item.dataset_example);
      for (const name of item.evaluation_names) {
        const evaluator = evaluators.get(name);
        if (evaluator) yield { run, example, evaluator };
      }
    }
    cursor = page.next_cursor ?? undefined;
  } while (cursor);
}
