import { type ExactJson, toExactJsonText } from '../../../base/exact-json.ts';
import type { InvocationParameters } from '../../../model/prompts/prompt-parameters.ts';
import type { ChatMessage } from '../../../llm/contract/chat-model.ts';

/** Bounds between which a value is likely. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

export const add = (a: Range, b: Range): Range => ({ low: a.low + b.low, high: a.high + b.high });
export const times = ({ low, high }: Range, factor: number): Range => ({ low: low * factor, high: high * factor });

/** A token has four bytes of English on average, fewer of code and of other scripts. Every tokenizer divides differently. */
export const tokensOfBytes = (bytes: number): Range => ({ low: bytes / 5, high: bytes / 2.5 });

/** Around each message, and of an image by its size. */
const MESSAGE_TOKENS: Range = { low: 3, high: 8 };
const IMAGE_TOKENS: Range = { low: 85, high: 1_600 };

export function tokensOfMessages(messages: readonly ChatMessage[]): Range {
  let total: Range = times(MESSAGE_TOKENS, messages.length);
  for (const { parts } of messages) {
    for (const part of parts) {
      if (part.type === 'image') total = add(total, IMAGE_TOKENS);
      else if (part.type === 'text') total = add(total, tokensOfBytes(Buffer.byteLength(part.text)));
      else total = add(total, tokensOfBytes(toExactJsonText(part as unknown as ExactJson).length));
    }
  }
  return total;
}

/** Responses to prompts whose expected output is not known. */
const UNKNOWN_RESPONSE: Range = { low: 20, high: 800 };
/** Reasoning is paid as output. */
const REASONING_TOKENS: Range = { low: 50, high: 4_000 };

/** @param expectedBytes Bytes of the expected output. Undefined when there is none. */
export function tokensOfResponse(
  expectedBytes: number | undefined,
  { modelName, parameters }: { readonly modelName: string; readonly parameters: InvocationParameters },
): Range {
  const expected = expectedBytes === undefined ? undefined : tokensOfBytes(expectedBytes);
  const text = expected ? { low: expected.low / 2, high: expected.high * 3 + 50 } : UNKNOWN_RESPONSE;
  const whole = reasons(modelName, parameters) ? add(text, REASONING_TOKENS) : text;
  const max = maxTokensOf(parameters);
  return max === undefined ? whole : { low: Math.min(whole.low, max), high: Math.min(whole.high, max) };
}

const reasons = (modelName: string, parameters: InvocationParameters): boolean =>
  /(?:^|\/)(?:o[134]|gpt-5(?!.*-chat))|reason|-r1|thinking|gemini-(?:2\.5|3)/i.test(modelName) ||
  (parameters.type === 'anthropic' && (parameters.anthropic.thinking?.type ?? 'disabled') !== 'disabled');

function maxTokensOf(parameters: InvocationParameters): number | undefined {
  const fields = (parameters as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>)[
    parameters.type
  ];
  const max = fields?.max_completion_tokens ?? fields?.max_tokens ?? fields?.max_output_tokens;
  return max === undefined || max === null ? undefined : Number(max);
}
