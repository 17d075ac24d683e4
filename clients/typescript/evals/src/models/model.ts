import type { ChatMessage } from './chat-message.ts';

/** JSON schema of an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * How a structured answer is asked for: by a strict schema, by a tool that must be called, or in words.
 * A model with a schema or a tool returns `value`; in words, `text` contains JSON.
 */
export type AnswerForm = 'schema' | 'tool' | 'words';

/** The wanted object. */
export interface AnswerSchema {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonSchema;
}

/** Parameters of a call: `temperature`, `maxTokens`, `topP`, `seed`; others are passed to the vendor by their name. */
export type ModelParameters = Readonly<Record<string, unknown>>;

/** One call of a model. */
export interface ModelRequest {
  readonly messages: readonly ChatMessage[];
  /** Absent for a plain text. */
  readonly answer?: AnswerSchema & { readonly form: 'schema' | 'tool' };
  readonly parameters: ModelParameters;
  /** Whether log-probabilities of the tokens are wanted. */
  readonly wantsLogprobs?: boolean;
  /** Number of this call among repetitions of one request; part of the key of the cache, and not sent. */
  readonly repetition?: number;
  readonly signal?: AbortSignal;
  /** Time that a run gives the call, in place of the default of the model. */
  readonly timeoutMs?: number;
}

/** Tokens of a call. `inputTokens` includes those that were read from or written to a cache of the vendor. */
export interface ModelUsage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cacheReadTokens?: number;
  readonly cacheWriteTokens?: number;
}

/** Dollars for a million tokens. */
export interface ModelPrices {
  readonly input: number;
  readonly output: number;
  /** Default: as `input`. */
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** Log-probability of a token and of its alternatives at the same place. */
export interface TokenLogprob {
  readonly token: string;
  readonly logprob: number;
  readonly alternatives: readonly { readonly token: string; readonly logprob: number }[];
}

export interface ModelResponse {
  readonly text: string;
  /** The object of an answer by schema or tool; a text if it is not JSON. */
  readonly value?: unknown;
  readonly usage?: ModelUsage;
  /** Dollars, when the source of the response states them. */
  readonly cost?: number;
  readonly logprobs?: readonly TokenLogprob[];
  /** Why the model ended: `stop`, `length`, `filter` or another word of the vendor. */
  readonly finishReason?: string;
  /** Headers of HTTP, which state limits. */
  readonly headers?: Headers;
  /** From the cache of a run, so it cost nothing. */
  readonly isCached?: boolean;
}

/** A model of a vendor or of the user. It sends one request and neither waits nor repeats. */
export interface Model {
  readonly provider: string;
  readonly name: string;
  /** Origin and path of the address; empty in the same process. */
  readonly address: string;
  /** Forms of structured answers, best first. */
  readonly answerForms: readonly AnswerForm[];
  /** Default: the price table. */
  readonly prices?: ModelPrices;
  /** @throws {ModelError} with the status of HTTP */
  call(request: ModelRequest): Promise<ModelResponse>;
}

/** Sends requests with limits, repeats, a cache and a budget. A run has one for all its evaluators. */
export interface ModelCaller {
  call(model: Model, request: ModelRequest): Promise<ModelResponse>;
  /** Told of responses that could be used, which a cache may keep. */
  keep?(model: Model, request: ModelRequest, response: ModelResponse): void;
}

/** Identifies a model in what is remembered and limited: one address may serve many. */
export const modelKey = ({ provider, name, address }: Pick<Model, 'provider' | 'name' | 'address'>): string =>
  JSON.stringify([provider, name, address]);
