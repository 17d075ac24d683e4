import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { randomIndices } from '../../../../src/domain/experiments/comparison/statistics/random.ts';
import { readTraceId, TraceIndex } from '../../../../src/domain/experiments/comparison/trace-index.ts';

/** Words of IDs in the layout of the span store: low and high word of each half. */
const wordsOf = (ids: readonly string[]): Uint32Array =>
  Uint32Array.from(
    ids.flatMap((id) => [id.slice(8, 16), id.slice(0, 8), id.slice(24, 32), id.slice(16, 24)]),
    (hex) => Number.parseInt(hex, 16),
  );

describe('an index of traces', () => {
  test('finds each trace by the text of its ID, and no other', () => {
    const random = randomIndices('traces');
    // Few different digits, so that many IDs share words.
    const ids = [
      ...new Set(Array.from({ length: 5_000 }, () => Array.from({ length: 32 }, () => 'a0'[random(2)]).join(''))),
    ];
    const [stored, others] = [ids.slice(0, 3_000), ids.slice(3_000)];
    const index = new TraceIndex(wordsOf(stored));
    const words = new Uint32Array(4);
    const find = (id: string) => (readTraceId(id, 0, id.length, words, 0) ? index.find(words, 0) : -2);
    const findNear = (id: string, expected: number) => {
      readTraceId(id, 0, id.length, words, 0);
      return index.find(words, 0, expected);
    };
    // Before the table exists, and with a wrong expectation, also beyond the end.
    assert.equal(findNear(others[0]!, 0), -1);
    assert.equal(findNear(stored.at(-1)!, -1), stored.length - 1);
    for (const [at, id] of stored.entries()) assert.equal(findNear(id, at), at);
    for (const [at, id] of stored.entries()) assert.equal(findNear(id, at + 1), at);
    for (const [at, id] of stored.entries()) assert.equal(find(id), at);
    for (const id of others) assert.equal(find(id), -1);
    assert.equal(find(stored[0]!.toUpperCase()), 0);
    for (const id of ['', 'x'.repeat(32), 'a'.repeat(31), `${'a'.repeat(31)}é`]) assert.equal(find(id), -2);
  });

  test('may be empty', () => {
    assert.equal(new TraceIndex(new Uint32Array()).find(new Uint32Array(4), 0), -1);
  });
});
