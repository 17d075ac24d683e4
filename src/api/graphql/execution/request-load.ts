import { SpandrelError } from '../../../model/errors.ts';
import {
  GRAPHQL_PAGE_COST,
  GRAPHQL_RUNNING_COST_MAX,
  GRAPHQL_RUNNING_TEXT_CHARS_MAX,
  GRAPHQL_WAITING_COUNT_MAX,
} from '../../../model/limits/graphql.ts';
import { TimeSlices } from './time-slices.ts';

interface Waiting {
  readonly cost: number;
  start(): void;
}

/** Resources that all GraphQL requests of a server use together. */
export class RequestLoad {
  readonly slices = new TimeSlices();
  #cost = 0;
  #chars = 0;
  readonly #waiting = new Set<Waiting>();

  /**
   * Resolves when a request of this estimated cost may run. The caller calls the returned function when the request
   * ends.
   *
   * @throws {SpandrelError} `STORE_UNAVAILABLE` when too many requests wait; the signal's reason when it fires during
   *   the wait
   */
  async admit(cost: number, signal: AbortSignal): Promise<() => void> {
    if (cost <= GRAPHQL_PAGE_COST || this.#fits(cost)) this.#cost += cost;
    else await this.#wait(cost, signal);
    return () => {
      this.#cost -= cost;
      for (const one of this.#waiting) {
        if (!this.#fits(one.cost)) break;
        one.start();
      }
    };
  }

  /** @throws {SpandrelError} `STORE_UNAVAILABLE`. Then the characters are not counted. */
  holdChars(count: number): void {
    if (this.#chars + count > GRAPHQL_RUNNING_TEXT_CHARS_MAX) {
      throw new SpandrelError(
        'STORE_UNAVAILABLE',
        `All GraphQL responses in progress would have more than ${GRAPHQL_RUNNING_TEXT_CHARS_MAX} characters of text; try again later`,
      );
    }
    this.#chars += count;
  }

  releaseChars(count: number): void {
    this.#chars -= count;
  }

  #fits(cost: number): boolean {
    return this.#cost + cost <= GRAPHQL_RUNNING_COST_MAX;
  }

  #wait(cost: number, signal: AbortSignal): Promise<void> {
    if (this.#waiting.size >= GRAPHQL_WAITING_COUNT_MAX) {
      throw new SpandrelError(
        'STORE_UNAVAILABLE',
        `${GRAPHQL_WAITING_COUNT_MAX} costly GraphQL requests are waiting, the maximum; try again later`,
      );
    }
    return new Promise<void>((resolve, reject) => {
      const waiting = {
        cost,
        start: () => {
          this.#waiting.delete(waiting);
          signal.removeEventListener('abort', leave);
          this.#cost += cost;
          resolve();
        },
      };
      const leave = () => {
        this.#waiting.delete(waiting);
        reject(signal.reason);
      };
      if (signal.aborted) return leave();
      this.#waiting.add(waiting);
      signal.addEventListener('abort', leave, { once: true });
    });
  }
}
