import { STREAM_EVENT_COUNT_MAX } from '../../model/limits/jobs.ts';
import type { ChatEvent } from '../../model/playground/chat-event.ts';
import type { JobWork } from '../../domain/experiments/jobs/job-work.ts';
import { type Announcement, Announcer } from './announcer.ts';
import { EventBuffer } from './event-buffer.ts';

/** The events of a job for the reader who started it. Without the reader it drops them. */
export class JobStream {
  readonly #buffer: EventBuffer;
  readonly #announcer: Announcer;
  #isLeft = false;

  constructor(
    work: Pick<JobWork, 'waitFor' | 'findSpanRowIds'>,
    { onDrain, onError }: { readonly onDrain: () => void; readonly onError: (error: unknown) => void },
  ) {
    this.#buffer = new EventBuffer(onDrain);
    this.#announcer = new Announcer(work, { send: (event) => this.send(event), onSent: onDrain, onError });
  }

  /** The reader is slow: the job is to wait. */
  get isFull(): boolean {
    return !this.#isLeft && (this.#buffer.isFull || this.#announcer.waitingCount > STREAM_EVENT_COUNT_MAX);
  }

  /** Time since when the reader is slow, by `Date.now()`. Undefined otherwise. */
  get stalledSince(): number | undefined {
    return this.#isLeft ? undefined : this.#buffer.stalledSince;
  }

  send(event: ChatEvent): void {
    if (!this.#isLeft) this.#buffer.push(event);
  }

  /** Sends an event when the span that it names can be read. */
  announce(announcement: Announcement): void {
    if (!this.#isLeft) this.#announcer.add(announcement);
  }

  /** The reader gets nothing any more. */
  cancel(): void {
    this.#isLeft = true;
    this.#buffer.cancel();
  }

  /** The reader gets what waits, and then the error. The job goes on without it. */
  drop(error: Error): void {
    this.#buffer.end(error);
    this.#isLeft = true;
  }

  /** Sends everything, and a last message about the whole experiment if there is one. */
  async close(message: string | undefined): Promise<void> {
    await this.#announcer.idle();
    if (message !== undefined) {
      this.send({
        exampleRowId: null,
        repetitionNumber: null,
        type: 'error',
        message,
        spanRowId: null,
        runRowId: null,
      });
    }
    this.#buffer.end();
  }

  async *read(signal: AbortSignal): AsyncGenerator<ChatEvent, void, undefined> {
    const leave = () => this.cancel();
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    try {
      yield* this.#buffer.read();
    } finally {
      signal.removeEventListener('abort', leave);
      leave();
    }
  }
}
