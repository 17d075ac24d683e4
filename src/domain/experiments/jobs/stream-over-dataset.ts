import { type ExactJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { authorOf } from '../../../model/access/caller.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { type JobBudget, NO_BUDGET, type TaskPaths } from '../../../model/experiment-job.ts';
import { REPETITION_COUNT_MAX } from '../../../model/limits/datasets.ts';
import { JOB_CONCURRENCY_MAX } from '../../../model/limits/jobs.ts';
import type { ChatEvent } from '../../../model/playground/chat-event.ts';
import type { ChatTask, RequestCredentials } from '../../../model/playground/chat-task.ts';
import { resolveSplits } from '../../datasets/resolve-splits.ts';
import { prepareChatTask } from '../../playground/run-chat-task.ts';
import type { Ports } from '../../ports.ts';
import { newTraceProjectName } from '../../projects/trace-project-name.ts';
import { checkBudget, checkRange } from './check-budget.ts';
import { checkPrices } from './check-prices.ts';
import { bindingsOf } from './dataset-bindings.ts';
import { ignoreExpected } from './ignore-expected.ts';
import { stopJob } from './toggle-job.ts';

export interface OverDatasetInput {
  readonly task: ChatTask;
  readonly credentials: RequestCredentials;
  readonly repetitions: number;
  readonly datasetRowId: number;
  /** Null: the newest version. */
  readonly datasetVersionRowId: number | null;
  /** Empty: all examples. */
  readonly splitRowIds: readonly number[];
  /** Null: a name that the server makes. */
  readonly name: string | null;
  readonly description: string | null;
  readonly metadata: ExactJsonObject;
  readonly datasetEvaluatorRowIds: readonly number[];
  readonly paths: TaskPaths;
  readonly isEphemeral: boolean;
  readonly maxConcurrency: number;
  readonly budget?: JobBudget | undefined;
  /** Whether responses of earlier runs over the dataset with the same request take the place of calls. Default: no. */
  readonly usesCache?: boolean;
}

/** Description of the project with the traces of an experiment that the server runs. */
const PROJECT_DESCRIPTION = 'Traces from prompt playground';

/**
 * Runs a task over the examples of a dataset: creates the experiment with its job, starts it, and returns its events, the
 * experiment first. When they have ended, everything that the job wrote can be read. The job goes on when the caller leaves,
 * unless the experiment is ephemeral.
 *
 * @throws {SpandrelError} before the first event: `DATASET_NOT_FOUND`, `DATASET_VERSION_NOT_FOUND`, `DATASET_SPLIT_NOT_FOUND`,
 *   `DATASET_EVALUATOR_NOT_FOUND`, `QUERY_INVALID`, and as `prepareChatTask` when no call can be made
 */
export async function* streamOverDataset(
  ports: Ports,
  input: OverDatasetInput,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, void, undefined> {
  const { task, credentials, isEphemeral } = input;
  checkNumbers(input);
  const { budget = NO_BUDGET, datasetEvaluatorRowIds } = input;
  const [version, , { model }] = await Promise.all([
    findVersion(ports, input),
    bindingsOf(ports, input.datasetRowId, input.datasetEvaluatorRowIds),
    prepareChatTask(ports, task, credentials),
  ]);
  await checkPrices(ports, budget, { task: model, datasetEvaluatorRowIds, credentials });
  const { headers, ...stored } = task;
  const created = await ports.experimentJobs.create({
    experiment: {
      datasetRowId: input.datasetRowId,
      datasetVersionRowId: version.rowId,
      name: input.name || `playground-experiment${task.promptName === null ? '' : ` prompt:${task.promptName}`}`,
      description: input.description,
      repetitions: input.repetitions,
      metadata: toExactJsonText(input.metadata),
      projectName: newTraceProjectName('Experiment'),
      projectDescription: PROJECT_DESCRIPTION,
      splitRowIds: (
        await resolveSplits(
          ports,
          input.splitRowIds.map((rowId) => ({ rowId })),
        )
      ).map(({ rowId }) => rowId),
      userId: authorOf(ports.caller),
    },
    isEphemeral,
    task: { task: stored, paths: input.paths },
    datasetEvaluatorRowIds: input.datasetEvaluatorRowIds,
    maxConcurrency: input.maxConcurrency,
    needsSentSecrets: Object.keys(credentials).length > 0 || Object.keys(headers ?? {}).length > 0,
    budget,
    usesCache: input.usesCache ?? false,
    owner: ports.jobRunner.owner,
  });
  if (created.state === 'datasetAbsent') return datasetUnknown(input.datasetRowId);
  if (created.state !== 'created') {
    throw new SpandrelError('DATASET_VERSION_NOT_FOUND', 'No examples found for the given dataset and version');
  }
  const { rowId } = created.experiment;
  const events = ports.jobRunner.follow(created.job, { credentials, headers }, signal);
  let isOver = false;
  try {
    yield { exampleRowId: null, repetitionNumber: null, type: 'experiment', experimentRowId: rowId };
    yield* events;
    isOver = !signal.aborted;
  } finally {
    // Someone may have stopped or deleted it already.
    if (isEphemeral && !isOver) await stopJob(ports, rowId).catch(ignoreExpected);
  }
}

function checkNumbers({ repetitions, maxConcurrency, budget = NO_BUDGET }: OverDatasetInput): void {
  checkRange('repetitions', repetitions, REPETITION_COUNT_MAX);
  checkRange('maxConcurrency', maxConcurrency, JOB_CONCURRENCY_MAX);
  checkBudget(budget);
}

async function findVersion(
  { datasets }: Pick<Ports, 'datasets'>,
  { datasetRowId, datasetVersionRowId }: OverDatasetInput,
) {
  if (!(await datasets.find({ rowId: datasetRowId }))) return datasetUnknown(datasetRowId);
  const version = await datasets.findVersion(datasetRowId, datasetVersionRowId ?? undefined);
  if (version) return version;
  throw new SpandrelError(
    'DATASET_VERSION_NOT_FOUND',
    datasetVersionRowId === null
      ? `No versions found for dataset with ID ${datasetRowId}`
      : `Could not find dataset version with ID ${datasetVersionRowId}`,
  );
}

function datasetUnknown(rowId: number): never {
  throw new SpandrelError('DATASET_NOT_FOUND', `Could not find dataset with ID ${rowId}`);
}
