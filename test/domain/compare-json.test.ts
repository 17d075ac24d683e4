import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { ExactJson } from '../../src/base/exact-json.ts';
import { parseExactJson } from '../../src/base/parse-exact-json.ts';
import { compareJson } from '../../src/domain/prompts/compare-json.ts';

const read = (value: unknown): ExactJson => parseExactJson(JSON.stringify(value), { depthMax: 500 });
const places = (before: unknown, after: unknown) =>
  compareJson(read(before), read(after)).map(({ path, kind }) => `${kind} ${path}`);

describe('comparing JSON', () => {
  for (const { what, before, after, expected } of [
    { what: 'keys in another order', before: { a: 1, b: [{}] }, after: { b: [{}], a: 1 }, expected: [] },
    { what: 'another type', before: { a: 1 }, after: { a: '1' }, expected: ['CHANGED a'] },
    { what: 'a null that becomes a value', before: { a: null }, after: { a: [] }, expected: ['ADDED a'] },
    {
      what: 'a key that is no name',
      before: {},
      after: { 'a.b': 1, __proto: 2 },
      expected: ['ADDED ["a.b"]', 'ADDED __proto'],
    },
    { what: 'an item in the middle', before: [1, 2, 4], after: [1, 2, 3, 4], expected: ['ADDED [2]'] },
    { what: 'an item that is gone', before: [1, 2, 3], after: [1, 3], expected: ['REMOVED [1]'] },
    {
      what: 'an item that changed between equal ones',
      before: [0, { a: 1 }, 9],
      after: [0, { a: 2 }, 9],
      expected: ['CHANGED [1].a'],
    },
    { what: 'a whole list', before: { a: [1] }, after: { a: { 0: 1 } }, expected: ['CHANGED a'] },
  ]) {
    test(`reports ${what}: ${expected.join(', ') || 'nothing'}`, () => {
      assert.deepEqual(places(before, after), expected);
    });
  }

  test('reports a number written in another way', () => {
    const [before, after] = ['1.0', '1'].map((text) => parseExactJson(text, { depthMax: 1 }));
    assert.equal(compareJson(before!, after!).length, 1);
  });

  test('reports nothing exactly when the values are equal', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (a, b) => {
        assert.deepEqual(places(a, a), []);
        const isEqual = JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
        assert.equal(places(a, b).length === 0, isEqual);
        assert.equal(places(a, b).length === 0, places(b, a).length === 0);
      }),
    );
  });

  test('takes long lists and deep values', () => {
    const long = Array.from({ length: 5_000 }, (_, index) => index);
    assert.equal(places(long, [-1, ...long]).length > 0, true);
    const deep = JSON.parse(`${'['.repeat(400)}1${']'.repeat(400)}`);
    assert.deepEqual(places(deep, JSON.parse(`${'['.repeat(400)}2${']'.repeat(400)}`)).length, 1);
  });
});

/** With its keys in one order; an object stays apart from a list of the same. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return { fields: fields.map(([key, field]) => [key, sorted(field)]) };
}
