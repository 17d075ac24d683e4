import { FILTER_ANNOTATION_COUNT_MAX } from '../../model/limits/reads.ts';
import { FilterError, quoteSource, sourceOf } from '../syntax/filter-error.ts';
import { parseExpression } from '../syntax/parse-expression.ts';
import type { Expression } from '../syntax/syntax-tree.ts';
import { compareOperands } from './compare-span-values.ts';
import { isNameLike, notOneMember, PARENT_SPAN_USE, resolveSpanName } from './resolve-span-name.ts';
import type { AnnotationReference, RawAttribute, SpanCondition, SpanFilter, Value } from './span-filter.ts';
import { type SpanOperand, toSpanValue } from './span-operands.ts';

/**
 * Parses a span filter and checks the static rules of the language.
 *
 * @returns undefined for a blank text, which selects all
 * @throws {FilterError} `FILTER_INVALID`, with a message for the author of the filter
 */
export function parseSpanFilter(text: string): SpanFilter | undefined {
  const trimmed = text.trim();
  if (trimmed === '') return undefined;
  // The lexer need not know every blank that `trim` removes, and offsets still refer to the original text.
  const source = ' '.repeat(text.length - text.trimStart().length) + trimmed;
  const expression = parseExpression(source);
  const resolver = new Resolver(source);
  const condition = resolver.filter(expression);
  return { text: trimmed, expression, condition, annotations: resolver.annotations };
}

/**
 * Parses a name with its members and subscripts, as projections use it. An annotation without a member is not one.
 *
 * @throws {FilterError}
 */
export function parseSpanKey(text: string): Value | RawAttribute {
  const expression = parseExpression(text);
  if (!isNameLike(expression)) throw new FilterError(`invalid expression: ${sourceOf(text, expression)}`, expression);
  const name = resolveSpanName(text, expression);
  if (name.type === 'annotation') throw notOneMember(text, expression);
  if (name.type === 'parentSpan') throw new FilterError(PARENT_SPAN_USE, expression);
  if (name.kind === 'condition') throw new FilterError(`${quoteSource(text, expression)} is a condition`, expression);
  return name;
}

class Resolver {
  readonly #text: string;
  readonly #annotations = new Map<string, AnnotationReference>();

  constructor(text: string) {
    this.#text = text;
  }

  get annotations(): readonly AnnotationReference[] {
    return [...this.#annotations.values()];
  }

  filter(expression: Expression): SpanCondition {
    if (expression.kind !== 'boolean' && expression.kind !== 'none') return this.#condition(expression);
    const source = quoteSource(this.#text, expression);
    throw new FilterError(
      `${source} is not a condition on its own, it can only be used as an operand of \`and\` / \`or\` / \`not\``,
      expression,
    );
  }

  #condition(expression: Expression): SpanCondition {
    switch (expression.kind) {
      case 'and':
      case 'or':
        return { kind: expression.kind, operands: expression.operands.map((operand) => this.#condition(operand)) };
      case 'not':
        return { kind: 'not', operand: this.#condition(expression.operand) };
      case 'boolean':
        return { kind: 'constant', value: expression.value };
      case 'none':
        return { kind: 'constant', value: null };
      case 'comparison':
        return this.#comparison(expression);
      default:
        return this.#bareCondition(expression);
    }
  }

  /** An annotation alone is a condition about its existence. Besides it, only the name of a condition can stand alone. */
  #bareCondition(expression: Expression): SpanCondition {
    const operand = this.#operand(expression);
    if (operand.type === 'annotation') return { kind: 'annotation', annotation: operand.annotation };
    if (operand.type === 'boolean' && operand.kind === 'condition') return operand.condition;
    const source = quoteSource(this.#text, expression);
    const problem =
      operand.type === 'parentSpan'
        ? `${source} is not a condition on its own: ${PARENT_SPAN_USE}`
        : `${source} is not a condition, expected a comparison such as \`${sourceOf(this.#text, expression)} == ...\``;
    throw new FilterError(problem, expression);
  }

  #comparison({ first, links, start: from }: Expression & { kind: 'comparison' }): SpanCondition {
    const conditions: SpanCondition[] = [];
    let leftExpression = first;
    let left = this.#operand(first);
    let start = from;
    for (const link of links) {
      const { operator, operand } = link;
      const right = this.#operand(operand);
      const range = { start, end: link.end };
      conditions.push(
        compareOperands({ text: this.#text, range, operator, left, right, leftExpression, rightExpression: operand }),
      );
      leftExpression = operand;
      left = right;
      start = link.start;
    }
    const [only, ...others] = conditions;
    return only && others.length === 0 ? only : { kind: 'and', operands: conditions };
  }

  #operand(expression: Expression): SpanOperand {
    if (isNameLike(expression)) {
      const operand = resolveSpanName(this.#text, expression);
      if ('annotation' in operand) this.#note(operand.annotation, expression);
      return operand;
    }
    switch (expression.kind) {
      case 'list':
      case 'tuple':
        return {
          type: 'collection',
          elements: expression.elements.map((element) => ({ expression: element, operand: this.#operand(element) })),
        };
      case 'none':
        return { type: 'none' };
      case 'comparison':
      case 'not':
      case 'and':
      case 'or':
        return { type: 'boolean', kind: 'condition', condition: this.#condition(expression) };
      default:
        return toSpanValue(this.#text, expression, (inner) => this.#operand(inner));
    }
  }

  #note(annotation: AnnotationReference, expression: Expression): void {
    this.#annotations.set(`${annotation.scope} ${annotation.name}`, annotation);
    if (this.#annotations.size <= FILTER_ANNOTATION_COUNT_MAX) return;
    throw new FilterError(
      `filter condition names more than ${FILTER_ANNOTATION_COUNT_MAX} different annotations`,
      expression,
    );
  }
}
