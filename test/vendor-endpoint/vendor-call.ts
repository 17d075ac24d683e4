import type { IncomingHttpHeaders } from 'node:http';

export const VENDOR_PROTOCOLS = [
  'openai-chat',
  'openai-responses',
  'anthropic-messages',
  'google-generate-content',
  'bedrock-converse',
] as const;
export type VendorProtocol = (typeof VENDOR_PROTOCOLS)[number];

/** A request to a model as the endpoint received it, and what became of it. */
export interface VendorCall {
  /** Counts from 1. */
  readonly number: number;
  readonly protocol: VendorProtocol;
  readonly method: string;
  /** Path with query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** The exact body. */
  readonly bodyText: string;
  readonly prompt: VendorPrompt;
  /** Connections count from 1. */
  readonly connection: number;
  readonly openedAt: number;
  /** Time by `performance.now()` at which the response was complete or the connection was closed. */
  closedAt: number | undefined;
  /** `aborted`: the caller closed the connection before the end of the response. */
  state: 'open' | 'answered' | 'aborted' | 'failed';
}

/** The parts of a body that scripts answer. */
export interface VendorPrompt {
  readonly model: string;
  readonly isStreamed: boolean;
  /** Texts of all messages, the system's first, separated by line breaks. */
  readonly text: string;
  /** Text of the last message of the user, or the last tool result. */
  readonly lastText: string;
  readonly tools: readonly { readonly name: string; readonly schema: JsonSchema | undefined }[];
  /** `some`: the model must call a function; otherwise the name of the one that it must call. */
  readonly choice: 'none' | 'auto' | 'some' | { readonly name: string };
  /** Schema that the text must have. */
  readonly format: JsonSchema | undefined;
  /** The body as parsed. */
  // biome-ignore lint/suspicious/noExplicitAny: each protocol has its own shape
  readonly body: any;
}

// biome-ignore lint/suspicious/noExplicitAny: schemas of callers
export type JsonSchema = any;
