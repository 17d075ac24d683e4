import { setMaxListeners } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { ModelError } from '../errors.ts';
import { textOf } from '../models/chat-message.ts';
import { ownValue } from '../own-value.ts';
import { createFakeModel, type FakeModel, type FakeModelOptions, tokensOf } from './create-fake-model.ts';
import { FakeBatches } from './fake-batches.ts';
import { anthropicWire } from './wire/anthropic-wire.ts';
import { googleWire } from './wire/google-wire.ts';
import { openAiWire } from './wire/openai-wire.ts';
import { responsesWire } from './wire/responses-wire.ts';
import type { WireProtocol } from './wire/wire-protocol.ts';

const WIRES: readonly WireProtocol[] = [openAiWire, responsesWire, anthropicWire, googleWire];
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
    if (said === undefined)
      return send(response, 404, openAiWire.writeError(404, `The fake model has no path ${path}.`));
    return typeof said === 'string'
      ? void response.writeHead(200, { 'content-type': 'application/jsonl' }).end(said)
      : send(response, 200, said);
  }
  await answerCall(model, found.wire, { body, headers, ...found.match }, response, closing);
}

async function answerCall(
  model: FakeModel,
  wire: WireProtocol,
  {
    body: bytes,
    headers,
    model: pathModel,
    isStream = false,
  }: { readonly body: Buffer; readonly headers: Headers; readonly model?: string; readonly isStream?: boolean },
  response: ServerResponse,
  closing: AbortSignal,
): Promise<void> {
  model.count('requests');
  const leave = model.enter();
  try {
    if (model.apiKey !== undefined && wire.readKey(headers) !== model.apiKey) {
      model.count('unauthorized');
      return send(response, wire.unauthorizedStatus, wire.writeError(wire.unauthorizedStatus, 'The key is wrong.'));
    }
    const body: unknown = JSON.parse(bytes.toString('utf8'));
    const request = wire.readRequest(body);
    const {
      kind,
      delayMs,
      retryAfterMs = 0,
    } = model.conditions.next(tokensOf(request.messages.map(textOf).join('\n')));
    if (kind !== 'answered') model.count(kind);
    const stated = model.conditions.headers();
    if (kind === 'refused') {
      const after = {
        ...stated,
        'retry-after-ms': String(Math.ceil(retryAfterMs)),
        'retry-after': String(Math.ceil(retryAfterMs / 1_000)),
      };
      return send(response, 429, wire.writeError(429, 'The fake model has a rate limit.'), after);
    }
    if (kind === 'hung')
      return void (await wait(3_600_000, undefined, { signal: closing, ref: false }).catch(() => undefined));
    if (delayMs > 0) await wait(delayMs, undefined, { signal: closing });
    if (kind === 'endless') return await neverEnd(response, closing);
    if (kind === 'failed') return send(response, 500, wire.writeError(500, 'The fake model fails.'));
    const written = wire.writeResponse(model.decide(request), request, pathModel ?? String(ownValue(body, 'model')));
    if (isStream || ownValue(body, 'stream') === true) {
      const events = wire.writeStream(written, body);
      response.writeHead(200, { 'content-type': 'text/event-stream', ...stated });
      for (const event of kind === 'half' ? events.slice(0, events.length / 2) : events) response.write(event);
      return void response.end();
    }
    const text = JSON.stringify(written);
    response.writeHead(200, { 'content-type': 'application/json', ...stated });
    response.end(kind === 'half' ? text.slice(0, text.length / 2) : text);
  } catch (error) {
    const status = error instanceof ModelError ? (error.status ?? 500) : error instanceof SyntaxError ? 400 : 500;
    send(response, status, wire.writeError(status, error instanceof Error ? error.message : String(error)));
  } finally {
    leave();
  }
}

async function neverEnd(response: ServerResponse, closing: AbortSignal): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  while (!response.destroyed && !closing.aborted) {
    response.write(ENDLESS_PIECE);
    await wait(ENDLESS_PIECE_MS, undefined, { ref: false });
  }
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
