import { type ExactJson, type ExactJsonObject, isJsonObject, newJsonObject } from '../../base/exact-json.ts';
import type { SpanKind } from '../../semconv/span-kinds.ts';
import type { TokenCounts, Translation } from './dialect.ts';
import { toolSchema } from './gen-ai.ts';
import type { Message } from './message.ts';
import { readMessages } from './read-messages.ts';
import { countOf, fieldOf, parseIfJson, unquoted } from './span-view.ts';

/**
 * Input and output that a library sends as one value each. For a call of a model, they are messages where they have that form; the value
 * itself remains where they have not.
 */
export function readValues(
  kind: SpanKind | undefined,
  input: ExactJson | undefined,
  output: ExactJson | undefined,
): Pick<Translation, 'input' | 'output' | 'inputMessages' | 'outputMessages' | 'tools'> {
  const isModelCall = kind === 'LLM';
  const inputMessages = isModelCall ? (readMessages(input, 'user') ?? textMessage('user', input)) : undefined;
  const outputMessages = isModelCall
    ? (readMessages(output, 'assistant') ?? textMessage('assistant', output))
    : undefined;
  // Wrapped clients send the whole request.
  const tools = isModelCall && input !== undefined ? fieldOf(parseIfJson(input), 'tools') : undefined;
  return {
    ...(Array.isArray(tools) ? { tools: tools.map(toolSchema) } : {}),
    inputMessages,
    outputMessages,
    input: input === undefined || inputMessages !== undefined ? undefined : argumentsOf(unquoted(input)),
    output: output === undefined || outputMessages !== undefined ? undefined : unquoted(output),
  };
}

function textMessage(role: string, value: ExactJson | undefined): Message[] | undefined {
  const text = value === undefined ? undefined : parseIfJson(value);
  return typeof text === 'string' && text !== ''
    ? [{ role, contents: [{ type: 'text', text }], toolCalls: [] }]
    : undefined;
}

/** What a Python function was called with: `{args, kwargs}` becomes its only argument, or its arguments by name. */
export function argumentsOf(input: ExactJson): ExactJson {
  const value = parseIfJson(input);
  if (!isJsonObject(value) || Object.keys(value).sort().join() !== 'args,kwargs') return input;
  const { args, kwargs } = value;
  if (!Array.isArray(args) || !isJsonObject(kwargs)) return input;
  if (args.length === 0) return kwargs;
  return args.length === 1 && Object.keys(kwargs).length === 0 ? (args[0] ?? input) : input;
}

/**
 * Token counts in a usage object of any vendor or library. Some count cached tokens beside the input and reasoning beside the output
 * instead of among them; the total shows which, where it is sent.
 */
export function readUsage(usage: ExactJson | undefined): TokenCounts | undefined {
  if (usage === undefined) return undefined;
  const count = (...names: string[]) => countOf(fieldOf(usage, ...names));
  const detail = (side: readonly string[], ...names: string[]) => {
    for (const name of side) {
      const found = countOf(fieldOf(fieldOf(usage, name), ...names));
      if (found !== undefined) return found;
    }
    return undefined;
  };
  const inSide = ['prompt_tokens_details', 'input_tokens_details', 'input_token_details', 'inputTokenDetails'];
  const outSide = ['completion_tokens_details', 'output_tokens_details', 'output_token_details', 'outputTokenDetails'];
  const cacheRead =
    detail(inSide, 'cached_tokens', 'cache_read', 'cacheReadTokens') ??
    count(
      'input_cached_tokens',
      'input_cache_read',
      'cache_read_input_tokens',
      'cachedInputTokens',
      'cached_tokens',
      'cached_content_token_count',
    );
  const cacheWrite =
    detail(inSide, 'cache_creation', 'cache_write_tokens', 'cacheWriteTokens') ??
    count('cache_creation_input_tokens', 'input_cache_creation', 'cache_write_input_tokens');
  const reasoning =
    detail(outSide, 'reasoning_tokens', 'reasoning', 'reasoningTokens') ??
    count('output_reasoning_tokens', 'output_reasoning', 'reasoning_tokens', 'reasoningTokens', 'thoughts_token_count');
  const input = count('prompt_tokens', 'input_tokens', 'input', 'promptTokens', 'inputTokens', 'prompt_token_count');
  const output = count(
    'completion_tokens',
    'output_tokens',
    'output',
    'completionTokens',
    'outputTokens',
    'candidates_token_count',
  );
  const total = count('total_tokens', 'total', 'totalTokens', 'total_token_count');
  if (input === undefined && output === undefined && total === undefined) return undefined;
  const apart = (total ?? 0n) - (input ?? 0n) - (output ?? 0n);
  const cached = (cacheRead ?? 0n) + (cacheWrite ?? 0n);
  const isCacheApart = cached > 0n && (apart === cached || apart === cached + (reasoning ?? 0n));
  const isReasoningApart = (reasoning ?? 0n) > 0n && (apart === reasoning || apart === cached + (reasoning ?? 0n));
  const prompt = isCacheApart ? (input ?? 0n) + cached : input;
  const completion = isReasoningApart ? (output ?? 0n) + (reasoning ?? 0n) : output;
  const sum = prompt !== undefined && completion !== undefined ? prompt + completion : undefined;
  return {
    prompt,
    completion,
    total: sum ?? total,
    cacheRead,
    cacheWrite,
    reasoning,
    promptAudio: detail(inSide, 'audio_tokens', 'audio') ?? count('input_audio_tokens'),
    completionAudio: detail(outSide, 'audio_tokens', 'audio') ?? count('output_audio_tokens'),
  };
}

/** Attributes as an object whose keys have no prefix, or undefined for none. */
export function toMetadata(
  values: ReadonlyMap<string, ExactJson>,
  except: readonly string[] = [],
): ExactJsonObject | undefined {
  const metadata = newJsonObject();
  let isEmpty = true;
  for (const [key, value] of values) {
    if (except.includes(key)) continue;
    metadata[key] = value;
    isEmpty = false;
  }
  return isEmpty ? undefined : metadata;
}
