import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { ExactJson, ExactJsonObject } from '../../../../src/base/exact-json.ts';
import { parseExactJson } from '../../../../src/base/parse-exact-json.ts';
import { createRegexes } from '../../../../src/sandbox/regex/thread-regexes.ts';
import { editDistance } from '../../../../src/domain/evaluators/run/built-in/edit-distance.ts';
import { jsonDistance } from '../../../../src/domain/evaluators/run/built-in/json-distance.ts';
import { runBuiltIn } from '../../../../src/domain/evaluators/run/built-in/run-built-in.ts';

const { signal } = new AbortController();
const regexes = createRegexes();
after(() => regexes.close());
const run = (key: string, inputs: ExactJsonObject) => runBuiltIn({ regexes }, key, inputs, { signal, owner: '' });
const matches = async (key: string, inputs: ExactJsonObject) => {
  const finding = await run(key, inputs);
  assert.ok('isMatch' in finding);
  return finding.isMatch;
};
const distance = async (key: string, inputs: ExactJsonObject) => {
  const finding = await run(key, inputs);
  assert.ok('distance' in finding);
  return finding.distance;
};
const json = (text: string): ExactJson => parseExactJson(text, { depthMax: 600 });

/** Levenshtein distance by the table of its definition. */
function plainDistance(first: string, second: string): number {
  const [a, b] = [[...first], [...second]];
  let row = b.map((_, index) => index + 1);
  row.unshift(0);
  for (const [i, x] of a.entries()) {
    const next = [i + 1];
    for (const [j, y] of b.entries()) next.push(Math.min(row[j + 1]! + 1, next[j]! + 1, row[j]! + (x === y ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

describe('built-in evaluators', () => {
  test('contains finds any of the words, or all of them', async () => {
    const text = 'We sent the Refund.';
    assert.equal(await matches('contains', { words: 'refund, return', text }), true);
    assert.equal(await matches('contains', { words: 'refund, return', text, require_all: true }), false);
    assert.equal(await matches('contains', { words: 'refund, sent', text, require_all: true }), true);
    assert.equal(await matches('contains', { words: 'refund', text, case_sensitive: true }), false);
    assert.equal(await matches('contains', { words: ' , ,', text: ' , ,' }), false);
    const { explanation } = await run('contains', { words: 'sent,back', text, require_all: true });
    assert.equal(explanation, 'The text does not contain all words: "back" not found.');
  });

  test('exact_match compares every character', async () => {
    assert.equal(await matches('exact_match', { expected: 'a', actual: 'a' }), true);
    assert.equal(await matches('exact_match', { expected: 'a', actual: 'a ' }), false);
    assert.equal(await matches('exact_match', { expected: 'ÄB', actual: 'äb' }), false);
    assert.equal(await matches('exact_match', { expected: 'ÄB', actual: 'äb', case_sensitive: false }), true);
  });

  test('regex searches, or matches the whole text', async () => {
    const text = 'order 4711';
    assert.equal(await matches('regex', { pattern: '\\d{4}', text }), true);
    assert.equal(await matches('regex', { pattern: '\\d{4}', text, full_match: true }), false);
    assert.equal(await matches('regex', { pattern: '\\w+ \\d+', text, full_match: true }), true);
    assert.equal(await matches('regex', { pattern: '(?i)ORDER', text }), true);
  });

  test('a regular expression that is invalid or too large is an error', async () => {
    await assert.rejects(run('regex', { pattern: '(', text: '' }), /^SpandrelError: Invalid regular expression: /);
    await assert.rejects(run('regex', { pattern: '(?=a)', text: '' }), /Invalid regular expression/);
    await assert.rejects(run('regex', { pattern: '(((a{1,100}){1,100}){1,100})', text: '' }), /Invalid|too much/);
    await assert.rejects(run('regex', { pattern: 'x'.repeat(3_000), text: '' }), /the maximum is 2000/);
    // Exponential in engines that go back.
    assert.equal(await matches('regex', { pattern: '^(a+)+$', text: `${'a'.repeat(50_000)}b` }), false);
  });

  test('levenshtein_distance counts edits of characters', async () => {
    assert.equal(await distance('levenshtein_distance', { expected: 'kitten', actual: 'sitting' }), 3);
    assert.equal(await distance('levenshtein_distance', { expected: 'ABC', actual: 'abc' }), 3);
    assert.equal(await distance('levenshtein_distance', { expected: 'ABC', actual: 'abc', case_sensitive: false }), 0);
    assert.equal(await distance('levenshtein_distance', { expected: '👍🏽', actual: '👍' }), 1);
  });

  test('the edit distance of random texts is that of the plain table', async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 1e6);
    let state = seed;
    const random = (below: number) => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
      return Math.floor((state / 2 ** 31) * below);
    };
    for (let round = 0; round < 150; round++) {
      const letters = ['ab', 'abcdef', 'aé👍漢'][random(3)]!;
      const newText = () =>
        Array.from({ length: random(140) }, () => [...letters][random([...letters].length)]).join('');
      const first = newText();
      const second = random(2) ? newText() : first.replaceAll('a', () => (random(5) ? 'a' : 'b'));
      const expected = plainDistance(first, second);
      assert.equal(await editDistance(first, second, signal), expected, `seed ${seed}: ${first} / ${second}`);
    }
  });

  test('long texts are compared while other work goes on, and only up to a limit', async () => {
    const [first, second] = ['ab'.repeat(8_000), 'ba'.repeat(7_000)];
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    assert.equal(await editDistance(first, second, signal), 2_000);
    clearInterval(timer);
    assert.ok(turns > 2, `the event loop turned ${turns} times`);
    await assert.rejects(editDistance('a'.repeat(60_000), 'b'.repeat(60_000), signal), /too long to compare/);
    assert.equal(await editDistance('a'.repeat(1_000_000), `${'a'.repeat(1_000_000)}b`, signal), 1);
    const controller = new AbortController();
    const compared = editDistance('ab'.repeat(20_000), 'cd'.repeat(20_000), controller.signal);
    controller.abort();
    await assert.rejects(compared, { name: 'AbortError' });
  });

  test('json_distance counts differing leaves, missing keys and missing items', async () => {
    const cases: [string, string, number][] = [
      ['{"a":1,"b":[1,2]}', '{"b":[1,2],"a":1.0}', 0],
      ['{"a":1}', '{"b":1}', 2],
      ['[1,2,3]', '[1]', 2],
      ['[1,{"x":null}]', '[2,{"x":false}]', 2],
      ['{"a":{"b":1,"c":2}}', '{"a":[1,2]}', 1],
      ['"1"', '1', 1],
      ['9007199254740993', '9007199254740992', 1],
      ['{"__proto__":1}', '{"constructor":1}', 2],
    ];
    for (const [expected, actual, count] of cases) {
      assert.equal(await jsonDistance(json(expected), json(actual), signal), count, `${expected} / ${actual}`);
      assert.equal(
        await distance('json_distance', { expected, actual: json(actual), parse_strings: true }),
        expected === '"1"' ? 1 : count,
      );
    }
    assert.equal(await distance('json_distance', { expected: '{}', actual: '{ }', parse_strings: false }), 1);
    await assert.rejects(run('json_distance', { expected: '{', actual: 1 }), /'expected' is not valid JSON/);
    const deep = '['.repeat(2_000) + ']'.repeat(2_000);
    await assert.rejects(run('json_distance', { expected: deep, actual: 1 }), /'expected' is not valid JSON/);
  });

  test('a name from outside is no rule', async () => {
    await assert.rejects(run('constructor', {}), /does not exist/);
  });
});
