import { ownValue } from '../../own-value.ts';
import { type ChatMessage, type ContentPart, divideMessages } from '../chat-message.ts';
import { parseDataUrl } from '../data-url.ts';
import type { ModelRequest, ModelResponse, ModelUsage } from '../model.ts';
import { withoutAbsent } from './without-absent.ts';

/** The vendor demands a limit; a judge says a few sentences. */
const MAX_TOKENS_DEFAULT = 4_096;
/** The vendor caches prompts from 1,024 tokens on. */
const CACHED_CHARS_MIN = 4_000;

export function toAnthropicBody(model: string, request: ModelRequest): Record<string, unknown> {
  const { temperature, maxTokens = MAX_TOKENS_DEFAULT, topP, seed: _, ...others } = request.parameters;
  const { answer } = request;
  const { system, others: spoken } = divideMessages(request.messages);
  const isLong = system.length >= CACHED_CHARS_MIN;
  return withoutAbsent({
    model,
    max_tokens: maxTokens,
    system: system
      ? [{ type: 'text', text: system, ...(isLong && { cache_control: { type: 'ephemeral' } }) }]
      : undefined,
    messages: spoken.map(toMessage),
    temperature,
    top_p: topP,
    ...others,
    ...(answer && {
      tools: [
        {
          name: answer.name,
          ...(answer.description && { description: answer.description }),
          input_schema: answer.schema,
        },
      ],
      tool_choice: { type: 'tool', name: answer.name },
    }),
  });
}

const toMessage = ({ role, content }: ChatMessage) => ({
  role,
  content: typeof content === 'string' ? content : content.map(toPart),
});

function toPart(part: ContentPart) {
  if (part.type === 'text') return part;
  const data = parseDataUrl(part.url);
  const source = data
    ? { type: 'base64', media_type: data.mediaType, data: data.base64 }
    : { type: 'url', url: part.url };
  return part.type === 'image'
    ? { type: 'image', source }
    : { type: 'document', source, ...(part.name && { title: part.name }) };
}

const FINISH = new Map([
  ['end_turn', 'stop'],
  ['tool_use', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['refusal', 'filter'],
]);

export function readAnthropicBody(body: unknown, { answer }: ModelRequest): ModelResponse {
  const content = ownValue(body, 'content');
  const blocks = Array.isArray(content) ? content : [];
  const text = blocks
    .map((block) => (ownValue(block, 'type') === 'text' ? String(ownValue(block, 'text')) : ''))
    .join('');
  const call = blocks.find((block) => ownValue(block, 'type') === 'tool_use');
  const reason = String(ownValue(body, 'stop_reason') ?? '');
  return {
    text,
    ...(answer && { value: call ? ownValue(call, 'input') : text }),
    usage: toUsage(ownValue(body, 'usage')),
    finishReason: FINISH.get(reason) ?? reason,
  };
}

/** The vendor counts cached tokens apart from `input_tokens`. */
function toUsage(usage: unknown): ModelUsage {
  const count = (name: string): number => Number(ownValue(usage, name) ?? 0);
  const [read, written] = [count('cache_read_input_tokens'), count('cache_creation_input_tokens')];
  return withoutAbsent({
    inputTokens: count('input_tokens') + read + written,
    outputTokens: count('output_tokens'),
    cacheReadTokens: read || undefined,
    cacheWriteTokens: written || undefined,
  });
}
