import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentTraces } from '../../../src/span-store/cache/recent-traces.ts';
import type { TraceRow } from '../../../src/span-store/duckdb/trace-rows.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';

/** IDs that differ in one word, and those with the highest bits, are among them. */
const toId = (index: number) => ({
  high: index % 3 === 0 ? 2n ** 64n - 1n - BigInt(index) : 7n,
  low: index % 3 === 1 ? 2n ** 63n + BigInt(index) : BigInt(index),
});

function randomRow(random: SeededRandom, index: number): TraceRow {
  const count = () => [0, 1, random.below(1_000), Number.MAX_SAFE_INTEGER][random.below(4)]!;
  return {
    rowId: index,
    projectId: random.below(2 ** 31),
    ...toId(index),
    sessionRowId: random.below(2) === 0 ? null : count(),
    start: [-1n, 0n, -(2n ** 63n), 2n ** 63n - 1n][random.below(4)]!,
    end: BigInt(random.below(1_000_000)) * 1_000_000_000n,
    spanCount: count(),
    errorCount: count(),
    tokensPrompt: count(),
    tokensCompletion: -count() || 0,
    firstSpanRowId: count(),
    lastSpanRowId: count(),
    text: random.below(5) === 0 ? `trace ${index} \u{1f3d4}` : null,
    costSpanCount: count(),
    costTokensPrompt: count(),
    costTokensCompletion: count(),
    costPromptPico: count(),
    costCompletionPico: count(),
  };
}

test('rows are those of a map, and the most recent ones are never missing', () => {
  const random = new SeededRandom(1);
  const youngCountMax = 3_000;
  const recent = new RecentTraces(youngCountMax);
  const model = new Map<number, TraceRow>();
  let missing = 0;
  for (let round = 0; round < 40_000; round++) {
    const index = random.below(12_000);
    if (random.below(3) > 0) {
      const row = randomRow(random, index);
      recent.set(row);
      // The order of a map is that of the last use here.
      model.delete(index);
      model.set(index, row);
    } else {
      const { high, low } = toId(index);
      const row = recent.get(high, low);
      if (row) {
        assert.deepEqual(row, model.get(index));
        model.delete(index);
        model.set(index, row);
      } else missing++;
    }
    if (round % 10_000 === 9_999) {
      for (const [known, row] of [...model].slice(-youngCountMax)) {
        const { high, low } = toId(known);
        assert.deepEqual(recent.get(high, low), row);
      }
    }
  }
  assert.ok(missing > 1_000, `${missing} rows were missing`);

  recent.clear();
  for (const index of model.keys()) assert.equal(recent.get(toId(index).high, toId(index).low), undefined);
});

test('a row does not change with the object from which it was set', () => {
  const recent = new RecentTraces(10);
  const row = randomRow(new SeededRandom(2), 5);
  recent.set(row);
  const copy = { ...row };
  row.spanCount = 77;
  const read = recent.get(row.high, row.low);
  assert.deepEqual(read, copy);
  read!.errorCount = 99;
  assert.deepEqual(recent.get(row.high, row.low), copy);
});
