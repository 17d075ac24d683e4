import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { flattenAttributes, toFlatJson, toOtlpAttributes } from '../../../src/model/spans/attributes.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Flattening as the reference says it, on objects. */
function flattenPlainly(value: Json, key: string, flat: Map<string, Json>): void {
  const isObject = (json: Json) => typeof json === 'object' && json !== null && !Array.isArray(json);
  if (value === null) return;
  if (Array.isArray(value) && value.some(isObject)) {
    for (const [i, item] of value.entries()) if (isObject(item)) flattenPlainly(item, `${key}.${i}`, flat);
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value))
      flattenPlainly(member, key === '' ? name : `${key}.${name}`, flat);
  } else flat.set(key, value);
}

const NAMES = ['a', 'b', 'a.b', '0', 'q"\\', 'ü🚀', 'constructor', 'x y'];

function randomJson(random: SeededRandom, depth: number): Json {
  switch (random.below(depth > 4 ? 5 : 8)) {
    case 0:
      return null;
    case 1:
      return random.chance(0.5);
    case 2:
      return random.pick([0, -1, 1.5, 1e21, 123456789]);
    case 3:
      return random.pick(['', 'text', ',]}{["', 'back\\slash"', 'line\nbreak', '\\', '\\\\"']);
    case 4:
      return random.pick([[], {}, [null], [1, 2]]);
    case 5:
      return Array.from({ length: random.below(4) }, () => randomJson(random, depth + 1));
    default:
      return randomObject(random, depth + 1);
  }
}

const randomObject = (random: SeededRandom, depth: number): { [key: string]: Json } =>
  Object.fromEntries(Array.from({ length: random.below(5) }, () => [random.pick(NAMES), randomJson(random, depth)]));

describe('flattening attributes', () => {
  test('gives the same result as a plain model, with any blanks', () => {
    for (let i = 0; i < 3_000; i++) {
      const random = new SeededRandom(i);
      const nested = randomObject(random, 0);
      const expected = new Map<string, Json>();
      flattenPlainly(nested, '', expected);

      const flat = flattenAttributes([JSON.stringify(nested, null, random.pick([0, 2, '\t']))]);

      assert.deepEqual(new Map([...flat].map(([key, value]) => [key, JSON.parse(value)])), expected, `case ${i}`);
      assert.deepEqual(JSON.parse(toFlatJson(flat)), Object.fromEntries(expected), `case ${i}`);
    }
  });

  for (const { what, parts, flat } of [
    { what: 'no parts', parts: [], flat: {} },
    { what: 'empty parts', parts: ['{}', ' { } '], flat: {} },
    { what: 'nulls and empty objects', parts: ['{"a":null,"b":{},"c":{"d":{}}}'], flat: {} },
    { what: 'a list of scalars', parts: ['{"l":[1,"a"],"e":[]}'], flat: { l: '[1,"a"]', e: '[]' } },
    { what: 'a list with an object', parts: ['{"m":[1,{"x":2},[3],{"y":4}]}'], flat: { 'm.1.x': '2', 'm.3.y': '4' } },
    { what: 'a list of lists', parts: ['{"l":[[{"a":1}]]}'], flat: { l: '[[{"a":1}]]' } },
    {
      what: 'numbers as written',
      parts: ['{"a":9007199254740993,"b":1.0,"c":-0}'],
      flat: { a: '9007199254740993', b: '1.0', c: '-0' },
    },
    { what: 'siblings with dots', parts: ['{"a":"s","a.b":{"c":1}}'], flat: { a: '"s"', 'a.b.c': '1' } },
    {
      what: 'parts of one list',
      parts: ['{"m":[{"role":"user"},{}]}', '{"m":[{},{"text":"long"}]}'],
      flat: { 'm.0.role': '"user"', 'm.1.text': '"long"' },
    },
  ]) {
    test(`accepts ${what}`, () => {
      assert.deepEqual(Object.fromEntries(flattenAttributes(parts)), flat);
    });
  }
});

describe('the OTLP form of attributes', () => {
  const NONE = {
    array_value: null,
    bool_value: null,
    bytes_value: null,
    double_value: null,
    int_value: null,
    kvlist_value: null,
    string_value: null,
  };
  const texts = (...values: string[]) => ({
    ...NONE,
    array_value: { values: values.map((value) => ({ ...NONE, string_value: value })) },
  });
  for (const { json, value } of [
    { json: '"a\\"b"', value: { ...NONE, string_value: 'a"b' } },
    { json: 'true', value: { ...NONE, bool_value: true } },
    { json: '3', value: { ...NONE, int_value: 3 } },
    { json: '1.5', value: { ...NONE, double_value: 1.5 } },
    { json: '1E3', value: { ...NONE, double_value: 1000 } },
    { json: '[]', value: { ...NONE, array_value: { values: [] } } },
    {
      json: '[1, 2]',
      value: {
        ...NONE,
        array_value: {
          values: [
            { ...NONE, int_value: 1 },
            { ...NONE, int_value: 2 },
          ],
        },
      },
    },
    { json: '["a","b"]', value: texts('a', 'b') },
    { json: '["a",1,true]', value: texts('a', '1', 'true') },
    { json: '[1,2.5]', value: texts('1', '2.5') },
    { json: '[[1,2],["a"]]', value: texts('[1,2]', '["a"]') },
    { json: '[1,null]', value: { ...NONE, array_value: { values: [{ ...NONE, int_value: 1 }, NONE] } } },
    { json: '{"a":1}', value: NONE },
  ]) {
    test(`converts ${json}`, () => {
      assert.deepEqual(JSON.parse(toOtlpAttributes(new Map([['k"', json]]))), [{ key: 'k"', value }]);
    });
  }

  test('keeps integers as they are written', () => {
    assert.match(toOtlpAttributes(new Map([['k', '9007199254740993']])), /"int_value":9007199254740993,/);
  });
  test('is an empty list without attributes', () => {
    assert.equal(toOtlpAttributes(new Map()), '[]');
  });
});
