import { ANNOTATION_TARGETS } from '../../model/annotations/annotation.ts';
import type { ProjectScope } from '../../model/projects/project-member.ts';
import type { AnnotationSort, ListPosition, TimeRange } from '../contract/query-terms.ts';
import type { Cell, Parameters } from '../duckdb/sql.ts';

// SQL that sorted lists share.

/** Sort value of a list. */
export interface SortValue {
  /** SQL expression. Undefined: only the row id. */
  readonly value: string | undefined;
  /** Condition on the rows of the list. */
  readonly condition?: string;
  /** Join that provides the value, with each row exactly once. Receives the conditions of the list. */
  readonly join?: (conditions: string) => string;
  /** Rows without a value come last in either order. */
  readonly isNullable?: boolean;
}

/** Condition on rows after a position in the order of value and row id. */
export function keysetAfter(
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

/** The position of a row in the order of a value, which is absent where it is NULL. */
export const toPosition = (rowId: Cell, value: Cell): ListPosition =>
  typeof value === 'bigint' || typeof value === 'number' || typeof value === 'string'
    ? { rowId: Number(rowId), value }
    : { rowId: Number(rowId) };

/** Sorts rows of a table by their annotations. */
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

/** Conditions on rows that start in the range. */
export function startsIn({ startTimeUnixNano, endTimeUnixNano }: TimeRange, parameters: Parameters): string[] {
  const conditions: string[] = [];
  if (startTimeUnixNano !== undefined) conditions.push(`start_ns >= ${parameters.bigint(startTimeUnixNano)}`);
  if (endTimeUnixNano !== undefined) conditions.push(`start_ns < ${parameters.bigint(endTimeUnixNano)}`);
  return conditions;
}

/** Condition on rows of the projects of a scope. */
export const projectIn = (projects: ProjectScope, parameters: Parameters): string =>
  'only' in projects
    ? parameters.bigintIn('project_id', projects.only)
    : `NOT ${parameters.bigintIn('project_id', projects.except)}`;

/** Conditions on rows that overlap the range. */
export function overlaps({ startTimeUnixNano, endTimeUnixNano }: TimeRange, parameters: Parameters): string[] {
  const conditions: string[] = [];
  if (startTimeUnixNano !== undefined) conditions.push(`end_ns >= ${parameters.bigint(startTimeUnixNano)}`);
  if (endTimeUnixNano !== undefined) conditions.push(`start_ns < ${parameters.bigint(endTimeUnixNano)}`);
  return conditions;
}

/** Latency, which may exceed an int64. */
export const LATENCY_NS = '(end_ns::HUGEINT - start_ns)';

/** Latency as an int64 of at most 292 years. DuckDB computes quantiles of it in a fifth of the time of doubles. */
export const LATENCY_NS_INT64 = `(CASE WHEN start_ns >= 0 AND end_ns >= 0 THEN end_ns - start_ns
  ELSE greatest(least(${LATENCY_NS}, 9223372036854775807), -9223372036854775807)::BIGINT END)`;
