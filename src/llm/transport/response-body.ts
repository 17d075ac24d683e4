import {
  MODEL_BUFFER_BYTES_MAX,
  MODEL_RESPONSE_BYTES_MAX,
  MODEL_STREAM_BYTES_MAX,
} from '../../model/limits/model-calls.ts';
import { ModelError } from '../contract/model-error.ts';
import { EventSplitter } from './event-splitter.ts';
import type { ReadTurns } from './read-turns.ts';

/** `events`: server-sent events, which are read one by one. `stream`: a binary stream. `whole`: one value. */
export type BodyForm = 'events' | 'stream' | 'whole';

/** The connection below a body. */
export interface Flow {
  pause(): void;
  resume(): void;
  /** Closes the connection. */
  cancel(): void;
  /** Counts bytes of a whole response, which are in memory until the end of the call. */
  hold(bytes: number): void;
}

type Reading = IteratorResult<Buffer, undefined>;

/**
 * The body of a response, for one reader. It is an async iterable and has the reader of a web stream, which the official packages use
 * one or the other of. A web stream itself takes most of the time of a small chunk.
 */
export class ResponseBody implements AsyncIterableIterator<Buffer, undefined> {
  readonly #form: BodyForm;
  readonly #flow: Flow;
  readonly #turns: ReadTurns;
  readonly #splitter: EventSplitter | undefined;
  #queue: Buffer[] = [];
  #at = 0;
  #queuedBytes = 0;
  #bytes = 0;
  #isPaused = false;
  #isEnded = false;
  #error: ModelError | undefined;
  #waiting: { resolve(reading: Reading): void; reject(error: ModelError): void } | undefined;
  #last: Buffer | undefined;

  constructor(form: BodyForm, flow: Flow, turns: ReadTurns) {
    this.#form = form;
    this.#flow = flow;
    this.#turns = turns;
    this.#splitter = form === 'events' ? new EventSplitter() : undefined;
  }

  /** The event or chunk that was read last. */
  get last(): Buffer | undefined {
    return this.#last;
  }

  /** @throws {ModelError} when the response is too large */
  push(chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > (this.#form === 'whole' ? MODEL_RESPONSE_BYTES_MAX : MODEL_STREAM_BYTES_MAX)) throw tooLarge();
    if (this.#splitter === undefined) {
      if (this.#form === 'whole') this.#flow.hold(chunk.length);
      this.#add(chunk);
    } else {
      this.#splitter.push(chunk, (event) => this.#add(event));
      if (this.#splitter.pendingBytes > MODEL_RESPONSE_BYTES_MAX) throw tooLarge();
    }
  }

  end(): void {
    const rest = this.#splitter?.end();
    if (rest) this.#add(rest);
    this.#isEnded = true;
    this.#waiting?.resolve({ done: true, value: undefined });
    this.#waiting = undefined;
  }

  /** Drops what was not read. */
  fail(error: ModelError): void {
    this.#error ??= error;
    this.#queue = [];
    this.#at = 0;
    this.#waiting?.reject(this.#error);
    this.#waiting = undefined;
  }

  async next(): Promise<Reading> {
    if (this.#error) throw this.#error;
    const chunk = this.#queue[this.#at];
    if (chunk === undefined) {
      if (this.#isEnded) return { done: true, value: undefined };
      return new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject };
      });
    }
    const turn = this.#turns.enter();
    if (turn) {
      await turn;
      if (this.#error) throw this.#error;
    }
    this.#shift(chunk);
    return { done: false, value: chunk };
  }

  async return(): Promise<Reading> {
    if (!this.#isEnded) this.#flow.cancel();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  /** The reader that a `ReadableStream` has. */
  getReader() {
    return {
      read: () => this.next(),
      cancel: () => this.cancel(),
      releaseLock: () => {},
      closed: Promise.resolve(),
    };
  }

  async cancel(): Promise<void> {
    await this.return();
  }

  async bytes(): Promise<Buffer> {
    const chunks: Buffer[] = [];
    for await (const chunk of this) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  #add(chunk: Buffer): void {
    if (this.#waiting) {
      this.#last = chunk;
      this.#waiting.resolve({ done: false, value: chunk });
      this.#waiting = undefined;
      return;
    }
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes > MODEL_BUFFER_BYTES_MAX && !this.#isPaused) {
      this.#isPaused = true;
      this.#flow.pause();
    }
  }

  #shift(chunk: Buffer): void {
    this.#last = chunk;
    this.#queuedBytes -= chunk.length;
    this.#at++;
    if (this.#at === this.#queue.length) {
      this.#queue = [];
      this.#at = 0;
    }
    if (this.#isPaused && this.#queuedBytes < MODEL_BUFFER_BYTES_MAX / 2) {
      this.#isPaused = false;
      this.#flow.resume();
    }
  }
}

const tooLarge = (): ModelError => new ModelError('unreadable', 'The response of the model endpoint is too large.');
