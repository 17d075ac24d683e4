import type { TokenLogprob } from '../../models/model.ts';

/** What a model of a vendor answers. */
export interface WireAnswer {
  /** Text of the model. A list is streamed as its members, a single text in words. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  readonly toolCalls?: readonly VendorToolCall[];
  readonly finish?: FinishReason;
  readonly usage?: Partial<VendorUsage>;
  readonly logprobs?: readonly TokenLogprob[] | undefined;
}

export interface VendorToolCall {
  /** A made-up id if absent. Google sends none unless it is given. */
  readonly id?: string;
  readonly name: string;
  /** A text is sent as it is, even if it is no JSON, where the protocol has arguments as text. */
  readonly arguments: unknown;
}

/** Each protocol has its own words for these. */
export type FinishReason = 'stop' | 'length' | 'toolCalls' | 'filter';

/** Token counts. `prompt` includes the cached ones. */
export interface VendorUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly reasoning: number;
}

/** An answer with every field that the protocols print. */
export interface CompleteAnswer {
  readonly chunks: readonly string[];
  readonly reasoning: string;
  readonly toolCalls: readonly Required<VendorToolCall>[];
  /** False where ids are made up. */
  readonly hasGivenIds: boolean;
  readonly finish: FinishReason;
  readonly usage: VendorUsage;
  readonly logprobs: readonly TokenLogprob[] | undefined;
}

export function completeAnswer(answer: WireAnswer, promptText: string, callNumber: number): CompleteAnswer {
  const { text = '', reasoning = '', toolCalls = [], usage = {} } = answer;
  const chunks = typeof text === 'string' ? toWords(text) : text;
  return {
    chunks,
    reasoning,
    logprobs: answer.logprobs,
    toolCalls: toolCalls.map((call, index) => ({ id: `call_${callNumber}_${index}`, ...call })),
    hasGivenIds: toolCalls.every(({ id }) => id !== undefined),
    finish: answer.finish ?? (toolCalls.length > 0 ? 'toolCalls' : 'stop'),
    usage: {
      prompt: countWords(promptText),
      completion: chunks.length + toolCalls.length,
      cacheRead: 0,
      cacheWrite: 0,
      reasoning: countWords(reasoning),
      ...usage,
    },
  };
}

/** Words with the white space after them, as models stream. Together they are the text. */
export const toWords = (text: string): string[] => text.match(/\s*\S+\s*?(?=\s|$)|\s+$/g) ?? [];

const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0;
