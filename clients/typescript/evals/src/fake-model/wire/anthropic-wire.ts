import type { ChatMessage } from '../../models/chat-message.ts';
import type { JsonSchema, ModelRequest } from '../../models/model.ts';
import { ownValue } from '../../own-value.ts';
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
    const isTool = answer !== undefined && typeof value === 'object' && value !== null;
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
  writeError: (status, message) => ({
    type: 'error',
    error: { type: ERROR_TYPES.get(status) ?? 'api_error', message },
  }),
};

function readRequest(body: unknown): ModelRequest {
  const messages = (ownValue(body, 'messages') ?? []) as readonly { role: string; content?: unknown }[];
  const system = partTexts(ownValue(body, 'system'));
  const tool = (ownValue(body, 'tools') as readonly unknown[] | undefined)?.[0];
  const schema = ownValue(tool, 'input_schema') as JsonSchema | undefined;
  const read: ChatMessage[] = messages.map(({ role, content }) => ({
    role: role === 'assistant' ? 'assistant' : 'user',
    content: partTexts(content),
  }));
  return {
    messages: system ? [{ role: 'system', content: system }, ...read] : read,
    parameters: {},
    ...(schema && { answer: { form: 'tool', name: String(ownValue(tool, 'name')), schema } }),
  };
}
