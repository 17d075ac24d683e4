import { type RawBuilder, sql } from 'kysely';
import type { CompareOperator, DirectoryFilter, FieldType } from '../../model/access/directory-filter.ts';
import { toPostgresText } from '../database/postgres-text.ts';

/** A field as SQL. The type decides how it is compared. */
export interface FieldSql {
  readonly type: FieldType;
  readonly value: RawBuilder<unknown>;
  /** Condition that a field with several values contains one, in place of `value`. */
  readonly contains?: (rowId: number) => RawBuilder<boolean>;
}

/** Texts of a filter are parameters of the statement. Conditions are true or false and never null, so that `not` holds. */
export function toCondition<Field extends string>(
  filter: DirectoryFilter<Field>,
  fields: Readonly<Record<Field, FieldSql>>,
): RawBuilder<boolean> {
  switch (filter.kind) {
    case 'all':
    case 'any': {
      if (filter.parts.length === 0) return filter.kind === 'all' ? sql`true` : sql`false`;
      const parts = filter.parts.map((part) => sql`(${toCondition(part, fields)})`);
      return sql`${sql.join(parts, filter.kind === 'all' ? sql` and ` : sql` or `)}`;
    }
    case 'not':
      return sql`not (${toCondition(filter.part, fields)})`;
    case 'present':
      return sql`${fields[filter.field].value} is not null`;
    case 'compare':
      return compare(fields[filter.field], filter.operator, filter.value);
  }
}

function compare(field: FieldSql, operator: CompareOperator, value: string | boolean | Date): RawBuilder<boolean> {
  if (field.type === 'id') return compareId(field, operator, String(value));
  if (field.type === 'boolean') {
    return operator === 'ne' ? sql`${field.value} is distinct from ${value}` : sql`${field.value} = ${value}`;
  }
  if (field.type === 'time') {
    return orderedBy(operator, sql`date_trunc('milliseconds', ${field.value})`, sql`${value}::timestamptz`);
  }
  const fold = (text: RawBuilder<unknown>) => (field.type === 'text' ? sql`lower(${text})` : text);
  const [left, right] = [fold(field.value), fold(sql`${toPostgresText(String(value))}::text`)];
  switch (operator) {
    case 'co':
      return sql`coalesce(position(${right} in ${left}) > 0, false)`;
    case 'sw':
      return sql`coalesce(starts_with(${left}, ${right}), false)`;
    case 'ew':
      return sql`coalesce(right(${left}, length(${right})) = ${right}, false)`;
    case 'eq':
    case 'ne':
      return orderedBy(operator, left, right);
    default:
      return orderedBy(operator, sql`${left} collate "C"`, sql`${right} collate "C"`);
  }
}

/** A text that is no row id equals none. */
function compareId({ value, contains }: FieldSql, operator: CompareOperator, text: string): RawBuilder<boolean> {
  const rowId = /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
  const isEqual =
    rowId === undefined ? sql<boolean>`false` : (contains?.(rowId) ?? sql<boolean>`${value} = ${rowId}::bigint`);
  return operator === 'ne' ? sql`not (${isEqual})` : isEqual;
}

const SYMBOLS = { eq: sql`=`, gt: sql`>`, ge: sql`>=`, lt: sql`<`, le: sql`<=` } as const;

function orderedBy(
  operator: CompareOperator,
  left: RawBuilder<unknown>,
  right: RawBuilder<unknown>,
): RawBuilder<boolean> {
  if (operator === 'ne') return sql`${left} is distinct from ${right}`;
  if (operator === 'co' || operator === 'sw' || operator === 'ew') return sql`false`;
  return sql`coalesce(${left} ${SYMBOLS[operator]} ${right}, false)`;
}

/** Order of a page, which the row id completes. Texts are ordered without case. */
export function toOrder<Field extends string>(
  sort: { readonly field: Field; readonly isDescending: boolean } | undefined,
  fields: Readonly<Record<Field, FieldSql>>,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (sort === undefined) return sql`order by ${id}`;
  const { type, value } = fields[sort.field];
  const key = type === 'text' ? sql`lower(${value}) collate "C"` : value;
  return sort.isDescending ? sql`order by ${key} desc nulls last, ${id}` : sql`order by ${key} nulls last, ${id}`;
}
