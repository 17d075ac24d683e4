import { Type } from '@sinclair/typebox';
import { JsonSyntaxError } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { JSON_BODY_BYTES_MAX } from '../../../model/limits/requests.ts';
import { CHAT_COMPLETION_COUNT_MAX } from '../../../model/limits/subscriptions.ts';
import type { ChatTask } from '../../../model/playground/chat-task.ts';
import type { ChatTaskResult } from '../../../domain/domain.ts';
import type { HttpRequest, HttpResponse } from '../../../server/route.ts';
import { compileCheck } from '../check.ts';
import { defineRoute, OtherAnswer, type RestRoute } from '../define-route.ts';
import { readBody } from '../read-request.ts';
import { OneOf } from '../schema.ts';
import { addIssue, type ValidationContext } from '../validation.ts';
import { errorOf, failedCall, rejection } from './chat-errors.ts';
import { ChatRequest, toChatTask, unsupportedPart } from './chat-request.ts';
import {
  type ChatIdentity,
  DONE,
  endChunk,
  event,
  newIdentity,
  startChunk,
  textChunk,
  toCompletion,
  usageChunk,
} from './chat-response.ts';

const ErrorJson = Type.Object(
  {
    error: Type.Object({
      message: Type.String(),
      type: OneOf(['invalid_request_error', 'api_error']),
      param: Type.Null(),
      code: Type.Union([Type.String(), Type.Null()]),
    }),
  },
  { $id: 'ChatCompletionError' },
);
const failure = (description: string) => ({ description, schema: ErrorJson });

const check = compileCheck(ChatRequest);

