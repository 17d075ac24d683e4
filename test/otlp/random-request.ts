import { type AttributeValue, anyValue } from '../fixtures/otlp-requests.ts';
import {
  bytesField,
  doubleField,
  type Field,
  fixed64Field,
  message,
  tag,
  textField,
  varintField,
} from '../fixtures/protobuf-writer.ts';
import type { SeededRandom } from '../fixtures/seeded-random.ts';

/**
 * A request that no exporter would write: fields in any order, split sub-messages, unknown fields and groups between
 * them, varints longer than needed, and attributes with all conflicts that the rules of nesting mention.
 */
export function randomRequest(random: SeededRandom): Uint8Array {
  return fields(
    random,
    times(random, 3, () => bytesField(1, randomResourceSpans(random))),
  );
}

function randomResourceSpans(random: SeededRandom): Uint8Array {
  return fields(random, [
    ...times(random, 3, () => bytesField(1, randomResource(random))),
    ...times(random, 3, () => bytesField(2, randomScopeSpans(random))),
    ...times(random, 2, () => textField(3, randomText(random))),
  ]);
}

const randomResource = (random: SeededRandom): Uint8Array =>
  fields(random, [
    ...times(random, 3, () =>
      bytesField(1, randomKeyValue(random, random.pick(['openinference.project.name', 'service.name']))),
    ),
    ...times(random, 2, () => varintField(2, random.below(1000))),
  ]);

const randomScopeSpans = (random: SeededRandom): Uint8Array =>
  fields(random, [
    ...times(random, 2, () => bytesField(1, message(textField(1, randomText(random)), textField(2, '1')))),
    ...times(random, 4, () => bytesField(2, randomSpan(random))),
    ...times(random, 2, () => textField(3, randomText(random))),
  ]);

export function randomSpan(random: SeededRandom): Uint8Array {
  const id = (bytes: number) =>
    random.bytes(random.chance(0.1) ? random.below(70) : bytes).map((byte) => (random.chance(0.01) ? 0 : byte));
  const time = () => 1_700_000_000_000_000_000n + BigInt(random.below(2 ** 40));
  const maybe = (probability: number, make: () => Field) => (random.chance(probability) ? [make()] : []);
  return fields(random, [
    ...maybe(0.98, () => bytesField(1, random.chance(0.02) ? new Uint8Array(16) : id(16))),
    ...maybe(0.98, () => bytesField(2, random.chance(0.02) ? new Uint8Array(8) : id(8))),
    ...maybe(0.5, () => bytesField(4, random.chance(0.1) ? new Uint8Array(8) : id(8))),
    ...times(random, 2, () => textField(3, randomText(random))),
    ...times(random, 3, () => textField(5, randomText(random))),
    ...maybe(0.9, () => varintField(6, random.below(7))),
    ...maybe(0.9, () => fixed64Field(7, random.chance(0.02) ? 2n ** 63n : time())),
    ...maybe(0.9, () => fixed64Field(8, time())),
    ...times(random, 12, () => bytesField(9, randomKeyValue(random))),
    ...times(random, 2, () => varintField(random.pick([10, 12, 14]), random.below(9))),
    ...times(random, 3, () => bytesField(11, randomEvent(random))),
    ...times(random, 2, () =>
      bytesField(13, message(bytesField(1, id(16)), textField(3, 'k=v'), bytesField(4, randomKeyValue(random)))),
    ),
    ...times(random, 3, () => bytesField(15, randomStatus(random))),
    ...maybe(0.3, () => message(tag(16, 5), random.bytes(4))),
  ]);
}

const randomStatus = (random: SeededRandom): Uint8Array =>
  fields(random, [
    ...times(random, 2, () => textField(2, randomText(random))),
    ...times(random, 2, () => varintField(3, random.pick([0, 1, 2, 3, -1]))),
  ]);

const randomEvent = (random: SeededRandom): Uint8Array =>
  fields(random, [
    ...times(random, 2, () => fixed64Field(1, BigInt(random.below(2 ** 50)))),
    ...times(random, 2, () => textField(2, random.pick(['exception', 'note', '']))),
    ...times(random, 4, () =>
      bytesField(
        3,
        randomKeyValue(
          random,
          random.pick(['exception.message', 'exception.type', 'k', 'a.b', 'a..b', '', '__proto__']),
        ),
      ),
    ),
  ]);

/** A key with its value, which may be split. */
function randomKeyValue(random: SeededRandom, key = randomKey(random)): Uint8Array {
  return fields(
    random,
    [
      ...(random.chance(0.05) ? [textField(1, 'overwritten')] : []),
      textField(1, key),
      ...(random.chance(0.95) ? [bytesField(2, randomAnyValue(random, key))] : []),
      ...(random.chance(0.05) ? [bytesField(2, randomAnyValue(random, key))] : []),
    ],
    random.chance(0.9),
  );
}

function randomAnyValue(random: SeededRandom, key: string): Uint8Array {
  const value = anyValue(randomValue(random, key));
  if (random.chance(0.9)) return value;
  return fields(random, [value, anyValue(randomValue(random, key))], true);
}

