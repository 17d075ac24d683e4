import type { NameLike } from '../spans/resolve-span-name.ts';
import { FilterError, quoteSource, sourceOf } from '../syntax/filter-error.ts';
import type { Expression, MemberExpression, SubscriptExpression } from '../syntax/syntax-tree.ts';
import type { JsonPath, RunChoice, RunJson, RunNumber, RunText } from './run-filter.ts';

type Step = MemberExpression | SubscriptExpression;

/**
 * Resolves names of the filter of runs, for a comparison of `experimentCount` experiments.
 *
 * @throws {FilterError} for a name that the language does not have, and for a value without a key, an index or an
 * attribute
 */
export function resolveRunName(text: string, expression: NameLike, experimentCount: number): RunText | RunNumber {
  const steps: Step[] = [];
  let root: Expression = expression;
  while (root.kind === 'member' || root.kind === 'subscript') {
    steps.unshift(root);
    root = root.object;
  }
  if (root.kind !== 'name') throw new FilterError('Invalid filter condition', expression);
  if (root.name !== 'experiments') return toValue(text, root.name, steps, 'any', expression, 'Unknown name');
  const [subscript, member, ...rest] = steps;
  if (subscript?.kind !== 'subscript') throw new FilterError('Select an experiment with [<index>]', expression);
  const run = toRunIndex(subscript, experimentCount);
  if (!member) throw new FilterError('Add an attribute', expression);
  if (member.kind !== 'member') throw new FilterError('Invalid subscript', member);
  return toValue(text, member.name, rest, run, expression, 'Unknown attribute');
}

function toRunIndex({ index }: SubscriptExpression, experimentCount: number): number {
  if (index.kind !== 'number' || !index.isInteger) {
    throw new FilterError('Index to experiments must be an integer', index);
  }
  if (index.value < experimentCount) return index.value;
  throw new FilterError(`Index to experiments must be below ${experimentCount}`, index);
}

function toValue(
  text: string,
  name: string,
  steps: readonly Step[],
  run: RunChoice,
  expression: NameLike,
  unknown: string,
): RunText | RunNumber {
  switch (name) {
    case 'input':
    case 'reference_output':
    case 'metadata':
      if (steps[0]?.kind === 'subscript') {
        return { type: 'json', kind: 'example', field: name, path: toPath(text, steps) };
      }
      throw new FilterError(`Select a key from \`${name}\` with [<key>]`, expression);
    case 'output':
      return { type: 'json', kind: 'output', run, path: toPath(text, steps) };
    case 'error':
      rejectSteps(steps);
      return { type: 'text', kind: 'error', run };
    case 'latency_ms':
      rejectSteps(steps);
      return { type: 'number', kind: 'latency', run };
    case 'evals':
      return toEvaluation(steps, run, expression);
    default:
      throw new FilterError(unknown, expression);
  }
}

function toEvaluation(steps: readonly Step[], run: RunChoice, expression: NameLike): RunText | RunNumber {
  const [subscript, member, ...beyond] = steps;
  if (subscript?.kind !== 'subscript') throw new FilterError('Select an eval with [<eval-name>]', expression);
  if (subscript.index.kind !== 'text') throw new FilterError('Eval must be indexed by string', subscript.index);
  const name = subscript.index.value;
  if (member?.kind !== 'member') {
    throw new FilterError('Choose an attribute for your eval (label, score, etc.)', expression);
  }
  rejectSteps(beyond);
  switch (member.name) {
    case 'score':
      return { type: 'number', kind: 'evaluation', run, name, member: 'score' };
    case 'label':
    case 'explanation':
      return { type: 'text', kind: 'evaluation', run, name, member: member.name };
    default:
      throw new FilterError('Unknown eval attribute', member);
  }
}

/** A text or a number has no members. */
function rejectSteps([step]: readonly Step[]): void {
  if (step) throw new FilterError(step.kind === 'member' ? 'Unknown attribute' : 'Invalid subscript', step);
}

const toPath = (text: string, steps: readonly Step[]): JsonPath =>
  steps.map((step) => {
    if (step.kind === 'member') throw new FilterError('Unknown attribute', step);
    const { index } = step;
    if (index.kind === 'text') return index.value;
    const isNegative = index.kind === 'unary' && index.operator === '-';
    const number = isNegative ? index.operand : index;
    if (number.kind === 'number' && number.isInteger && number.value <= INDEX_MAX) {
      return isNegative ? -number.value : number.value;
    }
    if (number.kind === 'number' || index.kind === 'boolean' || index.kind === 'none') {
      throw new FilterError('Index must be an integer or string', index);
    }
    throw new FilterError(`Subscript key must be a literal: ${sourceOf(text, index)}`, index);
  });

/** Databases store indices as int32. */
const INDEX_MAX = 2 ** 31 - 1;

export const isJson = (value: { readonly type: string }): value is RunJson => value.type === 'json';

export const notArithmetic = (text: string, expression: Expression): FilterError =>
  new FilterError(`Arithmetic is not supported here: ${quoteSource(text, expression)}`, expression);
