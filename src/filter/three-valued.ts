import type { NumberOperator, OrderOperator } from './spans/span-filter.ts';
import { compareTexts } from './text-order.ts';

/** True, false, or null for a missing value. */
export type Truth = boolean | null;
export type Scalar = string | number | bigint | boolean;

export const not = (truth: Truth): Truth => (truth === null ? null : !truth);

/** False if one is false, otherwise missing if one is missing. */
export function all<Item>(items: readonly Item[], evaluate: (item: Item) => Truth): Truth {
  let result: Truth = true;
  for (const item of items) {
    const truth = evaluate(item);
    if (truth === false) return false;
    if (truth === null) result = null;
  }
  return result;
}

/** True if one is true, otherwise missing if one is missing. */
export const any = <Item>(items: readonly Item[], evaluate: (item: Item) => Truth): Truth =>
  not(all(items, (item) => not(evaluate(item))));

/** Both values must have the same type. */
export function compare(operator: OrderOperator, left: Scalar | null, right: Scalar | null): Truth {
  if (left === null || right === null) return null;
  switch (operator) {
    case '==':
      return left === right;
    case '!=':
      return left !== right;
    case '<':
      return order(left, right) < 0;
    case '<=':
      return order(left, right) <= 0;
    case '>':
      return order(left, right) > 0;
    case '>=':
      return order(left, right) >= 0;
  }
}

function order(left: Scalar, right: Scalar): number {
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Missing if the result is not finite, for example after a division by zero. */
export function calculate(operator: NumberOperator, left: number | null, right: number | null): number | null {
  if (left === null || right === null) return null;
  const result = ARITHMETIC[operator](left, right);
  return Number.isFinite(result) ? result : null;
}

const ARITHMETIC: Readonly<Record<NumberOperator, (left: number, right: number) => number>> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
  '%': (left, right) => left % right,
};
