import assert from 'node:assert/strict';
import { test } from 'node:test';
import { traceIdCondition } from '../../../src/span-store/filter/trace-id-condition.ts';
import { TraceBlocks, type TraceIdNumbers } from '../../../src/span-store/cache/trace-blocks.ts';
import { Parameters } from '../../../src/span-store/duckdb/sql.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';

const ROW_COUNT = 100;

test('the condition is true for the rows of all requested traces, and for few others', () => {
  const random = new SeededRandom(5);
  const blocks = new TraceBlocks(ROW_COUNT);
  const rowIdOf = new Map<TraceIdNumbers, number>();
  // With a gap, like after a lost store.
  for (let rowId = 1; rowId < 20_000; rowId += rowId === 5_000 ? 3_000 : 1) {
    const id = { high: randomId(random), low: randomId(random) };
    rowIdOf.set(id, rowId);
    add(blocks, rowId, id);
  }
  const ids = [...rowIdOf.keys()];
  let width = 0;
  for (let round = 0; round < 200; round++) {
    const asked = Array.from({ length: 1 + random.below(4) }, () => random.pick(ids));
    const ranges = rangesOf(blocks, asked);
    for (const id of asked) {
      const rowId = rowIdOf.get(id)!;
      assert.ok(ranges.some(([first, last]) => rowId >= first && rowId <= last));
    }
    width += new Set(ranges.map(([first]) => first)).size / asked.length;
  }
  assert.ok(width / 200 < 1.2, `${width / 200} blocks a trace`);
});

test('an unknown ID selects no rows, and an ID that is in too many blocks selects all', () => {
  const blocks = new TraceBlocks(1);
  const id = { high: 1n, low: 2n ** 63n };
  assert.match(traceIdCondition([id], blocks, new Parameters()), /^false AND /);
  for (let rowId = 1; rowId <= 16; rowId++) add(blocks, rowId, id);
  assert.equal(rangesOf(blocks, [id]).length, 16);
  add(blocks, 17, id);
  assert.match(traceIdCondition([id], blocks, new Parameters()), /^true AND /);
  blocks.clear();
  assert.match(traceIdCondition([id], blocks, new Parameters()), /^false AND /);
});

const randomId = (random: SeededRandom): bigint =>
  (BigInt(random.below(2 ** 32)) << 32n) | BigInt(random.below(2 ** 32));

/** Like the writer: by the words of its columns. */
function add(blocks: TraceBlocks, rowId: number, { high, low }: TraceIdNumbers): void {
  const words = new Uint32Array(BigUint64Array.of(high, low).buffer);
  blocks.add(rowId, words[0]!, words[1]!, words[2]!, words[3]!);
}

function rangesOf(blocks: TraceBlocks, ids: readonly TraceIdNumbers[]): [first: number, last: number][] {
  const parameters = new Parameters();
  const condition = traceIdCondition(ids, blocks, parameters);
  assert.match(condition, /^\(row_id BETWEEN/);
  const values = parameters.values.map(Number);
  const rangeCount = condition.match(/row_id BETWEEN/g)?.length ?? 0;
  return Array.from({ length: rangeCount }, (_, at) => [values[2 * at]!, values[2 * at + 1]!]);
}
