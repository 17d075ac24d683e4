/** Longest time of work between two frames. */
const SLICE_MS = 8;

/** Divides long work, so that the page stays smooth. */
export class Slices {
  #startedAt = performance.now();

  /** Lets frames and keys through when the slice is used up. */
  async pause(): Promise<void> {
    if (performance.now() - this.#startedAt < SLICE_MS) return;
    await new Promise((resolve) => setTimeout(resolve));
    this.#startedAt = performance.now();
  }
}
