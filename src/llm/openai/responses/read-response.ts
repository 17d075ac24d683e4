import type { TokenUsage } from '../../contract/chat-model.ts';
import { ModelError } from '../../contract/model-error.ts';
import type { OutputCollector } from '../../output-collector.ts';
import { asList, asObject, asText, asTokenCount, definedFields, type Received } from '../../read-values.ts';
import { toEventError } from '../../transport/vendor-error.ts';
import type { VendorCall } from '../../transport/vendor-transport.ts';

export interface ResponseEnd {
  readonly finishReason: string | null;
  readonly usage: TokenUsage;
}

/** @throws {ModelError} for a response that failed, or that has no output */
export function readResponse(response: Received, output: OutputCollector, call: VendorCall): ResponseEnd {
  const end = readEnd(response, call);
  if (!Array.isArray(response.output)) {
    throw new ModelError('unreadable', 'The response of the model endpoint has no output.');
  }
  addItems(response, output);
  return end;
}

/** @throws {ModelError} for a response that failed */
export function readEnd(response: Received, { secrets }: VendorCall): ResponseEnd {
  if (response.error || response.status === 'failed') throw toEventError(response, secrets);
  const reason = asText(asObject(response.incomplete_details).reason);
  return { finishReason: reason || asText(response.status) || null, usage: readUsage(response.usage) };
}

/** Adds the items of a whole response. */
export function addItems(response: Received, output: OutputCollector): void {
  for (const item of asList(response.output).map(asObject)) {
    if (item.type === 'message') output.addText(textOf(item.content));
    if (item.type === 'reasoning') output.addReasoning(textOf(item.summary) || textOf(item.content));
    if (isToolCall(item)) output.addToolCall(asText(item.call_id), asText(item.name), toolInput(item));
  }
}

export const isToolCall = ({ type }: Received): boolean => type === 'function_call' || type === 'custom_tool_call';

/** Arguments of a function, or the text for a custom tool. */
export const toolInput = (item: Received): string => asText(item.arguments) || asText(item.input);

const textOf = (parts: unknown): string =>
  asList(parts)
    .map(asObject)
    .map((part) => asText(part.text) || asText(part.refusal))
    .join('');

function readUsage(value: unknown): TokenUsage {
  const usage = asObject(value);
  const input = asObject(usage.input_tokens_details);
  const output = asObject(usage.output_tokens_details);
  return definedFields({
    prompt: asTokenCount(usage.input_tokens),
    completion: asTokenCount(usage.output_tokens),
    total: asTokenCount(usage.total_tokens),
    promptCacheRead: asTokenCount(input.cached_tokens),
    promptCacheWrite: asTokenCount(input.cache_write_tokens),
    promptAudio: asTokenCount(input.audio_tokens),
    completionReasoning: asTokenCount(output.reasoning_tokens),
    completionAudio: asTokenCount(output.audio_tokens),
  });
}
