import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { ModelError } from '../errors.ts';
import { createFakeModel, type FakeModel, type FakeModelOptions, tokensOf } from './create-fake-model.ts';
import { FakeBatches } from './fake-batches.ts';
import { anthropicMessages } from './wire/anthropic-messages.ts';
import { decideOnWire } from './wire/decide-on-wire.ts';
import { googleGenerateContent } from './wire/google-generate-content.ts';
import { openAiChat } from './wire/openai-chat.ts';
import { openAiResponses } from './wire/openai-responses.ts';
import type { ProtocolMatch, ProtocolServer } from './wire/protocol.ts';

const WIRES: readonly ProtocolServer[] = [openAiChat, openAiResponses, anthropicMessages, googleGenerateContent];
const BODY_BYTES_MAX = 256 * 1024 * 1024;
/** Pause between the pieces of an answer that never ends. */
const ENDLESS_PIECE_MS = 5;
const ENDLESS_PIECE = 'and so on '.repeat(10_000);

export interface FakeModelServer {
  /** Such as `http://127.0.0.1:8808`; the base URL of OpenAI's protocol is this with `/v1`. */
  readonly url: string;
  readonly model: FakeModel;
  close(): Promise<void>;
}

export interface FakeModelServerOptions extends FakeModelOptions {
  readonly host?: string;
  /** Default: a free one. */
  readonly port?: number;
}

/** A fake model behind HTTP, as OpenAI, Anthropic and Google speak. `GET /counts` says what it was asked. */
export async function startFakeModelServer({
  host = '127.0.0.1',
  port = 0,
  ...options
}: FakeModelServerOptions = {}): Promise<FakeModelServer> {
  const model = createFakeModel(options);
  const batches = new FakeBatches(model);
  const closing = new AbortController();
  // Each request that hangs listens.
  setMaxListeners(0, closing.signal);
  const server = createServer((request, response) => {
    answer(model, batches, request, response, closing.signal).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}`,
    model,
    async close() {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  model: FakeModel,
  batches: FakeBatches,
  request: IncomingMessage,
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://host').pathname;
  if (path === '/counts') return send(response, 200, model.counts);
  const body = await readBody(request);
  const found = WIRES.map((wire) => ({ wire, match: wire.match(path) })).find(({ match }) => match !== undefined);
  const headers = new Headers(
    Object.entries(request.headers).map(([name, value]): [string, string] => [name, String(value)]),
  );
  if (!found) {
    const isForm = request.method === 'POST';
    const copied = new Request('http://host', { method: request.method ?? 'GET', headers, ...(isForm && { body }) });
    const said = await batches.answer(request.method ?? 'GET', path, copied);
    if (said === undefined) return sendError(response, openAiChat, 404, `The fake model has no path ${path}.`);
    return typeof said === 'string'
      ? void response.writeHead(200, { 'content-type': 'application/jsonl' }).end(said)
      : send(response, 200, said);
  }
  await answerCall(model, found.wire, { body, headers, match: found.match ?? {} }, response, closing);
}

async function answerCall(
  model: FakeModel,
  wire: ProtocolServer,
  { body, headers, match }: { readonly body: Buffer; readonly headers: Headers; readonly match: ProtocolMatch },
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  model.count('requests');
  const leave = model.enter();
  try {
    if (model.apiKey !== undefined && readKey(headers) !== model.apiKey) {
      model.count('unauthorized');
      return sendError(response, wire, wire === googleGenerateContent ? 403 : 401, 'The key is wrong.');
    }
    const prompt = wire.readPrompt(JSON.parse(body.toString('utf8')), match);
    const { kind, delayMs, retryAfterMs = 0 } = model.conditions.next(tokensOf(prompt.text));
    if (kind !== 'answered') model.count(kind);
    const stated = model.conditions.headers();
    if (kind === 'refused') {
      const after = {
        ...stated,
        'retry-after-ms': String(Math.ceil(retryAfterMs)),
        'retry-after': String(Math.ceil(retryAfterMs / 1_000)),
      };
      return sendError(response, wire, 429, 'The fake model has a rate limit.', after);
    }
    if (kind === 'hung')
      return void (await wait(3_600_000, undefined, { signal: closing, ref: false }).catch(() => undefined));
    if (delayMs > 0) await wait(delayMs, undefined, { signal: closing });
    if (kind === 'endless') return await neverEnd(response, closing);
    if (kind === 'failed') return sendError(response, wire, 500, 'The fake model fails.');
    const [answer, context] = decideOnWire(model, prompt);
    if (prompt.isStreamed) {
      const events = [...wire.toEvents(answer, context)];
      response.writeHead(200, { 'content-type': wire.streamType, ...stated });
      for (const { bytes } of kind === 'half' ? events.slice(0, events.length / 2) : events) response.write(bytes);
      return void response.end();
    }
    const text = JSON.stringify(wire.toBody(answer, context));
    response.writeHead(200, { 'content-type': 'application/json', ...stated });
    response.end(kind === 'half' ? text.slice(0, text.length / 2) : text);
  } catch (error) {
    const status = error instanceof ModelError ? (error.status ?? 500) : error instanceof SyntaxError ? 400 : 500;
    sendError(response, wire, status, error instanceof Error ? error.message : String(error));
  } finally {
    leave();
  }
}

/** Each vendor has a header of its own for its key. */
const readKey = (headers: Headers): string | undefined =>
  headers.get('api-key') ??
  headers.get('x-api-key') ??
  headers.get('x-goog-api-key') ??
  headers.get('authorization')?.replace(/^Bearer /, '');

async function neverEnd(response: ServerResponse, closing: AbortSignal): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  while (!response.destroyed && !closing.aborted) {
    response.write(ENDLESS_PIECE);
    await wait(ENDLESS_PIECE_MS, undefined, { ref: false });
  }
}

function sendError(
  response: ServerResponse,
  wire: ProtocolServer,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const error = wire.toError(status, message);
  send(response, status, error.body, { ...error.headers, ...headers });
}

function send(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  if (response.headersSent) return;
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > BODY_BYTES_MAX) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
