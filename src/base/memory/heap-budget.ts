/** One holder requested more than the whole budget. */
export class HeapBudgetExceeded extends Error {
  override readonly name = 'HeapBudgetExceeded';
}

/**
 * Estimated JavaScript heap that several holders share. A request that does not fit waits until another holder ends.
 */
export class HeapBudget {
  readonly bytesMax: number;
  #bytes = 0;
  #waiting: { readonly bytes: number; readonly resolve: () => void }[] = [];

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  open(): HeapShare {
    return new HeapShare(this);
  }

  /** Returns undefined when the bytes were available at once. Only `HeapShare` calls it. */
  take(bytes: number): Promise<void> | undefined {
    if (this.#bytes + bytes <= this.bytesMax) {
      this.#bytes += bytes;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push({ bytes, resolve }));
  }

  /**
   * A small request may overtake a large one. A waiting holder keeps only its own share, so some holder always ends.
   */
  release(bytes: number): void {
    this.#bytes -= bytes;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const request of waiting) {
      if (this.#bytes + request.bytes > this.bytesMax) this.#waiting.push(request);
      else {
        this.#bytes += request.bytes;
        request.resolve();
      }
    }
  }
}

/** Share of a budget that one request holds. */
export class HeapShare {
  readonly #budget: HeapBudget;
  #bytes = 0;
  #isReleased = false;

  constructor(budget: HeapBudget) {
    this.#budget = budget;
  }

  /**
   * Adds bytes to the share. Returns undefined when they were available at once. Holders that add bytes in steps must
   * do so one after the other; otherwise they may wait for each other.
   *
   * @throws {HeapBudgetExceeded} when no other holder could release enough
   */
  take(bytes: number): Promise<void> | undefined {
    if (this.#bytes + bytes > this.#budget.bytesMax) throw new HeapBudgetExceeded();
    const taken = this.#budget.take(bytes);
    if (taken === undefined) this.#bytes += bytes;
    return taken?.then(() => {
      if (this.#isReleased) this.#budget.release(bytes);
      else this.#bytes += bytes;
    });
  }

  release(): void {
    this.#isReleased = true;
    const bytes = this.#bytes;
    this.#bytes = 0;
    if (bytes > 0) this.#budget.release(bytes);
  }
}
