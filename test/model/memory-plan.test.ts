import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DATASET_UPLOAD_COUNT_MAX } from '../../src/model/limits/datasets.ts';
import { INFLIGHT_BYTES_MAX } from '../../src/model/limits/ingest.ts';
import {
  BODY_BYTES_MAX,
  CONNECTION_COUNT_MAX,
  DECODE_HEAP_BYTES_MAX,
  GRPC_CONNECTION_COUNT_MAX,
  JSON_SIGN_COUNT_MAX,
  JSON_SIGN_HEAP_BYTES_MAX,
  jsonHeapBytes,
} from '../../src/model/limits/requests.ts';
import {
  RECENT_SPAN_BYTES_MAX,
  STORE_CHECKPOINT_BYTES,
  STORE_MEMORY_BYTES_MAX,
} from '../../src/model/limits/span-store.ts';
import { planMemory } from '../../src/model/memory-plan.ts';

const GiB = 2 ** 30;
const plan = (gib: number, coreCount = 4) =>
  planMemory({ availableBytes: gib * GiB, mainHeapBytes: (Math.min(gib, 8) * GiB) / 2, coreCount });

test('a large machine reaches the limits', () => {
  const { store, ...large } = plan(64);

  assert.equal(store.bufferBytesMax, STORE_MEMORY_BYTES_MAX);
  assert.equal(store.recentSpanBytesMax, RECENT_SPAN_BYTES_MAX);
  assert.equal(store.checkpointBytes, STORE_CHECKPOINT_BYTES);
  assert.equal(large.bodyBytesMax, INFLIGHT_BYTES_MAX);
  assert.equal(large.decodeThreadCount, 3);
  assert.equal(large.decodeHeapBytesMax, DECODE_HEAP_BYTES_MAX);
  assert.equal(large.jsonSignCountMax, JSON_SIGN_COUNT_MAX);
  assert.equal(large.uploadCountMax, DATASET_UPLOAD_COUNT_MAX);
  assert.equal(large.connectionCountMax, CONNECTION_COUNT_MAX);
  assert.equal(large.grpcConnectionCountMax, GRPC_CONNECTION_COUNT_MAX);
});

for (const gib of [0.25, 0.5, 1, 2, 4, 8, 256]) {
  for (const coreCount of [1, 2, 8, 128]) {
    test(`with ${gib} GiB and ${coreCount} cores the largest request is admissible, and a decode thread can read it again`, () => {
      const { store, importLine, ...rest } = plan(gib, coreCount);

      for (const [name, value] of Object.entries({ ...store, ...importLine, ...rest })) {
        assert.ok(Number.isSafeInteger(value) && value > 0, `${name}: ${value}`);
      }
      assert.ok(rest.bodyBytesMax >= BODY_BYTES_MAX);
      assert.ok(rest.jsonHeapBytesMax < rest.decodeHeapBytesMax);
      assert.ok(2 * rest.jsonSignCountMax * JSON_SIGN_HEAP_BYTES_MAX <= rest.decodeHeapBytesMax);
      assert.ok(jsonHeapBytes(importLine.lineBytesMax, 0) < rest.jsonHeapBytesMax);
    });
  }
}

test('a container with many cores and little memory gets few threads', () => {
  assert.equal(plan(1, 64).decodeThreadCount, 2);
});

test('the memory that an operator assigns to the span store applies, and its caches follow', () => {
  const { store } = planMemory({ availableBytes: GiB, mainHeapBytes: GiB / 2, coreCount: 2, storeBytes: 4 * GiB });

  assert.equal(store.bufferBytesMax, 4 * GiB);
  assert.equal(store.recentSpanBytesMax, RECENT_SPAN_BYTES_MAX);
});
