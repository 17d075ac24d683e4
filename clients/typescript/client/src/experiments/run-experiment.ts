import type { SpandrelClient } from '../client.ts';
import type { DatasetSelector } from '../datasets/dataset-selector.ts';
import { type DatasetExample, getDataset } from '../datasets/datasets.ts';
import { ArgumentError } from '../http/errors.ts';
import { type EvaluatorsInput, getExperimentEvaluators } from './evaluators.ts';
import type {
  ExperimentEvaluationRun,
  ExperimentInfo,
  ExperimentRun,
  ExperimentTask,
  RanExperiment,
} from './experiment-types.ts';
import { createExperiment, getExperimentInfo, toRunsById } from './experiments.ts';
import { Progress } from './logger.ts';
import { openRecording, type Recording } from './recording.ts';
import { type PlannedEvaluation, runEvaluators } from './run-evaluators.ts';
import { type FinishedRun, type PlannedRun, runTasks, withRunId } from './run-tasks.ts';
import { randomHex } from './span-sender.ts';
import { type WorkOptions, WorkSession } from './work-session.ts';

/** Project of the spans of evaluators. */
export const EVALUATOR_PROJECT = 'evaluators';

export interface RunExperimentOptions extends WorkOptions {
  readonly dataset: DatasetSelector;
  readonly task: ExperimentTask;
  readonly evaluators?: EvaluatorsInput;
  readonly experimentName?: string;
  readonly experimentDescription?: string;
  readonly experimentMetadata?: Readonly<Record<string, unknown>>;
  readonly repetitions?: number;
  /** The first examples are run and nothing is stored: true for one, else their number. */
  readonly dryRun?: boolean | number;
  /** False: all examples are run and nothing is stored. */
  readonly record?: boolean;
}

/**
 * Runs a task over the examples of a dataset, then evaluators over the runs, and returns both. Each result is stored in
 * a file before it is posted, so `resumeExperiment` continues after a process that was killed.
 *
 * @throws {UnsentResultsError} when results could not be posted; they are in the outbox
 */
export async function runExperiment(options: RunExperimentOptions): Promise<RanExperiment> {
  const { repetitions = 1, dryRun = false, record = true } = options;
  const evaluators = getExperimentEvaluators(options.evaluators ?? []);
  const session = new WorkSession(options);
  let recording: Recording | undefined;
  try {
    const { client, signal } = session;
    const dataset = await getDataset({ client, signal, dataset: options.dataset });
    const examples = chooseExamples(dataset.examples, dryRun);
    const isStored = record && dryRun === false;
    const info = isStored
      ? await createExperiment({
          ...options,
          client,
          repetitions,
          datasetId: dataset.id,
          datasetVersionId: dataset.versionId,
          ...(options.dataset.splits && { splits: options.dataset.splits }),
        })
      : toLocalInfo({
          datasetId: dataset.id,
          versionId: dataset.versionId,
          repetitions,
          exampleCount: examples.length,
        });
    if (isStored) recording = await openRecording(session, info.id);
    session.logger.info(
      isStored
        ? `Running the experiment ${info.name ?? info.id} over ${examples.length} examples: ${experimentUrl(client, info)}`
        : `Dry run over ${examples.length} examples; nothing is stored.`,
    );
    const progress = new Progress(session.logger, 'tasks', examples.length * repetitions);
    const runs = await toPostedRuns(
      recording,
      await runTasks(session, {
        experimentId: info.id,
        projectName: info.projectName,
        task: options.task,
        runs: planRuns(examples, repetitions),
        poster: recording?.poster,
        progress,
      }),
    );
    progress.show();
    const examplesById = new Map(examples.map((example) => [example.nodeId, example]));
    const evaluationRuns = await evaluate(session, recording, evaluators, runs, examplesById);
    const last = isStored ? await getExperimentInfo({ client, experimentId: info.id }) : withCounts(info, runs);
    await finish(session, recording, last);
    const { stopReason } = session;
    return { ...last, runs: toRunsById(runs), evaluationRuns, ...(stopReason && { stopReason }) };
  } finally {
    await session.close();
    await recording?.close();
  }
}

function chooseExamples(examples: readonly DatasetExample[], dryRun: boolean | number): DatasetExample[] {
  if (examples.length === 0) throw new ArgumentError('The dataset has no examples to run the task on.');
  if (dryRun === false) return [...examples];
  const count = dryRun === true ? 1 : dryRun;
  if (!Number.isSafeInteger(count) || count < 1)
    throw new ArgumentError(`dryRun must be true or a number from 1, and is ${count}.`);
  return examples.slice(0, count);
}

function* planRuns(examples: readonly DatasetExample[], repetitions: number): Generator<PlannedRun> {
  for (const example of examples) {
    for (let repetitionNumber = 1; repetitionNumber <= repetitions; repetitionNumber++)
      yield { example, repetitionNumber };
  }
}

/** The runs with the IDs of the server. The finished ones are held by nobody afterwards. */
async function toPostedRuns(
  recording: Recording | undefined,
  finished: readonly FinishedRun[],
): Promise<ExperimentRun[]> {
  await recording?.poster.flush();
  const runs: ExperimentRun[] = [];
  for (const { run, id } of finished) runs.push(withRunId(run, await id));
  return runs;
}

