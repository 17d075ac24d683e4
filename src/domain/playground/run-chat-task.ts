import { setTimeout as sleep } from 'node:timers/promises';
import { type ExactJson, type ExactJsonObject, toExactJsonText } from '../../base/exact-json.ts';
import { nowUnixNano } from '../../base/now-unix-nano.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import { CHAT_SPAN_ATTEMPT_COUNT_MAX, CHAT_SPAN_RETRY_MS } from '../../model/limits/chat.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits/reads.ts';
import type { ChatTask, RequestCredentials, TaskVariables } from '../../model/playground/chat-task.ts';
import type { PromptTemplate } from '../../model/prompts/prompt-template.ts';
import type { Receipt } from '../../model/receipt.ts';
import type {
  CallOptions,
  ChatMessage,
  ChatModel,
  ChatPiece,
  ChatResponse,
  SentRequest,
} from '../../llm/contract/chat-model.ts';
import { ModelError } from '../../llm/contract/model-error.ts';
import type { Ports } from '../ports.ts';
import { renderChatTemplate } from '../prompts/render-template.ts';
import { toJournalText } from '../spans/create-spans.ts';
import type { NewSpan } from '../spans/new-span.ts';
import type { CachedCall, CallCache } from './call-cache.ts';
import { type RecordedCall, toChatSpan } from './chat-span.ts';
import { checkProjectName, ensurePlaygroundProject, PLAYGROUND_PROJECT_NAME } from './playground-project.ts';
import { hasCredential, resolveTarget } from './resolve-target.ts';
import { toMessages } from './to-messages.ts';

type TargetPorts = Pick<Ports, 'providers' | 'secrets' | 'secretBox' | 'modelSettings' | 'chatModels'>;
type RunPorts = Pick<Ports, 'projects' | 'projectAccess' | 'writes'>;
export type ChatTaskPorts = TargetPorts & RunPorts;

/** A task whose model is known. Many runs can share it. */
export interface PreparedChatTask {
  readonly task: ChatTask;
  readonly model: ChatModel;
  /** Whether its calls carry a key. Servers of models may need none. */
  readonly hasCredential: boolean;
}

export interface ChatRun {
  /** Messages after those of the template. They are not rendered. */
  readonly messages?: readonly ChatMessage[] | undefined;
  /** Null: the template is not rendered. */
  readonly variables: TaskVariables | null;
  /** Project of the span. That of the playground is created on demand, others exist. */
  readonly projectName: string;
  /** Calls that need not be made again. */
  readonly cache?: CallCache | undefined;
  /** Value of the span attribute `metadata`. */
  readonly metadata?: ExactJsonObject | undefined;
}

export interface ChatRunOptions {
  readonly signal: AbortSignal;
  /** Called synchronously for each piece. */
  readonly onPiece: (piece: ChatPiece) => void;
  /** Called with the limits of the vendor, if the response states them. */
  readonly onLimits?: CallOptions['onLimits'] | undefined;
}

/**
 * What a run has come to. Without a call, for example because a variable is missing, there is an error and no span. A call
 * that failed has a span and an error; one whose span could not be stored has a response, an error and no span.
 */
export interface ChatTaskResult {
  readonly response: ChatResponse | null;
  readonly error: ModelError | SpandrelError | null;
  readonly traceId: string | null;
  readonly spanId: string | null;
  /** Receipt of the span. Reads see it after `ports.writes.waitFor`. */
  readonly receipt: Receipt | null;
  readonly startTime: Date;
  readonly endTime: Date;
  /** The response is that of an earlier call, and no call was made. It has no token counts. */
  readonly isCached: boolean;
  /** Messages of the assistant as runs of experiments store them: at most one. */
  readonly outputMessages: readonly ExactJsonObject[];
  /** Tools of the call in the form of the vendor. */
  readonly availableTools: readonly ExactJsonObject[];
}

