import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NUMERIC_TEXT } from '../../../src/filter/spans/span-filter.ts';
import { type Random, randomFrom, TEXTS } from '../../filter/random-filters.ts';
import { bitsOf, mayMatch } from '../../../src/span-store/cache/block-filter.ts';
import { addScalars, hashOfKey, hashOfNumber, hashOfScalar } from '../../../src/span-store/cache/value-hashes.ts';

const SEED = Number(process.env.TEST_SEED ?? Date.now() % 1_000_000);

const hashesOf = (json: string): Set<number> => {
  const hashes = new Set<number>();
  addScalars(json, (hash) => hashes.add(hash));
  return hashes;
};

/** What a walk over the parsed object finds; `addScalars` never parses. */
function scalarsOf(value: unknown, key: string): { key: string; text: string }[] {
  if (value === null || Array.isArray(value)) return [];
  if (typeof value === 'object') return Object.entries(value).flatMap(([inner, item]) => scalarsOf(item, inner));
  return [{ key, text: String(value) }];
}

const randomValue = (random: Random, depth: number): unknown => {
  const kind = random.below(depth > 0 ? 7 : 5);
  if (kind === 0) return random.pick(TEXTS);
  if (kind === 1) return random.pick([0, -1.5, 17, 1e21, 1e-7]);
  if (kind === 2) return random.chance(0.5);
  if (kind === 3) return null;
  if (kind === 4) return 'x]}{["\\'.slice(random.below(5));
  if (kind === 5) return Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: random.below(5) }, () => [random.pick(TEXTS), randomValue(random, depth - 1)]),
  );
};

test(`only scalars outside of lists have hashes (seed ${SEED})`, () => {
  const random = randomFrom(SEED);
  for (let round = 0; round < 2_000; round++) {
    const value = { top: randomValue(random, 4), [random.pick(TEXTS)]: randomValue(random, 4) };
    const json = round % 2 === 0 ? JSON.stringify(value) : JSON.stringify(value, null, 1);
    const expected = new Set(
      scalarsOf(value, '').flatMap(({ key, text }) => {
        const written = [hashOfKey(key), hashOfScalar(key, text)];
        return NUMERIC_TEXT.test(text) ? [...written, hashOfNumber(key, Number(text))] : written;
      }),
    );
    assert.deepEqual([...hashesOf(json)].sort(), [...expected].sort(), json);
  }
});

test('every value of a repeated key has a hash', () => {
  assert.deepEqual(
    [...hashesOf('{"a":1,"a":"x"}')].sort(),
    [hashOfKey('a'), hashOfScalar('a', '1'), hashOfScalar('a', 'x')].sort(),
  );
});

test('a number is found in any notation', () => {
  for (const text of ['5', '5.0', '"5.00"', '5e0', '0.5e1', '"+5"']) {
    assert.ok(hashesOf(`{"a":{"n":${text}}}`).has(hashOfNumber('a.n', 5)), text);
  }
});

test('text that is not JSON ends the search without an error', () => {
  for (const json of [
    '',
    '{',
    '{"',
    '{"a',
    '{"a"',
    '{"a":',
    '{"a":"',
    '{"a":[',
    '{"a":["',
    '[[[',
    '}',
    '{"a":"x\\',
    'nul',
  ]) {
    assert.doesNotThrow(() => hashesOf(json), json);
  }
});

test('a block may match only if it has one value of every list', () => {
  const bits = bitsOf(new Set([1, 2, 3_000_000_000]));
  const block = { bits, leastStartNs: 10n, greatestStartNs: 20n };
  assert.ok(mayMatch(block, { values: [] }));
  assert.ok(mayMatch(block, { values: [[7, 1], [3_000_000_000]] }));
  assert.ok(!mayMatch(block, { values: [[1], []] }));
  const misses = Array.from({ length: 1_000 }, (_, index) => index + 10).filter((hash) =>
    mayMatch(block, { values: [[hash]] }),
  );
  assert.ok(misses.length < 50, `${misses.length} of 1,000 values that it does not have`);
  assert.ok(mayMatch(block, { values: [], startTimeUnixNano: 20n, endTimeUnixNano: 21n }));
  assert.ok(!mayMatch(block, { values: [], startTimeUnixNano: 21n }));
  assert.ok(!mayMatch(block, { values: [], endTimeUnixNano: 10n }));
});
