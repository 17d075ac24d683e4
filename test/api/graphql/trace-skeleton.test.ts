import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SpanSummary } from '../../../src/model/span.ts';
import type { SpanId, TraceId } from '../../../src/model/trace-ids.ts';
import { toSkeleton } from '../../../src/api/graphql/trace-skeleton.ts';

const span = (id: string, parent: string | null, fields: Partial<SpanSummary> = {}): SpanSummary => ({
  rowId: Number(id),
  traceId: 'a'.repeat(32) as TraceId,
  spanId: id as SpanId,
  parentSpanId: parent as SpanId | null,
  name: 'step',
  spanKind: 'CHAIN',
  statusCode: 'UNSET',
  startTimeUnixNano: 1_000_000_000n,
  endTimeUnixNano: 1_000_000_000n,
  tokensPrompt: 0,
  tokensCompletion: 0,
  cumulativeErrorCount: 0,
  cumulativeTokensPrompt: 0,
  cumulativeTokensCompletion: 0,
  ...fields,
});

test('a skeleton names parents by index, tells roots from spans that lost theirs, and each name once', () => {
  const skeleton = toSkeleton([
    span('1', null, { name: 'run', spanKind: 'AGENT', endTimeUnixNano: 1_250_000_000n, cumulativeTokensPrompt: 5 }),
    span('2', '1', { statusCode: 'ERROR', startTimeUnixNano: 1_002_500_000n, endTimeUnixNano: 1_003_000_000n }),
    span('3', 'gone', { tokensPrompt: 3, tokensCompletion: 2 }),
  ]);

  assert.deepEqual(skeleton.parents, [-1, 0, -2]);
  assert.deepEqual(skeleton.names, ['run', 'step']);
  assert.deepEqual(skeleton.nameIndices, [0, 1, 1]);
  assert.deepEqual(skeleton.spanKinds, ['agent', 'chain']);
  assert.deepEqual(skeleton.errors, [1]);
  assert.deepEqual(skeleton.offsetsMs, [0, 2.5, 0]);
  assert.deepEqual(skeleton.latenciesMs, [250, 0.5, 0]);
  assert.deepEqual(skeleton.tokenCounts, [0, 0, 5]);
  assert.deepEqual(skeleton.cumulativeTokenCounts, [5, 0, 0]);
});

test('the skeleton of nothing is empty', () => {
  const skeleton = toSkeleton([]);

  assert.equal(skeleton.startTime, null);
  assert.deepEqual(skeleton.rowIds, []);
});
