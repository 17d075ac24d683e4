import { SpandrelError } from '../../../model/errors.ts';
import type { JobBudget } from '../../../model/experiment-job.ts';

/** @throws {SpandrelError} `QUERY_INVALID` */
export function checkBudget({ callCountMax, costMax }: JobBudget): void {
  if (callCountMax !== null) checkRange('The budget of calls', callCountMax, Number.MAX_SAFE_INTEGER);
  if (costMax !== null && !(Number.isFinite(costMax) && costMax > 0)) {
    throw new SpandrelError('QUERY_INVALID', 'The budget of costs must be a number above 0');
  }
}

/** @throws {SpandrelError} `QUERY_INVALID` unless it is a whole number from 1 to the maximum */
export function checkRange(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new SpandrelError('QUERY_INVALID', `${name} must be a whole number from 1 to ${max}, but received ${value}`);
}
