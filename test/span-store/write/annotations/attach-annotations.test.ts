import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spanColumns } from '../../../fixtures/span-columns.ts';
import { storeForTest } from '../../store-for-test.ts';

const idOf = (row: number): string => (1 + row).toString(16).padStart(16, '0');

test('annotations of distant spans are aggregated once each, if their spans start in the range', async (t) => {
  const store = await storeForTest(t);
  const rows = Array.from({ length: 34_000 }, (_, row) => row);
  const spans = rows.map((row) => ({ traceId: idOf(0).repeat(2), spanId: idOf(row), start: BigInt(row) }));
  const judged = [0, 1, 2, 33_998, 33_999];
  await store.append(spanColumns(spans), 2, [
    {
      position: 2,
      receivedAtMs: 0,
      target: 'span',
      isWhole: false,
      source: 'API',
      userId: null,
      annotations: judged.map((row) => ({
        targetId: idOf(row),
        documentPosition: null,
        name: 'quality',
        identifier: '',
        annotatorKind: 'LLM',
        label: null,
        score: row,
        explanation: null,
        metadata: '{}',
      })),
    },
  ]);
  const meanOf = async (range: object) => {
    const [sums] = await store.aggregateAnnotations({ projectId: 1, target: 'span', names: ['quality'], ...range });
    return sums && [sums.count, sums.meanScore];
  };

  assert.deepEqual(await meanOf({}), [5, 13_600]);
  assert.deepEqual(await meanOf({ startTimeUnixNano: 1n, endTimeUnixNano: 33_999n }), [3, 34_001 / 3]);
  assert.deepEqual(await meanOf({ startTimeUnixNano: 33_999n }), [1, 33_999]);
  assert.equal(await meanOf({ startTimeUnixNano: 3n, endTimeUnixNano: 20_000n }), undefined);
});
