import { ANNOTATION_TARGETS } from '../../model/annotation.ts';
import type { AnnotationSort, ListPosition, TimeRange } from '../contract/query-terms.ts';
import type { Parameters, SqlValue } from '../duckdb/sql.ts';

// Pieces of SQL that sorted lists share.

/** What a list is sorted by. */
export interface SortValue {
  /** Undefined: the row id alone. */
  readonly value: string | undefined;
  /** What rows are in the list at all. */
  readonly condition?: string;
  /** A join that the value reads from; it keeps each row, once. Given the conditions that all rows of the list meet. */
  readonly join?: (conditions: string) => string;
  /** Rows without a value come last in either order. */
  readonly isNullable?: boolean;
}

/** Rows beyond a position in the order (value, row id). */
export function beyond(
  { value, isNullable }: SortValue,
  { order, after }: { readonly order: 'asc' | 'desc'; readonly after: ListPosition },
  parameters: Parameters,
): string {
  const sign = order === 'asc' ? '>' : '<';
  const rowId = `row_id ${sign} ${parameters.bigint(after.rowId)}`;
  if (value === undefined) return rowId;
  if (isNullable && after.value === undefined) return `(${value} IS NULL AND ${rowId})`;
  const bound = bind(after.value ?? 0n, parameters);
  const rest = isNullable ? ` OR ${value} IS NULL` : '';
  return `(${value} ${sign} ${bound} OR (${value} = ${bound} AND ${rowId})${rest})`;
}

function bind(value: bigint | number | string, parameters: Parameters): string {
  if (typeof value === 'string') return parameters.text(value);
  return typeof value === 'number' ? parameters.double(value) : parameters.bigint(BigInt.asIntN(64, value));
}

export const orderBy = (value: string | undefined, order: 'asc' | 'desc'): string =>
  value === undefined ? `ORDER BY row_id ${order}` : `ORDER BY ${value} ${order} NULLS LAST, row_id ${order}`;

export const toPosition = (rowId: SqlValue, value: SqlValue): ListPosition =>
  value === null ? { rowId: Number(rowId) } : { rowId: Number(rowId), value: value as bigint | number | string };

/** Sorts rows of a table by annotations of theirs. */
export function annotationSort(
  table: 'spans' | 'sessions',
  { name, attribute }: AnnotationSort,
  parameters: Parameters,
): SortValue {
  const target = ANNOTATION_TARGETS.indexOf(table === 'spans' ? 'span' : 'session');
  const annotations = `store.annotations a WHERE a.target = ${target} AND a.name = ${parameters.text(name)}`;
  return {
    value: `(SELECT arg_max(a.${attribute}, a.row_id) FROM ${annotations} AND a.target_row_id = ${table}.row_id)`,
    condition: `row_id IN (SELECT a.target_row_id FROM ${annotations})`,
    isNullable: true,
  };
}

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

/** The same in int64, at most 292 years: DuckDB finds quantiles of these in a fifth of the time that doubles take. */
export const LATENCY_NS_INT64 = `(CASE WHEN start_ns >= 0 AND end_ns >= 0 THEN end_ns - start_ns
  ELSE greatest(least(${LATENCY_NS}, 9223372036854775807), -9223372036854775807)::BIGINT END)`;
