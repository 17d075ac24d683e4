import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AnswerContext,
  ProtocolServer,
  StreamEvent,
} from '../../clients/typescript/evals/src/fake-model/wire/protocol.ts';
import type { CompleteAnswer } from '../../clients/typescript/evals/src/fake-model/wire/wire-answer.ts';
import { drained, sendEvents, streamHeaders } from './send-answer.ts';
import type { VendorFault } from './vendor-answer.ts';

const RESET_DELAY_MS = 20;
const FILLER = 'x'.repeat(65_536);
const AT_ONCE = { chunksPerSecond: 0, isStamped: false } as const;

/** Sends a response that has the fault. */
export async function sendFault(
  response: ServerResponse,
  server: ProtocolServer,
  complete: CompleteAnswer,
  context: AnswerContext,
  fault: VendorFault,
): Promise<void> {
  switch (fault.type) {
    case 'rateLimited':
      return sendError(
        response,
        server,
        429,
        'Rate limit reached. Please try again later.',
        retryAfter(fault.retryAfter),
      );
    case 'status':
      return sendError(response, server, fault.status, fault.message ?? `The vendor failed with ${fault.status}.`);
    case 'redirect':
      response.writeHead(fault.status ?? 307, { location: fault.to });
      response.end();
      return;
    case 'contentType':
      response.writeHead(200, { 'content-type': 'text/html' });
      response.end('<!doctype html><html><body><script>alert(1)</script>Sign in to the network.</body></html>');
      return;
    case 'garbage':
      response.writeHead(200, contentType(server, context));
      response.end(Buffer.from(Array.from({ length: 1_000 }, (_, index) => (index * 73 + 31) % 256)));
      return;
    case 'wrongShape':
      return sendWrongShape(response, server, context);
    case 'reset':
      if (fault.when === 'middle') await sendHalf(response, server, complete, context);
      // A reset discards bytes that the reader has not read.
      if (fault.when === 'middle') await sleep(RESET_DELAY_MS);
      response.socket?.resetAndDestroy();
      return;
    case 'halfEvent':
      await sendHalf(response, server, complete, context, true);
      response.end();
      return;
    case 'silence':
      if (fault.when === 'middle') await sendHalf(response, server, complete, context);
      return;
    case 'errorEvent':
      if (!context.prompt.isStreamed) return sendError(response, server, 529, 'Overloaded');
      await sendHalf(response, server, complete, context);
      response.end(server.toErrorEvent('Overloaded'));
      return;
    case 'endless':
      return sendEndless(response, server, complete, context, fault.bytes);
  }
}

const contentType = (server: ProtocolServer, { prompt }: AnswerContext) => ({
  'content-type': prompt.isStreamed ? server.streamType : 'application/json',
});

export function sendError(
  response: ServerResponse,
  server: ProtocolServer,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  const error = server.toError(status, message);
  response.writeHead(status, { 'content-type': 'application/json', ...error.headers, ...headers });
  response.end(JSON.stringify(error.body));
}

export function retryAfter(wait: number | { readonly dateInMs: number } | undefined): Record<string, string> {
  if (wait === undefined) return {};
  if (typeof wait === 'number') return { 'retry-after': String(wait) };
  return { 'retry-after': new Date(Date.now() + wait.dateInMs).toUTCString() };
}

function sendWrongShape(response: ServerResponse, server: ProtocolServer, context: AnswerContext): void {
  const body = '{"choices":7,"output":"no","content":{"parts":null},"candidates":{},"__proto__":{"isOurs":true}}';
  response.writeHead(200, contentType(server, context));
  response.end(context.prompt.isStreamed ? `data: ${body}\n\ndata: [1,2]\n\n` : body);
}

/** Half of the events, with half of the next one if asked; not streamed, half of the body. */
async function sendHalf(
  response: ServerResponse,
  server: ProtocolServer,
  complete: CompleteAnswer,
  context: AnswerContext,
  endsInEvent = false,
): Promise<void> {
  if (!context.prompt.isStreamed) {
    const body = JSON.stringify(server.toBody(complete, context));
    response.writeHead(200, {
      'content-type': 'application/json',
      ...(endsInEvent ? {} : { 'content-length': body.length }),
    });
    response.write(body.slice(0, body.length / 2));
    return;
  }
  const events = [...server.toEvents(complete, context)];
  const half = Math.ceil(events.length / 2);
  response.writeHead(200, streamHeaders(server));
  await sendEvents(response, events.slice(0, half), AT_ONCE);
  const next = events[half]?.bytes;
  if (endsInEvent && next !== undefined) response.write(next.slice(0, next.length / 2));
}

async function sendEndless(
  response: ServerResponse,
  server: ProtocolServer,
  complete: CompleteAnswer,
  context: AnswerContext,
  bytes: number,
): Promise<void> {
  const filled = { ...complete, chunks: [FILLER] };
  if (context.prompt.isStreamed) {
    response.writeHead(200, streamHeaders(server));
    await sendEvents(response, repeatText(server.toEvents(filled, context), bytes), AT_ONCE);
    response.end();
    return;
  }
  const [before = '', after = ''] = JSON.stringify(server.toBody(filled, context)).split(FILLER);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write(before);
  for (let sent = 0; sent < bytes && !response.destroyed; sent += FILLER.length) {
    if (!response.write(FILLER)) await drained(response);
  }
  response.end(after);
}

function* repeatText(events: Iterable<StreamEvent>, bytes: number): Iterable<StreamEvent> {
  for (const event of events) {
    const times = event.isText ? Math.ceil(bytes / FILLER.length) : 1;
    for (let time = 0; time < times; time++) yield event;
  }
}
