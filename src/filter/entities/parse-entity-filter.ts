import { FILTER_ANNOTATION_COUNT_MAX } from '../../model/limits/reads.ts';
import { isNameLike } from '../spans/resolve-span-name.ts';
import type { NumberOperator } from '../spans/span-filter.ts';
import { FilterError, quoteSource, sourceOf } from '../syntax/filter-error.ts';
import { parseExpression } from '../syntax/parse-expression.ts';
import type { CallExpression, ComprehensionExpression, Expression } from '../syntax/syntax-tree.ts';
import { SESSION_VOCABULARY, TRACE_VOCABULARY, type Vocabulary } from '../vocabulary.ts';
import { compareEntityOperands } from './compare-entity-values.ts';
import type { EntityCondition, EntityFilter, EntityNumber } from './entity-filter.ts';
import { type EntityOperand, problemWith, typeName } from './entity-operands.ts';
import { EntityScopes } from './entity-scopes.ts';

/**
 * Parses a filter of sessions.
 *
 * @returns undefined for a blank text, which selects all
 * @throws {FilterError} `FILTER_INVALID`, with a message for the author of the filter
 */
export const parseSessionFilter = (text: string): EntityFilter | undefined => parse(text, SESSION_VOCABULARY);

/** Parses a filter of traces like `parseSessionFilter`. */
export const parseTraceFilter = (text: string): EntityFilter | undefined => parse(text, TRACE_VOCABULARY);

function parse(text: string, vocabulary: Vocabulary): EntityFilter | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  // As in `parseSpanFilter`, offsets refer to the original text.
  const source = ' '.repeat(text.length - text.trimStart().length) + trimmed;
  const expression = parseExpression(source);
  const resolver = new Resolver(source, vocabulary);
  const condition = resolver.condition(expression);
  return { language: vocabulary.language, text: trimmed, expression, condition, annotations: resolver.annotations };
}

const COMPREHENSIONS: ReadonlySet<string> = new Set(['any', 'all', 'sum', 'max', 'min', 'len']);
const NUMBER_OPERATORS: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%']);

class Resolver {
  readonly #text: string;
  readonly #vocabulary: Vocabulary;
  readonly #scopes: EntityScopes;
  readonly #annotations = new Set<string>();

  constructor(text: string, vocabulary: Vocabulary) {
    this.#text = text;
    this.#vocabulary = vocabulary;
    this.#scopes = new EntityScopes(text, vocabulary);
  }

  get annotations(): readonly string[] {
    return [...this.#annotations];
  }

  condition(expression: Expression): EntityCondition {
    const operand = this.#operand(expression);
    if (operand.type === 'condition') return operand.condition;
    if (operand.type === 'annotation') return { kind: 'annotation', name: operand.name };
    throw problemWith(
      this.#text,
      expression,
      'is not a condition: a filter condition compares values, quantifies over a collection, or combines those with and/or/not',
    );
  }

  #operand(expression: Expression): EntityOperand {
    if (isNameLike(expression)) return this.#name(expression);
    switch (expression.kind) {
      case 'and':
      case 'or': {
        const operands = expression.operands.map((operand) => this.condition(operand));
        return { type: 'condition', condition: { kind: expression.kind, operands } };
      }
      case 'not':
        return { type: 'condition', condition: { kind: 'not', operand: this.condition(expression.operand) } };
      case 'comparison':
        return { type: 'condition', condition: this.#comparison(expression) };
      case 'text':
        return { type: 'text', kind: 'literal', value: expression.value };
      case 'number':
        return { type: 'number', kind: 'literal', value: expression.value };
      case 'boolean':
        return { type: 'boolean', kind: 'literal', value: expression.value };
      case 'none':
        return { type: 'none' };
      case 'list':
      case 'tuple':
        return { type: 'collection', elements: expression.elements };
      case 'unary':
        return this.#signed(expression);
      case 'arithmetic':
        return this.#arithmetic(expression);
      case 'call':
        return this.#call(expression);
      default:
        throw this.#invalid(expression);
    }
  }

  #name(expression: Expression & { kind: 'name' | 'member' | 'subscript' }): EntityOperand {
    const operand = this.#scopes.resolve(expression);
    const name = 'name' in operand ? operand.name : undefined;
    if (name !== undefined) this.#annotations.add(name);
    if (this.#annotations.size <= FILTER_ANNOTATION_COUNT_MAX) return operand;
    throw new FilterError(
      `filter condition names more than ${FILTER_ANNOTATION_COUNT_MAX} different annotations`,
      expression,
    );
  }

  #comparison({ first, links, start: from }: Expression & { kind: 'comparison' }): EntityCondition {
    const conditions: EntityCondition[] = [];
    let leftExpression = first;
    let left = this.#operand(first);
    let start = from;
    for (const link of links) {
      const right = this.#operand(link.operand);
      conditions.push(
        compareEntityOperands({
          text: this.#text,
          range: { start, end: link.end },
          operator: link.operator,
          left,
          right,
          leftExpression,
          rightExpression: link.operand,
        }),
      );
      leftExpression = link.operand;
      left = right;
      start = link.start;
    }
    const [only, ...others] = conditions;
    return only && others.length === 0 ? only : { kind: 'and', operands: conditions };
  }

