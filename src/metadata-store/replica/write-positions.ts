import type { LogPosition } from './log-position.ts';

/** Positions of the last writes that the replica did not have when they were last compared. */
export class WritePositions {
  readonly #countMax: number;
  readonly #ofCallers = new Map<string, LogPosition>();
  /** Every read needs this. */
  #ofAll: LogPosition = 0n;
  #replayed: LogPosition = 0n;

  constructor(countMax: number) {
    this.#countMax = countMax;
  }

  /** The replica has applied the log up to this position. It never goes back, except when a new replica is connected. */
  set replayed(position: LogPosition) {
    this.#replayed = position;
  }

  get replayed(): LogPosition {
    return this.#replayed;
  }

  get count(): number {
    return this.#ofCallers.size;
  }

  /** Records that a caller has written. */
  record(caller: string, position: LogPosition): void {
    const known = this.#ofCallers.get(caller) ?? 0n;
    if (position > known) this.#ofCallers.set(caller, position);
    if (this.#ofCallers.size <= this.#countMax) return;
    for (const one of this.#ofCallers.values()) this.recordForAll(one);
    this.#ofCallers.clear();
  }

  /** Records a write that concerns every caller. */
  recordForAll(position: LogPosition): void {
    if (position > this.#ofAll) this.#ofAll = position;
  }

  /** Whether the replica has everything that a caller has written. */
  hasAllOf(caller: string): boolean {
    if (this.#ofAll > this.#replayed) return false;
    const position = this.#ofCallers.get(caller);
    if (position === undefined) return true;
    if (position > this.#replayed) return false;
    this.#ofCallers.delete(caller);
    return true;
  }
}
