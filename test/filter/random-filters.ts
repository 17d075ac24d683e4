import type { ExactJson } from '../../src/base/exact-json.ts';
import { SPAN_KINDS, STATUS_CODES } from '../../src/semconv/span-kinds.ts';
import type { AnnotationView, SpanView } from '../../src/filter/spans/span-view.ts';
import type { ArithmeticOperator, ComparisonOperator, Expression } from '../../src/filter/syntax/syntax-tree.ts';

/** Random numbers from a seed (mulberry32). */
export interface Random {
  below(count: number): number;
  pick<Item>(items: readonly Item[]): Item;
  chance(probability: number): boolean;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number) => Math.floor(next() * count);
  return { below, pick: (items) => items[below(items.length)]!, chance: (probability) => next() < probability };
}

/** Texts that are difficult for filters, JSON and SQL. */
export const TEXTS = [
  '',
  'a',
  'A',
  'agent',
  'Agent 1',
  "it's",
  '"quoted"',
  '\'"',
  'back\\slash',
  'line\nbreak',
  '100%',
  'a_b',
  'axb',
  'Zürich 東京 🚀',
  'İSTANBUL ΑΣ',
  '\u2028',
  '\x07',
  '17',
  '-2.5e1',
  '1.',
  '.5',
  'true',
  'False',
  '0',
  'LLM',
  'llm',
  'a.b',
  "x' OR 1=1 --",
] as const;

export const NUMBERS = [0, 1, 2, 2.5, 10, 17, 42, 100, 1e3, 1e21, 1e-7, 0.1, 2 ** 53] as const;
const TOP_KEYS = ['plain', 'llm', 'metadata', 'custom', 'a.b', 'zero', '__proto__'] as const;
const KEYS = ['k', 'model_name', 'token_count', 'prompt', 'completion', 'total', 'a.b', 'x', ''] as const;
const ANNOTATION_NAMES = ['quality', "it's", 'label only'] as const;

const at = { start: 0, end: 0 };

/** Any tree of the grammar, most of them nonsense. */
export function randomExpression(random: Random, depth: number): Expression {
  const inner = () => randomExpression(random, depth - 1);
  const some = (least: number) => Array.from({ length: least + random.below(3) }, inner);
  if (depth === 0 || random.chance(0.2)) return randomLeaf(random);
  switch (random.below(14)) {
    case 0:
      return { kind: random.pick(['list', 'tuple'] as const), elements: some(0), ...at };
    case 1:
      return { kind: 'member', object: inner(), name: random.pick(['x', 'score', '_1']), ...at };
    case 2:
      return { kind: 'subscript', object: inner(), index: inner(), ...at };
    case 3:
      return { kind: 'call', callee: inner(), arguments: some(0), ...at };
    case 4:
      return { kind: 'unary', operator: random.pick(['-', '+', '~'] as const), operand: inner(), ...at };
    case 5:
    case 6:
      return { kind: 'arithmetic', operator: random.pick(ARITHMETIC), left: inner(), right: inner(), ...at };
    case 7:
    case 8: {
      const links = some(1).map((operand) => ({ operator: random.pick(COMPARISONS), operand, ...at }));
      return { kind: 'comparison', first: inner(), links, ...at };
    }
    case 9:
      return { kind: 'not', operand: inner(), ...at };
    case 10:
    case 11:
      return { kind: random.pick(['and', 'or'] as const), operands: some(2), ...at };
    default: {
      const kind = random.pick(['generator', 'listComprehension'] as const);
      const comprehension = { kind, element: inner(), variable: 'v', collection: inner(), ...at };
      return random.chance(0.5) ? { ...comprehension, condition: inner() } : comprehension;
    }
  }
}

const ARITHMETIC: readonly ArithmeticOperator[] = ['+', '-', '*', '/', '%', '//', '**', '@', '&', '|', '^', '<<', '>>'];
const COMPARISONS: readonly ComparisonOperator[] = ['==', '!=', '<', '<=', '>', '>=', 'is', 'is not', 'in', 'not in'];

