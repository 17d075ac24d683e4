import { LEAF_BYTES_MAX } from '../../model/limits/spans.ts';
import type { SpanCondition, SpanFilter, Value } from '../../filter/spans/span-filter.ts';
import type { RowNeeds } from '../cache/block-filter.ts';
import { Parameters } from '../duckdb/sql.ts';
import { errorInTraceSql } from './error-in-trace.ts';
import { type FilterPlan, SCOPE } from './filter-plan.ts';
import { annotationColumns, FilterRelations } from './filter-relations.ts';
import { FilterValues } from './filter-values.ts';
import { needsOfFilter } from './row-needs.ts';

/** Requirements of a span filter. */
export interface SpanFilterNeeds {
  /** A matching row has at least one value of each list; for block filters. */
  readonly values: RowNeeds['values'];
  /** Whether the condition joins long texts. They are much larger than other values, so a statement must read few rows. */
  readonly longTexts: boolean;
}

export type SpanFilterPlan = FilterPlan<SpanFilterNeeds>;

/**
 * Compiles a span filter to a condition on rows of `spans`, which is true for exactly the rows of the scope that `matchesSpan`
 * accepts.
 *
 * A missing value is NULL, and the filter uses SQL's three-valued logic. Values outside of `spans` (annotations, cumulative
 * tokens, trace IDs, long texts) are joined in a subquery, so that the condition can be part of any statement and no span is
 * returned twice.
 */
export function compileSpanFilter(filter: SpanFilter): SpanFilterPlan {
  const parameters = new Parameters();
  const relations = new FilterRelations(parameters);
  const condition = new Translator(new FilterValues(relations, parameters)).condition(filter.condition, 'true');
  return {
    sql: relations.around(condition),
    parameters,
    isExact: true,
    needs: { values: needsOfFilter(filter).values, longTexts: relations.hasLongTexts },
  };
}

/**
 * The outcome of a condition that matters to its context: with `true`, false and missing are equivalent, and so on. A condition
 * computes no more, which often avoids reading the long attributes.
 */
type Outcome = 'true' | 'false' | 'any';

const FLIPPED = { true: 'false', false: 'true', any: 'any' } as const satisfies Record<Outcome, Outcome>;

class Translator {
  readonly #values: FilterValues;

  constructor(values: FilterValues) {
    this.#values = values;
    values.translate = (condition) => this.condition(condition, 'any');
  }

  condition(condition: SpanCondition, outcome: Outcome): string {
    switch (condition.kind) {
      case 'and':
      case 'or': {
        const operands = condition.operands.map((operand) => this.condition(operand, outcome));
        return `(${operands.join(condition.kind === 'and' ? ' AND ' : ' OR ')})`;
      }
      case 'not':
        return `(NOT ${this.condition(condition.operand, FLIPPED[outcome])})`;
      case 'constant':
        return condition.value === null ? 'NULL::BOOLEAN' : String(condition.value);
      case 'comparison':
        return this.#comparison(condition, outcome);
      case 'membership':
        return this.#membership(condition, outcome);
      case 'containment': {
        const part = this.#values.text(condition.part);
        const found = `contains(lower(${this.#values.text(condition.text)}), lower(${part}))`;
        return condition.isNegated ? `(NOT ${found})` : found;
      }
      case 'presence':
        return `(${this.#values.isPresent(condition.value)} = ${condition.isPresent})`;
      case 'annotation':
        return `(${annotationColumns(this.#values.relations.annotation(condition.annotation)).row} IS NOT NULL)`;
      case 'parentSpan':
        return `(${hasParentSpan} = ${condition.isPresent})`;
      case 'errorInTrace':
        return errorInTraceSql(SCOPE.projectId);
    }
  }

  #comparison(condition: SpanCondition & { kind: 'comparison' }, outcome: Outcome): string {
    const { operator, left, right } = condition;
    if (operator === '==' || operator === '!=') {
      const asksEqual = outcome === (operator === '==' ? 'true' : 'false');
      const sides = isLiteral(left) ? ([right, left] as const) : ([left, right] as const);
      const equal = this.#equals(sides[0], [sides[1]], asksEqual);
      return operator === '==' ? equal : `(NOT ${equal})`;
    }
    return `(${this.#values.scalar(left)} ${operator} ${this.#values.scalar(right)})`;
  }

  #membership({ isNegated, value, elements }: SpanCondition & { kind: 'membership' }, outcome: Outcome): string {
    const asksEqual = outcome === (isNegated ? 'false' : 'true');
    const isMember = this.#equals(value, elements, asksEqual);
    return isNegated ? `(NOT ${isMember})` : isMember;
  }

  /** Whether a value equals one of others. With `asksEqual`, only that matters, and not whether it is missing. */
  #equals(value: Value, others: readonly Value[], asksEqual: boolean): string {
    const values = this.#values;
    if (others.length === 0) return `(CASE WHEN ${values.scalar(value)} IS NOT NULL THEN false END)`;
    const literals = others.flatMap((other) => (other.type === 'text' && other.kind === 'literal' ? other.value : []));
    if (value.type === 'text' && literals.length === others.length) {
      const known = values.textEqualsLiterals(value, literals, asksEqual && literals.every(isSmallLeaf));
      if (known !== undefined) return known;
    }
    const scalar = values.scalar(value);
    const [only] = others;
    if (only && others.length === 1) return `(${scalar} = ${values.scalar(only)})`;
    return `(${scalar} IN (${others.map((other) => values.scalar(other)).join(', ')}))`;
  }
}

/** Texts of at most this size are always among the small leaves. */
const isSmallLeaf = (text: string): boolean => Buffer.byteLength(JSON.stringify(text)) <= LEAF_BYTES_MAX;

const isLiteral = (value: Value): boolean => value.kind === 'literal';

/** In any trace, because a parent is identified only by its span ID. */
const hasParentSpan = '(parent_span_id IS NOT NULL AND parent_span_id IN (SELECT span_id FROM store.spans))';
