import { isDeepStrictEqual } from 'node:util';

/** A step of a path. */
export interface Segment {
  readonly isDescendant: boolean;
  readonly selectors: readonly Selector[];
}

export type Selector =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'wildcard' }
  | { readonly type: 'index'; readonly index: number }
  | {
      readonly type: 'slice';
      readonly start: number | undefined;
      readonly end: number | undefined;
      readonly step: number | undefined;
    }
  | { readonly type: 'filter'; readonly filter: Filter };

/** A path inside of a filter, from the root or the tested value. */
export interface FilterPath {
  readonly isRoot: boolean;
  readonly segments: readonly Segment[];
}

export type Filter =
  | { readonly type: 'or'; readonly filters: readonly Filter[] }
  | { readonly type: 'and'; readonly filters: readonly Filter[] }
  | { readonly type: 'not'; readonly filter: Filter }
  | { readonly type: 'exists'; readonly path: FilterPath }
  | { readonly type: 'compare'; readonly operator: Operator; readonly left: Operand; readonly right: Operand }
  | { readonly type: 'call'; readonly call: FunctionCall };

export type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

export type Operand =
  | { readonly type: 'literal'; readonly value: unknown }
  | { readonly type: 'path'; readonly path: FilterPath }
  | { readonly type: 'call'; readonly call: FunctionCall };

export interface FunctionCall {
  readonly name: 'length' | 'count' | 'value' | 'match' | 'search';
  readonly operands: readonly Operand[];
}

type Select = (path: FilterPath) => unknown[];
/** No value, which differs from null. */
const NOTHING = Symbol('nothing');

/** @param select Values of a path for the tested value */
export function isFilterTrue(filter: Filter, select: Select): boolean {
  if (filter.type === 'or') return filter.filters.some((each) => isFilterTrue(each, select));
  if (filter.type === 'and') return filter.filters.every((each) => isFilterTrue(each, select));
  if (filter.type === 'not') return !isFilterTrue(filter.filter, select);
  if (filter.type === 'exists') return select(filter.path).length > 0;
  if (filter.type === 'call') return callFunction(filter.call, select) === true;
  return compare(filter.operator, readOperand(filter.left, select), readOperand(filter.right, select));
}

function readOperand(operand: Operand, select: Select): unknown {
  if (operand.type === 'literal') return operand.value;
  if (operand.type === 'call') return callFunction(operand.call, select);
  const found = select(operand.path);
  return found.length === 1 ? found[0] : NOTHING;
}

function callFunction({ name, operands }: FunctionCall, select: Select): unknown {
  const [first, second] = operands;
  if (name === 'count') return first?.type === 'path' ? select(first.path).length : NOTHING;
  const value = first ? readOperand(first, select) : NOTHING;
  if (name === 'value') return value;
  if (name === 'length') return lengthOf(value);
  const pattern = second ? readOperand(second, select) : NOTHING;
  if (typeof value !== 'string' || typeof pattern !== 'string') return false;
  return toRegExp(pattern, name === 'match')?.test(value) ?? false;
}

function lengthOf(value: unknown): unknown {
  if (typeof value === 'string') return [...value].length;
  if (Array.isArray(value)) return value.length;
  return typeof value === 'object' && value !== null ? Object.keys(value).length : NOTHING;
}

/** A pattern of RFC 9485; undefined when it is invalid, which matches nothing. Its dot excludes line ends. */
function toRegExp(pattern: string, isWhole: boolean): RegExp | undefined {
  try {
    return new RegExp(isWhole ? `^(?:${pattern})$` : pattern, 'u');
  } catch {
    return undefined;
  }
}

function compare(operator: Operator, left: unknown, right: unknown): boolean {
  if (operator === '==') return isEqual(left, right);
  if (operator === '!=') return !isEqual(left, right);
  if (operator === '<=' || operator === '>=') {
    return isEqual(left, right) || (operator === '<=' ? isLess(left, right) : isLess(right, left));
  }
  return operator === '<' ? isLess(left, right) : isLess(right, left);
}

const isEqual = (left: unknown, right: unknown): boolean =>
  typeof left === 'number' && typeof right === 'number' ? left === right : isDeepStrictEqual(left, right);

/** Numbers by size, texts by Unicode code points; others have no order. */
function isLess(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left < right;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  return Buffer.compare(Buffer.from(left), Buffer.from(right)) < 0;
}