function randomLeaf(random: Random): Expression {
  switch (random.below(5)) {
    case 0:
      return { kind: 'name', name: random.pick(['name', 'latency_ms', 'x', '_', 'annotations', 'float']), ...at };
    case 1:
      return { kind: 'text', value: random.pick(TEXTS), ...at };
    case 2: {
      const value = random.pick(NUMBERS);
      return { kind: 'number', value, isInteger: Number.isInteger(value) && random.chance(0.5), ...at };
    }
    case 3:
      return { kind: 'boolean', value: random.chance(0.5), ...at };
    default:
      return { kind: 'none', ...at };
  }
}

/** Text of a valid filter; conditions are nested to at most `depth`. */
export function randomFilterText(random: Random, depth: number): string {
  const inner = () => randomFilterText(random, depth - 1);
  if (depth > 0 && random.chance(0.6)) {
    switch (random.below(4)) {
      case 0:
        return `(${inner()} and ${inner()})`;
      case 1:
        return `(${inner()} or ${inner()})`;
      case 2:
        return `(not ${inner()})`;
      default:
        return `(${inner()} ${random.pick(['and', 'or'])} ${random.pick(['True', 'False', 'None'])})`;
    }
  }
  const text = () => randomTextValue(random, 1);
  const number = () => randomNumberValue(random, 2);
  const order = () => random.pick(['==', '!=', '<', '<=', '>', '>=']);
  const equality = () => random.pick(['==', '!=']);
  const inside = () => random.pick(['in', 'not in']);
  switch (random.below(12)) {
    case 0:
      return `${text()} ${order()} ${quote(random.pick(TEXTS))}`;
    case 1:
      return `${number()} ${order()} ${number()}`;
    case 2:
      return `${number()} < ${number()} <= ${random.pick(NUMBERS)}`;
    case 3:
      return `${randomAttribute(random)} ${random.pick(['==', '!=', 'is', 'is not'])} ${random.pick(['True', 'False'])}`;
    case 4:
      return `${randomAttribute(random)} ${order()} ${randomAttribute(random)}`;
    case 5:
      return `${random.pick([text(), number(), randomAttribute(random)])} ${random.pick(['is', 'is not', '==', '!='])} None`
        .replace(/^'.*'(?= (?:is|==|!=))/s, 'name')
        .replace(/^-?[\d.e+-]+(?= (?:is|==|!=))/, 'latency_ms');
    case 6:
      return `${quote(random.pick(TEXTS))} ${inside()} ${randomTextField(random)}`;
    case 7:
      return `${randomTextField(random)} ${inside()} [${Array.from({ length: random.below(4) }, () => quote(random.pick(TEXTS))).join(', ')}]`;
    case 8:
      return `${randomNumberField(random)} ${inside()} (${Array.from({ length: 2 + random.below(3) }, () => random.pick(NUMBERS)).join(', ')})`;
    case 9:
      return random.pick([
        'parent_span is None',
        'parent_span is not None',
        'error_in_trace',
        'error_in_trace == False',
        `${randomAnnotation(random)}`,
      ]);
    case 10:
      return `${random.pick(['start_time', 'end_time'])} ${order()} ${quote(random.pick(['2026-03-02T08:00:00Z', '2026-03-02T10:00:00.5+02:00', '1969-12-31T23:59:59Z']))}`;
    default:
      return `(${inner0(random)}) ${equality()} ${randomAttribute(random)}`;
  }
}

const inner0 = (random: Random): string => `${randomNumberField(random)} > ${random.pick(NUMBERS)}`;

/** In the notation of Python. */
const quote = (text: string): string => JSON.stringify(text);

const randomTextValue = (random: Random, depth: number): string =>
  depth > 0 && random.chance(0.2)
    ? `(${randomTextValue(random, depth - 1)} + ${quote(random.pick(TEXTS))})`
    : randomTextField(random);

function randomTextField(random: Random): string {
  const fields = ['name', 'span_kind', 'status_code', 'status_message', 'span_id', 'context.trace_id', 'parent_id'];
  switch (random.below(4)) {
    case 0:
    case 1:
      return random.pick(fields);
    case 2:
      return `str(${randomAttribute(random)})`;
    default:
      return `${randomAnnotation(random)}.${random.pick(['label', 'explanation'])}`;
  }
}

