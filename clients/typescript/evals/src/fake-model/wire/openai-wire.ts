import type { ChatMessage } from '../../models/chat-message.ts';
import type { JsonSchema, ModelRequest } from '../../models/model.ts';
import { ownValue } from '../../own-value.ts';
import { firstOf, toEvent, toPieces } from './events.ts';
import { argumentsText, partTexts } from './part-texts.ts';
import type { WireProtocol } from './wire-protocol.ts';

const CREATED = 1_760_000_000;
const ERROR_TYPES = new Map([
  [400, 'invalid_request_error'],
  [401, 'invalid_request_error'],
  [429, 'requests'],
]);

/** Chat completions of OpenAI, which many servers speak. */
export const openAiWire: WireProtocol = {
  match: (path) => (path.endsWith('/chat/completions') ? {} : undefined),
  readKey: (headers) => headers.get('api-key') ?? headers.get('authorization')?.replace(/^Bearer /, '') ?? undefined,
  unauthorizedStatus: 401,
  readRequest,
  writeResponse({ text, value, usage, logprobs }, { answer }, model) {
    const isTool = answer?.form === 'tool';
    const call = {
      id: 'call_1',
      type: 'function',
      function: { name: answer?.name ?? '', arguments: argumentsText(value ?? text) },
    };
    return {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: CREATED,
      model,
      choices: [
        {
          index: 0,
          finish_reason: isTool ? 'tool_calls' : 'stop',
          message: {
            role: 'assistant',
            refusal: null,
            ...(isTool ? { content: null, tool_calls: [call] } : { content: text }),
          },
          logprobs: logprobs
            ? {
                content: logprobs.map(({ token, logprob, alternatives }) => ({
                  token,
                  logprob,
                  bytes: null,
                  top_logprobs: alternatives.map((each) => ({ ...each, bytes: null })),
                })),
                refusal: null,
              }
            : null,
        },
      ],
      usage: {
        prompt_tokens: usage?.inputTokens ?? 0,
        completion_tokens: usage?.outputTokens ?? 0,
        total_tokens: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
      },
    };
  },
  writeStream(response, body) {
    const { choices: _, usage, ...rest } = response as Readonly<Record<string, unknown>>;
    const choice = firstOf(response, 'choices');
    const message = ownValue(choice, 'message');
    const call = firstOf(message, 'tool_calls');
    const chunk = (fields: object) => toEvent({ ...rest, object: 'chat.completion.chunk', ...fields });
    const delta = (fields: object, reason: unknown = null) =>
      chunk({ choices: [{ index: 0, delta: fields, finish_reason: reason }] });
    const ofCall = (fields: object) => delta({ tool_calls: [{ index: 0, ...fields }] });
    const given = ownValue(call, 'function');
    const deltas = call
      ? [
          ofCall({
            id: ownValue(call, 'id'),
            type: 'function',
            function: { name: ownValue(given, 'name'), arguments: '' },
          }),
          ...toPieces(String(ownValue(given, 'arguments'))).map((piece) => ofCall({ function: { arguments: piece } })),
        ]
      : toPieces(String(ownValue(message, 'content'))).map((content) => delta({ content }));
    const wantsUsage = ownValue(ownValue(body, 'stream_options'), 'include_usage') === true;
    return [
      delta({ role: 'assistant', content: call ? null : '' }),
      ...deltas,
      delta({}, ownValue(choice, 'finish_reason')),
      ...(wantsUsage ? [chunk({ choices: [], usage })] : []),
      toEvent('[DONE]'),
    ];
  },
  writeError: (status, message) => ({
    error: {
      message,
      type: ERROR_TYPES.get(status) ?? 'server_error',
      param: null,
      code: status === 401 ? 'invalid_api_key' : null,
    },
  }),
};

function readRequest(body: unknown): ModelRequest {
  const messages = (ownValue(body, 'messages') ?? []) as readonly { role: string; content?: unknown }[];
  const format = ownValue(ownValue(body, 'response_format'), 'json_schema');
  const tool = ownValue((ownValue(body, 'tools') as readonly unknown[] | undefined)?.[0], 'function');
  const schema = (ownValue(format, 'schema') ?? ownValue(tool, 'parameters')) as JsonSchema | undefined;
  const name = String(ownValue(format, 'name') ?? ownValue(tool, 'name') ?? 'answer');
  return {
    messages: messages.map(({ role, content }) => ({ role: roleOf(role), content: partTexts(content) })),
    parameters: {},
    ...(schema && { answer: { form: format ? 'schema' : 'tool', name, schema } }),
    ...(ownValue(body, 'logprobs') === true && { wantsLogprobs: true }),
  };
}

const roleOf = (role: string): ChatMessage['role'] =>
  role === 'assistant' ? 'assistant' : role === 'system' || role === 'developer' ? 'system' : 'user';
