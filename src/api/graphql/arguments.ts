import type { TimeRange } from '../../domain/domain.ts';
import { SpandrelError } from '../../model/errors.ts';
import { PAGE_ROW_COUNT_MAX } from '../../model/limits.ts';

/** Arguments that several fields have, checked; the texts are what clients know. */
export interface PageArguments {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
}

/** Decimal texts of nanoseconds since the epoch. */
export interface TimeRangeInput {
  readonly start?: string | null;
  readonly end?: string | null;
}

export interface RangeArguments {
  readonly timeRange?: TimeRangeInput | null;
}

export const refuse = (message: string): never => {
  throw new SpandrelError('QUERY_INVALID', message);
};

/** Before a write that grows data. */
export function checkStorage({ storageLock }: { readonly storageLock: () => string | undefined }): void {
  const lock = storageLock();
  if (lock !== undefined) throw new SpandrelError('STORAGE_FULL', lock);
}

/** Rows of a page that goes forward only. */
export function checkCappedPage({ first, last, before }: PageArguments): number {
  if (first === undefined || first === null) return refuse('`first` is required');
  if (!Number.isInteger(first) || first <= 0) return refuse('`first` must be a positive integer');
  if (first > PAGE_ROW_COUNT_MAX) return refuse(`\`first\` must be less than or equal to ${PAGE_ROW_COUNT_MAX}`);
  if (last !== undefined && last !== null) return refuse('Backward pagination with `last` is not supported');
  if (before !== undefined && before !== null) return refuse('Backward pagination with `before` is not supported');
  return first;
}

export const toTimeRange = ({ timeRange }: RangeArguments): TimeRange => ({
  startTimeUnixNano: timeRange?.start ? BigInt(timeRange.start) : undefined,
  endTimeUnixNano: timeRange?.end ? BigInt(timeRange.end) : undefined,
});

export const isWhole = ({ startTimeUnixNano, endTimeUnixNano }: TimeRange): boolean =>
  startTimeUnixNano === undefined && endTimeUnixNano === undefined;

export function checkProbability(probability: number): number {
  return probability >= 0 && probability <= 1 ? probability : refuse('Probability must be between 0 and 1 (inclusive)');
}