/** Prepares a task and runs it once. See `prepareChatTask` and `runPreparedTask`. */
export async function runChatTask(
  ports: ChatTaskPorts,
  { task, credentials, ...run }: ChatRun & { readonly task: ChatTask; readonly credentials: RequestCredentials },
  options: ChatRunOptions,
): Promise<ChatTaskResult> {
  const startTime = new Date();
  let prepared: PreparedChatTask;
  try {
    prepared = await prepareChatTask(ports, task, credentials);
  } catch (error) {
    return failedEarly(error, startTime);
  }
  return runPreparedTask(ports, prepared, run, options);
}

/**
 * Finds address and credentials, and opens the model.
 *
 * @throws {SpandrelError} as `resolveTarget`
 */
export async function prepareChatTask(
  ports: TargetPorts,
  task: ChatTask,
  credentials: RequestCredentials,
): Promise<PreparedChatTask> {
  const { modelProvider, modelName, customProviderId } = task.prompt;
  const { connection, headers } = task;
  const target = await resolveTarget(ports, {
    ...{ modelProvider, modelName, customProviderId, connection, headers, credentials },
  });
  return { task, model: ports.chatModels.open(target), hasCredential: hasCredential(target) };
}

/** Renders the template, calls the model once, and records one span. Expected failures are results. */
export async function runPreparedTask(
  ports: RunPorts,
  { task, model }: PreparedChatTask,
  run: ChatRun,
  { signal, onPiece, onLimits }: ChatRunOptions,
): Promise<ChatTaskResult> {
  const startTime = new Date();
  let messages: readonly ChatMessage[];
  try {
    checkProjectName(ports, run.projectName);
    messages = [...renderMessages(task, run.variables), ...(run.messages ?? [])];
  } catch (error) {
    return failedEarly(error, startTime);
  }
  const isPlayground = run.projectName === PLAYGROUND_PROJECT_NAME;
  // While the model works, so that the first piece does not wait for it.
  const project = isPlayground ? ensurePlaygroundProject(ports) : undefined;
  const cached = await run.cache?.find(messages);
  const call = cached
    ? replayCall(cached, onPiece)
    : await callModel(model, task, messages, { signal, onPiece, onLimits });
  const { response, sent } = call;
  if (!cached && response && sent) await run.cache?.add(messages, { response, sent });
  const isCached = cached !== undefined;
  const span = toChatSpan({ ...call, model, messages, isCached, ...recordedTask(task, run) });
  await project;
  return { ...toResult(call, span, await storeSpan(ports, span, run.projectName)), isCached };
}

/** @throws {SpandrelError} `PROMPT_INVALID` */
export function renderMessages({ prompt }: Pick<ChatTask, 'prompt'>, variables: TaskVariables | null): ChatMessage[] {
  const { template, templateFormat: format } = prompt;
  return toMessages(variables === null ? template : renderChatTemplate(asChat(template), { format, variables }));
}

const asChat = (template: PromptTemplate) =>
  template.type === 'chat'
    ? template
    : ({ type: 'chat', messages: [{ role: 'user', content: template.template }] } as const);

/** What the span of a call records of its task. */
export const recordedTask = (task: ChatTask, { variables, metadata }: Pick<ChatRun, 'variables' | 'metadata'>) => ({
  template: variables === null ? undefined : { text: templateText(task.prompt.template), variables },
  promptVersionRowId: task.promptVersionRowId,
  metadata,
});

/** Messages as JSON; the text of a text template as it is. */
const templateText = (template: PromptTemplate): string =>
  template.type === 'chat' ? toExactJsonText(template.messages as unknown as ExactJson) : template.template;

type EndedCall = Pick<RecordedCall, 'sent' | 'response' | 'partialText' | 'startTimeUnixNano' | 'endTimeUnixNano'> & {
  readonly error: ModelError | undefined;
};

/** The call as it was made, without its tokens: they were paid for then. */
function replayCall({ response, sent }: CachedCall, onPiece: ChatRunOptions['onPiece']): EndedCall {
  if (response.text !== '') onPiece({ type: 'text', text: response.text });
  for (const [index, { id, name, arguments: text }] of response.toolCalls.entries())
    onPiece({ type: 'toolCall', index, id, name, arguments: text });
  const now = nowUnixNano();
  const times = { startTimeUnixNano: now, endTimeUnixNano: now };
  return { sent, response: { ...response, usage: {} }, partialText: '', error: undefined, ...times };
}

