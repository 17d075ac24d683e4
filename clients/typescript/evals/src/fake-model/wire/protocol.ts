import type { IncomingHttpHeaders } from 'node:http';
import type { ChatMessage } from '../../models/chat-message.ts';
import type { CompleteAnswer } from './wire-answer.ts';

/** A wire protocol as its vendor speaks it. */
export interface ProtocolServer<Protocol extends string = string> {
  readonly protocol: Protocol;
  /** Undefined when the path belongs to another protocol. */
  match(path: string): ProtocolMatch | undefined;
  /** A problem of the credentials, which the vendor rejects with `credentialStatus`, else undefined. */
  findCredentialProblem(headers: IncomingHttpHeaders, url: URL): string | undefined;
  readonly credentialStatus: 400 | 401 | 403;
  readonly unknownModelStatus: 400 | 404;
  readPrompt(body: unknown, match: ProtocolMatch): VendorPrompt;
  toBody(answer: CompleteAnswer, context: AnswerContext): unknown;
  readonly streamType: string;
  /** Events in their order. Those with `isText` are sent at the rate of the chunks. */
  toEvents(answer: CompleteAnswer, context: AnswerContext): Iterable<StreamEvent>;
  toError(status: number, message: string): { readonly body: unknown; readonly headers?: Record<string, string> };
  /** An error in the middle of a stream. */
  toErrorEvent(message: string): string | Buffer;
}

export interface ProtocolMatch {
  /** Undefined when the body names the model. */
  readonly model?: string;
  /** Undefined when the body says so. */
  readonly isStreamed?: boolean;
  readonly isAzure?: boolean;
}

export interface AnswerContext {
  readonly prompt: VendorPrompt;
  readonly callNumber: number;
  readonly isAzure: boolean;
}

export interface StreamEvent {
  readonly bytes: string | Buffer;
  readonly isText: boolean;
}

/** Pieces of a string of at most this length, so that a stream has several. */
export function* slices(text: string, length = 12): Iterable<string> {
  for (let index = 0; index < text.length; index += length) yield text.slice(index, index + length);
}

export const argumentsText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export const serverSentEvent = (data: unknown, isText = false): StreamEvent => ({
  bytes: `data: ${JSON.stringify(data)}\n\n`,
  isText,
});

export const namedEvent = (
  data: { readonly type: string; readonly [field: string]: unknown },
  isText = false,
): StreamEvent => ({
  bytes: `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`,
  isText,
});

/** Keys with this word in them are rejected, so that tests have a wrong key. */
export const isWrongKey = (key: string): boolean => key.includes('wrong');

/** Names with this text are unknown to all vendors. */
export const isUnknownModel = (model: string): boolean => model.includes('does-not-exist');

/** The parts of a body that scripts answer. */
export interface VendorPrompt {
  readonly model: string;
  readonly isStreamed: boolean;
  /** Messages with a text, the system's first where it stands apart. */
  readonly messages: readonly ChatMessage[];
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

/** Role of a message by the words of the vendors. */
export const roleOf = (role: string | undefined): ChatMessage['role'] =>
  role === 'assistant' || role === 'model'
    ? 'assistant'
    : role === 'system' || role === 'developer'
      ? 'system'
      : 'user';
