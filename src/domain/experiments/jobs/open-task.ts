import { type ExactJson, type ExactJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import type { SnapshotExample } from '../../../model/experiment.ts';
import type { ExperimentJob, JobTask } from '../../../model/experiment-job.ts';
import type { CallCosts } from '../../playground/call-costs.ts';
import {
  type ChatTaskPorts,
  type ChatTaskResult,
  type PreparedChatTask,
  prepareChatTask,
  runPreparedTask,
} from '../../playground/run-chat-task.ts';
import type { Ports } from '../../ports.ts';
import { readAppendedMessages } from './appended-messages.ts';
import { errorTypeOf, retryOf } from './call-failure.ts';
import type { SentSecrets } from './job-runner.ts';
import { type Attempt, JobUnready, type OpenTask, type TaskOutcome } from './job-work.ts';
import { ResponseCache } from './response-cache.ts';
import { readExample, selectVariables } from './task-values.ts';

export type TaskPorts = ChatTaskPorts & Pick<Ports, 'experiments' | 'experimentJobs'>;

/**
 * Reads the task of a job, and opens its model.
 *
 * @throws {JobUnready} without keys, or when the provider is deleted
 */
export async function openTask(
  ports: TaskPorts,
  job: ExperimentJob,
  secrets: SentSecrets,
  costs: CallCosts,
): Promise<OpenTask> {
  const findStored = () => ports.experimentJobs.findTasks([job.rowId]).then((tasks) => tasks.get(job.rowId));
  const [experiment, stored] = await Promise.all([ports.experiments.find(job.rowId), findStored()]);
  if (!experiment || !stored) throw new JobUnready('ERROR', 'The experiment has no task');
  checkSecrets(job, secrets);
  let prepared = await prepare(ports, stored, secrets);
  const { projectName, datasetRowId } = experiment;
  const cache = job.usesCache ? new ResponseCache(ports, datasetRowId) : undefined;
  await cache?.evict();
  return {
    get rateLimitKey() {
      return prepared.model.rateLimitKey;
    },
    async refresh() {
      const found = await findStored();
      // Without a task, the experiment has been deleted, which ends the job by itself.
      if (!found) return;
      const next = await prepare(ports, found, secrets);
      // An address that is not the vendor's may need no key. One that had a key does, so its calls would be rejected.
      if (prepared.hasCredential && !next.hasCredential) {
        throw new JobUnready('STOPPED', 'The key with which the run began was deleted');
      }
      prepared = next;
    },
    run: (example, attempt) => runTask(ports, { prepared, stored, projectName, costs, cache }, example, attempt),
  };
}

/** Keys and headers of a request are not stored, and other ones must not take their place. */
export function checkSecrets({ needsSentSecrets }: ExperimentJob, { credentials, headers }: SentSecrets): void {
  const isWithout = Object.keys(credentials).length === 0 && Object.keys(headers ?? {}).length === 0;
  if (needsSentSecrets && isWithout) {
    throw new JobUnready('STOPPED', 'keys needed: the server was restarted, and keys of requests are not stored');
  }
}

async function prepare(ports: TaskPorts, { task, isProviderDeleted }: JobTask, { credentials, headers }: SentSecrets) {
  if (isProviderDeleted) throw new JobUnready('STOPPED', 'The custom provider of the prompt was deleted');
  try {
    return await prepareChatTask(ports, { ...task, headers }, credentials);
  } catch (error) {
    // The text names what is missing, for example a key.
    if (error instanceof SpandrelError && error.kind !== 'overloaded') throw new JobUnready('STOPPED', error.message);
    throw error;
  }
}

interface Task {
  readonly prepared: PreparedChatTask;
  readonly stored: JobTask;
  readonly projectName: string;
  readonly costs: CallCosts;
  /** Undefined when every call is made. */
  readonly cache: ResponseCache | undefined;
}

async function runTask(
  ports: TaskPorts,
  { prepared, stored: { paths }, projectName, costs, cache }: Task,
  example: SnapshotExample,
  { repetitionNumber, signal, onPiece, onLimits }: Attempt,
): Promise<TaskOutcome> {
  const startTime = new Date();
  try {
    const values = readExample(example);
    const result = await runPreparedTask(
      ports,
      prepared,
      {
        variables: selectVariables(values, paths.templateVariables),
        messages:
          paths.appendedMessages === null ? undefined : readAppendedMessages(values.input, paths.appendedMessages),
        projectName,
        cache: cache?.of(prepared.model, prepared.task, repetitionNumber),
      },
      {
        ...{ signal, onLimits },
        onPiece(piece) {
          if (piece.type === 'text') onPiece(piece);
          if (piece.type !== 'toolCall') return;
          const { type, id, name, arguments: text } = piece;
          onPiece({ type, id, name, arguments: text });
        },
      },
    );
    return await toOutcome(result, prepared, costs);
  } catch (error) {
    if (error instanceof SpandrelError) return failedEarly(error, startTime);
    throw error;
  }
}

async function toOutcome(result: ChatTaskResult, { model }: PreparedChatTask, costs: CallCosts): Promise<TaskOutcome> {
  const { response, traceId, spanId, receipt, startTime, endTime, isCached } = result;
  // A response has cost money, and is kept even if its span could not be stored.
  const error = response ? null : result.error;
  const wasCalled = !isCached && (spanId !== null || response !== null);
  return {
    run: {
      output: response ? toOutput(result) : 'null',
      startMicros: toMicros(startTime),
      endMicros: toMicros(endTime),
      traceId,
      error: error && (error.message || errorTypeOf(error)),
      isCached,
    },
    retry: error && retryOf(error),
    errorType: error && errorTypeOf(error),
    callCount: wasCalled ? 1 : 0,
    ...(response && wasCalled ? await costs.of(model.modelName, model.provider, response.usage) : { cost: 0 }),
    receipt,
    spanId,
  };
}

const toOutput = ({ outputMessages, availableTools }: ChatTaskResult): string =>
  toExactJsonText({
    messages: outputMessages as ExactJson[],
    available_tools: availableTools as ExactJson[],
  } satisfies ExactJsonObject);

function failedEarly(error: SpandrelError, startTime: Date): TaskOutcome {
  return {
    run: {
      output: 'null',
      startMicros: toMicros(startTime),
      endMicros: toMicros(new Date()),
      traceId: null,
      error: error.message,
    },
    ...{ retry: null, errorType: error.code, callCount: 0, cost: 0, receipt: null, spanId: null },
  };
}

export const toMicros = (date: Date): bigint => BigInt(date.getTime()) * 1_000n;
