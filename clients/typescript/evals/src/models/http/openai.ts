import { ownValue } from '../../own-value.ts';
import type { ChatMessage, ContentPart } from '../chat-message.ts';
import type { ModelRequest, ModelResponse, ModelUsage, TokenLogprob } from '../model.ts';
import { parseJson } from '../parse-json.ts';
import { withoutAbsent } from './without-absent.ts';

/** Alternatives of a token that are asked for. Vendors allow 20; some compatible servers fewer. */
const ALTERNATIVE_COUNT = 10;

/** The body of a chat completion. `isOpenAi` is false for servers that only speak its protocol. */
export function toOpenAiBody(model: string, request: ModelRequest, isOpenAi: boolean): Record<string, unknown> {
  const { temperature, maxTokens, topP, seed, ...others } = request.parameters;
  const { answer } = request;
  const tokens = isOpenAi ? 'max_completion_tokens' : 'max_tokens';
  return withoutAbsent({
    model,
    messages: request.messages.map((message) => toMessage(message, systemRoleOf(model))),
    temperature,
    [tokens]: maxTokens,
    top_p: topP,
    seed,
    ...others,
    ...(answer?.form === 'schema' && {
      response_format: {
        type: 'json_schema',
        json_schema: withoutAbsent({
          name: answer.name,
          description: answer.description,
          schema: answer.schema,
          strict: true,
        }),
      },
    }),
    ...(answer?.form === 'tool' && {
      tools: [
        {
          type: 'function',
          function: withoutAbsent({ name: answer.name, description: answer.description, parameters: answer.schema }),
        },
      ],
      tool_choice: { type: 'function', function: { name: answer.name } },
    }),
    ...(request.wantsLogprobs && { logprobs: true, top_logprobs: ALTERNATIVE_COUNT }),
  });
}

/** Reasoning models want `developer`; their first ones knew neither. */
function systemRoleOf(model: string): string {
  if (/^o1-(?:mini|preview)/.test(model)) return 'user';
  return /^o\d/.test(model) ? 'developer' : 'system';
}

const toMessage = ({ role, content }: ChatMessage, systemRole: string) => ({
  role: role === 'system' ? systemRole : role,
  content: typeof content === 'string' ? content : content.map(toPart),
});

function toPart(part: ContentPart) {
  if (part.type === 'image') return { type: 'image_url', image_url: { url: part.url } };
  if (part.type === 'file') return { type: 'file', file: { filename: part.name ?? 'file', file_data: part.url } };
  return part;
}

const FINISH = new Map([
  ['tool_calls', 'stop'],
  ['function_call', 'stop'],
  ['content_filter', 'filter'],
]);

export function readOpenAiBody(body: unknown, { answer }: ModelRequest): ModelResponse {
  const choice = (ownValue(body, 'choices') as readonly unknown[] | undefined)?.[0];
  const message = ownValue(choice, 'message');
  const content = ownValue(message, 'content');
  const text = typeof content === 'string' ? content : String(ownValue(message, 'refusal') ?? '');
  const call = (ownValue(message, 'tool_calls') as readonly unknown[] | undefined)?.[0];
  const given = ownValue(ownValue(call, 'function'), 'arguments');
  const reason = String(ownValue(choice, 'finish_reason') ?? '');
  const logprobs = ownValue(ownValue(choice, 'logprobs'), 'content');
  return {
    text,
    ...(answer && { value: parseJson(typeof given === 'string' ? given : text) }),
    usage: toUsage(ownValue(body, 'usage')),
    finishReason: FINISH.get(reason) ?? reason,
    ...(Array.isArray(logprobs) && { logprobs: logprobs.map(toLogprob) }),
  };
}

const toLogprob = (entry: unknown): TokenLogprob => {
  const read = (value: unknown) => ({
    token: String(ownValue(value, 'token') ?? ''),
    logprob: Number(ownValue(value, 'logprob')),
  });
  const alternatives = ownValue(entry, 'top_logprobs');
  return { ...read(entry), alternatives: Array.isArray(alternatives) ? alternatives.map(read) : [] };
};

const toUsage = (usage: unknown): ModelUsage =>
  withoutAbsent({
    inputTokens: ownValue(usage, 'prompt_tokens'),
    outputTokens: ownValue(usage, 'completion_tokens'),
    cacheReadTokens: ownValue(ownValue(usage, 'prompt_tokens_details'), 'cached_tokens') || undefined,
  });
