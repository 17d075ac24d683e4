import { expectPresent } from '../../base/expect-present.ts';
import { ownValue } from '../../base/own-value.ts';
import { ANNOTATION_TARGETS } from '../../model/annotations/annotation.ts';
import type {
  CollectionReference,
  EntityBoolean,
  EntityCondition,
  EntityField,
  EntityFilter,
  EntityNumber,
  EntityText,
  EntityTimestamp,
  EntityValue,
} from '../../filter/entities/entity-filter.ts';
import { Parameters } from '../duckdb/sql.ts';
import { type EntityNeeds, needsOf } from './entity-needs.ts';
import { COLLECTIONS, type EntityTable, FIELDS, INTEGER_FIELDS } from './entity-tables.ts';
import { applyPlan, type FilterPlan, SCOPE } from './filter-plan.ts';

/** A plan for rows of `sessions` or `traces`; `sql` is undefined when no part of the filter can be translated. */
export interface EntityFilterPlan extends Omit<FilterPlan<EntityNeeds>, 'sql'> {
  readonly sql: string | undefined;
}

/**
 * Compiles a filter of sessions or traces.
 *
 * Conditions on whole texts, attributes, the tree of a trace or sums over it are evaluated by `matchSessions` and
 * `matchTraces`. The other operands of a conjunction still reduce the number of candidates.
 */
export function compileEntityFilter(filter: EntityFilter): EntityFilterPlan {
  const { condition } = filter;
  const operands = condition.kind === 'and' ? condition.operands : [condition];
  const translated = operands.flatMap((operand) => translate(filter, operand) ?? []);
  const parameters = new Parameters();
  const needs = needsOf(filter);
  if (translated.length === 0) return { sql: undefined, parameters, isExact: false, needs };
  const table = filter.language === 'session' ? 'sessions' : 'traces';
  const joins = filter.annotations.map((name, index) => {
    const target = ANNOTATION_TARGETS.indexOf(filter.language);
    return `LEFT JOIN store.annotations a${index} ON a${index}.target = ${target}
      AND a${index}.target_row_id = x0.row_id AND a${index}.name = ${parameters.text(name)}`;
  });
  const conditions = translated.map((part) => parameters.embed(part.sql, part.parameters));
  return {
    sql: `row_id IN (SELECT x0.row_id FROM store.${table} x0 ${joins.join(' ')}
      WHERE x0.project_id = ${SCOPE.projectId} AND ${conditions.join(' AND ')})`,
    parameters,
    isExact: translated.length === operands.length,
    needs,
  };
}

/** The condition of a plan as part of a statement; undefined when it has none. */
export const applyEntityPlan = (
  { sql, parameters: own }: EntityFilterPlan,
  projectId: number,
  parameters: Parameters,
): string | undefined =>
  sql === undefined ? undefined : applyPlan({ sql, parameters: own }, { projectId }, parameters);

/** Thrown when SQL cannot express a condition. */
class Untranslatable extends Error {}

/** Undefined when SQL cannot express the condition. */
function translate(
  filter: EntityFilter,
  condition: EntityCondition,
): { readonly sql: string; readonly parameters: Parameters } | undefined {
  const parameters = new Parameters();
  try {
    return { sql: new Translator(filter, parameters).condition(condition), parameters };
  } catch (error) {
    if (error instanceof Untranslatable) return undefined;
    throw error;
  }
}

/** A missing value is NULL, and the filter uses SQL's three-valued logic. The entity at scope `i` is the row `x<i>`. */
class Translator {
  readonly #filter: EntityFilter;
  readonly #parameters: Parameters;
  /** Tables by scope. */
  readonly #tables: EntityTable[];

  constructor(filter: EntityFilter, parameters: Parameters) {
    this.#filter = filter;
    this.#parameters = parameters;
    this.#tables = [filter.language];
  }

