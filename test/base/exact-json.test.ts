import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  beginExactJsonText,
  type ExactJson,
  ExactNumber,
  JsonDepthError,
  JsonSizeError,
  JsonSyntaxError,
  toExactJsonText,
} from '../../src/base/exact-json.ts';
import { parseExactJson, parseExactJsonYielding } from '../../src/base/parse-exact-json.ts';

const parse = (text: string) => parseExactJson(text, { depthMax: 100 });

/** Chunks of whole characters, with this number of UTF-16 units or one more. */
const inPieces =
  (text: string, charCount = 65_536) =>
  () => {
    const pieces: string[] = [];
    for (let from = 0; from < text.length; ) {
      let to = from + charCount;
      if (/[\ud800-\udbff]/.test(text[to - 1] ?? '')) to++;
      pieces.push(text.slice(from, to));
      from = to;
    }
    return pieces;
  };

describe('exact JSON', () => {
  for (const text of ['9007199254740993', '-18446744073709551616', '1.0', '1e5', '-0', '0.10', '1E400', '5', '-1.5']) {
    test(`prints ${text} as it was written`, () => {
      assert.equal(toExactJsonText(parse(`[${text}]`)), `[${text}]`);
    });
  }

  test('reads a number as a plain number if a double prints it unchanged', () => {
    assert.deepEqual(parse('[5,-1.5,1e21]'), [5, -1.5, new ExactNumber('1e21')]);
  });

  test('reads and prints like JSON.parse and JSON.stringify', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('', ' ', '\n\t'), (value, blank) => {
        const text = JSON.stringify(value, null, blank === '' ? undefined : 1).replace(/^/, blank);
        assert.deepEqual(JSON.parse(toExactJsonText(parse(text))), JSON.parse(text));
      }),
    );
  });

  test('rejects and accepts the same mutilated texts as JSON.parse', () => {
    const isJson = (read: (text: string) => unknown, text: string) => {
      try {
        read(text);
        return true;
      } catch (error) {
        assert.ok(error instanceof SyntaxError || error instanceof JsonSyntaxError, String(error));
        return false;
      }
    };
    fc.assert(
      fc.property(
        fc.jsonValue(),
        fc.nat(),
        fc.constantFrom('', '"', '{', '}', ',', '\\', '1', '\u0001', '.', ' '),
        (value, place, sign) => {
          const text = JSON.stringify(value);
          const at = place % (text.length + 1);
          const mutilated = text.slice(0, at) + sign + text.slice(at + 1);
          assert.equal(isJson(parse, mutilated), isJson(JSON.parse, mutilated), mutilated);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('treats __proto__ and constructor as ordinary keys', () => {
    const text = '{"__proto__":{"polluted":true},"constructor":1}';

    assert.equal(toExactJsonText(parse(text)), text);
    assert.equal(Reflect.get({}, 'polluted'), undefined);
  });

  test('keeps the last of a repeated key', () => {
    assert.equal(toExactJsonText(parse('{"a":1,"a":2}')), '{"a":2}');
  });

  for (const { text, message, offset } of [
    { text: '{bad', message: 'Expecting property name enclosed in double quotes', offset: 1 },
    { text: '{"a":1', message: "Expecting ',' delimiter", offset: 6 },
    { text: '{"a" 1}', message: "Expecting ':' delimiter", offset: 5 },
    { text: '', message: 'Expecting value', offset: 0 },
    { text: '[1] 2', message: 'Extra data', offset: 4 },
    { text: '["😀', message: 'Unterminated string starting at', offset: 1 },
    { text: '["😀", x]', message: 'Expecting value', offset: 6 },
    { text: '["\\u12"]', message: 'Invalid \\uXXXX escape', offset: 2 },
    { text: '[NaN]', message: 'Expecting value', offset: 1 },
  ]) {
    test(`reports the error and its character in ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => parse(text),
        (error) => error instanceof JsonSyntaxError && error.message === message && error.offset === offset,
      );
    });
  }

  test('reads the non-finite numbers of Python as null if requested', () => {
    const text = '{"a":NaN,"b":[Infinity,-Infinity,-1]}';

    const value = parseExactJson(text, { depthMax: 100, takesNonFinite: true });

    assert.equal(toExactJsonText(value), '{"a":null,"b":[null,null,-1]}');
    assert.throws(() => parse(text), JsonSyntaxError);
  });

  test('rejects only texts that are nested more deeply than allowed', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

    assert.doesNotThrow(() => parse(nested(101)));
    assert.throws(() => parse(nested(102)), JsonDepthError);
  });

  test('reads a long text while it yields to the event loop, with the same result', async () => {
    for (const length of [1, 2, 4]) {
      const long = `${'x'.repeat(1_024 * 1_024 - length)}\u{1F98A}"\\\n${'y'.repeat(1_500_000)}`;
      const text = `[${JSON.stringify({ long, [long.slice(0, 2_000_000)]: 1 })},${'{"a":[1,"b"]},'.repeat(20_000)}12345678901234567890]`;
      let turns = 0;
      let isReading = true;
      const count = () => {
        turns++;
        if (isReading) setImmediate(count);
      };
      count();

      const [read, other] = await Promise.all([
        parseExactJsonYielding(inPieces(text), { depthMax: 100 }),
        parseExactJsonYielding(inPieces(`${text} x`), { depthMax: 100 }).catch((error: unknown) => error),
      ]);

      isReading = false;
      assert.ok(turns > 3);
      assert.equal(toExactJsonText(read), toExactJsonText(parse(text)));
      assert.ok(other instanceof JsonSyntaxError && other.message === 'Extra data', String(other));
    }
  });

  test('reads chunks of any length like the whole text, including errors and their offsets', async () => {
    const found = async (read: () => unknown) => {
      try {
        return toExactJsonText((await read()) as ExactJson);
      } catch (error) {
        assert.ok(error instanceof Error);
        return [error.name, error.message, error instanceof JsonSyntaxError && error.offset];
      }
    };
    const number = fc.oneof(fc.double().map(String), fc.bigInt().map(String), fc.constantFrom('-0', '1e+5', '0.10'));
    const text = fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'é', '\u{1F98A}', '\ud83e', '\u0000') });
    const { tree } = fc.letrec<{ tree: string; list: string; object: string }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('true', 'false', 'null', 'NaN', '-Infinity'),
        number,
        text.map((value) => JSON.stringify(value)),
        tie('list'),
        tie('object'),
      ),
      list: fc.array(tie('tree'), { maxLength: 4 }).map((items) => `[ ${items.join('\r\n , ')}]`),
      object: fc
        .array(fc.tuple(text, tie('tree')), { maxLength: 4 })
        .map((entries) => `{${entries.map(([key, value]) => `\t${JSON.stringify(key)} : ${value}`).join(',')} }`),
    }));
    await fc.assert(
      fc.asyncProperty(
        tree,
        fc.option(fc.tuple(fc.nat(), fc.constantFrom('', '"', '{', ',', '\\', '\\u12', '\u0001', '.', ' ', '😀'))),
        fc.integer({ min: 1, max: 40 }),
        async (json, fault, charCount) => {
          const at = fault ? fault[0] % (json.length + 1) : 0;
          const whole = fault ? json.slice(0, at) + fault[1] + json.slice(at + 1) : json;
          const options = { depthMax: 4, valueCountMax: 40, keyCountMax: 8, takesNonFinite: true };
          assert.deepEqual(
            await found(() => parseExactJsonYielding(inPieces(whole, charCount), options)),
            await found(() => parseExactJson(whole, options)),
          );
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('rejects a number that is too long', async () => {
    const digits = (count: number) => `[${'7'.repeat(count)}.5]`;

    const kept = await parseExactJsonYielding(inPieces(digits(1_000_000)), { depthMax: 1 });

    assert.equal(toExactJsonText(kept), digits(1_000_000));
    await assert.rejects(parseExactJsonYielding(inPieces(digits(1_200_000)), { depthMax: 1 }), JsonSizeError);
  });

  test('prints the beginning of a value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat(60), (json, charsMax) => {
        const value = parse(JSON.stringify([json, 7]).replace(/7]$/, '1.0]'));
        const text = toExactJsonText(value);
        const beginning = beginExactJsonText(value, charsMax);
        if (text.length <= charsMax) assert.equal(beginning, text);
        else {
          assert.ok(beginning.length > charsMax);
          assert.equal(beginning.slice(0, charsMax), text.slice(0, charsMax));
        }
      }),
    );
  });

  test('drops the values of unwanted keys, and rejects more values or keys than allowed', () => {
    const read = (text: string, options: object) => parseExactJson(text, { depthMax: 100, ...options });
    const text = '{"a":{"b":1,"c":[2]},"d":{"a":3},"":4,"a":[{"c":5,"d":6}]}';

    assert.equal(toExactJsonText(read(text, { keys: new Set(['a', 'c']) })), '{"a":[{"c":5}]}');
    assert.throws(() => read('{"x":{"a":1,"a":}}', { keys: new Set() }), JsonSyntaxError);
    assert.doesNotThrow(() => read('[1,{"a":2}]', { valueCountMax: 4 }));
    assert.doesNotThrow(() => read('[{"a":2},{"a":3},{"b":{"a":1}}]', { keyCountMax: 2 }));
    assert.throws(() => read('[1,{"a":2}]', { valueCountMax: 3 }), JsonSizeError);
    assert.throws(() => read('[{"a":2},{"b":3},{"c":4}]', { keyCountMax: 2 }), JsonSizeError);
    assert.throws(() => read(`{"${'k'.repeat(2_000_000)}":1}`, { keyCountMax: 2 }), JsonSizeError);
  });
});

test('reads stored texts like other ones, whatever their strings are', () => {
  const signs = ['a', '"', '\\', '\n', '\u0001', 'é', '🦊', '\ud800', ',', '}', '/'];
  let state = 1;
  const below = (count: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % count;
  };
  const text = () => Array.from({ length: below(6) }, () => signs[below(signs.length)]).join('');
  const value = (depth: number): unknown => {
    const kind = below(depth > 3 ? 3 : 5);
    if (kind === 0) return text();
    if (kind === 1) return below(1_000) / 8;
    if (kind === 2) return [true, false, null][below(3)];
    const items = Array.from({ length: below(4) }, () => value(depth + 1));
    return kind === 3 ? items : Object.fromEntries(items.map((item) => [text(), item]));
  };
  for (let round = 0; round < 2_000; round++) {
    const json = JSON.stringify(value(0));
    const [stored, other] = [true, false].map((isStored) => parseExactJson(json, { depthMax: 10, isStored }));
    assert.deepEqual(stored, other, json);
    assert.equal(toExactJsonText(stored!), json);
  }
});
