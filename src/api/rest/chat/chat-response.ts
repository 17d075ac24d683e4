import { randomBytes } from 'node:crypto';
import type { ChatTaskResult } from '../../../domain/domain.ts';

type Response = NonNullable<ChatTaskResult['response']>;

export interface ChatIdentity {
  readonly id: string;
  /** Seconds since 1970. */
  readonly created: number;
  /** Name of the model in the request. */
  readonly model: string;
}

export const newIdentity = (model: string): ChatIdentity => ({
  id: `chatcmpl-${randomBytes(12).toString('hex')}`,
  created: Math.floor(Date.now() / 1_000),
  model,
});

/** The answer that is not streamed. The ID is the vendor's if it has sent one. */
export function toCompletion({ created, model, id }: ChatIdentity, response: Response): object {
  return {
    id: vendorId(response) ?? id,
    object: 'chat.completion',
    created,
    model,
    choices: [
      { index: 0, message: { role: 'assistant', content: response.text }, finish_reason: finishReason(response) },
    ],
    usage: toUsage(response),
  };
}

const chunk = ({ id, created, model }: ChatIdentity, choices: readonly object[], rest: object = {}): string =>
  event({ id, object: 'chat.completion.chunk', created, model, choices, ...rest });

export const event = (value: object): string => `data: ${JSON.stringify(value)}\n\n`;
export const DONE = 'data: [DONE]\n\n';

export const startChunk = (identity: ChatIdentity): string =>
  chunk(identity, [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }]);
export const textChunk = (identity: ChatIdentity, text: string): string =>
  chunk(identity, [{ index: 0, delta: { content: text }, finish_reason: null }]);
export const endChunk = (identity: ChatIdentity, response: Response): string =>
  chunk(identity, [{ index: 0, delta: {}, finish_reason: finishReason(response) }]);
export const usageChunk = (identity: ChatIdentity, response: Response): string =>
  chunk(identity, [], { usage: toUsage(response) });

function toUsage({ usage: { prompt = 0, completion = 0, total, promptCacheRead } }: Response): object {
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: total ?? prompt + completion,
    ...(promptCacheRead !== undefined && { prompt_tokens_details: { cached_tokens: promptCacheRead } }),
  };
}

/** OpenAI's word for those of the vendors, in lower case. Any other one is `stop`. */
const FINISH_REASONS: ReadonlyMap<string, string> = new Map([
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_calls', 'tool_calls'],
  ['tool_use', 'tool_calls'],
  ['function_call', 'tool_calls'],
  ['content_filter', 'content_filter'],
  ['content_filtered', 'content_filter'],
  ['guardrail_intervened', 'content_filter'],
  ['refusal', 'content_filter'],
  ['safety', 'content_filter'],
  ['prohibited_content', 'content_filter'],
]);

function finishReason({ finishReason: word, toolCalls }: Response): string {
  const known = FINISH_REASONS.get((word ?? '').toLowerCase());
  return known ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop');
}

/** The answer of a vendor is kept as JSON if it was not streamed. */
function vendorId({ output: { text, isJson } }: Response): string | undefined {
  if (!isJson) return undefined;
  try {
    const id: unknown = (JSON.parse(text) as { readonly id?: unknown } | null)?.id;
    return typeof id === 'string' && id !== '' ? id : undefined;
  } catch {
    return undefined;
  }
}
