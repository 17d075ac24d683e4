import { checkConnection, isUp } from '../connection.ts';
import type { Operation } from '../operation.ts';
import { failureOf, fetchResponse, type GraphqlResult, RequestFailure, statusFailure } from '../request.ts';
import { EventStreamReader } from './event-stream-reader.ts';

/**
 * Subscriptions of this page that run at a time. A browser opens six connections to a server over HTTP/1.1, and the page
 * needs some for its queries.
 */
const STREAM_COUNT_MAX = 4;
/** The server sends a heartbeat every 5 s. */
const SILENCE_MS_MAX = 20_000;

/**
 * Runs a subscription and yields its payloads as they arrive. It ends when the work is done. Leaving the loop, or an abort of
 * the signal, ends the work in the server. Further subscriptions wait while `STREAM_COUNT_MAX` run.
 *
 * A payload of which only nullable fields failed is yielded without them.
 *
 * @throws {RequestFailure} or the abort reason of the signal
 */
export async function* subscribe<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): AsyncGenerator<Data, void, undefined> {
  const release = await places.take(signal);
  const leaving = new AbortController();
  const ended = AbortSignal.any([signal, leaving.signal]);
  try {
    yield* payloads(operation, variables, ended);
  } finally {
    leaving.abort();
    release();
  }
}

async function* payloads<Data, Variables>(
  operation: Operation<Data, Variables>,
  variables: Variables,
  signal: AbortSignal,
): AsyncGenerator<Data, void, undefined> {
  const { name, text } = operation;
  const response = await fetchResponse('graphql', name, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: text, operationName: name, variables }),
    signal,
  });
  if (!response.ok || !response.body) throw await statusFailure(response);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const events = new EventStreamReader();
  for (;;) {
    const { done, value } = await readWithin(reader, name, signal);
    if (done) throw await lost(name, 'The connection ended before the work was done. Try again.');
    for (const { event, data } of events.read(value)) {
      if (event === 'complete') return;
      if (event !== 'next') continue;
      const result = JSON.parse(data) as GraphqlResult<Data>;
      if (result.data) yield result.data;
      else throw (await failureOf(name, result)) ?? new RequestFailure('rejected', 'The server sent no data.', name);
    }
  }
}

type TextReader = ReadableStreamDefaultReader<string>;

/** A read that fails when the server is silent for longer than its heartbeats allow. */
async function readWithin(reader: TextReader, name: string, signal: AbortSignal) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      void lost(name, 'The server stopped responding while it ran this. Try again.').then(reject);
    }, SILENCE_MS_MAX);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof RequestFailure) throw error;
    throw await lost(name, 'The connection was lost while the server ran this. Try again.');
  } finally {
    clearTimeout(timer);
  }
}

async function lost(name: string, message: string): Promise<RequestFailure> {
  await checkConnection();
  return new RequestFailure('unreachable', message, name, !isUp());
}

/** Places that are taken in the order of their requests. */
class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves with a function that gives the place back. @throws the abort reason of the signal */
  async take(signal: AbortSignal): Promise<() => void> {
    signal.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(signal);
    return () => {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(signal.reason);
      };
      const go = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(go);
    });
  }
}

const places = new Places(STREAM_COUNT_MAX);
