import { mostSimilar } from '../similarity.ts';
import { FilterError, quoteSource, sourceOf } from '../syntax/filter-error.ts';
import type { Expression, MemberExpression, NameExpression, SubscriptExpression } from '../syntax/syntax-tree.ts';
import type { AnnotationReference, AttributePath, RawAttribute, Value } from './span-filter.ts';
import { ANNOTATION_MEMBERS, ANNOTATION_SCOPES, ERROR_IN_TRACE, NUMBER_ATTRIBUTES, SPAN_FIELDS } from './span-names.ts';

/** The meaning of a name with its members and subscripts. */
export type SpanName =
  | Value
  | RawAttribute
  | { readonly type: 'annotation'; readonly annotation: AnnotationReference }
  | { readonly type: 'parentSpan' };

export type NameLike = NameExpression | MemberExpression | SubscriptExpression;

export const isNameLike = (expression: Expression): expression is NameLike =>
  expression.kind === 'name' || expression.kind === 'member' || expression.kind === 'subscript';

/**
 * Resolves names of the span filter. No name is unknown: a name that is not a field is an attribute.
 *
 * @throws {FilterError} for annotations without a name or with another member, and for forms that the language does not
 * have
 */
export function resolveSpanName(text: string, expression: NameLike): SpanName {
  const { root, steps } = toSteps(text, expression);
  const scope = ANNOTATION_SCOPES.get(root.name);
  if (scope) return resolveAnnotation(text, scope, root, steps);
  if (root.name === 'parent_span') {
    if (steps.length === 0) return { type: 'parentSpan' };
    throw new FilterError(
      `${quoteSource(text, expression)} looks into the parent span, but ${PARENT_SPAN_USE}`,
      expression,
    );
  }
  if (root.name === ERROR_IN_TRACE && steps.length === 0) {
    return { type: 'boolean', kind: 'condition', condition: { kind: 'errorInTrace' } };
  }
  const field = SPAN_FIELDS.get(dottedName(root, steps));
  if (field) {
    if (steps.some(({ kind }) => kind === 'subscript')) throw invalid(text, expression);
    return { ...field, kind: 'field' } as Value;
  }
  // These two names are columns of other results, and cannot be compared as a whole.
  if (steps.length === 0 && (root.name === 'attributes' || root.name === 'events')) throw invalid(text, expression);
  const keys = steps.flatMap((step) => (step.kind === 'member' ? [step.name] : toKeys(text, step)));
  return attributeAt(root.name === 'attributes' ? keys : [root.name, ...keys]);
}

export const PARENT_SPAN_USE = '`parent_span` can only be compared to None (e.g. `parent_span is None`)';

export const notOneMember = (text: string, expression: Expression): FilterError =>
  new FilterError(
    `invalid expression: ${sourceOf(text, expression)}; an annotation exposes only one of ${MEMBERS}`,
    expression,
  );

const MEMBERS = '`.score`, `.label`, or `.explanation`';

const invalid = (text: string, expression: Expression): FilterError =>
  new FilterError(`invalid expression: ${sourceOf(text, expression)}`, expression);

type Step = MemberExpression | SubscriptExpression;

/** The innermost name and the steps after it, in the order of writing. */
function toSteps(text: string, expression: NameLike): { root: NameExpression; steps: Step[] } {
  const steps: Step[] = [];
  let current: Expression = expression;
  while (current.kind === 'member' || current.kind === 'subscript') {
    steps.unshift(current);
    current = current.object;
  }
  if (current.kind !== 'name') throw invalid(text, expression);
  return { root: current, steps };
}

/** The name up to its first subscript. */
function dottedName(root: NameExpression, steps: readonly Step[]): string {
  let name = root.name;
  for (const step of steps) {
    if (step.kind === 'subscript') break;
    name += `.${step.name}`;
  }
  return name;
}

/** `['a']`, `[0]`, `[['a', 0]]` */
function toKeys(text: string, subscript: SubscriptExpression): AttributePath {
  const { index } = subscript;
  const elements = index.kind === 'list' || index.kind === 'tuple' ? index.elements : [index];
  if (elements.length === 0) throw invalid(text, subscript);
  return elements.map((element) => {
    if (element.kind === 'text') return element.value;
    if (element.kind === 'number' && element.isInteger && element.value <= INDEX_MAX) return element.value;
    throw invalid(text, subscript);
  });
}

/** Databases store indices as int32. */
const INDEX_MAX = 2 ** 31 - 1;

function attributeAt(path: AttributePath): Value | RawAttribute {
  const isNumber = path.length === 3 && path[0] === 'llm' && NUMBER_ATTRIBUTES.has(path.join('.'));
  return { type: isNumber ? 'number' : 'any', kind: 'attribute', path };
}

function resolveAnnotation(
  text: string,
  scope: AnnotationReference['scope'],
  root: NameExpression,
  steps: readonly Step[],
): SpanName {
  const [subscript, member, beyond] = steps;
  const name = subscript?.kind === 'subscript' && subscript.index.kind === 'text' ? subscript.index.value : '';
  if (name === '') {
    const range = subscript ?? root;
    throw new FilterError(`missing eval name in ${quoteSource(text, range)}`, range);
  }
  const annotation: AnnotationReference = { scope, name };
  if (!member) return { type: 'annotation', annotation };
  if (beyond || member.kind === 'subscript') throw notOneMember(text, steps.at(-1) ?? member);
  switch (member.name) {
    case 'score':
      return { type: 'number', kind: 'annotation', annotation, member: 'score' };
    case 'label':
    case 'explanation':
      return { type: 'text', kind: 'annotation', annotation, member: member.name };
    default:
      throw unknownMember(text, member);
  }
}

function unknownMember(text: string, member: MemberExpression): FilterError {
  const source = quoteSource(text, member);
  const meant = mostSimilar(member.name, ANNOTATION_MEMBERS);
  return new FilterError(
    meant
      ? `invalid attribute \`.${member.name}\` in ${source}, did you mean \`.${meant}\`?`
      : `invalid eval attribute \`.${member.name}\` in ${source}, expected one of ${MEMBERS}`,
    member,
  );
}