/** Calls the model once. An expected failure is a result. */
export async function callModel(
  model: ChatModel,
  { prompt, isStreamed }: ChatTask,
  messages: readonly ChatMessage[],
  { signal, onPiece, onLimits }: ChatRunOptions,
): Promise<EndedCall> {
  const { tools, responseFormat, invocationParameters: parameters } = prompt;
  let sent: SentRequest | undefined;
  let partialText = '';
  const startTimeUnixNano = nowUnixNano();
  const startedAt = performance.now();
  const ended = (result: { readonly response?: ChatResponse; readonly error?: ModelError }): EndedCall => ({
    ...{ sent, partialText, startTimeUnixNano, response: undefined, error: undefined },
    ...result,
    endTimeUnixNano: startTimeUnixNano + BigInt(Math.round((performance.now() - startedAt) * 1e6)),
  });
  try {
    const response = await model.call(
      { messages, tools, responseFormat, parameters, isStreamed },
      {
        signal,
        onPiece(piece) {
          onPiece(piece);
          if (piece.type === 'text') partialText += piece.text;
        },
        onSend(request) {
          sent = request;
        },
        ...(onLimits && { onLimits }),
      },
    );
    return ended({ response });
  } catch (error) {
    if (error instanceof ModelError) return ended({ error });
    throw error;
  }
}

async function storeSpan(
  { writes }: RunPorts,
  span: NewSpan,
  projectName: string,
): Promise<{ readonly receipt: Receipt } | SpandrelError> {
  const text = toJournalText(projectName, [span]);
  for (let attempt = 1; ; attempt++) {
    try {
      return await writes.submitSpans(text, 1, projectName);
    } catch (error) {
      if (!(error instanceof SpandrelError)) throw error;
      if (error.code !== 'INGEST_OVERLOADED' || attempt >= CHAT_SPAN_ATTEMPT_COUNT_MAX) return error;
      await sleep(CHAT_SPAN_RETRY_MS);
    }
  }
}

function toResult(
  { sent, response, error, startTimeUnixNano, endTimeUnixNano }: EndedCall,
  { traceId, spanId }: NewSpan,
  stored: { readonly receipt: Receipt } | SpandrelError,
): Omit<ChatTaskResult, 'isCached'> {
  const isStored = !(stored instanceof SpandrelError);
  return {
    response: response ?? null,
    error: error ?? (isStored ? null : stored),
    traceId: isStored ? traceId : null,
    spanId: isStored ? spanId : null,
    receipt: isStored ? stored.receipt : null,
    startTime: toDate(startTimeUnixNano),
    endTime: toDate(endTimeUnixNano),
    outputMessages: response ? [toOutputMessage(response)] : [],
    availableTools: sent?.tools ?? [],
  };
}

function failedEarly(error: unknown, startTime: Date): ChatTaskResult {
  if (!(error instanceof SpandrelError) && !(error instanceof ModelError)) throw error;
  return {
    ...{ response: null, error, traceId: null, spanId: null, receipt: null, outputMessages: [], availableTools: [] },
    ...{ isCached: false, startTime, endTime: new Date() },
  };
}

function toOutputMessage({ text, toolCalls }: ChatResponse): ExactJsonObject {
  const calls = toolCalls.map(
    ({ name, arguments: given }): ExactJson => ({ function: { name, arguments: parseArguments(given) } }),
  );
  return {
    role: 'assistant',
    ...(text !== '' && { content: text }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

/** Arguments that are no JSON stay text. */
function parseArguments(text: string): ExactJson {
  try {
    return parseExactJson(text, { depthMax: BODY_JSON_DEPTH_MAX });
  } catch {
    return text;
  }
}

const toDate = (unixNano: bigint): Date => new Date(Number(unixNano / 1_000_000n));
