/** Why spans were dropped. */
export type DropReason =
  /** The server rejects them, such as spans that it cannot decode. */
  | 'rejected'
  /** No more fit in memory, and there is no spill folder. */
  | 'memory-full'
  /** No more fit in the spill folder. */
  | 'spill-full'
  /** They waited for the server for longer than the spill folder keeps them. */
  | 'too-old'
  /** A spill file is damaged. */
  | 'damaged-file'
  /** The process ended before they were sent, and there is no spill folder. */
  | 'exit'
  /** Masking or encoding failed. */
  | 'encoding';

/** Spans that will never reach the server. */
export interface DroppedSpans {
  readonly spanCount: number;
  readonly reason: DropReason;
  readonly detail: string;
}

/** Counts dropped spans, logs each reason once, and tells the program. */
export class DropReport {
  readonly #warn: (message: string) => void;
  readonly #onDrop: ((dropped: DroppedSpans) => void) | undefined;
  readonly #counts = new Map<DropReason, number>();

  constructor(warn: (message: string) => void, onDrop: ((dropped: DroppedSpans) => void) | undefined) {
    this.#warn = warn;
    this.#onDrop = onDrop;
  }

  get spanCount(): number {
    return [...this.#counts.values()].reduce((sum, count) => sum + count, 0);
  }

  get counts(): Readonly<Partial<Record<DropReason, number>>> {
    return Object.fromEntries(this.#counts);
  }

  add(reason: DropReason, spanCount: number, detail: string): void {
    if (spanCount <= 0) return;
    if (!this.#counts.has(reason))
      this.#warn(`${spanCount} spans were dropped: ${detail} More drops of this kind are counted and not logged.`);
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + spanCount);
    try {
      this.#onDrop?.({ spanCount, reason, detail });
    } catch (error) {
      this.#warn(`onDrop failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}