/** @param closing Fires when the server stops. Running streams end then. */
export function chatCompletionRoutes(closing: AbortSignal): RestRoute[] {
  let count = 0;
  return [
    defineRoute({
      method: 'POST',
      path: '/v1/chat/completions',
      access: 'viewer',
      operationId: 'createChatCompletion',
      tag: 'chat',
      summary: 'Call a model as OpenAI does',
      description:
        'Calls a model with the credentials of the server, and records a span in the project `playground`. With `stream`, the response is a stream of server-sent events. Clients of OpenAI work with the base URL `<server>/v1`. It is not meant for production traffic.',
      body: ChatRequest,
      bodyExample: { model: 'openai:gpt-4o', messages: [{ role: 'user', content: 'Hello' }] },
      rawBody: { bodyBytesMax: JSON_BODY_BYTES_MAX },
      success: {
        status: 200,
        description: 'The answer of the model, in the form of OpenAI.',
        schema: Type.Object({}, { additionalProperties: true }),
        example: {
          id: 'chatcmpl-0123456789abcdef01234567',
          object: 'chat.completion',
          created: 1_700_000_000,
          model: 'openai:gpt-4o',
          choices: [{ index: 0, message: { role: 'assistant', content: 'Hello!' }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 8, completion_tokens: 2, total_tokens: 10 },
        },
      },
      errors: {
        400: failure('A part of the request is not supported, or a credential is missing.'),
        404: failure('The model has no known provider.'),
        422: failure('The request is malformed.'),
        502: failure('The vendor cannot be reached. Other errors of the vendor have its status.'),
        503: failure('Too many completions are running.'),
      },
      async handle({ request, domain }) {
        if (count >= CHAT_COMPLETION_COUNT_MAX) {
          return new OtherAnswer(rejection('SUBSCRIPTIONS_TOO_MANY', 'Too many completions are running'));
        }
        const body = await readRequest(request);
        if ('status' in body) return new OtherAnswer(body);
        let task: ChatTask;
        try {
          task = await toChatTask(body, domain);
        } catch (error) {
          if (!(error instanceof SpandrelError)) throw error;
          return new OtherAnswer(rejection(error.code, error.message));
        }
        const leaving = leavingWith([request.signal, closing, ...credentialSignals(request)]);
        const call = new ChatCall(newIdentity(body.model), () => leaving.abort());
        const { signal } = leaving;
        count++;
        const result = domain.playground
          .completeChat(task, { signal, onPiece: (piece) => call.add(piece) })
          .finally(() => {
            count--;
            leaving.abort();
          });
        return new OtherAnswer(
          body.stream === true
            ? await call.stream(result, body.stream_options?.include_usage === true)
            : await call.whole(result),
        );
      },
    }),
  ];
}

const credentialSignals = ({ caller }: HttpRequest) => (caller.kind === 'signedIn' ? [caller.signal] : []);

/** A controller that is aborted with the first of these signals. It must be aborted, since signals may live long. */
function leavingWith(signals: readonly AbortSignal[]): AbortController {
  const controller = new AbortController();
  const { signal } = controller;
  for (const one of signals) {
    if (one.aborted) controller.abort();
    else one.addEventListener('abort', () => controller.abort(), { once: true, signal });
  }
  return controller;
}

async function readRequest(request: HttpRequest): Promise<ChatRequest | HttpResponse> {
  const malformed = (message: string) => rejection('REQUEST_INVALID', message);
  const context: ValidationContext = { issues: [], loc: [] };
  let value: unknown;
  try {
    const body = await readBody(request);
    if (body.kind === 'json') value = check(body.value, context);
    else addIssue(context, 'missing', 'The body must be JSON', null);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return malformed(`JSON decode error: ${error.message}`);
  }
  if (context.issues.length > 0) {
    return malformed(context.issues.map(({ loc, msg }) => `${loc.join('.') || 'body'}: ${msg}`).join('; '));
  }
  const chat = value as ChatRequest;
  const unsupported = unsupportedPart(chat);
  return unsupported === undefined ? chat : rejection('REQUEST_INVALID', unsupported, 400);
}

/** One call and its response. */
class ChatCall {
  readonly #identity: ChatIdentity;
  readonly #leave: () => void;
  /** Text that has not been sent. */
  #waiting = '';
  /** Undefined while the call runs. Null after an unexpected failure. */
  #result: ChatTaskResult | null | undefined;
  #wake = () => {};

  constructor(identity: ChatIdentity, leave: () => void) {
    this.#identity = identity;
    this.#leave = leave;
  }

  add(piece: { readonly type: string; readonly text?: string }): void {
    if (piece.type !== 'text') return;
    this.#waiting += piece.text;
    this.#wake();
  }

  async whole(running: Promise<ChatTaskResult | null>): Promise<HttpResponse> {
    const result = await running;
    return isAnswered(result) ? jsonResponse(toCompletion(this.#identity, result.response)) : failedCall(result?.error);
  }

  /** A call that fails before its first text has an ordinary response. */
  async stream(running: Promise<ChatTaskResult | null>, includesUsage: boolean): Promise<HttpResponse> {
    void running.then((result) => {
      this.#result = result;
      this.#wake();
    });
    if (this.#waiting === '') await this.#next();
    if (this.#waiting === '' && !isAnswered(this.#result)) return failedCall(this.#result?.error);
    return {
      status: 200,
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
      },
      body: this.#events(includesUsage),
    };
  }

  async *#events(includesUsage: boolean): AsyncGenerator<Uint8Array> {
    const identity = this.#identity;
    try {
      yield Buffer.from(startChunk(identity));
      while (this.#waiting !== '' || this.#result === undefined) {
        const text = this.#waiting;
        this.#waiting = '';
        if (text === '') await this.#next();
        else yield Buffer.from(textChunk(identity, text));
      }
      yield Buffer.from(`${this.#ending(this.#result, includesUsage)}${DONE}`);
    } finally {
      this.#leave();
    }
  }

  #ending(result: ChatTaskResult | null, includesUsage: boolean): string {
    if (!isAnswered(result)) return event(errorOf(result?.error).body);
    const end = endChunk(this.#identity, result.response);
    return includesUsage ? end + usageChunk(this.#identity, result.response) : end;
  }

  /** Resolves when text arrives or the call ends. */
  #next(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}

type Answered = ChatTaskResult & { readonly response: NonNullable<ChatTaskResult['response']> };

const isAnswered = (result: ChatTaskResult | null | undefined): result is Answered =>
  result !== null && result !== undefined && result.response !== null && result.error === null;

const jsonResponse = (value: object): HttpResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});
