import type { DirectoryFilter, FieldType } from '../../model/access/directory-filter.ts';
import type { FilterNode, FilterValue } from './parse-filter.ts';
import { ScimError } from './scim-error.ts';

/** What a filter may name, by path in lower case. A constant is the same in every resource that has the attribute. */
export type FilterAttributes<Field extends string> = ReadonlyMap<string, FilterAttribute<Field>>;
export type FilterAttribute<Field extends string> =
  | { readonly field: Field; readonly type: FieldType }
  | { readonly constant: string | boolean; readonly presence: Field };

/** @throws {ScimError} `invalidFilter` */
export function resolveFilter<Field extends string>(
  node: FilterNode,
  attributes: FilterAttributes<Field>,
  prefix = '',
): DirectoryFilter<Field> {
  switch (node.kind) {
    case 'and':
    case 'or': {
      const parts = node.parts.map((part) => resolveFilter(part, attributes, prefix));
      return { kind: node.kind === 'and' ? 'all' : 'any', parts };
    }
    case 'not':
      return { kind: 'not', part: resolveFilter(node.part, attributes, prefix) };
    case 'values':
      if (prefix !== '') throw invalid('Brackets within brackets are not possible');
      return resolveFilter(node.filter, attributes, `${node.path}.`);
    case 'present': {
      const attribute = attributeOf(attributes, prefix + node.path);
      return { kind: 'present', field: 'field' in attribute ? attribute.field : attribute.presence };
    }
    case 'compare':
      return compare(prefix + node.path, node, attributeOf(attributes, prefix + node.path));
  }
}

function compare<Field extends string>(
  path: string,
  { operator, value }: FilterNode & { kind: 'compare' },
  attribute: FilterAttribute<Field>,
): DirectoryFilter<Field> {
  const field = 'field' in attribute ? attribute.field : attribute.presence;
  if (value === null) {
    const present: DirectoryFilter<Field> = { kind: 'present', field };
    if (operator === 'eq') return { kind: 'not', part: present };
    if (operator === 'ne') return present;
    throw invalid(`${path} can only equal null or not`);
  }
  if ('constant' in attribute) {
    const isSame = String(attribute.constant).toLowerCase() === String(value).toLowerCase();
    if (operator !== 'eq' && operator !== 'ne') throw invalid(`${path} can only be compared by eq and ne`);
    return isSame === (operator === 'eq') ? { kind: 'present', field } : { kind: 'any', parts: [] };
  }
  const { type } = attribute;
  const isEquality = operator === 'eq' || operator === 'ne';
  if ((type === 'boolean' || type === 'id') && !isEquality) {
    throw invalid(`${path} can only be compared by eq and ne`);
  }
  if (type === 'time' && (operator === 'co' || operator === 'sw' || operator === 'ew')) {
    throw invalid(`${path} is a time and has no parts`);
  }
  return { kind: 'compare', field, operator, value: toValue(path, type, value) };
}

function toValue(path: string, type: FieldType, value: Exclude<FilterValue, null>): string | boolean | Date {
  if (type === 'boolean') {
    const text = String(value).toLowerCase();
    if (text !== 'true' && text !== 'false') throw invalid(`${path} is true or false`);
    return text === 'true';
  }
  if (type === 'time') {
    const time = new Date(typeof value === 'string' ? value : Number.NaN);
    // Postgres knows the years of four digits.
    if (!(time.getTime() >= 0 && time.getUTCFullYear() < 10_000))
      throw invalid(`${path} is a time like "2026-01-31T12:00:00Z"`);
    return time;
  }
  if (typeof value === 'boolean') throw invalid(`${path} is a text`);
  return String(value);
}

function attributeOf<Field extends string>(attributes: FilterAttributes<Field>, path: string): FilterAttribute<Field> {
  const attribute = attributes.get(path);
  if (attribute) return attribute;
  throw invalid(`The attribute ${path} cannot be used in a filter`);
}

const invalid = (message: string) => new ScimError('invalidFilter', message);