  #signed(expression: Expression & { kind: 'unary' }): EntityNumber {
    const { operator } = expression;
    if (operator === '~') throw this.#unsupported(expression);
    const operand = this.#number(expression.operand);
    if (operator === '+') return operand;
    return operand.kind === 'literal'
      ? { type: 'number', kind: 'literal', value: -operand.value }
      : { type: 'number', kind: 'negation', operand };
  }

  #arithmetic(expression: Expression & { kind: 'arithmetic' }): EntityNumber {
    const { operator } = expression;
    if (!NUMBER_OPERATORS.has(operator)) throw this.#unsupported(expression);
    const left = this.#number(expression.left);
    const right = this.#number(expression.right);
    return { type: 'number', kind: 'arithmetic', operator: operator as NumberOperator, left, right };
  }

  /** Resolves an operand of arithmetic. */
  #number(expression: Expression): EntityNumber {
    const operand = this.#operand(expression);
    if (operand.type === 'number') return operand;
    const source = sourceOf(this.#text, expression);
    const hint = operand.type === 'any' ? `, write \`float(${source})\`` : '';
    throw problemWith(this.#text, expression, `is ${typeName(operand)}, but arithmetic needs numbers${hint}`);
  }

  #call(call: CallExpression): EntityOperand {
    const name = call.callee.kind === 'name' ? call.callee.name : '';
    if (name === 'str' || name === 'float') return this.#cast(call, name);
    if (name === 'int') throw problemWith(this.#text, call, 'uses `int`, use `float` instead');
    if (!COMPREHENSIONS.has(name)) throw this.#invalid(call);
    const [argument] = call.arguments;
    const kind = name === 'len' ? 'listComprehension' : 'generator';
    if (call.arguments.length !== 1 || argument?.kind !== kind) {
      const form = name === 'len' ? 'len([v for v in spans if ...])' : `${name}(... for v in spans)`;
      throw problemWith(this.#text, call, `is not of the form \`${form}\``);
    }
    return this.#comprehension(name as Comprehension, argument as ComprehensionExpression, call);
  }

  #cast(call: CallExpression, name: 'str' | 'float'): EntityOperand {
    const [argument] = call.arguments;
    if (!argument || call.arguments.length > 1) throw this.#invalid(call);
    const operand = this.#operand(argument);
    if (operand.type !== 'any') {
      throw problemWith(
        this.#text,
        call,
        `converts ${typeName(operand)}, but \`${name}\` is only for attribute values`,
      );
    }
    return { type: name === 'str' ? 'text' : 'number', kind: 'attribute', key: operand.key };
  }

  #comprehension(name: Comprehension, comprehension: ComprehensionExpression, call: CallExpression): EntityOperand {
    const { element, variable, condition, collection } = comprehension;
    return this.#scopes.within(variable, collection, (over) => {
      const where = condition && { where: this.condition(condition) };
      if (name === 'any' || name === 'all') {
        const inner = this.condition(element);
        return {
          type: 'condition',
          condition: { kind: 'quantifier', quantifier: name, over, ...where, condition: inner },
        };
      }
      if (name === 'len') {
        if (element.kind === 'name' && element.name === variable)
          return { type: 'number', kind: 'count', over, ...where };
        throw problemWith(this.#text, call, `counts elements, write \`len([${variable} for ${variable} in ...])\``);
      }
      const value = this.#operand(element);
      if (value.type === 'number') return { type: 'number', kind: 'reduction', reducer: name, over, ...where, value };
      if (value.type === 'timestamp' && name !== 'sum' && this.#vocabulary.reducesTimestamps) {
        return { type: 'timestamp', kind: 'reduction', reducer: name, over, ...where, value };
      }
      throw new FilterError(
        `\`${name}\` does not reduce ${typeName(value)}: ${quoteSource(this.#text, element)}`,
        element,
      );
    });
  }

  #invalid(expression: Expression): FilterError {
    return new FilterError(`invalid expression: ${sourceOf(this.#text, expression)}`, expression);
  }

  #unsupported(expression: Expression): FilterError {
    return new FilterError(`unsupported operator: ${sourceOf(this.#text, expression)}`, expression);
  }
}

type Comprehension = 'any' | 'all' | 'sum' | 'max' | 'min' | 'len';
