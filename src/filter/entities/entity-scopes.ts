import { expectPresent } from '../../base/expect-present.ts';
import { ownValue } from '../../base/own-value.ts';
import { FILTER_COMPREHENSION_DEPTH_MAX } from '../../model/limits/reads.ts';
import { mostSimilar } from '../similarity.ts';
import { isNameLike, type NameLike } from '../spans/resolve-span-name.ts';
import { ANNOTATION_MEMBERS } from '../spans/span-names.ts';
import { FilterError, quoteSource } from '../syntax/filter-error.ts';
import type { Expression, MemberExpression, SubscriptExpression } from '../syntax/syntax-tree.ts';
import type { Collection, FieldType, Vocabulary } from '../vocabulary.ts';
import type { CollectionReference } from './entity-filter.ts';
import { type EntityOperand, problemWith } from './entity-operands.ts';

interface Scope {
  readonly variable: string;
  readonly collection: Collection;
  readonly over: CollectionReference;
}

/** Names of a strict language at one point of a filter: those of the entity, or of the enclosing comprehensions. */
export class EntityScopes {
  readonly #text: string;
  readonly #vocabulary: Vocabulary;
  /** Scopes of comprehensions, the outermost first. The scope index of the first is 1. */
  readonly #scopes: Scope[] = [];

  constructor(text: string, vocabulary: Vocabulary) {
    this.#text = text;
    this.#vocabulary = vocabulary;
  }

  /**
   * Resolves the content of a comprehension over this collection.
   *
   * @throws {FilterError} if it is not a collection, or not allowed here
   */
  within<Result>(variable: string, expression: Expression, resolve: (over: CollectionReference) => Result): Result {
    if (this.#scopes.length >= FILTER_COMPREHENSION_DEPTH_MAX) {
      throw new FilterError('filter condition is nested too deeply', expression);
    }
    const { collection, over } = this.#collection(expression);
    this.#scopes.push({ variable, collection, over });
    const result = resolve(over);
    this.#scopes.pop();
    return result;
  }

  /** @throws {FilterError} for a name that the language does not have */
  resolve(expression: NameLike): EntityOperand {
    const { root, steps } = this.#toSteps(expression);
    const scope = this.#scopeOf(root);
    if (scope > 0) return this.#ofElement(scope, steps, expression);
    this.#rejectForeign(root, expression);
    if (root === 'attributes' || root === 'metadata') return this.#attribute(root, steps, expression);
    if (root === 'user' && steps.length === 1 && steps[0]?.kind === 'member' && steps[0].name === 'id') {
      this.#requireRoot('user.id', expression);
      return { type: 'any', kind: 'attribute', key: 'user.id' };
    }
    if (root === this.#vocabulary.annotations) return this.#annotation(steps, expression);
    const field = ownValue(this.#vocabulary.fields, root);
    const term = this.#vocabulary.containment.find((name) => name === root);
    if (!field && !term) throw this.#unknown(root, expression);
    this.#requireRoot(root, expression);
    if (steps.length > 0) throw this.#unknown(this.#text.slice(expression.start, expression.end), expression);
    if (term) return { type: 'containmentTerm', field: term };
    return toField(0, root, expectPresent(field, 'a root is a field or a term'), false);
  }

  /** The innermost comprehension with this variable, or 0. */
  #scopeOf(name: string): number {
    return this.#scopes.findLastIndex(({ variable }) => variable === name) + 1;
  }

  /** The comprehension of a number from 1. */
  #scopeAt(scope: number) {
    return expectPresent(this.#scopes[scope - 1], 'a scope in use is open');
  }

  #ofElement(scope: number, steps: readonly Step[], expression: NameLike): EntityOperand {
    this.#requireVisible(scope, expression);
    const { collection, variable } = this.#scopeAt(scope);
    const [step, further, beyond] = steps;
    if (step?.kind !== 'member') {
      throw problemWith(
        this.#text,
        expression,
        `is an element, name one of its fields: ${listOf(collection.fields, variable)}`,
      );
    }
    const isParentSpan = step.name === 'parent_span' && collection.hasParentSpan === true;
    if (isParentSpan && !further) return { type: 'parentSpan', scope };
    const last = isParentSpan ? further : step;
    const type = last?.kind === 'member' ? ownValue(collection.fields, last.name) : undefined;
    if (last?.kind !== 'member' || !type || (isParentSpan ? beyond : further)) {
      const names = Object.keys(collection.fields).map((name) => `${variable}.${name}`);
      throw this.#unknown(this.#text.slice(expression.start, expression.end), expression, names);
    }
    return toField(scope, last.name, type, isParentSpan);
  }

  /** A session's comprehension can read only its own element. */
  #requireVisible(scope: number, expression: Expression): void {
    if (scope === this.#scopes.length || this.#vocabulary.seesOuterVariables) return;
    throw problemWith(
      this.#text,
      expression,
      `is read inside a comprehension over \`${this.#scopeAt(this.#scopes.length).variable}\`, which reads only its own element's fields`,
    );
  }

