/** Requests that are acknowledged within this time of each other are counted together. */
const ENTRY_MS = 20;

/** The spans that are journaled but not yet stored, with the time of their acknowledgement. */
export class Backlog {
  #entries: { endPosition: number; spanCount: number; readonly atMs: number }[] = [];
  #spanCount = 0;

  get spanCount(): number {
    return this.#spanCount;
  }

  /** `performance.now()` of the oldest acknowledgement that is not applied, if any. */
  get oldestMs(): number | undefined {
    return this.#entries[0]?.atMs;
  }

  /** Call it in the order of positions. */
  add(endPosition: number, spanCount: number): void {
    const last = this.#entries.at(-1);
    const nowMs = performance.now();
    this.#spanCount += spanCount;
    if (last && nowMs - last.atMs < ENTRY_MS) {
      last.endPosition = endPosition;
      last.spanCount += spanCount;
    } else this.#entries.push({ endPosition, spanCount, atMs: nowMs });
  }

  /** Removes the spans that the store has applied, and returns the times of their acknowledgements. */
  applied(position: number): number[] {
    const count = this.#entries.findIndex(({ endPosition }) => endPosition > position);
    const done = this.#entries.splice(0, count < 0 ? this.#entries.length : count);
    for (const { spanCount } of done) this.#spanCount -= spanCount;
    return done.map(({ atMs }) => atMs);
  }
}
