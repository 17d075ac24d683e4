import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compactColumns } from '../../src/columns/compact-columns.ts';
import { concatColumns } from '../../src/columns/concat-columns.ts';
import { SeededRandom } from '../fixtures/seeded-random.ts';
import { spanColumns, type TestSpan } from '../fixtures/span-columns.ts';

test('two batches give the columns of one batch with the spans of both', () => {
  const random = new SeededRandom(5);
  for (let round = 0; round < 20; round++) {
    const spans = Array.from({ length: 2 + random.below(30) }, (_, index) => randomSpan(random, index));
    const cut = random.below(spans.length + 1);
    const both = concatColumns(spanColumns(spans.slice(0, cut)), spanColumns(spans.slice(cut)));

    const { projectIndex, projectNames, ...columns } = compactColumns(both);
    const { projectIndex: wholeIndex, projectNames: wholeNames, ...whole } = compactColumns(spanColumns(spans));
    assert.deepEqual(columns, whole);
    // The names of the second batch follow those of the first one, and may repeat them.
    assert.deepEqual(
      Array.from(projectIndex, (index) => projectNames[index]),
      Array.from(wholeIndex, (index) => wholeNames[index]),
    );
  }
});

const randomSpan = (random: SeededRandom, index: number): TestSpan => ({
  traceId: random.below(9) === 0 ? `trace ${index}` : index.toString(16).padStart(32, '0'),
  spanId: index.toString(16).padStart(16, '0'),
  project: random.below(2) === 0 ? 'default' : 'other',
  name: 'é'.repeat(random.below(7)),
  start: BigInt(random.below(1_000)),
  attributes: { key: 'x'.repeat(random.below(100)) },
  ...(random.below(2) === 0 && { input: 'word '.repeat(random.below(50)), userId: 'user' }),
});
