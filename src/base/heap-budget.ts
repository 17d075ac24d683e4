/** More than the whole budget was asked for by one holder. */
export class HeapBudgetExceeded extends Error {
  override readonly name = 'HeapBudgetExceeded';
}

/** Estimated JavaScript heap that several holders share: who finds no room waits until another holder ends. */
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

  /** Undefined when the bytes were taken at once. Only for `HeapShare`. */
  take(bytes: number): Promise<void> | undefined {
    if (this.#bytes + bytes <= this.bytesMax) {
      this.#bytes += bytes;
      return undefined;
    }
    return new Promise((resolve) => this.#waiting.push({ bytes, resolve }));
  }

  /** A small wish may overtake a large one: whoever waits holds no more than its own share, so somebody always ends. */
  giveBack(bytes: number): void {
    this.#bytes -= bytes;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wish of waiting) {
      if (this.#bytes + wish.bytes > this.bytesMax) this.#waiting.push(wish);
      else {
        this.#bytes += wish.bytes;
        wish.resolve();
      }
    }
  }
}

/** What one request holds of a budget. */
export class HeapShare {
  readonly #budget: HeapBudget;
  #bytes = 0;
  #isReleased = false;

  constructor(budget: HeapBudget) {
    this.#budget = budget;
  }

  /**
   * Adds to what is held; undefined when that was possible at once. While several holders add in steps, they must take
   * turns, or they may wait for each other.
   *
   * @throws {HeapBudgetExceeded} when no other holder could make enough room
   */
  take(bytes: number): Promise<void> | undefined {
    if (this.#bytes + bytes > this.#budget.bytesMax) throw new HeapBudgetExceeded();
    const taken = this.#budget.take(bytes);
    if (taken === undefined) this.#bytes += bytes;
    return taken?.then(() => {
      if (this.#isReleased) this.#budget.giveBack(bytes);
      else this.#bytes += bytes;
    });
  }

  release(): void {
    this.#isReleased = true;
    const bytes = this.#bytes;
    this.#bytes = 0;
    if (bytes > 0) this.#budget.giveBack(bytes);
  }
}
