import { SpandrelError } from '../../model/errors.ts';
import { PAGE_ROW_COUNT_MAX } from '../../model/limits/reads.ts';
import type { EntityFilter } from '../../filter/entities/entity-filter.ts';
import { parseSessionFilter, parseTraceFilter } from '../../filter/entities/parse-entity-filter.ts';
import { parseSpanFilter } from '../../filter/spans/parse-span-filter.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { BinPlan, RangeQuery, TimeRange } from '../../domain/domain.ts';

/** Checks of arguments that several fields share. Clients know the texts of the errors. */
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

export interface FilterArguments {
  readonly filterCondition?: string | null;
}

export interface SessionFilterArguments {
  readonly sessionFilterCondition?: string | null;
}

export interface TraceFilterArguments {
  readonly traceFilterCondition?: string | null;
}

/** @throws {FilterError} */
export const toSessionFilter = ({ sessionFilterCondition }: SessionFilterArguments): EntityFilter | undefined =>
  parseSessionFilter(sessionFilterCondition ?? '');

/** @throws {FilterError} */
export const toTraceFilter = ({ traceFilterCondition }: TraceFilterArguments): EntityFilter | undefined =>
  parseTraceFilter(traceFilterCondition ?? '');

/** Undefined for all spans. @throws {FilterError} */
export const toSpanFilter = ({ filterCondition }: FilterArguments): SpanFilter | undefined =>
  parseSpanFilter(filterCondition ?? '');

/** A time range with filters. */
export interface FilteredRange extends TimeRange {
  readonly filter?: SpanFilter | undefined;
  readonly sessionFilter?: EntityFilter | undefined;
}

/** Rows of a project by bin. */
export interface BinnedQuery extends RangeQuery {
  readonly bins: BinPlan;
}

/** @throws {FilterError} */
export function toFilteredRange(args: RangeArguments & FilterArguments & SessionFilterArguments): FilteredRange {
  if (args.filterCondition?.trim() && args.sessionFilterCondition?.trim()) {
    reject('Both a filter condition and session filter condition cannot be applied at the same time');
  }
  return { ...toTimeRange(args), filter: toSpanFilter(args), sessionFilter: toSessionFilter(args) };
}

export const reject = (message: string): never => {
  throw new SpandrelError('QUERY_INVALID', message);
};

/** Number of rows of a page that only supports forward pagination. */
export function checkCappedPage({ first, last, before }: PageArguments): number {
  if (first === undefined || first === null) return reject('`first` is required');
  if (!Number.isInteger(first) || first <= 0) return reject('`first` must be a positive integer');
  if (first > PAGE_ROW_COUNT_MAX) return reject(`\`first\` must be less than or equal to ${PAGE_ROW_COUNT_MAX}`);
  if (last !== undefined && last !== null) return reject('Backward pagination with `last` is not supported');
  if (before !== undefined && before !== null) return reject('Backward pagination with `before` is not supported');
  return first;
}

export const toTimeRange = ({ timeRange }: RangeArguments): TimeRange => ({
  startTimeUnixNano: timeRange?.start ? BigInt(timeRange.start) : undefined,
  endTimeUnixNano: timeRange?.end ? BigInt(timeRange.end) : undefined,
});

export const isWhole = ({ startTimeUnixNano, endTimeUnixNano, filter, sessionFilter }: FilteredRange): boolean =>
  startTimeUnixNano === undefined &&
  endTimeUnixNano === undefined &&
  filter === undefined &&
  sessionFilter === undefined;

export function checkProbability(probability: number): number {
  return probability >= 0 && probability <= 1 ? probability : reject('Probability must be between 0 and 1 (inclusive)');
}
