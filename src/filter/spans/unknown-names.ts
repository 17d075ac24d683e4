import { OPEN_INFERENCE_NAMES } from '../../semconv/open-inference.ts';
import { mostSimilar } from '../similarity.ts';
import { childrenOf, type Expression } from '../syntax/syntax-tree.ts';
import { isNameLike, type NameLike, resolveSpanName } from './resolve-span-name.ts';
import type { SpanFilter } from './span-filter.ts';
import { ERROR_IN_TRACE, SPAN_FIELDS } from './span-names.ts';

/** A name of a span filter that is no field, no attribute of OpenInference, and no attribute that was observed. */
export interface UnknownName {
  readonly name: string;
  /** Whether it is one word without subscript, as fields are written: more likely a mistyped field than an attribute. */
  readonly isBare: boolean;
  /** A known name that the author may have meant. */
  readonly meant: string | undefined;
}

/**
 * Names of a filter that may be mistyped, each once. The language accepts them, because a name that is no field is an
 * attribute, which may arrive later.
 *
 * @param observed flat names of attributes
 */
export function unknownNames({ expression }: SpanFilter, observed: Iterable<string> = []): UnknownName[] {
  const known = [...OPEN_INFERENCE_NAMES, ...observed];
  const candidates = [...SPAN_FIELDS.keys(), ERROR_IN_TRACE, 'input.value', 'output.value', ...known];
  const unknown = new Map<string, UnknownName>();
  for (const { path, isBare, isPresence } of attributesIn(expression)) {
    // An index names an element of a list.
    const name = path.filter((key) => typeof key === 'string').join('.');
    // Only a test for presence makes sense for an object, such as `input`.
    if (name === '' || known.some((each) => isPart(name, each) || (isPresence && isPart(each, name)))) continue;
    unknown.set(name, { name, isBare, meant: mostSimilar(name, candidates) ?? candidates.find(hasWord(name)) });
  }
  return [...unknown.values()];
}

const isPart = (name: string, whole: string): boolean => name === whole || name.startsWith(`${whole}.`);

/** Whether a name has the word between its dots and underscores, as `span_kind` has `kind`. */
const hasWord = (word: string) => (name: string) => name.split(/[._]/).includes(word);

/** Sentence about an unknown name. */
export const describeUnknownName = ({ name, meant }: UnknownName): string =>
  `unknown name '${name}' — it is not a field, and the newest spans of this project have no such attribute${meant ? `; did you mean '${meant}'?` : ''}`;

interface NamedAttribute {
  readonly path: readonly (string | number)[];
  readonly isBare: boolean;
  readonly isPresence: boolean;
}

function* attributesIn(expression: Expression, isPresence = false): Generator<NamedAttribute> {
  if (isNameLike(expression)) {
    const path = pathOf(expression);
    if (path) yield { path, isBare: expression.kind === 'name', isPresence };
    return;
  }
  const testsPresence =
    expression.kind === 'comparison' && expression.links.every(({ operand }) => operand.kind === 'none');
  // The name of a function, such as `float`, is no attribute.
  const children = expression.kind === 'call' ? expression.arguments : childrenOf(expression);
  for (const child of children) yield* attributesIn(child, testsPresence);
}

function pathOf(expression: NameLike): readonly (string | number)[] | undefined {
  // The filter is valid, so no error needs its text.
  const resolved = resolveSpanName('', expression);
  return 'kind' in resolved && resolved.kind === 'attribute' ? resolved.path : undefined;
}
