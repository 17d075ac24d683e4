/** How the endpoint answers one call. Absent fields have the defaults of the endpoint. */
export interface VendorAnswer {
  /** Text of the model. A list is streamed as its members, a single text in words. */
  readonly text?: string | readonly string[];
  readonly reasoning?: string;
  readonly toolCalls?: readonly VendorToolCall[];
  readonly finish?: FinishReason;
  readonly usage?: Partial<VendorUsage>;
  /** Time from the last byte of the request to the first byte of the response. */
  readonly latencyMs?: number;
  /** Chunks of text in a second. Zero: all at once. */
  readonly chunksPerSecond?: number;
  /** The text STAMP in a streamed chunk is replaced by the time of its sending (not with Bedrock, which has checksums). */
  readonly isStamped?: boolean;
  readonly fault?: VendorFault;
  /** Headers that are added to the response. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Replaced by microseconds since 1970 if an answer is stamped. */
export const STAMP = '<sent at>';

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

export type VendorFault =
  /** 429. `retryAfter` is a number of seconds, or a wait in milliseconds that is sent as a date. */
  | { readonly type: 'rateLimited'; readonly retryAfter?: number | { readonly dateInMs: number } }
  | { readonly type: 'status'; readonly status: number; readonly message?: string }
  /** The connection is reset, before any byte or in the middle of the body. */
  | { readonly type: 'reset'; readonly when: 'before' | 'middle' }
  /** The body ends in the middle of an event, and the connection is closed as if all were sent. */
  | { readonly type: 'halfEvent' }
  /** Text without end: valid events (or one JSON text) of about this size in all. */
  | { readonly type: 'endless'; readonly bytes: number }
  /** The connection stays open and nothing arrives any more. */
  | { readonly type: 'silence'; readonly when: 'before' | 'middle' }
  | { readonly type: 'redirect'; readonly to: string; readonly status?: number }
  /** Bytes that are no response of the protocol, with its content type. */
  | { readonly type: 'garbage' }
  /** Valid JSON of the wrong shape. */
  | { readonly type: 'wrongShape' }
  /** A page of HTML with status 200. */
  | { readonly type: 'contentType' }
  /** An error of the vendor after the first half of the stream. Not streamed: status 529. */
  | { readonly type: 'errorEvent' };

/** An answer with every field that the protocols print. */
export interface CompleteAnswer {
  readonly chunks: readonly string[];
  readonly reasoning: string;
  readonly toolCalls: readonly Required<VendorToolCall>[];
  /** False where ids are made up. */
  readonly hasGivenIds: boolean;
  readonly finish: FinishReason;
  readonly usage: VendorUsage;
}

export function completeAnswer(answer: VendorAnswer, promptText: string, callNumber: number): CompleteAnswer {
  const { text = '', reasoning = '', toolCalls = [], usage = {} } = answer;
  const chunks = typeof text === 'string' ? toWords(text) : text;
  return {
    chunks,
    reasoning,
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
