import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { anthropicMessages } from '../../clients/typescript/evals/src/fake-model/wire/anthropic-messages.ts';
import { googleGenerateContent } from '../../clients/typescript/evals/src/fake-model/wire/google-generate-content.ts';
import { openAiChat } from '../../clients/typescript/evals/src/fake-model/wire/openai-chat.ts';
import { openAiResponses } from '../../clients/typescript/evals/src/fake-model/wire/openai-responses.ts';
import {
  isUnknownModel,
  type ProtocolMatch,
  type ProtocolServer,
  type VendorPrompt,
} from '../../clients/typescript/evals/src/fake-model/wire/protocol.ts';
import { completeAnswer } from '../../clients/typescript/evals/src/fake-model/wire/wire-answer.ts';
import { bedrockConverse } from './bedrock-converse.ts';
import { CallLimit } from './call-limit.ts';
import { sendModelList } from './model-lists.ts';
import { scriptedAnswer } from './scripted-answer.ts';
import { sendAnswer } from './send-answer.ts';
import { retryAfter, sendError, sendFault } from './send-fault.ts';
import type { VendorAnswer } from './vendor-answer.ts';
import type { VendorCall, VendorProtocol } from './vendor-call.ts';

const SERVERS = [openAiChat, openAiResponses, anthropicMessages, googleGenerateContent, bedrockConverse];

/** Options that a process of its own takes, too. */
export interface VendorEndpointSettings {
  /** Zero: a free port. */
  readonly port?: number;
  /** Defaults of answers that do not say otherwise. */
  readonly latencyMs?: number;
  readonly chunksPerSecond?: number;
  /** Calls beyond it are rejected with 429. */
  readonly limit?: {
    readonly callsPerSecond: number;
    /** Calls that may arrive at once. As many as in a second if absent. */
    readonly burst?: number;
    readonly retryAfter?: 'none' | 'seconds' | 'milliseconds' | 'date';
    /** Whether all responses say what is left, as Anthropic's do and, with other protocols, those of OpenAI. */
    readonly hasHeaders?: boolean;
  };
  /** Number of calls that are kept with their bodies, the newest. */
  readonly callsKept?: number;
}

export interface VendorEndpointOptions extends VendorEndpointSettings {
  /** Undefined answers as the prompt asks (`scriptedAnswer`). */
  readonly answer?: (call: VendorCall) => VendorAnswer | undefined | Promise<VendorAnswer | undefined>;
  /** Changes the text of a body or of an event before it is sent, for values that no answer has. Not with binary events. */
  readonly rewrite?: (text: string) => string;
}

export interface VendorConnection {
  readonly openedAt: number;
  /** Time by `performance.now()`. */
  closedAt: number | undefined;
}

export interface VendorStatistics {
  readonly callCount: number;
  readonly openCallCount: number;
  readonly openCallCountMax: number;
  readonly abortedCallCount: number;
  /** Calls beyond the limit. */
  readonly limitedCallCount: number;
  readonly openConnectionCount: number;
}

/**
 * A server on a free port of the loopback that speaks the five protocols of model vendors, below any base path: OpenAI's chat
 * completions and responses, Anthropic's messages, Google's generateContent and Bedrock's converse, streamed or not, and the
 * lists of models. What it answers is decided by `answer`, or by the text of the prompt.
 */
export interface VendorEndpoint {
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly port: number;
  /** Calls of models in the order of their arrival. */
  readonly calls: readonly VendorCall[];
  /** Requests that are no calls of models, for example for the list of models. */
  readonly otherRequests: readonly Pick<VendorCall, 'method' | 'path' | 'headers'>[];
  readonly connections: readonly VendorConnection[];
  statistics(): VendorStatistics;
  /** Resolves with the next call that arrives. */
  nextCall(): Promise<VendorCall>;
  /** Resolves when no call is open. */
  idle(): Promise<void>;
  /** Replaces options. Absent ones stay. */
  configure(options: Omit<VendorEndpointOptions, 'port'>): void;
  /** Drops the calls so far, also their counts of faults by body. */
  clear(): void;
  close(): Promise<void>;
}

