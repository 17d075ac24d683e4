import type { ListPosition, TimeRange } from './list-queries.ts';
import type { Parameters } from './sql.ts';

// Pieces of SQL that sorted lists share.

/** Rows beyond a position in the order (value, row id). */
export function beyond(
  value: string | undefined,
  { order, after }: { readonly order: 'asc' | 'desc'; readonly after: ListPosition },
  parameters: Parameters,
): string {
  const sign = order === 'asc' ? '>' : '<';
  const rowId = `row_id ${sign} ${parameters.bigint(after.rowId)}`;
  if (value === undefined) return rowId;
  const bound = parameters.bigint(BigInt.asIntN(64, after.value ?? 0n));
  return `(${value} ${sign} ${bound} OR (${value} = ${bound} AND ${rowId}))`;
}

export const orderBy = (value: string | undefined, order: 'asc' | 'desc'): string =>
  value === undefined ? `ORDER BY row_id ${order}` : `ORDER BY ${value} ${order}, row_id ${order}`;

/** Rows whose start lies in the range. */
export function startsIn({ startTimeUnixNano, endTimeUnixNano }: TimeRange, parameters: Parameters): string[] {
  const conditions: string[] = [];
  if (startTimeUnixNano !== undefined) conditions.push(`start_ns >= ${parameters.bigint(startTimeUnixNano)}`);
  if (endTimeUnixNano !== undefined) conditions.push(`start_ns < ${parameters.bigint(endTimeUnixNano)}`);
  return conditions;
}

/** Rows whose time has something in common with the range. */
export function overlaps({ startTimeUnixNano, endTimeUnixNano }: TimeRange, parameters: Parameters): string[] {
  const conditions: string[] = [];
  if (startTimeUnixNano !== undefined) conditions.push(`end_ns >= ${parameters.bigint(startTimeUnixNano)}`);
  if (endTimeUnixNano !== undefined) conditions.push(`start_ns < ${parameters.bigint(endTimeUnixNano)}`);
  return conditions;
}

/** Wider than int64: a span may lie anywhere in it. */
export const LATENCY_NS = '(end_ns::HUGEINT - start_ns)';

export function leastAndGreatest(numbers: readonly number[]): [number, number] {
  let least = Number.MAX_SAFE_INTEGER;
  let greatest = 0;
  for (const number of numbers) {
    if (number < least) least = number;
    if (number > greatest) greatest = number;
  }
  return [least, greatest];
}
