import type { FilterNode } from './parse-filter.ts';
import type { Operation } from './patch-operations.ts';
import { ScimError } from './scim-error.ts';
import { isObject, toAttributes, toFlag, toText } from './scim-values.ts';

/** One value of an attribute with several, such as `emails` and `roles`. */
export interface MultiValue {
  readonly value: string;
  readonly type: string | undefined;
  readonly isPrimary: boolean;
}

/** Values of one attribute. A person has a few. */
const VALUE_COUNT_MAX = 100;

/** A list, one object, or texts. @throws {ScimError} `invalidValue` */
export function readMultiValues(name: string, given: unknown): MultiValue[] {
  if (given === null || given === undefined) return [];
  const list: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (list.length > VALUE_COUNT_MAX) {
    throw new ScimError('invalidValue', `${name} has more than ${VALUE_COUNT_MAX} values`);
  }
  return list.flatMap((one) => {
    const fields = toAttributes(isObject(one) ? one : { value: one });
    const value = toText(`${name}.value`, fields.get('value'));
    if (value === null) return [];
    const primary = fields.get('primary') ?? false;
    return [
      { value, type: toText(`${name}.type`, fields.get('type')) ?? undefined, isPrimary: toFlag('primary', primary) },
    ];
  });
}

/** The primary value, else one of the type, else the last one, which was added last. */
export const preferredValue = (values: readonly MultiValue[], type?: string): string | undefined =>
  (
    values.find(({ isPrimary }) => isPrimary) ??
    values.find((one) => type !== undefined && one.type?.toLowerCase() === type) ??
    values.at(-1)
  )?.value;

/** Applies an operation on such an attribute, on one of its values, or on a part of one. */
export function patchMultiValues(
  name: string,
  values: readonly MultiValue[],
  {
    op,
    target,
    value,
  }: Operation & { readonly target: { readonly filter: FilterNode | undefined; readonly sub: string | undefined } },
): MultiValue[] {
  const { filter, sub } = target;
  const isTarget = (one: MultiValue) => filter === undefined || fits(filter, one);
  if (sub === undefined) {
    const given = readMultiValues(name, value);
    if (op === 'remove') {
      // Microsoft Entra names the values to remove in `value`.
      const isRemoved = (one: MultiValue) =>
        isTarget(one) && (given.length === 0 || given.some((other) => isSameText(other.value, one.value)));
      return values.filter((one) => !isRemoved(one));
    }
    if (op === 'add' && filter === undefined) return merge(values, given);
    return merge(
      values.filter((one) => !isTarget(one)),
      given,
    );
  }
  if (op === 'remove') {
    if (sub === 'value') return values.filter((one) => !isTarget(one));
    return values.map((one) => (isTarget(one) ? withPart(name, one, sub, undefined) : one));
  }
  if (values.some(isTarget)) {
    const changed = values.map((one) => (isTarget(one) ? withPart(name, one, sub, value) : one));
    return changed.filter((one) => one.value !== '');
  }
  // Providers set a value that is missing in this way.
  const created = withPart(name, filter ? fromFilter(filter) : NEW_VALUE, sub, value);
  return created.value === '' ? [...values] : merge(values, [created]);
}

const NEW_VALUE: MultiValue = { value: '', type: undefined, isPrimary: false };

/** Only one value is primary: the latest that is. */
function merge(values: readonly MultiValue[], added: readonly MultiValue[]): MultiValue[] {
  const others = values.filter((one) => !added.some((other) => isSameText(one.value, other.value)));
  const hasPrimary = added.some(({ isPrimary }) => isPrimary);
  const merged = [...others.map((one) => (hasPrimary ? { ...one, isPrimary: false } : one)), ...added];
  if (merged.length <= VALUE_COUNT_MAX) return merged;
  throw new ScimError('invalidValue', `An attribute has at most ${VALUE_COUNT_MAX} values`);
}

function withPart(name: string, one: MultiValue, part: string, value: unknown): MultiValue {
  switch (part) {
    case 'value':
      return { ...one, value: toText(`${name}.value`, value) ?? '' };
    case 'type':
      return { ...one, type: toText(`${name}.type`, value) ?? undefined };
    case 'primary':
      return { ...one, isPrimary: toFlag('primary', value ?? false) };
    default:
      return one;
  }
}

/** A value that fits a filter such as `type eq "work"`. */
function fromFilter(filter: FilterNode): MultiValue {
  if (filter.kind === 'and') {
    return filter.parts.map(fromFilter).reduce((one, other) => ({
      value: one.value || other.value,
      type: one.type ?? other.type,
      isPrimary: one.isPrimary || other.isPrimary,
    }));
  }
  if (filter.kind !== 'compare' || filter.operator !== 'eq') return NEW_VALUE;
  return withPart('value', NEW_VALUE, filter.path, filter.value);
}

const isSameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** @throws {ScimError} `invalidFilter` for a part that such a value lacks */
function fits(filter: FilterNode, one: MultiValue): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.parts.every((part) => fits(part, one));
    case 'or':
      return filter.parts.some((part) => fits(part, one));
    case 'not':
      return !fits(filter.part, one);
    case 'present':
      return partOf(one, filter.path) !== undefined;
    case 'compare':
      return compare(partOf(one, filter.path), filter.operator, String(filter.value).toLowerCase());
    case 'values':
      throw new ScimError('invalidPath', 'Brackets within brackets are not possible');
  }
}

function partOf(one: MultiValue, part: string): string | undefined {
  switch (part) {
    case 'value':
      return one.value.toLowerCase();
    case 'type':
      return one.type?.toLowerCase();
    case 'primary':
      return String(one.isPrimary);
    case 'display':
      return undefined;
    default:
      throw new ScimError('invalidFilter', `A value has no ${part}`);
  }
}

function compare(left: string | undefined, operator: string, right: string): boolean {
  if (left === undefined) return operator === 'ne';
  switch (operator) {
    case 'eq':
      return left === right;
    case 'ne':
      return left !== right;
    case 'co':
      return left.includes(right);
    case 'sw':
      return left.startsWith(right);
    case 'ew':
      return left.endsWith(right);
    default:
      throw new ScimError('invalidFilter', `Values of an attribute cannot be compared by ${operator}`);
  }
}
