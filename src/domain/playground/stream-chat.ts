import { SpandrelError } from '../../model/errors.ts';
import type { JobBudget } from '../../model/experiment-job.ts';
import { CHAT_REPETITION_COUNT_MAX, CHAT_REPETITIONS_AT_ONCE } from '../../model/limits/chat.ts';
import type { ChatEvent, ChatEventBody } from '../../model/playground/chat-event.ts';
import type { ChatTask, RequestCredentials, TaskVariables } from '../../model/playground/chat-task.ts';
import type { ChatPiece, TokenUsage } from '../../llm/contract/chat-model.ts';
import type { Ports } from '../ports.ts';
import { type CellBudget, openCellBudget } from './cell-budget.ts';
import { ChatEventQueue } from './chat-event-queue.ts';
import { checkProjectName, PLAYGROUND_PROJECT_NAME } from './playground-project.ts';
import {
  type ChatTaskPorts,
  type ChatTaskResult,
  type PreparedChatTask,
  prepareChatTask,
  renderMessages,
  runPreparedTask,
} from './run-chat-task.ts';

export interface ChatInput {
  readonly task: ChatTask;
  /** Null: the template is not rendered. */
  readonly variables: TaskVariables | null;
  readonly repetitions: number;
  readonly credentials: RequestCredentials;
  /** Maximums of all repetitions. One that they do not allow ends with `stopped`. */
  readonly budget?: JobBudget | undefined;
}

type Parts = ChatTaskPorts & Pick<Ports, 'storedSpans' | 'reportFailure' | 'models'>;

/**
 * Runs a task some times, and sends the pieces of all repetitions as they arrive. Each repetition ends with its result, also
 * after an error; its span can be read then. An abort, or the end of the iteration, ends the calls; their spans are stored.
 *
 * @param sharedBudget In place of the budget of the input, if several completions share it
 * @throws {SpandrelError} before the first event when no call can be made: as `resolveTarget`, `PROMPT_INVALID`,
 *   `ACCESS_DENIED`
 */
export function streamChat(
  ports: Parts,
  input: ChatInput,
  signal: AbortSignal,
  sharedBudget?: CellBudget,
): AsyncGenerator<ChatEvent> {
  const stopping = new AbortController();
  const queue = new ChatEventQueue();
  const begin = async () => {
    const { repetitions } = input;
    if (!(repetitions >= 1 && repetitions <= CHAT_REPETITION_COUNT_MAX)) {
      throw new SpandrelError('QUERY_INVALID', `repetitions must be from 1 to ${CHAT_REPETITION_COUNT_MAX}`);
    }
    checkProjectName(ports, PLAYGROUND_PROJECT_NAME);
    renderMessages(input.task, input.variables);
    const prepared = await prepareChatTask(ports, input.task, input.credentials);
    const budget = sharedBudget ?? openCellBudget(ports, input.budget);
    void runAll(ports, prepared, input, { queue, budget, signal: AbortSignal.any([signal, stopping.signal]) });
  };
  return queue.read(begin, () => stopping.abort());
}

interface Stream {
  readonly queue: ChatEventQueue;
  readonly budget: CellBudget | undefined;
  readonly signal: AbortSignal;
}

async function runAll(ports: Parts, prepared: PreparedChatTask, input: ChatInput, stream: Stream): Promise<void> {
  let next = 1;
  const work = async () => {
    while (next <= input.repetitions && !stream.signal.aborted) {
      await runRepetition(ports, prepared, input, next++, stream);
    }
  };
  const workerCount = Math.min(CHAT_REPETITIONS_AT_ONCE, input.repetitions);
  await Promise.all(Array.from({ length: workerCount }, work));
  stream.queue.end();
}

/** Never rejects. */
async function runRepetition(
  ports: Parts,
  prepared: PreparedChatTask,
  { variables }: ChatInput,
  repetitionNumber: number,
  { queue, budget, signal }: Stream,
): Promise<void> {
  const send = (event: ChatEventBody) => queue.push({ ...event, exampleRowId: null, repetitionNumber });
  const { model } = prepared;
  const stopReason = await budget?.begin(model);
  if (stopReason !== undefined) return send({ type: 'stopped', reason: stopReason });
  const silence = watchSilence(ports.modelSettings.silenceMsMax);
  let usage: TokenUsage | undefined;
  let spanRowId: number | null = null;
  try {
    const result = await runPreparedTask(
      ports,
      prepared,
      { variables, projectName: PLAYGROUND_PROJECT_NAME },
      {
        signal: AbortSignal.any([signal, silence.signal]),
        onPiece(piece) {
          silence.restart();
          sendPiece(piece, send);
        },
      },
    );
    silence.end();
    if (result.response) usage = result.response.usage;
    else if (result.spanId !== null) usage = {};
    spanRowId = await findStoredSpan(ports, result);
    if (result.error) {
      const message = silence.signal.aborted ? 'Playground task timed out' : result.error.message;
      send({ type: 'error', message, spanRowId, runRowId: null });
    }
  } catch (error) {
    ports.reportFailure(error, 'A chat completion failed');
    send({ type: 'error', message: 'An unexpected error occurred', spanRowId, runRowId: null });
  } finally {
    silence.end();
    await budget?.end(model, usage);
  }
  send({ type: 'result', spanRowId, runRowId: null });
}

/** Reasoning is no part of the public stream. */
export function sendPiece(piece: ChatPiece, send: (event: ChatEventBody) => void): void {
  if (piece.type === 'text') send({ type: 'text', text: piece.text });
  if (piece.type !== 'toolCall') return;
  const { id, name, arguments: text } = piece;
  send({ type: 'toolCall', id, name, arguments: text });
}

/** Aborts when nothing restarts it for too long. */
function watchSilence(msMax: number) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), msMax);
  return { signal: controller.signal, restart: () => timer.refresh(), end: () => clearTimeout(timer) };
}

/** Row id of the span of a result, once reads see it with its costs. Null when none was stored. */
export async function findStoredSpan(
  { writes, storedSpans }: Pick<Ports, 'writes' | 'storedSpans'>,
  { spanId, receipt }: Pick<ChatTaskResult, 'spanId' | 'receipt'>,
): Promise<number | null> {
  if (spanId === null || receipt === null) return null;
  await writes.waitFor(receipt);
  return storedSpans.find(spanId);
}
