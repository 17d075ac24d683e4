import { findBearerProblem, openAiError } from './openai-rules.ts';
import {
  type AnswerContext,
  argumentsText,
  type ProtocolMatch,
  type ProtocolServer,
  roleOf,
  type StreamEvent,
  serverSentEvent,
  slices,
  type VendorPrompt,
} from './protocol.ts';
import type { CompleteAnswer } from './wire-answer.ts';

const FINISH = { stop: 'stop', length: 'length', toolCalls: 'tool_calls', filter: 'content_filter' } as const;
const CREATED = 1_760_000_000;

/** OpenAI's chat completions, which most vendors speak. */
export const openAiChat: ProtocolServer<'openai-chat'> = {
  protocol: 'openai-chat',
  match: (path) => (path.endsWith('/chat/completions') ? { isAzure: path.startsWith('/openai/v1/') } : undefined),
  findCredentialProblem: findBearerProblem,
  credentialStatus: 401,
  unknownModelStatus: 404,
  readPrompt,
  streamType: 'text/event-stream; charset=utf-8',
  toBody,
  toEvents,
  toError: openAiError,
  toErrorEvent: (message) =>
    serverSentEvent({ error: { message, type: 'server_error', param: null, code: 'server_error' } }).bytes,
};

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
function readPrompt(body: any, _match: ProtocolMatch): VendorPrompt {
  const messages = (body.messages ?? []) as { role: string; content?: unknown }[];
  return {
    model: body.model,
    isStreamed: body.stream === true,
    messages: messages.map(({ role, content }) => ({ role: roleOf(role), content: textOf(content) })),
    text: messages.map(({ content }) => textOf(content)).join('\n'),
    lastText: textOf(messages.findLast(({ role }) => role === 'user' || role === 'tool')?.content),
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
    tools: (body.tools ?? []).map((tool: any) => ({
      name: (tool.function ?? tool.custom)?.name,
      schema: tool.function?.parameters,
    })),
    choice: choiceOf(body.tool_choice),
    format: body.response_format?.json_schema?.schema,
    body,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
export const textOf = (content: any): string =>
  Array.isArray(content) ? content.map((part) => part?.text ?? part?.output ?? '').join('\n') : (content ?? '');

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
export function choiceOf(choice: any): VendorPrompt['choice'] {
  if (choice === 'none') return 'none';
  if (choice === 'required') return 'some';
  const name = choice?.function?.name ?? choice?.name;
  return name === undefined ? 'auto' : { name };
}

function usageOf({ usage }: CompleteAnswer) {
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: { cached_tokens: usage.cacheRead, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoning,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

const logprobsOf = ({ logprobs }: CompleteAnswer) =>
  logprobs
    ? {
        content: logprobs.map(({ token, logprob, alternatives }) => ({
          ...{ token, logprob, bytes: null },
          top_logprobs: alternatives.map((each) => ({ ...each, bytes: null })),
        })),
        refusal: null,
      }
    : null;

function toBody(answer: CompleteAnswer, { prompt, callNumber }: AnswerContext) {
  const text = answer.chunks.join('');
  return {
    id: `chatcmpl-${callNumber}`,
    object: 'chat.completion',
    created: CREATED,
    model: prompt.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: text === '' && answer.toolCalls.length > 0 ? null : text,
          ...(answer.reasoning === '' ? {} : { reasoning_content: answer.reasoning }),
          ...(answer.toolCalls.length === 0
            ? {}
            : {
                tool_calls: answer.toolCalls.map((call) => ({
                  id: call.id,
                  type: 'function',
                  function: { name: call.name, arguments: argumentsText(call.arguments) },
                })),
              }),
          refusal: null,
          annotations: [],
        },
        logprobs: logprobsOf(answer),
        finish_reason: FINISH[answer.finish],
      },
    ],
    usage: usageOf(answer),
    service_tier: 'default',
    system_fingerprint: null,
  };
}

function* toEvents(answer: CompleteAnswer, { prompt, callNumber, isAzure }: AnswerContext): Iterable<StreamEvent> {
  const base = {
    id: `chatcmpl-${callNumber}`,
    object: 'chat.completion.chunk',
    created: CREATED,
    model: prompt.model,
    service_tier: 'default',
    system_fingerprint: null,
  };
  const hasUsage = prompt.body.stream_options?.include_usage === true;
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...base,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    ...(hasUsage ? { usage: null } : {}),
  });
  if (isAzure) yield serverSentEvent({ ...base, choices: [], prompt_filter_results: [{ prompt_index: 0 }] });
  yield serverSentEvent(chunk({ role: 'assistant', content: '', refusal: null }));
  for (const part of slices(answer.reasoning)) yield serverSentEvent(chunk({ reasoning_content: part }));
  for (const text of answer.chunks) yield serverSentEvent(chunk({ content: text }), true);
  for (const [index, call] of answer.toolCalls.entries()) {
    const start = { index, id: call.id, type: 'function', function: { name: call.name, arguments: '' } };
    yield serverSentEvent(chunk({ tool_calls: [start] }));
  }
  yield* mixedArguments(answer, chunk);
  yield serverSentEvent(chunk({}, FINISH[answer.finish]));
  if (hasUsage) yield serverSentEvent({ ...base, choices: [], usage: usageOf(answer) });
  yield { bytes: 'data: [DONE]\n\n', isText: false };
}

/** Parallel calls arrive mixed, so that only their index tells them apart. */
function* mixedArguments(answer: CompleteAnswer, chunk: (delta: object) => object): Iterable<StreamEvent> {
  const parts = answer.toolCalls.map((call) => [...slices(argumentsText(call.arguments))]);
  const longest = Math.max(0, ...parts.map(({ length }) => length));
  for (let round = 0; round < longest; round++) {
    for (const [index, own] of parts.entries()) {
      const text = own[round];
      if (text === undefined) continue;
      yield serverSentEvent(chunk({ tool_calls: [{ index, function: { arguments: text } }] }));
    }
  }
}