  #requireRoot(name: string, expression: Expression): void {
    const inner = this.#scopes.at(-1);
    if (!inner) return;
    throw new FilterError(
      `\`${name}\` cannot be read inside a comprehension, which reads only fields of \`${inner.variable}\``,
      expression,
    );
  }

  #rejectForeign(root: string, expression: Expression): void {
    const instead = ownValue(this.#vocabulary.rejected, root);
    if (instead) throw new FilterError(`invalid name \`${root}\`, use ${instead}`, expression);
  }

  #attribute(root: string, steps: readonly Step[], expression: NameLike): EntityOperand {
    this.#requireRoot(root, expression);
    const keys = steps.map((step) => {
      const index = step.kind === 'subscript' ? step.index : undefined;
      if (index?.kind === 'text' && index.value !== '') return index.value;
      if (index?.kind === 'number' && index.isInteger) return String(index.value);
      throw problemWith(this.#text, expression, `is not of the form \`${root}["key"]\``);
    });
    if (keys.length === 0) throw problemWith(this.#text, expression, `is not of the form \`${root}["key"]\``);
    return { type: 'any', kind: 'attribute', key: (root === 'metadata' ? ['metadata', ...keys] : keys).join('.') };
  }

  #annotation(steps: readonly Step[], expression: NameLike): EntityOperand {
    const root = this.#vocabulary.annotations;
    this.#requireRoot(root, expression);
    const [subscript, member, beyond] = steps;
    const name = subscript?.kind === 'subscript' && subscript.index.kind === 'text' ? subscript.index.value : '';
    if (name === '') throw problemWith(this.#text, expression, `is not of the form \`${root}["name"]\``);
    if (!member) return { type: 'annotation', name };
    if (member.kind === 'member' && !beyond) {
      if (member.name === 'score') return { type: 'number', kind: 'annotation', name, member: 'score' };
      if (member.name === 'label' || member.name === 'explanation') {
        return { type: 'text', kind: 'annotation', name, member: member.name };
      }
    }
    const written = member.kind === 'member' ? member.name : '';
    const meant = mostSimilar(written, ANNOTATION_MEMBERS);
    const hint = meant ? `did you mean \`.${meant}\`?` : 'expected one of `.score`, `.label`, or `.explanation`';
    throw new FilterError(`invalid attribute in ${quoteSource(this.#text, expression)}, ${hint}`, expression);
  }

  #collection(expression: Expression): { collection: Collection; over: CollectionReference } {
    if (isNameLike(expression)) {
      const { root, steps } = this.#toSteps(expression);
      const scope = this.#scopeOf(root);
      if (scope > 0) {
        const [step] = steps;
        const name = steps.length === 1 && step?.kind === 'member' ? step.name : '';
        const nested = ownValue(this.#scopeAt(scope).collection.nested?.() ?? {}, name);
        if (nested) {
          this.#requireVisible(scope, expression);
          return { collection: nested, over: { scope, collection: name } };
        }
      } else if (steps.length === 0) return this.#rootCollection(root, expression);
    }
    const names = Object.keys(this.#vocabulary.collections).join(', ');
    throw problemWith(this.#text, expression, `is not a collection, expected one of ${names}`);
  }

  #rootCollection(name: string, expression: Expression): { collection: Collection; over: CollectionReference } {
    this.#rejectForeign(name, expression);
    const collection = ownValue(this.#vocabulary.collections, name);
    if (!collection) throw this.#unknown(name, expression, Object.keys(this.#vocabulary.collections));
    const isSpansOnce =
      this.#vocabulary.seesOuterVariables &&
      name === 'spans' &&
      this.#scopes.length === 1 &&
      this.#scopeAt(1).over.collection === 'spans';
    if (this.#scopes.length > 0 && !isSpansOnce) {
      throw problemWith(this.#text, expression, 'cannot be nested in another comprehension');
    }
    return { collection, over: { scope: 0, collection: name } };
  }

  #toSteps(expression: NameLike): { root: string; steps: Step[] } {
    const steps: Step[] = [];
    let current: Expression = expression;
    while (current.kind === 'member' || current.kind === 'subscript') {
      steps.unshift(current);
      current = current.object;
    }
    if (current.kind === 'name') return { root: current.name, steps };
    throw problemWith(this.#text, expression, 'does not start with a name');
  }

  #unknown(name: string, expression: Expression, candidates: readonly string[] = this.#names()): FilterError {
    const meant = mostSimilar(name, candidates);
    const hint = meant ? `, did you mean "${meant}"?` : '';
    return new FilterError(`invalid name ${quoteSource(name, { start: 0, end: name.length })}${hint}`, expression);
  }

  #names(): readonly string[] {
    const { fields, containment, collections } = this.#vocabulary;
    return [...Object.keys(fields), ...containment, ...Object.keys(collections), 'attributes', 'metadata', 'user.id'];
  }
}

type Step = MemberExpression | SubscriptExpression;

function toField(scope: number, field: string, type: FieldType, ofParentSpan: boolean): EntityOperand {
  if (type === 'condition') return { type: 'condition', condition: { kind: 'field', scope, field } };
  return { type, kind: 'field', scope, ofParentSpan, field } as EntityOperand;
}

const listOf = (fields: object, variable: string): string =>
  Object.keys(fields)
    .map((name) => `\`${variable}.${name}\``)
    .join(', ');
