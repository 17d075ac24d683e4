import { ANNOUNCED_COUNT_MAX } from '../../model/limits/jobs.ts';
import type { ChatCell, ChatEvent } from '../../model/playground/chat-event.ts';
import { joinReceipts, type Receipt } from '../../model/receipt.ts';
import type { JobWork } from '../../domain/experiments/jobs/job-work.ts';

/** An event that waits until reads see the spans that it names. */
export interface Announcement {
  readonly cell: ChatCell;
  /** Null when it has no span. */
  readonly spanId: string | null;
  readonly receipt: Receipt | null;
  readonly toEvent: (spanRowId: number | null) => ChatEvent;
}

/** Sends events about spans in their order, once their spans can be read. Many share one read. */
export class Announcer {
  readonly #work: Pick<JobWork, 'waitFor' | 'findSpanRowIds'>;
  readonly #send: (event: ChatEvent) => void;
  readonly #onSent: () => void;
  readonly #onError: (error: unknown) => void;
  #waiting: Announcement[] = [];
  #running: Promise<void> | undefined;

  constructor(
    work: Pick<JobWork, 'waitFor' | 'findSpanRowIds'>,
    options: {
      readonly send: (event: ChatEvent) => void /** Called after each batch. */;
      readonly onSent: () => void;
      readonly onError: (error: unknown) => void;
    },
  ) {
    this.#work = work;
    this.#send = options.send;
    this.#onSent = options.onSent;
    this.#onError = options.onError;
  }

  get waitingCount(): number {
    return this.#waiting.length;
  }

  add(announcement: Announcement): void {
    this.#waiting.push(announcement);
    this.#running ??= this.#sendAll();
  }

  /** Resolves when everything has been sent. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running;
  }

  async #sendAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, ANNOUNCED_COUNT_MAX);
      const spanRowIds = await this.#read(batch);
      for (const { spanId, toEvent } of batch) {
        this.#send(toEvent(spanId === null ? null : (spanRowIds.get(spanId) ?? null)));
      }
      this.#onSent();
    }
    this.#running = undefined;
  }

  /** If the store is unavailable, the events have no spans. */
  async #read(batch: readonly Announcement[]): Promise<ReadonlyMap<string, number>> {
    try {
      const receipt = batch.map((one) => one.receipt).reduce(joinReceipts, null);
      if (receipt !== null) await this.#work.waitFor(receipt);
      const spanIds = batch.flatMap(({ spanId }) => spanId ?? []);
      return spanIds.length > 0 ? await this.#work.findSpanRowIds(spanIds) : new Map();
    } catch (error) {
      this.#onError(error);
      return new Map();
    }
  }
}
