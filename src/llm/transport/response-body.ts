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

/** A reader that is called. */
interface Consumer {
  readonly onChunk: (chunk: Buffer) => void;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * The body of a response, for one reader. `consume` takes the least time for a small chunk. It is also an async iterable and has the
 * reader of a web stream, which the official packages use one or the other of. A web stream itself takes most of the time of a small
 * chunk.
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
  #consumer: Consumer | undefined;
  #isDraining = false;

  constructor(form: BodyForm, flow: Flow, turns: ReadTurns) {
    this.#form = form;
    this.#flow = flow;
    this.#turns = turns;
    this.#splitter = form === 'events' ? new EventSplitter() : undefined;
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
    if (!this.#isDraining) this.#consumer?.resolve();
  }

  /** Drops what was not read. */
  fail(error: ModelError): void {
    this.#error ??= error;
    this.#queue = [];
    this.#at = 0;
    this.#waiting?.reject(this.#error);
    this.#waiting = undefined;
    this.#consumer?.reject(this.#error);
  }

  /**
   * Calls `onChunk` with each event or chunk as it arrives, unless the time slice of the event loop is used up. Resolves at the end.
   *
   * @throws {ModelError} of the response, and whatever `onChunk` throws. Then the connection is closed.
   */
  consume(onChunk: (chunk: Buffer) => void): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#consumer = { onChunk, resolve, reject };
      if (this.#error) reject(this.#error);
      else void this.#drain(this.#consumer, this.#hasWaiting ? this.#turns.enter() : undefined);
    });
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
    if (this.#consumer && !this.#isDraining) {
      const turn = this.#turns.enter();
      if (!turn) {
        this.#pass(chunk, this.#consumer);
        return;
      }
      this.#hold(chunk);
      void this.#drain(this.#consumer, turn);
      return;
    }
    if (this.#waiting) {
      this.#waiting.resolve({ done: false, value: chunk });
      this.#waiting = undefined;
      return;
    }
    this.#hold(chunk);
  }

  /** Passes the chunks on that wait. Those that arrive before it has ended wait too. */
  async #drain(consumer: Consumer, first: Promise<void> | undefined): Promise<void> {
    this.#isDraining = true;
    let turn = first;
    for (;;) {
      if (turn) await turn;
      const chunk = this.#queue[this.#at];
      if (chunk === undefined || this.#error) break;
      this.#shift(chunk);
      this.#pass(chunk, consumer);
      turn = this.#hasWaiting ? this.#turns.enter() : undefined;
    }
    this.#isDraining = false;
    if (this.#isEnded && !this.#error) consumer.resolve();
  }

  get #hasWaiting(): boolean {
    return this.#at < this.#queue.length;
  }

  #pass(chunk: Buffer, consumer: Consumer): void {
    if (this.#error) return;
    try {
      consumer.onChunk(chunk);
    } catch (error) {
      this.#consumer = undefined;
      this.#queue = [];
      this.#at = 0;
      consumer.reject(error);
      if (!this.#isEnded) this.#flow.cancel();
    }
  }

  #hold(chunk: Buffer): void {
    this.#queue.push(chunk);
    this.#queuedBytes += chunk.length;
    if (this.#queuedBytes > MODEL_BUFFER_BYTES_MAX && !this.#isPaused) {
      this.#isPaused = true;
      this.#flow.pause();
    }
  }

  #shift(chunk: Buffer): void {
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
