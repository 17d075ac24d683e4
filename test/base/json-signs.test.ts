import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countJsonSignsInChunks, hasMoreJsonSigns } from '../../src/base/json-signs.ts';

const TEXTS = [
  { text: '[1,2,{"a":[]}]', count: 5 },
  { text: '"[,{[,{[,{"', count: 0 },
  { text: '["\\"[[[[","\\\\",[]]', count: 4 },
  { text: '"not closed [[[', count: 0 },
  { text: '"a backslash at the end \\', count: 0 },
  { text: '[[[[[[', count: 6 },
];
for (const { text, count } of TEXTS) {
  test(`counts ${count} signs of JSON in ${text}`, () => {
    const bytes = Buffer.from(text);
    assert.equal(hasMoreJsonSigns(bytes, count), false);
    if (count > 0) assert.equal(hasMoreJsonSigns(bytes, count - 1), true);
    for (const pieceBytes of [1, 2, 3]) {
      const pieces = [...steps(countJsonSignsInChunks(bytes, Number.POSITIVE_INFINITY, pieceBytes))];
      assert.equal(pieces.at(-1), count, `in pieces of ${pieceBytes}`);
      assert.ok(pieces.length > 1 && pieces.slice(0, -1).every((piece) => piece === undefined));
    }
  });
}

/** All values that a generator yields, then its return value. */
function* steps(generator: Generator<undefined, number>): Generator<number | undefined> {
  yield yield* generator;
}
