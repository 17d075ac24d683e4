import { JOB_FAILURE_COUNT_MAX } from '../../model/limits/jobs.ts';

/** Counts failures in a row, of the task and of each evaluator. */
export class FailureBreaker {
  readonly #counts = new Map<number | 'task', number>();

  succeed(part: number | 'task'): void {
    this.#counts.delete(part);
  }

  /** True when this failure is one too many. */
  fail(part: number | 'task'): boolean {
    const count = (this.#counts.get(part) ?? 0) + 1;
    this.#counts.set(part, count);
    return count >= JOB_FAILURE_COUNT_MAX;
  }
}
