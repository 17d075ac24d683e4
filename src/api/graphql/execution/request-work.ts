import { SpandrelError } from '../../../model/errors.ts';
import {
  GRAPHQL_COST_MAX,
  GRAPHQL_ERROR_COUNT_MAX,
  GRAPHQL_ITEM_COUNT_MAX,
  GRAPHQL_QUERY_MS_MAX,
  GRAPHQL_TEXT_CHARS_MAX,
} from '../../../model/limits/graphql.ts';
import type { RequestLoad } from './request-load.ts';
import type { TimeSlices } from './time-slices.ts';

/** Interface of a budget for resolvers. */
export interface Budget {
  /** @throws {SpandrelError} `QUERY_TOO_COSTLY` when the budget is exceeded. Then all work of the request ends. */
  take(count: number): void;
}

/** Pages of a field after which those that are still being read are expected to be alike. */
const EXPECTATION_PAGE_COUNT_MIN = 16;

/**
 * Ends a request early that reads a page for each object of another page, when those that it has suggest that all together exceed
 * twice the budget. Otherwise it would read thousands of pages before it is rejected.
 */
class ExpectedPages {
  readonly #cost: Budget;
  readonly #fields = new Map<object, { beganCount: number; endedCount: number; cost: number }>();

  constructor(cost: Budget) {
    this.#cost = cost;
  }

  /** @param field An object of the field in its document. A compiled operation has it, and no other identity of a field. */
  begin(field: object | undefined): void {
    if (field === undefined) return;
    const seen = this.#fields.get(field);
    if (seen) seen.beganCount++;
    else this.#fields.set(field, { beganCount: 1, endedCount: 0, cost: 0 });
  }

  /** @throws {SpandrelError} `QUERY_TOO_COSTLY` */
  end(field: object | undefined, cost: number): void {
    const seen = field && this.#fields.get(field);
    if (seen === undefined) return;
    seen.endedCount++;
    seen.cost += cost;
    const expected = (seen.cost / seen.endedCount) * seen.beganCount;
    if (seen.endedCount >= EXPECTATION_PAGE_COUNT_MIN && expected > 2 * GRAPHQL_COST_MAX) this.#cost.take(expected);
  }
}

/**
 * The work of one request and its limits. Exceeding any limit ends all work of the request: running reads are
 * interrupted, waiting reads do not start, and no further resolver is called.
 */
export class RequestWork {
  /** Fires when the work ends early: the client has disconnected, a limit is exceeded, or a query has timed out. */
  readonly signal: AbortSignal;
  readonly slices: TimeSlices;
  /** Rejects when the work ends early. */
  readonly ended: Promise<never>;
  /** Budget for objects in lists. */
  readonly items: Budget;
  /** Budget for resolved fields. */
  readonly cost: Budget;
  /** Budget for characters of texts. */
  readonly chars: Budget;
  readonly pages: ExpectedPages;
  readonly #controller = new AbortController();
  readonly #load: RequestLoad;
  #rejectEnded!: (error: SpandrelError) => void;
  #timer: NodeJS.Timeout | undefined;
  #heldChars = 0;
  #errorCount = 0;
  #costTaken = 0;

  /** A mutation has no deadline, since its writes may take any time. */
  constructor(load: RequestLoad, caller: AbortSignal, hasDeadline: boolean) {
    this.#load = load;
    this.slices = load.slices;
    this.signal = this.#controller.signal;
    this.ended = new Promise((_, reject) => {
      this.#rejectEnded = reject;
    });
    this.ended.catch(() => {});
    const leave = () => this.#end(new SpandrelError('CANCELLED', 'The client closed the request.'));
    if (caller.aborted) leave();
    else caller.addEventListener('abort', leave, { once: true, signal: this.signal });
    if (hasDeadline) this.#timer = setTimeout(() => this.#end(timedOut()), GRAPHQL_QUERY_MS_MAX).unref();
    this.items = this.#budget(
      GRAPHQL_ITEM_COUNT_MAX,
      (max) => `its lists contain more than ${max} objects; request fewer objects at a time`,
    );
    const cost = this.#budget(
      GRAPHQL_COST_MAX,
      (max) => `it resolves more than ${max} fields; request fewer fields at a time`,
    );
    this.cost = {
      take: (count) => {
        this.#costTaken += count;
        cost.take(count);
      },
    };
    this.pages = new ExpectedPages(this.cost);
    const chars = this.#budget(
      GRAPHQL_TEXT_CHARS_MAX,
      (max) => `its texts have more than ${max} characters; request fewer objects at a time`,
    );
    this.chars = {
      take: (count) => {
        chars.take(count);
        try {
          load.holdChars(count);
        } catch (error) {
          throw this.#end(error as SpandrelError);
        }
        this.#heldChars += count;
      },
    };
  }

  /** Whether serializing the response may take longer than a time slice. */
  get isLarge(): boolean {
    return this.#costTaken > 20_000 || this.#heldChars > 1_000_000;
  }

  /** Counts a failed field. */
  fail(error: unknown): void {
    if (++this.#errorCount !== GRAPHQL_ERROR_COUNT_MAX + 1) return;
    const first = error instanceof SpandrelError ? `; one of them: ${error.message}` : '';
    this.#end(
      new SpandrelError(
        'QUERY_TOO_COSTLY',
        `At most ${GRAPHQL_ERROR_COUNT_MAX} fields of a query may fail, but more failed${first}`,
      ),
    );
  }

  /** Must be called once, when the response is no longer needed. */
  close(): void {
    clearTimeout(this.#timer);
    this.#load.releaseChars(this.#heldChars);
    this.#heldChars = 0;
    // All waiting work is no longer needed.
    this.#controller.abort();
  }

  #budget(max: number, excess: (max: number) => string): Budget {
    let left = max;
    return {
      take: (count) => {
        left -= count;
        if (left < 0) throw this.#end(new SpandrelError('QUERY_TOO_COSTLY', `Query is too costly: ${excess(max)}`));
      },
    };
  }

  #end(error: SpandrelError): SpandrelError {
    if (!this.signal.aborted) {
      clearTimeout(this.#timer);
      this.#controller.abort(error);
      this.#rejectEnded(error);
    }
    return error;
  }
}

const timedOut = () =>
  new SpandrelError(
    'QUERY_TIMED_OUT',
    `The GraphQL query took longer than ${GRAPHQL_QUERY_MS_MAX / 1_000} s, the maximum; request less data at a time`,
  );
