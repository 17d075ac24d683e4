import type { ExactJson, ExactJsonObject } from '../../base/exact-json.ts';
import type { VendorLimit } from '../../model/models/vendor-limit.ts';
import type { InvocationParameters } from '../../model/prompts/prompt-parameters.ts';
import type { PromptTools, ResponseFormat } from '../../model/prompts/prompt-tools.ts';

export type ChatRole = 'system' | 'user' | 'assistant' | 'tool';

/** A message in the form that all vendors share. Protocols convert it to their own. */
export interface ChatMessage {
  readonly role: ChatRole;
  readonly parts: readonly ChatPart[];
}

export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  /** A URL that the vendor reads, or a `data:` URL. */
  | { readonly type: 'image'; readonly url: string }
  | { readonly type: 'toolCall'; readonly toolCall: ChatToolCall }
  /** A result that is not text is JSON. */
  | { readonly type: 'toolResult'; readonly toolCallId: string; readonly result: ExactJson };

export interface ChatToolCall {
  readonly id: string;
  readonly name: string;
  /** JSON text as the model wrote it, which may be invalid. */
  readonly arguments: string;
}

/** One request to a model. Tools, format and parameters are as a prompt stores them. */
export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  readonly tools: PromptTools | null;
  readonly responseFormat: ResponseFormat | null;
  readonly parameters: InvocationParameters;
  /** Whether a stream is requested. */
  readonly isStreamed: boolean;
}

/** A part of a response while it arrives. Parts of one tool call have its `index`. */
export type ChatPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'toolCall';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      /** The next part of the arguments' JSON text. */
      readonly arguments: string;
    };

export interface CallOptions {
  /** An abort closes the connection to the vendor and rejects with `MODEL_CALL_STOPPED`. */
  readonly signal: AbortSignal;
  /** Called for each part as it arrives. Must not throw. Called for the whole text once if the response is not streamed. */
  readonly onPiece: (piece: ChatPiece) => void;
  /** Called once, with the body as sent, when the request is about to be sent. Also called before a call that fails. */
  readonly onSend?: (sent: SentRequest) => void;
  /** Called when the response begins, also one that rejects the call, if its headers state limits. Must not throw. */
  readonly onLimits?: (limits: readonly VendorLimit[]) => void;
}

/** The request as the vendor received it, without credentials. */
export interface SentRequest {
  /** Undefined where the vendor's address does not describe the call (Google, Bedrock). */
  readonly url: { readonly full: string; readonly path: string } | undefined;
  /** The body as JSON text, `extra_body` included. */
  readonly bodyText: string;
  readonly body: ExactJsonObject;
  /** The body without model, messages and tools. */
  readonly parameters: ExactJsonObject;
  /** Tools in the form of the vendor. */
  readonly tools: readonly ExactJsonObject[];
}

export interface ChatResponse {
  readonly text: string;
  /** Reasoning that the vendor shows, else empty. */
  readonly reasoning: string;
  readonly toolCalls: readonly ChatToolCall[];
  /** Why the model stopped, in the vendor's word. Null when it gave none. */
  readonly finishReason: string | null;
  readonly usage: TokenUsage;
  /** Value of the span attribute `output.value`, and whether it is JSON (shared rules: protocols decide). */
  readonly output: { readonly text: string; readonly isJson: boolean };
}

/** Token counts as far as the vendor states them. `prompt` includes cached tokens. */
export interface TokenUsage {
  readonly prompt?: number;
  readonly completion?: number;
  readonly total?: number;
  readonly promptCacheRead?: number;
  readonly promptCacheWrite?: number;
  readonly promptAudio?: number;
  readonly completionReasoning?: number;
  readonly completionAudio?: number;
}

/**
 * A model of a vendor with its credentials. A file per wire protocol implements it, and all pass one suite of tests.
 * It makes one attempt: retries belong to its callers.
 */
export interface ChatModel {
  readonly modelName: string;
  /** Value of `llm.provider`. */
  readonly provider: string;
  /** Value of `llm.system`. */
  readonly system: string;
  /** Calls with the same key share the vendor's rate limit. Contains no secret in plain text. */
  readonly rateLimitKey: string;
  /** Hash of the model with its address, credentials and headers. Equal in all processes. */
  readonly identity: string;
  /** @throws {ModelError} for everything that is expected to fail */
  call(request: ChatRequest, options: CallOptions): Promise<ChatResponse>;
}