/** Opens an endpoint for a test, which closes it at its end. */
export async function openVendorEndpoint(
  t: { after(close: () => Promise<void>): void },
  options: VendorEndpointOptions = {},
): Promise<VendorEndpoint> {
  const endpoint = await startVendorEndpoint(options);
  t.after(() => endpoint.close());
  return endpoint;
}

export async function startVendorEndpoint(initial: VendorEndpointOptions = {}): Promise<VendorEndpoint> {
  let options = initial;
  let limit = options.limit && new CallLimit(options.limit);
  const calls: VendorCall[] = [];
  const otherRequests: Pick<VendorCall, 'method' | 'path' | 'headers'>[] = [];
  const connections: VendorConnection[] = [];
  const connectionOf = new WeakMap<Socket, number>();
  const callsByBody = new Map<string, number>();
  const waiting: ((call: VendorCall) => void)[] = [];
  const idling: (() => void)[] = [];
  const counts = { calls: 0, open: 0, openMax: 0, aborted: 0, limited: 0, connections: 0 };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      // A script that throws must be seen by the test, not hidden in a closed connection.
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' });
      response.end(`The endpoint failed: ${error instanceof Error ? error.stack : String(error)}`);
    });
  });
  server.keepAliveTimeout = 60_000;
  server.on('connection', (socket) => {
    const connection: VendorConnection = { openedAt: performance.now(), closedAt: undefined };
    counts.connections++;
    connectionOf.set(socket, connections.push(connection));
    socket.on('error', () => {});
    socket.on('close', () => {
      counts.connections--;
      connection.closedAt = performance.now();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bodyText = await readBody(request);
    const { method = '', url: path = '', headers } = request;
    const url = new URL(path, 'http://endpoint');
    const found = method === 'POST' ? findServer(url.pathname) : undefined;
    if (found === undefined) {
      otherRequests.push({ method, path, headers });
      if (sendModelList(request, url, response)) return;
      response.writeHead(404, { 'content-type': 'application/json' });
      response.end('{"error":{"message":"Unknown path"}}');
      return;
    }
    const [protocolServer, match] = found;
    const prompt = readPrompt(protocolServer, bodyText, match);
    if (prompt === undefined) return sendError(response, protocolServer, 400, 'The body is no valid JSON.');
    const call: VendorCall = {
      number: ++counts.calls,
      protocol: protocolServer.protocol,
      ...{ method, path, headers, bodyText, prompt },
      connection: connectionOf.get(request.socket) ?? 0,
      openedAt: performance.now(),
      closedAt: undefined,
      state: 'open',
    };
    record(call, response);
    await answer(call, response, protocolServer, match, url);
  }

  function record(call: VendorCall, response: ServerResponse): void {
    calls.push(call);
    if (calls.length > (options.callsKept ?? 10_000)) calls.shift();
    counts.open++;
    counts.openMax = Math.max(counts.openMax, counts.open);
    response.on('close', () => {
      call.closedAt = performance.now();
      counts.open--;
      if (call.state === 'open') {
        call.state = response.writableFinished ? 'answered' : 'aborted';
        if (call.state === 'aborted') counts.aborted++;
      }
      if (counts.open === 0) for (const resolve of idling.splice(0)) resolve();
    });
    for (const resolve of waiting.splice(0)) resolve(call);
  }

  async function answer(
    call: VendorCall,
    response: ServerResponse,
    protocolServer: ProtocolServer<VendorProtocol>,
    match: ProtocolMatch,
    url: URL,
  ): Promise<void> {
    const problem = protocolServer.findCredentialProblem(call.headers, url);
    if (problem !== undefined) return sendError(response, protocolServer, protocolServer.credentialStatus, problem);
    const waitMs = limit?.take() ?? 0;
    if (limit && options.limit?.hasHeaders) setLimitHeaders(response, protocolServer.protocol, limit.state);
    if (waitMs > 0) {
      counts.limited++;
      return sendError(response, protocolServer, 429, 'Rate limit reached. Please try again later.', limitWait(waitMs));
    }
    if (isUnknownModel(call.prompt.model)) {
      const { unknownModelStatus } = protocolServer;
      return sendError(response, protocolServer, unknownModelStatus, `The model ${call.prompt.model} does not exist.`);
    }
    const times = (callsByBody.get(call.bodyText) ?? 0) + 1;
    const script = (await options.answer?.(call)) ?? scriptedAnswer(call.prompt, times);
    if (script.fault !== undefined) callsByBody.set(call.bodyText, times);
    const latencyMs = script.latencyMs ?? options.latencyMs ?? 0;
    // A test whose endpoint is closed does not wait for the calls that it left.
    if (latencyMs > 0) await sleep(latencyMs, undefined, { ref: false });
    if (response.destroyed) return;
    const complete = completeAnswer(script, call.prompt.text, call.number);
    const context = { prompt: call.prompt, callNumber: call.number, isAzure: match.isAzure ?? false };
    if (script.fault === undefined) {
      const chunksPerSecond = script.chunksPerSecond ?? options.chunksPerSecond ?? 0;
      return sendAnswer(response, protocolServer, complete, context, { ...script, chunksPerSecond }, options.rewrite);
    }
    if (script.fault.type === 'reset') call.state = 'failed';
    return sendFault(response, protocolServer, complete, context, script.fault);
  }

  function limitWait(waitMs: number): Record<string, string> {
    const form = options.limit?.retryAfter ?? 'none';
    if (form === 'none') return {};
    if (form === 'milliseconds') return { 'retry-after-ms': String(Math.ceil(waitMs)) };
    return retryAfter(form === 'date' ? { dateInMs: waitMs } : Math.ceil(waitMs / 1000));
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    calls,
    otherRequests,
    connections,
    statistics: () => ({
      callCount: counts.calls,
      openCallCount: counts.open,
      openCallCountMax: counts.openMax,
      abortedCallCount: counts.aborted,
      limitedCallCount: counts.limited,
      openConnectionCount: counts.connections,
    }),
    nextCall: () => new Promise((resolve) => waiting.push(resolve)),
    idle: () => (counts.open === 0 ? Promise.resolve() : new Promise((resolve) => idling.push(resolve))),
    configure(changes) {
      options = { ...options, ...changes };
      if ('limit' in changes) limit = options.limit && new CallLimit(options.limit);
    },
    clear() {
      calls.length = 0;
      callsByBody.clear();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function findServer(path: string): readonly [ProtocolServer<VendorProtocol>, ProtocolMatch] | undefined {
  for (const server of SERVERS) {
    const match = server.match(path);
    if (match !== undefined) return [server, match];
  }
  return undefined;
}

function readPrompt(server: ProtocolServer, bodyText: string, match: ProtocolMatch): VendorPrompt | undefined {
  try {
    return server.readPrompt(JSON.parse(bodyText), match);
  } catch {
    return undefined;
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function setLimitHeaders(
  response: ServerResponse,
  protocol: VendorCall['protocol'],
  { limit, remaining, resetMs }: CallLimit['state'],
): void {
  const isAnthropic = protocol === 'anthropic-messages';
  const name = (word: string) =>
    isAnthropic ? `anthropic-ratelimit-requests-${word}` : `x-ratelimit-${word}-requests`;
  const reset = isAnthropic ? new Date(Date.now() + resetMs).toISOString() : `${Math.ceil(resetMs)}ms`;
  response.setHeader(name('limit'), limit);
  response.setHeader(name('remaining'), remaining);
  response.setHeader(name('reset'), reset);
}
