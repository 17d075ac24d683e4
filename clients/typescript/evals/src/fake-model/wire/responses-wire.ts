import type { ChatMessage } from '../../models/chat-message.ts';
import type { JsonSchema, ModelRequest } from '../../models/model.ts';
import { ownValue } from '../../own-value.ts';
import { firstOf, toEvent, toPieces } from './events.ts';
import { openAiWire } from './openai-wire.ts';
import { argumentsText, partTexts } from './part-texts.ts';
import type { WireProtocol } from './wire-protocol.ts';

const CREATED = 1_760_000_000;

/** Responses of OpenAI, which its models of the AI SDK ask by default. */
export const responsesWire: WireProtocol = {
  ...openAiWire,
  match: (path) => (path.endsWith('/responses') ? {} : undefined),
  readRequest,
  writeResponse({ text, value, usage }, { answer }, model) {
    const call = {
      ...{ type: 'function_call', id: 'fc_1', call_id: 'call_1', status: 'completed' },
      ...{ name: answer?.name, arguments: argumentsText(value ?? text) },
    };
    const content = [{ type: 'output_text', text, annotations: [] }];
    const message = { type: 'message', id: 'msg_1', role: 'assistant', status: 'completed', content };
    const [input = 0, output = 0] = [usage?.inputTokens, usage?.outputTokens];
    return {
      ...{ id: 'resp_1', object: 'response', created_at: CREATED, status: 'completed', model },
      ...{ error: null, incomplete_details: null },
      output: [answer?.form === 'tool' ? call : message],
      usage: {
        ...{ input_tokens: input, output_tokens: output, total_tokens: input + output },
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
      },
    };
  },
  writeStream(response) {
    const item = firstOf(response, 'output') as Readonly<Record<string, unknown>>;
    const isCall = item.type === 'function_call';
    let number = 0;
    const event = (type: string, fields: object) => toEvent({ type, sequence_number: number++, ...fields }, type);
    const place = { item_id: item.id, output_index: 0 };
    const started = isCall ? { ...item, arguments: '' } : { ...item, content: [] };
    const pieces = toPieces(isCall ? String(item.arguments) : partTexts(item.content));
    const deltas = pieces.map((delta) =>
      isCall
        ? event('response.function_call_arguments.delta', { ...place, delta })
        : event('response.output_text.delta', { ...place, content_index: 0, delta }),
    );
    const begun = { ...(response as object), status: 'in_progress', output: [], usage: null };
    return [
      event('response.created', { response: begun }),
      event('response.output_item.added', { output_index: 0, item: { ...started, status: 'in_progress' } }),
      ...deltas,
      event('response.output_item.done', { output_index: 0, item }),
      event('response.completed', { response }),
    ];
  },
};

function readRequest(body: unknown): ModelRequest {
  const input = ownValue(body, 'input');
  const items = (Array.isArray(input) ? input : [{ role: 'user', content: input }]) as readonly unknown[];
  const instructions = ownValue(body, 'instructions');
  const format = ownValue(ownValue(body, 'text'), 'format');
  const tool = firstOf(body, 'tools');
  const schema = (ownValue(format, 'schema') ?? ownValue(tool, 'parameters')) as JsonSchema | undefined;
  const messages = items.map((item): ChatMessage => {
    const role = ownValue(item, 'role');
    const isSystem = role === 'system' || role === 'developer';
    return {
      role: isSystem ? 'system' : role === 'assistant' ? 'assistant' : 'user',
      content: partTexts(ownValue(item, 'content')),
    };
  });
  return {
    messages: typeof instructions === 'string' ? [{ role: 'system', content: instructions }, ...messages] : messages,
    parameters: {},
    ...(schema && {
      answer: {
        form: ownValue(format, 'schema') ? 'schema' : 'tool',
        name: String(ownValue(format, 'name') ?? ownValue(tool, 'name') ?? 'answer'),
        schema,
      },
    }),
  };
}
