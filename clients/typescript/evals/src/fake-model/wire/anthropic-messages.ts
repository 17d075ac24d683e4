import type { IncomingHttpHeaders } from 'node:http';
import {
  type AnswerContext,
  argumentsText,
  isWrongKey,
  namedEvent,
  type ProtocolServer,
  roleOf,
  type StreamEvent,
  slices,
  type VendorPrompt,
} from './protocol.ts';
import type { CompleteAnswer } from './wire-answer.ts';

const STOP = { stop: 'end_turn', length: 'max_tokens', toolCalls: 'tool_use', filter: 'refusal' } as const;

export const anthropicMessages: ProtocolServer<'anthropic-messages'> = {
  protocol: 'anthropic-messages',
  match: (path) => (path.endsWith('/v1/messages') ? {} : undefined),
  findCredentialProblem,
  credentialStatus: 401,
  unknownModelStatus: 404,
  readPrompt,
  streamType: 'text/event-stream; charset=utf-8',
  toBody,
  toEvents,
  toError: (status, message) => ({
    body: { type: 'error', error: { type: ERRORS[status] ?? 'api_error', message }, request_id: 'req_test' },
    headers: { 'request-id': 'req_test' },
  }),
  toErrorEvent: (message) => namedEvent({ type: 'error', error: { type: 'overloaded_error', message } }).bytes,
};

const ERRORS: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function findCredentialProblem(headers: IncomingHttpHeaders): string | undefined {
  // Newer packages of the vendor send the key as bearer.
  const key = headers['x-api-key'] ?? headers.authorization?.replace(/^Bearer /, '');
  if (typeof key !== 'string' || key === '') return 'x-api-key header is required';
  if (headers['anthropic-version'] === undefined) return 'anthropic-version: header is required';
  return isWrongKey(key) ? 'invalid x-api-key' : undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
function readPrompt(body: any): VendorPrompt {
  // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
  const messages: any[] = body.messages ?? [];
  return {
    model: body.model,
    isStreamed: body.stream === true,
    messages: [
      ...(body.system ? [{ role: 'system' as const, content: textOf(body.system) }] : []),
      ...messages.map(({ role, content }) => ({ role: roleOf(role), content: textOf(content) })),
    ],
    text: [textOf(body.system), ...messages.map(({ content }) => textOf(content))].join('\n'),
    lastText: textOf(messages.findLast(({ role }) => role === 'user')?.content),
    // biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
    tools: (body.tools ?? []).map((tool: any) => ({ name: tool.name, schema: tool.input_schema })),
    choice: choiceOf(body.tool_choice),
    format: (body.output_config?.format ?? body.output_format)?.schema,
    body,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
const textOf = (content: any): string =>
  Array.isArray(content)
    ? content.map((part) => part?.text ?? (part?.content === undefined ? '' : textOf(part.content))).join('\n')
    : (content ?? '');

// biome-ignore lint/suspicious/noExplicitAny: the shape of the protocol
function choiceOf(choice: any): VendorPrompt['choice'] {
  if (choice?.type === 'tool') return { name: choice.name };
  if (choice?.type === 'any') return 'some';
  return choice?.type === 'none' ? 'none' : 'auto';
}

function inputUsage({ usage }: CompleteAnswer) {
  return {
    input_tokens: usage.prompt - usage.cacheRead - usage.cacheWrite,
    cache_creation_input_tokens: usage.cacheWrite,
    cache_read_input_tokens: usage.cacheRead,
    service_tier: 'standard',
  };
}

function blocksOf(answer: CompleteAnswer) {
  const text = answer.chunks.join('');
  return [
    ...(answer.reasoning === ''
      ? []
      : [{ type: 'thinking' as const, thinking: answer.reasoning, signature: 'c2lnbmF0dXJl' }]),
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...answer.toolCalls.map((call) => ({
      type: 'tool_use' as const,
      id: call.id.replace('call_', 'toolu_'),
      name: call.name,
      input: call.arguments,
    })),
  ];
}

function toBody(answer: CompleteAnswer, { prompt, callNumber }: AnswerContext) {
  return {
    id: `msg_${callNumber}`,
    type: 'message',
    role: 'assistant',
    model: prompt.model,
    content: blocksOf(answer),
    stop_reason: STOP[answer.finish],
    stop_sequence: null,
    usage: { ...inputUsage(answer), output_tokens: answer.usage.completion },
  };
}

function* toEvents(answer: CompleteAnswer, context: AnswerContext): Iterable<StreamEvent> {
  const whole = toBody(answer, context);
  yield namedEvent({
    type: 'message_start',
    message: { ...whole, content: [], stop_reason: null, usage: { ...inputUsage(answer), output_tokens: 1 } },
  });
  for (const [index, block] of whole.content.entries()) {
    const event = (type: string, fields: object, isText = false) => namedEvent({ type, index, ...fields }, isText);
    const delta = (content: object, isText = false) => event('content_block_delta', { delta: content }, isText);
    if (block.type === 'text') {
      yield event('content_block_start', { content_block: { type: 'text', text: '' } });
      if (index === 0) yield namedEvent({ type: 'ping' });
      for (const text of answer.chunks) yield delta({ type: 'text_delta', text }, true);
    } else if (block.type === 'thinking') {
      yield event('content_block_start', { content_block: { type: 'thinking', thinking: '', signature: '' } });
      for (const thinking of slices(block.thinking)) yield delta({ type: 'thinking_delta', thinking });
      yield delta({ type: 'signature_delta', signature: block.signature });
    } else {
      yield event('content_block_start', { content_block: { ...block, input: {} } });
      yield delta({ type: 'input_json_delta', partial_json: '' });
      for (const partial_json of slices(argumentsText(block.input))) {
        yield delta({ type: 'input_json_delta', partial_json });
      }
    }
    yield event('content_block_stop', {});
  }
  yield namedEvent({
    type: 'message_delta',
    delta: { stop_reason: whole.stop_reason, stop_sequence: null },
    usage: { output_tokens: answer.usage.completion },
  });
  yield namedEvent({ type: 'message_stop' });
}
