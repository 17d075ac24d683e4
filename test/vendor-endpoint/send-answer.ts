import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import type {
  AnswerContext,
  ProtocolServer,
  StreamEvent,
} from '../../clients/typescript/evals/src/fake-model/wire/protocol.ts';
import type { CompleteAnswer } from '../../clients/typescript/evals/src/fake-model/wire/wire-answer.ts';
import { STAMP, type VendorAnswer } from './vendor-answer.ts';

/** Sends a complete response of the protocol. */
export async function sendAnswer(
  response: ServerResponse,
  server: ProtocolServer,
  complete: CompleteAnswer,
  context: AnswerContext,
  { chunksPerSecond = 0, isStamped = false, headers = {} }: VendorAnswer,
  rewrite: ((text: string) => string) | undefined,
): Promise<void> {
  if (!context.prompt.isStreamed) {
    const text = JSON.stringify(server.toBody(complete, context));
    const body = rewrite?.(text) ?? text;
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(body);
    return;
  }
  response.writeHead(200, streamHeaders(server, headers));
  await sendEvents(response, rewritten(server.toEvents(complete, context), rewrite), { chunksPerSecond, isStamped });
  response.end();
}

function* rewritten(
  events: Iterable<StreamEvent>,
  rewrite: ((text: string) => string) | undefined,
): Iterable<StreamEvent> {
  for (const event of events) {
    yield rewrite && typeof event.bytes === 'string' ? { ...event, bytes: rewrite(event.bytes) } : event;
  }
}

export const streamHeaders = (server: ProtocolServer, headers: Readonly<Record<string, string>> = {}) => ({
  'content-type': server.streamType,
  'cache-control': 'no-cache',
  ...headers,
});

export async function sendEvents(
  response: ServerResponse,
  events: Iterable<StreamEvent>,
  { chunksPerSecond, isStamped }: { readonly chunksPerSecond: number; readonly isStamped: boolean },
): Promise<void> {
  const startedAt = performance.now();
  let textCount = 0;
  // Events of one moment leave together, as one write.
  response.cork();
  for (const { bytes, isText } of events) {
    if (isText && chunksPerSecond > 0) {
      const waitMs = startedAt + (textCount++ * 1000) / chunksPerSecond - performance.now();
      if (waitMs > 0.5) {
        response.uncork();
        await sleep(waitMs);
        if (response.destroyed) return;
        response.cork();
      }
    }
    const isTaken = response.write(isStamped && typeof bytes === 'string' ? bytes.replace(STAMP, now()) : bytes);
    if (!isTaken) {
      response.uncork();
      await drained(response);
      if (response.destroyed) return;
      response.cork();
    }
  }
  response.uncork();
}

const now = (): string => Math.round((performance.timeOrigin + performance.now()) * 1000).toString();

/** Resolves when the response takes bytes again, or was closed. */
export function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed || !response.writableNeedDrain) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}
