import { SPAN_KINDS, STATUS_CODES } from '../../semconv/span-kinds.ts';
import { isHexTraceId, spanIdNumber, traceIdHalves } from '../../model/traces/trace-ids.ts';
import type {
  BooleanValue,
  NumberField,
  NumberValue,
  RawAttribute,
  SpanCondition,
  TextField,
  TextValue,
  Value,
} from '../../filter/spans/span-filter.ts';
import type { Parameters } from '../duckdb/sql.ts';
import { FilterAttributes } from './filter-attributes.ts';
import { annotationColumns, type FilterRelations, hexText } from './filter-relations.ts';

/** Values of a span filter as SQL on a row of `spans` and the joined tables. NULL if a value is missing. */
export class FilterValues {
  readonly relations: FilterRelations;
  readonly #parameters: Parameters;
  readonly #attributes: FilterAttributes;
  /** Translates a condition that is used as a value. The translator of conditions sets it. */
  translate: (condition: SpanCondition) => string = () => 'NULL';

  constructor(relations: FilterRelations, parameters: Parameters) {
    this.relations = relations;
    this.#parameters = parameters;
    this.#attributes = new FilterAttributes(relations, parameters);
  }

  scalar(value: Value): string {
    switch (value.type) {
      case 'text':
        return this.text(value);
      case 'number':
        return this.number(value);
      case 'datetime':
        if (value.kind === 'literal') return this.#parameters.bigint(value.unixNano);
        return value.field === 'start_time' ? 'start_ns' : 'end_ns';
      case 'boolean':
        return this.#boolean(value);
    }
  }

  text(value: TextValue): string {
    switch (value.kind) {
      case 'literal':
        return this.#parameters.text(value.value);
      case 'field':
        return value.field === 'trace_id' ? this.relations.traceId() : TEXT_FIELDS[value.field];
      case 'attribute':
        return this.#attributes.text(value.path);
      case 'annotation':
        return annotationColumns(this.relations.annotation(value.annotation))[value.member];
      case 'concatenation':
        return `(${this.text(value.left)} || ${this.text(value.right)})`;
    }
  }

  number(value: NumberValue): string {
    switch (value.kind) {
      case 'literal':
        return this.#parameters.double(value.value);
      case 'field':
        return this.#numberField(value.field);
      case 'attribute':
        return numberOf(this.#attributes.shortText(value.path));
      case 'annotation':
        return annotationColumns(this.relations.annotation(value.annotation)).score;
      case 'negation':
        return `(- ${this.number(value.operand)})`;
      case 'arithmetic':
        return finite(`(${this.number(value.left)} ${value.operator} ${this.number(value.right)})`);
    }
  }

  #numberField(field: NumberField): string {
    const { relations } = this;
    switch (field) {
      case 'latency_ms':
        return '((end_ns::HUGEINT - start_ns)::DOUBLE / 1e6::DOUBLE)';
      case 'cumulative_llm_token_count_prompt':
        return `${relations.cumulativeTokens('prompt')}::DOUBLE`;
      case 'cumulative_llm_token_count_completion':
        return `${relations.cumulativeTokens('completion')}::DOUBLE`;
      case 'cumulative_llm_token_count_total':
        return `(${relations.cumulativeTokens('prompt')} + ${relations.cumulativeTokens('completion')})::DOUBLE`;
    }
  }

  #boolean(value: BooleanValue): string {
    switch (value.kind) {
      case 'literal':
        return String(value.value);
      case 'condition':
        return this.translate(value.condition);
      case 'attribute': {
        const text = `lower(${this.#attributes.shortText(value.path)})`;
        return `(CASE WHEN ${text} IN ('true', '1') THEN true WHEN ${text} IN ('false', '0') THEN false END)`;
      }
    }
  }

  /** Never NULL. */
  isPresent(value: Value | RawAttribute): string {
    if (value.kind === 'attribute' && (value.type === 'any' || value.type === 'text')) {
      return this.#attributes.isPresent(value.path);
    }
    return `(${this.scalar(value as Value)} IS NOT NULL)`;
  }

  /**
   * Whether a text equals one of some literals, from narrower columns than its text. Undefined when there is no such
   * way. With `isSmall`, only equality matters and no literal is longer than a small leaf.
   */
  textEqualsLiterals(value: TextValue, literals: readonly string[], isSmall: boolean): string | undefined {
    const parameters = this.#parameters;
    if (value.kind === 'attribute') return this.#attributes.equalsLiterals(value.path, literals, isSmall);
    if (value.kind !== 'field') return undefined;
    switch (value.field) {
      case 'span_id':
        return `(${parameters.ubigintIn('span_id', [...new Set(literals.map(spanIdNumber))])})`;
      case 'parent_id':
        return `(${parameters.ubigintIn('parent_span_id', [...new Set(literals.map(spanIdNumber))])})`;
      case 'trace_id':
        return this.#isTrace(literals);
      case 'span_kind':
        return oneOf('span_kind', SPAN_KINDS, literals, parameters);
      case 'status_code':
        return oneOf('status_code', STATUS_CODES, literals, parameters);
      case 'name':
      case 'status_message':
        return `(${parameters.textIn(value.field, [...new Set(literals)])})`;
    }
  }

  #isTrace(traceIds: readonly string[]): string {
    const halves = traceIds.map(traceIdHalves);
    const texts = traceIds.map((traceId) => (isHexTraceId(traceId) ? '' : traceId));
    const parameters = this.#parameters;
    const lows = parameters.ubigintIn('trace_id_low', [...new Set(halves.map(({ low }) => low))]);
    const wanted = [
      parameters.ubigints(halves.map(({ high }) => high)),
      parameters.ubigints(halves.map(({ low }) => low)),
      parameters.texts(texts),
    ];
    return `(trace_row_id IN (SELECT row_id FROM store.traces WHERE ${lows}
      AND (trace_id_high, trace_id_low, coalesce(trace_id_text, '')) IN
        (SELECT ${wanted.map((list) => `unnest(${list})`).join(', ')})))`;
  }
}

/** Texts of a constant list by their indices, as a condition that is never missing. */
function oneOf(column: string, texts: readonly string[], literals: readonly string[], parameters: Parameters): string {
  const numbers = literals.map((literal) => texts.indexOf(literal)).filter((number) => number >= 0);
  return `(${parameters.utinyintIn(column, [...new Set(numbers)])})`;
}

const textsOf = (column: string, texts: readonly string[]): string =>
  `(CASE ${column} ${texts.map((text, number) => `WHEN ${number} THEN '${text}'`).join(' ')} END)`;

const TEXT_FIELDS: Readonly<Record<Exclude<TextField, 'trace_id'>, string>> = {
  span_id: `coalesce(span_id_text, ${hexText('span_id')})`,
  parent_id: `coalesce(parent_span_id_text, ${hexText('parent_span_id')})`,
  span_kind: textsOf('span_kind', SPAN_KINDS),
  name: 'name',
  status_code: textsOf('status_code', STATUS_CODES),
  status_message: 'status_message',
};

const finite = (number: string): string => `(CASE WHEN isfinite(${number}) THEN ${number} END)`;

/**
 * A text that matches `NUMERIC_TEXT` as a finite double. DuckDB alone would also accept blanks, underscores and names
 * such as NaN.
 */
const numberOf = (text: string): string =>
  `(CASE WHEN regexp_full_match(${text}, '${NUMERIC}') AND isfinite(TRY_CAST(${text} AS DOUBLE)) THEN TRY_CAST(${text} AS DOUBLE) END)`;

const NUMERIC = '[+-]?(?:[0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?';
