import type { LogPosition } from './log-position.ts';

/**
 * Age of the data on a replica. It compares positions that the primary had at known times, because the clocks of two
 * machines differ, and because a primary without writes makes no replica old.
 */
export class ReplicaLag {
  readonly #keptMs: number;
  /** Positions of the primary, oldest first. */
  #observed: { readonly position: LogPosition; readonly atMs: number }[] = [];

  /** @param lagMsMax A higher age need not be exact. */
  constructor(lagMsMax: number) {
    this.#keptMs = 2 * lagMsMax;
  }

  /** Records the position of the primary. */
  observe(position: LogPosition, atMs: number): void {
    this.#observed.push({ position, atMs });
    // The oldest one is kept beyond its time, so that a replica that never advances stays old.
    while ((this.#observed[1]?.atMs ?? atMs) < atMs - this.#keptMs) this.#observed.shift();
  }

  /** Time since the primary had a position that the replica does not have. */
  ageMs(replayed: LogPosition, nowMs: number): number {
    const missing = this.#observed.find(({ position }) => position > replayed);
    return missing === undefined ? 0 : nowMs - missing.atMs;
  }
}