const SEGMENTS = ['a', 'b', 'c', '0', '1', '00', '2', '10', '', ' a', '-1', '1x', '__proto__', 'constructor', 'ü"\\\n'];
const KEYS = [
  'input.value',
  'input.mime_type',
  'input',
  'input.value.a',
  'output.value',
  'output.mime_type',
  'session.id',
  'session',
  'user.id',
  'llm.model_name',
  'llm.provider',
  'openinference.span.kind',
  'llm.token_count.prompt',
  'llm.token_count.completion',
  'metadata',
  'metadata.a',
  'metadata.0.a',
  'x.metadata',
  'tool.parameters',
  'llm.input_messages.0.message.content',
  'llm.input_messages.1.message.role',
  'llm.input_messages.1.message.content',
];

function randomKey(random: SeededRandom): string {
  if (random.chance(0.4)) return random.pick(KEYS);
  return Array.from({ length: 1 + random.below(4) }, () => random.pick(SEGMENTS)).join('.');
}

const JSON_TEXTS = [
  '{"tier":"gold","n":3}',
  '{"a":{"b":[1,2.0,null]},"c":null, "d.e": 9007199254740993}',
  ' [{"a":1},{"b":[]}] ',
  '[1,{"a":1}]',
  '{}',
  '"text \\u00fc \\ud83d\\ude80 \\/"',
  '5',
  'null',
  'not json',
  '{"a":',
  '{"0":{"x":1},"m.0.x":1,"m.1.x":true}',
];

function randomValue(random: SeededRandom, key: string, depth = 0): AttributeValue {
  if (key.endsWith('metadata') || key === 'tool.parameters') {
    if (random.chance(0.8)) return random.pick(JSON_TEXTS);
  }
  if (key === 'openinference.span.kind' && random.chance(0.9)) {
    return random.pick(['LLM', 'llm', 'TOOL', 'UNKNOWN', 'unknown', 'WEIRD', 'AGENT']);
  }
  if (key.startsWith('llm.token_count') && random.chance(0.5)) return random.pick(['5', ' +7 ', 'x', 10, 1.5, -3n]);
  switch (random.below(depth > 3 ? 6 : 9)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick([0n, 7n, -3n, 9007199254740993n, -(2n ** 63n), 2n ** 63n - 1n, 4294967296n]);
    case 3:
      return random.pick([0, -0, 2, 1.5, 1e21, 1e-7, Number.NaN, Number.POSITIVE_INFINITY, 123456789.25]);
    case 4:
      return random.chance(0.2) ? random.bytes(random.below(300)) : randomText(random);
    case 5:
      return randomText(random);
    case 6:
      return Array.from({ length: random.below(5) }, () => randomValue(random, '', depth + 1));
    case 7:
      return Array.from({ length: random.below(4) }, () => randomObject(random, depth + 1));
    default:
      return randomObject(random, depth + 1);
  }
}

const randomObject = (random: SeededRandom, depth: number): AttributeValue =>
  Object.fromEntries(
    Array.from({ length: random.below(4) }, () => [
      random.chance(0.8) ? random.pick(['a', 'b', 'x', 'value', 'id', '0']) : randomKey(random),
      randomValue(random, '', depth),
    ]),
  );

function randomText(random: SeededRandom): string {
  if (random.chance(0.1)) return '';
  const characters = ['a', 'b', ' ', '"', '\\', '\n', '\u0000', '\u001f', 'ü', '日', '🚀', '.'];
  const length = random.pick([1, 5, 30, 40, 150, 198, 199, 250, 1000]);
  const plain = random.chance(0.7);
  return Array.from({ length }, () => (plain ? 'x' : random.pick(characters))).join('');
}

const times = <Item>(random: SeededRandom, bound: number, make: () => Item): Item[] =>
  Array.from({ length: random.below(bound) }, make);

/** Writes fields in any order, with unknown fields between them. */
function fields(random: SeededRandom, known: readonly Field[], keepOrder = false): Uint8Array {
  const all = [...known, ...(random.chance(0.1) ? [unknownField(random)] : [])];
  return message(
    ...(keepOrder ? all : random.shuffle(all)).map((field) => (random.chance(0.05) ? longTag(field) : field)),
  );
}

/** The field with its tag in more bytes than it needs. */
function longTag(field: Field): Field {
  if (field.length === 0 || field[0]! > 127) return field;
  return message(Uint8Array.of(field[0]! | 128, 128, 0), field.subarray(1));
}

function unknownField(random: SeededRandom): Field {
  const number = random.pick([17, 100, 5000, 2 ** 29 - 1]);
  switch (random.below(6)) {
    case 0:
      return varintField(number, random.pick([0, 1, 300, -1]));
    case 1:
      return doubleField(number, random.next());
    case 2:
      return bytesField(number, random.bytes(random.below(30)));
    case 3:
      return message(tag(number, 5), random.bytes(4));
    case 4:
      return message(tag(number, 3), varintField(1, 5), bytesField(2, random.bytes(3)), tag(number, 4));
    default:
      // A known number with another wire type is another field.
      return message(tag(random.pick([1, 2]), 5), Uint8Array.of(1, 2, 3, 4));
  }
}
