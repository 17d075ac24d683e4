import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as limits from '../../src/model/limits.ts';
import { planMemory } from '../../src/model/memory-plan.ts';

const GiB = 2 ** 30;
const plan = (gib: number, coreCount = 4) =>
  planMemory({ availableBytes: gib * GiB, mainHeapBytes: (Math.min(gib, 8) * GiB) / 2, coreCount });

test('a large machine reaches the limits', () => {
  const { store, ...large } = plan(64);

  assert.equal(store.bufferBytesMax, limits.STORE_MEMORY_BYTES_MAX);
  assert.equal(store.recentSpanBytesMax, limits.RECENT_SPAN_BYTES_MAX);
  assert.equal(store.checkpointBytes, limits.STORE_CHECKPOINT_BYTES);
  assert.equal(large.bodyBytesMax, limits.INFLIGHT_BYTES_MAX);
  assert.equal(large.decodeThreadCount, 3);
  assert.equal(large.decodeHeapBytesMax, limits.DECODE_HEAP_BYTES_MAX);
  assert.equal(large.jsonSignCountMax, limits.JSON_SIGN_COUNT_MAX);
  assert.equal(large.uploadCountMax, limits.DATASET_UPLOAD_COUNT_MAX);
  assert.equal(large.connectionCountMax, limits.CONNECTION_COUNT_MAX);
  assert.equal(large.grpcConnectionCountMax, limits.GRPC_CONNECTION_COUNT_MAX);
});

for (const gib of [0.25, 0.5, 1, 2, 4, 8, 256]) {
  for (const coreCount of [1, 2, 8, 128]) {
    test(`with ${gib} GiB and ${coreCount} cores the largest request is admissible, and a decode thread can read it again`, () => {
      const { store, importLine, ...rest } = plan(gib, coreCount);

      for (const [name, value] of Object.entries({ ...store, ...importLine, ...rest })) {
        assert.ok(Number.isSafeInteger(value) && value > 0, `${name}: ${value}`);
      }
      assert.ok(rest.bodyBytesMax >= limits.BODY_BYTES_MAX);
      assert.ok(rest.jsonHeapBytesMax < rest.decodeHeapBytesMax);
      assert.ok(2 * rest.jsonSignCountMax * limits.JSON_SIGN_HEAP_BYTES_MAX <= rest.decodeHeapBytesMax);
      assert.ok(limits.jsonHeapBytes(importLine.lineBytesMax, 0) < rest.jsonHeapBytesMax);
    });
  }
}

test('a container with many cores and little memory gets few threads', () => {
  assert.equal(plan(1, 64).decodeThreadCount, 2);
});

test('the memory that an operator assigns to the span store applies, and its caches follow', () => {
  const { store } = planMemory({ availableBytes: GiB, mainHeapBytes: GiB / 2, coreCount: 2, storeBytes: 4 * GiB });

  assert.equal(store.bufferBytesMax, 4 * GiB);
  assert.equal(store.recentSpanBytesMax, limits.RECENT_SPAN_BYTES_MAX);
});
