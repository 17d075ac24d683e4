import { MODEL_READ_MS_MAX, MODEL_READERS_OF_TURN_MAX } from '../../model/limits/model-calls.ts';

/**
 * One time slice per iteration of the event loop for the readers of all responses, or for other steps of all calls. With a slice for
 * each, a hundred streams that arrive faster than they are processed would hold the loop for a hundred slices.
 */
export class ReadTurns {
  #startedAt: number | undefined;
  readonly #waiting: (() => void)[] = [];
  readonly #countMax: number;

  /** @param countMax Steps that go on in one iteration when the slice was used up before */
  constructor(countMax = MODEL_READERS_OF_TURN_MAX) {
    this.#countMax = countMax;
  }

  /** Undefined if the next event may be read now. Otherwise resolves in a later iteration, in the order of the calls. */
  enter(): Promise<void> | undefined {
    if (!this.#isOver()) return undefined;
    return new Promise((resolve) => {
      if (this.#waiting.push(resolve) === 1) setImmediate(this.#turn);
    });
  }

  #isOver(): boolean {
    if (this.#startedAt !== undefined) return performance.now() - this.#startedAt > MODEL_READ_MS_MAX;
    this.#startedAt = performance.now();
    setImmediate(() => {
      this.#startedAt = undefined;
    });
    return false;
  }

  readonly #turn = (): void => {
    this.#startedAt = undefined;
    for (const resolve of this.#waiting.splice(0, this.#countMax)) resolve();
    if (this.#waiting.length > 0) setImmediate(this.#turn);
  };
}