async function evaluate(
  session: WorkSession,
  recording: Recording | undefined,
  evaluators: ReturnType<typeof getExperimentEvaluators>,
  runs: readonly ExperimentRun[],
  examples: ReadonlyMap<string, DatasetExample>,
): Promise<ExperimentEvaluationRun[]> {
  // A run without an output has nothing to evaluate.
  const evaluated = runs.filter(({ error, datasetExampleId }) => error === null && examples.has(datasetExampleId));
  if (evaluated.length === 0 || evaluators.length === 0) return [];
  const evaluations = planEvaluations(evaluated, evaluators, examples);
  const progress = new Progress(session.logger, 'evaluations', evaluated.length * evaluators.length);
  const poster = recording?.poster;
  const done = await runEvaluators(session, { projectName: EVALUATOR_PROJECT, evaluations, poster, progress });
  progress.show();
  return done;
}

function* planEvaluations(
  runs: readonly ExperimentRun[],
  evaluators: ReturnType<typeof getExperimentEvaluators>,
  examples: ReadonlyMap<string, DatasetExample>,
): Generator<PlannedEvaluation> {
  for (const run of runs) {
    const example = examples.get(run.datasetExampleId);
    if (example) for (const evaluator of evaluators) yield { run, example, evaluator };
  }
}

/** Local figures of a dry run, in the shape of an experiment. */
function toLocalInfo(of: {
  readonly datasetId: string;
  readonly versionId: string;
  readonly repetitions: number;
  readonly exampleCount: number;
}): ExperimentInfo {
  const now = new Date().toISOString();
  return {
    id: `local_${randomHex(6)}`,
    datasetId: of.datasetId,
    datasetVersionId: of.versionId,
    repetitions: of.repetitions,
    metadata: {},
    projectName: null,
    createdAt: now,
    updatedAt: now,
    exampleCount: of.exampleCount,
    successfulRunCount: 0,
    failedRunCount: 0,
    missingRunCount: of.exampleCount * of.repetitions,
  };
}

function withCounts(info: ExperimentInfo, runs: readonly ExperimentRun[]): ExperimentInfo {
  const failedRunCount = runs.filter(({ error }) => error !== null).length;
  const missingRunCount = info.exampleCount * info.repetitions - runs.length;
  return { ...info, failedRunCount, successfulRunCount: runs.length - failedRunCount, missingRunCount };
}

/** Says how it ended, where to look, and how to continue. */
async function finish(session: WorkSession, recording: Recording | undefined, info: ExperimentInfo): Promise<void> {
  await session.spans.flush();
  const { successfulRunCount, failedRunCount, missingRunCount } = info;
  session.logger.info(
    `${successfulRunCount} runs succeeded, ${failedRunCount} failed, ${missingRunCount} are missing.`,
  );
  if (!recording) return;
  if (missingRunCount + failedRunCount > 0) {
    const reason = session.stopReason ? ` (stopped: ${session.stopReason})` : '';
    session.logger.warn(`Continue${reason} with resumeExperiment({ experimentId: "${info.id}", task }).`);
  }
  session.logger.info(experimentUrl(session.client, info));
}

/** The page that shows an experiment. */
export const experimentUrl = (
  { config }: SpandrelClient,
  { id, datasetId }: Pick<ExperimentInfo, 'id' | 'datasetId'>,
): string =>
  `${config.baseUrl}/datasets/${encodeURIComponent(datasetId)}/compare?experimentId=${encodeURIComponent(id)}`;

/**
 * Runs evaluators over the runs of an experiment, and returns it with the earlier and the new evaluations.
 *
 * @throws {UnsentResultsError} when results could not be posted; they are in the outbox
 */
export async function evaluateExperiment({
  experiment,
  evaluators,
  dryRun = false,
  ...options
}: WorkOptions & {
  readonly experiment: RanExperiment;
  readonly evaluators: EvaluatorsInput;
  readonly dryRun?: boolean | number;
}): Promise<RanExperiment> {
  const session = new WorkSession(options);
  let recording: Recording | undefined;
  try {
    const { client, signal } = session;
    const selector = { datasetId: experiment.datasetId, versionId: experiment.datasetVersionId };
    const dataset = await getDataset({ client, signal, dataset: selector });
    const isStored = dryRun === false && !experiment.id.startsWith('local_');
    if (isStored) recording = await openRecording(session, experiment.id);
    const all = Object.values(experiment.runs);
    const runs = typeof dryRun === 'number' ? all.slice(0, dryRun) : all;
    const examples = new Map(dataset.examples.map((example) => [example.nodeId, example]));
    const done = await evaluate(session, recording, getExperimentEvaluators(evaluators), runs, examples);
    const info = isStored ? await getExperimentInfo({ client, experimentId: experiment.id }) : experiment;
    return {
      ...experiment,
      ...info,
      runs: experiment.runs,
      evaluationRuns: [...(experiment.evaluationRuns ?? []), ...done],
    };
  } finally {
    await session.close();
    await recording?.close();
  }
}
