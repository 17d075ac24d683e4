import type { ChatMessage } from '../../models/chat-message.ts';
import type { JsonSchema, ModelRequest } from '../../models/model.ts';
import { ownValue } from '../../own-value.ts';
import { firstOf, toEvent, toPieces } from './events.ts';
import { partTexts } from './part-texts.ts';
import type { WireProtocol } from './wire-protocol.ts';

const ERROR_TYPES = new Map([
  [400, 'invalid_request_error'],
  [401, 'authentication_error'],
  [429, 'rate_limit_error'],
  [529, 'overloaded_error'],
]);

/** Messages of Anthropic. */
export const anthropicWire: WireProtocol = {
  match: (path) => (path.endsWith('/v1/messages') ? {} : undefined),
  readKey: (headers) => headers.get('x-api-key') ?? headers.get('authorization')?.replace(/^Bearer /, '') ?? undefined,
  unauthorizedStatus: 401,
  readRequest,
  writeResponse({ text, value, usage }, { answer }, model) {
    // A model that answers a forced tool with prose does so in a block of text.
    const isTool = answer?.form === 'tool' && typeof value === 'object' && value !== null;
    return {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model,
      content: isTool
        ? [{ type: 'tool_use', id: 'toolu_1', name: answer.name, input: value }]
        : [{ type: 'text', text }],
      stop_reason: isTool ? 'tool_use' : 'end_turn',
      stop_sequence: null,
      usage: { input_tokens: usage?.inputTokens ?? 0, output_tokens: usage?.outputTokens ?? 0 },
    };
  },
  writeStream(response) {
    const { content: _, stop_reason, stop_sequence, usage, ...rest } = response as Readonly<Record<string, unknown>>;
    const block = firstOf(response, 'content');
    const isTool = ownValue(block, 'type') === 'tool_use';
    const event = (type: string, fields: object) => toEvent({ type, ...fields }, type);
    const start = isTool ? { ...(block as object), input: {} } : { type: 'text', text: '' };
    const text = isTool ? JSON.stringify(ownValue(block, 'input')) : String(ownValue(block, 'text'));
    const delta = (piece: string) =>
      isTool ? { type: 'input_json_delta', partial_json: piece } : { type: 'text_delta', text: piece };
    const message = { ...rest, content: [], stop_reason: null, stop_sequence: null, usage };
    return [
      event('message_start', { message }),
      event('content_block_start', { index: 0, content_block: start }),
      ...toPieces(text).map((piece) => event('content_block_delta', { index: 0, delta: delta(piece) })),
      event('content_block_stop', { index: 0 }),
      event('message_delta', { delta: { stop_reason, stop_sequence }, usage }),
      event('message_stop', {}),
    ];
  },
  writeError: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES.get(status) ?? 'api_error', message },
  }),
};

function readRequest(body: unknown): ModelRequest {
  const messages = (ownValue(body, 'messages') ?? []) as readonly { role: string; content?: unknown }[];
  const system = partTexts(ownValue(body, 'system'));
  const tool = (ownValue(body, 'tools') as readonly unknown[] | undefined)?.[0];
  const format = ownValue(ownValue(body, 'output_config'), 'format') ?? ownValue(body, 'output_format');
  const schema = (ownValue(format, 'schema') ?? ownValue(tool, 'input_schema')) as JsonSchema | undefined;
  const read: ChatMessage[] = messages.map(({ role, content }) => ({
    role: role === 'assistant' ? 'assistant' : 'user',
    content: partTexts(content),
  }));
  return {
    messages: system ? [{ role: 'system', content: system }, ...read] : read,
    parameters: {},
    ...(schema && {
      answer: { form: format ? 'schema' : 'tool', name: String(ownValue(tool, 'name') ?? 'answer'), schema },
    }),
  };
}