function randomNumberValue(random: Random, depth: number): string {
  if (depth === 0 || random.chance(0.5)) return randomNumberField(random);
  if (random.chance(0.2)) return `-${randomNumberField(random)}`;
  if (random.chance(0.3)) return `${random.pick(NUMBERS)}`;
  const operator = random.pick(['+', '-', '*', '/', '%']);
  return `(${randomNumberValue(random, depth - 1)} ${operator} ${randomNumberValue(random, depth - 1)})`;
}

function randomNumberField(random: Random): string {
  const fields = ['latency_ms', 'cumulative_token_count.total', 'cumulative_llm_token_count_prompt'];
  switch (random.below(4)) {
    case 0:
      return random.pick(fields);
    case 1:
      return `llm.token_count.${random.pick(['prompt', 'completion', 'total'])}`;
    case 2:
      return `float(${randomAttribute(random)})`;
    default:
      return `${randomAnnotation(random)}.score`;
  }
}

/** Never one of the token counts, which are numbers. */
function randomAttribute(random: Random): string {
  const key = quote(random.pick(KEYS));
  switch (random.below(4)) {
    case 0:
      return `metadata[${key}]`;
    case 1:
      return `attributes[${quote(random.pick(TOP_KEYS))}][${key}]`;
    case 2:
      return `attributes[["custom", "list", ${random.below(3)}]]`;
    default:
      return random.pick(['llm.model_name', 'plain', 'custom.x', 'zero', 'no.such.attribute']);
  }
}

const randomAnnotation = (random: Random): string =>
  `${random.pick(['annotations', 'evals', 'trace_annotations'])}[${quote(random.pick(ANNOTATION_NAMES))}]`;

/** A span with some of the values that `randomFilterText` names. */
export function randomSpan(random: Random): SpanView {
  const startTimeUnixNano = 1_772_438_400_000_000_000n + BigInt(random.below(3_000_000_000));
  const isRoot = random.chance(0.5);
  return {
    spanId: random.pick(['0000000000000001', '0000000000000002']),
    traceId: random.pick(TEXTS),
    parentId: isRoot ? null : '0000000000000003',
    hasParentSpan: !isRoot && random.chance(0.5),
    hasErrorInTrace: random.chance(0.5),
    name: random.pick(TEXTS),
    spanKind: random.pick(SPAN_KINDS),
    statusCode: random.pick(STATUS_CODES),
    statusMessage: random.pick(TEXTS),
    startTimeUnixNano,
    endTimeUnixNano: startTimeUnixNano + BigInt(random.pick([0, 1, 1_000_000, 17_000_000, 2_500_000])),
    cumulativeTokensPrompt: random.pick([0, 1, 17, 100]),
    cumulativeTokensCompletion: random.pick([0, 2, 42]),
    attributes: randomAttributes(random),
    annotations: randomAnnotations(random),
    traceAnnotations: randomAnnotations(random),
  };
}

function randomAttributes(random: Random): ExactJson {
  const entries = TOP_KEYS.flatMap((key) => (random.chance(0.6) ? [[key, randomJson(random, 3)] as const] : []));
  // Unlike assignment, this makes `__proto__` a key.
  return Object.fromEntries(entries) as ExactJson;
}

function randomJson(random: Random, depth: number): ExactJson {
  if (depth > 0 && random.chance(0.6)) {
    if (random.chance(0.2)) return Array.from({ length: random.below(3) }, () => randomJson(random, depth - 1));
    return Object.fromEntries(
      [...KEYS, 'list'].flatMap((key) => (random.chance(0.5) ? [[key, randomJson(random, depth - 1)] as const] : [])),
    ) as ExactJson;
  }
  return random.pick<ExactJson>([null, true, false, ...NUMBERS, ...TEXTS]);
}

const randomAnnotations = (random: Random): AnnotationView[] =>
  Array.from({ length: random.below(4) }, () => ({
    name: random.pick(ANNOTATION_NAMES),
    score: random.chance(0.3) ? null : random.pick([0, 0.5, 1, -2.5, 17]),
    label: random.chance(0.3) ? null : random.pick(TEXTS),
    explanation: random.chance(0.3) ? null : random.pick(TEXTS),
  }));
