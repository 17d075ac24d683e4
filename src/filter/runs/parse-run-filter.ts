import { isNameLike } from '../spans/resolve-span-name.ts';
import { FilterError } from '../syntax/filter-error.ts';
import { parseExpression } from '../syntax/parse-expression.ts';
import type { ComparisonExpression, ComparisonLink, Expression } from '../syntax/syntax-tree.ts';
import type { RunChoice, RunCondition, RunFilter, RunNumber, RunText, RunValue } from './run-filter.ts';
import { isJson, notArithmetic, resolveRunName } from './run-names.ts';

/**
 * Parses a filter of the runs of a comparison. The index of the base experiment is 0.
 *
 * @returns undefined for a blank text, which selects all
 * @throws {FilterError} `FILTER_INVALID`, with a message for the author of the filter
 */
export function parseRunFilter(text: string, experimentCount: number): RunFilter | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  // As in `parseSpanFilter`, offsets refer to the original text.
  const source = ' '.repeat(text.length - text.trimStart().length) + trimmed;
  const resolver = new Resolver(source, experimentCount);
  const condition = resolver.condition(parse(source), 'Filter condition must be a boolean expression');
  return { text: trimmed, condition, runs: [...resolver.runs] };
}

/** The shared parser writes "filter condition" in lower case. Messages of this language start with a capital letter. */
function parse(source: string): Expression {
  try {
    return parseExpression(source);
  } catch (error) {
    if (!(error instanceof FilterError) || !error.message.startsWith('filter condition')) throw error;
    throw new FilterError(error.message.replace('filter', 'Filter'), error.range);
  }
}

/** A part of a filter: a value, None, or a condition. */
type Operand = RunValue | { readonly type: 'none' } | { readonly type: 'condition'; readonly condition: RunCondition };

class Resolver {
  readonly runs = new Set<RunChoice>();
  readonly #text: string;
  readonly #experimentCount: number;

  constructor(text: string, experimentCount: number) {
    this.#text = text;
    this.#experimentCount = experimentCount;
  }

  condition(expression: Expression, otherwise: string): RunCondition {
    const operand = this.#operand(expression);
    if (operand.type === 'condition') return operand.condition;
    throw new FilterError(otherwise, expression);
  }

  #operand(expression: Expression): Operand {
    if (isNameLike(expression)) return this.#name(resolveRunName(this.#text, expression, this.#experimentCount));
    switch (expression.kind) {
      case 'text':
        return { type: 'text', kind: 'literal', value: expression.value };
      case 'number':
        return { type: 'number', kind: 'literal', value: expression.value };
      case 'boolean':
        return { type: 'boolean', kind: 'literal', value: expression.value };
      case 'none':
        return { type: 'none' };
      case 'and':
      case 'or': {
        const operands = expression.operands.map((operand) =>
          this.condition(operand, 'Operands of `and` / `or` must be boolean expressions'),
        );
        return { type: 'condition', condition: { kind: expression.kind, operands } };
      }
      case 'not': {
        const operand = this.condition(expression.operand, 'Filter condition must be a boolean expression');
        return { type: 'condition', condition: { kind: 'not', operand } };
      }
      case 'comparison':
        return { type: 'condition', condition: this.#comparison(expression) };
      case 'unary':
        return this.#negation(expression);
      case 'arithmetic':
        throw notArithmetic(this.#text, expression);
      default:
        throw invalid(expression);
    }
  }

  #name(value: RunText | RunNumber): RunText | RunNumber {
    if ('run' in value) this.runs.add(value.run);
    return value;
  }

  #negation(expression: Expression & { readonly kind: 'unary' }): RunNumber {
    if (expression.operator !== '-') throw notArithmetic(this.#text, expression);
    const operand = this.#operand(expression.operand);
    if (operand.type !== 'number' && operand.type !== 'json') throw invalid(expression);
    return operand.kind === 'literal'
      ? { type: 'number', kind: 'literal', value: -operand.value }
      : { type: 'number', kind: 'negation', operand };
  }

  #comparison({ first, links, ...range }: ComparisonExpression): RunCondition {
    const [link, further] = links;
    if (!link || further) throw new FilterError('Only binary comparisons are supported', range);
    const { operator } = link;
    if (operator === 'in' || operator === 'not in') return this.#containment(first, link);
    const left = this.#operand(first);
    const right = this.#operand(link.operand);
    if (left.type === 'condition') throw invalid(first);
    if (right.type === 'condition') throw invalid(link);
    const isIdentity = operator === 'is' || operator === 'is not';
    if (isIdentity && right.type !== 'none' && right.type !== 'boolean') {
      throw new FilterError('`is` is only supported with None, True, or False', link);
    }
    if (isIdentity || operator === '==' || operator === '!=') {
      const isEqual = operator === 'is' || operator === '==';
      const value = left.type === 'none' ? right : left;
      if (value.type === 'none') throw invalid(first);
      if (left.type === 'none' || right.type === 'none') return { kind: 'presence', isPresent: !isEqual, value };
      return { kind: 'equality', operator: isEqual ? '==' : '!=', left, right };
    }
    if (left.type === 'boolean' || right.type === 'boolean') {
      throw new FilterError('cannot order a boolean, use `==`, `!=`, or `is` instead of `<` / `>`', range);
    }
    if (left.type === 'none' || right.type === 'none') throw invalid(left.type === 'none' ? first : link);
    return { kind: 'order', operator, left, right };
  }

  #containment(first: Expression, link: ComparisonLink): RunCondition {
    if (link.operand.kind === 'list' || link.operand.kind === 'tuple') {
      throw new FilterError(
        'Membership against a list is not supported here; compare against a single value, or combine comparisons with `or`',
        link,
      );
    }
    const part = this.#textual(first);
    return { kind: 'containment', isNegated: link.operator === 'not in', part, whole: this.#textual(link.operand) };
  }

  #textual(expression: Expression): RunText {
    const operand = this.#operand(expression);
    if (operand.type === 'text' || (operand.type !== 'none' && isJson(operand))) return operand;
    throw invalid(expression);
  }
}

const invalid = (expression: { readonly start: number; readonly end: number }): FilterError =>
  new FilterError('Invalid filter condition', expression);
