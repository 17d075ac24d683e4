import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isJmesPath, searchTexts } from '../../src/base/jmespath.ts';

const LIMITS = { evaluationMsMax: 200, textCountMax: 3, textLengthMax: 10 };

describe('isJmesPath', () => {
  for (const expression of [
    'email',
    'realm_access.roles[0]',
    "contains(groups, 'x') && 'ADMIN' || 'VIEWER'",
    'groups[?starts_with(@, `"x"`)]',
    'resource_access."my-app".roles',
  ]) {
    test(`accepts ${expression}`, () => assert.equal(isJmesPath(expression), true));
  }

  for (const expression of ['', 'a[', 'a b', 'missing(a)', 'length()', 'toString', '__proto__', 'a'.repeat(1001)]) {
    test(`rejects ${expression.slice(0, 20)}`, () => assert.equal(isJmesPath(expression), false));
  }
});

describe('searchTexts', () => {
  const search = (expression: string, data: object) => searchTexts(expression, { ...data }, LIMITS);

  test('returns a text, a list of texts, and numbers as texts', () => {
    assert.deepEqual(search('a', { a: ' x ' }), ['x']);
    assert.deepEqual(search('a', { a: ['x', 1] }), ['x', '1']);
  });

  test('leaves out all that is no short text', () => {
    assert.deepEqual(search('a', { a: ['', 'x'.repeat(11), null] }), []);
    assert.deepEqual(search('a', { a: [['x'], { b: 'x' }, true] }), []);
    assert.deepEqual(search('a', {}), []);
  });

  test('reads nothing of prototypes', () => {
    for (const expression of ['@.constructor', '@.__proto__', 'a.constructor.name', '@.toString']) {
      assert.deepEqual(search(expression, { a: {} }), [], expression);
    }
  });

  test('fails for too many texts, because a list with a missing item is a wrong one', () => {
    assert.throws(() => search('a', { a: ['1', '2', '3', '4'] }));
  });

  test('stops an evaluation that grows without end', () => {
    const many = Array.from({ length: 3000 }, () => ({ b: Array.from({ length: 3000 }, () => ({ c: [1] })) }));

    assert.throws(() => search('a[*].b[*].c[*]', { a: many }), /timed out/);
    assert.throws(() => search(`a${'|[@,@][]'.repeat(60)}`, { a: 'x' }));
  });
});