  condition(condition: EntityCondition): string {
    switch (condition.kind) {
      case 'and':
      case 'or':
        return `(${condition.operands
          .map((operand) => this.condition(operand))
          .join(condition.kind === 'and' ? ' AND ' : ' OR ')})`;
      case 'not':
        return `(NOT ${this.condition(condition.operand)})`;
      case 'comparison':
        return `(${this.#scalar(condition.left)} ${SIGNS[condition.operator]} ${this.#scalar(condition.right)})`;
      case 'membership': {
        const value = this.#scalar(condition.value);
        const elements = condition.elements.map((element) =>
          typeof element === 'string' ? this.#parameters.text(element) : this.#parameters.double(element),
        );
        const isMember =
          elements.length === 0
            ? `(CASE WHEN ${value} IS NOT NULL THEN false END)`
            : `(${value} IN (${elements.join(', ')}))`;
        return condition.isNegated ? `(NOT ${isMember})` : isMember;
      }
      case 'containment': {
        const part = this.#parameters.text(condition.part);
        const found = `contains(lower(${this.#scalar(condition.text)}), lower(${part}))`;
        return condition.isNegated ? `(NOT ${found})` : found;
      }
      case 'presence': {
        const { value } = condition;
        if (value.type === 'any') throw new Untranslatable();
        return `((${this.#scalar(value)} IS NOT NULL) = ${condition.isPresent})`;
      }
      case 'annotation':
        return `(${this.#annotation(condition.name)}.row_id IS NOT NULL)`;
      case 'field':
        return this.#field({ ...condition, ofParentSpan: false });
      case 'quantifier': {
        const isAny = condition.quantifier === 'any';
        return this.#over(condition, (from) => {
          const inner = this.condition(condition.condition);
          return isAny
            ? `EXISTS (SELECT 1 ${from} AND ${inner})`
            : `(NOT EXISTS (SELECT 1 ${from} AND ${inner} IS NOT TRUE))`;
        });
      }
      case 'anyContainment':
      case 'parentSpan':
        throw new Untranslatable();
    }
  }

  /** The body of a comprehension. `from` ends with the conditions on its elements. */
  #over(
    { over, where }: { readonly over: CollectionReference; readonly where?: EntityCondition },
    translate: (from: string) => string,
  ): string {
    const collection = ownValue(
      COLLECTIONS[expectPresent(this.#tables[over.scope], 'the parser numbers the scopes')],
      over.collection,
    );
    if (!collection) throw new Untranslatable();
    const source = collection.from(`x${this.#tables.length}`, `x${over.scope}`);
    this.#tables.push(collection.table);
    try {
      return translate(where ? `${source} AND ${this.condition(where)}` : source);
    } finally {
      this.#tables.pop();
    }
  }

  #scalar(value: EntityValue): string {
    switch (value.type) {
      case 'text':
        return this.#text(value);
      case 'number':
        return this.#number(value);
      case 'timestamp':
        return this.#timestamp(value);
      case 'boolean':
        return this.#boolean(value);
    }
  }

  #text(value: EntityText): string {
    switch (value.kind) {
      case 'literal':
        return this.#parameters.text(value.value);
      case 'field':
        return this.#field(value);
      case 'annotation':
        return `${this.#annotation(value.name)}.${value.member}`;
      case 'attribute':
        throw new Untranslatable();
    }
  }

  #number(value: EntityNumber): string {
    switch (value.kind) {
      case 'literal':
        return this.#parameters.double(value.value);
      case 'field':
        return this.#field(value);
      case 'annotation':
        return `${this.#annotation(value.name)}.score`;
      case 'negation':
        return `(-${this.#number(value.operand)})`;
      case 'count':
        return this.#over(value, (from) => `(SELECT count(*)::DOUBLE ${from})`);
      case 'reduction':
        // The sum of fractions depends on their order, so SQL and the evaluation in memory may differ.
        if (value.reducer === 'sum' && !(value.value.kind === 'field' && INTEGER_FIELDS.has(value.value.field))) {
          throw new Untranslatable();
        }
        return this.#over(value, (from) => {
          const reduced = `(SELECT ${value.reducer}(${this.#number(value.value)}) ${from})`;
          return value.reducer === 'sum' ? `coalesce(${reduced}, 0)` : reduced;
        });
      case 'arithmetic': {
        const result = `(${this.#number(value.left)} ${value.operator} ${this.#number(value.right)})`;
        return `(CASE WHEN isfinite(${result}) THEN ${result} END)`;
      }
      case 'attribute':
        throw new Untranslatable();
    }
  }

  #timestamp(value: EntityTimestamp): string {
    switch (value.kind) {
      case 'literal':
        if (BigInt.asIntN(64, value.unixNano) !== value.unixNano) throw new Untranslatable();
        return this.#parameters.bigint(value.unixNano);
      case 'field':
        return this.#field(value);
      case 'reduction':
        return this.#over(value, (from) => `(SELECT ${value.reducer}(${this.#timestamp(value.value)}) ${from})`);
    }
  }

  #boolean(value: EntityBoolean): string {
    if (value.kind === 'attribute') throw new Untranslatable();
    return value.kind === 'literal' ? String(value.value) : this.condition(value.condition);
  }

  #field({ scope, ofParentSpan, field }: Pick<EntityField<string>, 'scope' | 'ofParentSpan' | 'field'>): string {
    const toSql = ofParentSpan
      ? undefined
      : ownValue(FIELDS[expectPresent(this.#tables[scope], 'the parser numbers the scopes')], field);
    if (!toSql) throw new Untranslatable();
    return toSql(`x${scope}`);
  }

  #annotation(name: string): string {
    return `a${this.#filter.annotations.indexOf(name)}`;
  }
}

const SIGNS = { '==': '=', '!=': '<>', '<': '<', '<=': '<=', '>': '>', '>=': '>=' } as const;
