import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import type { TestSpan } from '../../fixtures/span-columns.ts';
import { openTestServer } from '../test-server.ts';

const TRACE = 'a'.repeat(32);
const id = (digit: string) => digit.repeat(16);
const ALL = `startTime rowIds spanIds parents names nameIndices spanKinds spanKindIndices errors offsetsMs latenciesMs
  tokenCounts cumulativeTokenCounts`;

describe('the skeleton of a trace', () => {
  test('names parents by index, distinguishes roots from orphans, and has each name once', async (t) => {
    const server = await openTestServer(t);
    const spans: TestSpan[] = [
      {
        traceId: TRACE,
        spanId: id('2'),
        parentSpanId: id('1'),
        name: 'step',
        start: 1_002_500_000n,
        end: 1_003_000_000n,
        statusCode: 'ERROR',
      },
      { traceId: TRACE, spanId: id('1'), name: 'run', spanKind: 'AGENT', start: 1_000_000_000n, end: 1_250_000_000n },
      {
        traceId: TRACE,
        spanId: id('3'),
        parentSpanId: id('9'),
        name: 'step',
        start: 1_010_000_000n,
        end: 1_010_000_000n,
      },
      {
        traceId: TRACE,
        spanId: 'by hand',
        parentSpanId: id('2'),
        name: 'ask',
        spanKind: 'LLM',
        tokens: [3, 2],
        start: 1_020_000_000n,
        end: 1_020_000_001n,
      },
      { traceId: 'b'.repeat(32), spanId: id('9'), name: 'of another trace' },
    ];
    await server.append(...spans);

    const { node } = await server.ask(`{node(id:"${toGlobalId('Trace', 1)}"){...on Trace{skeleton{${ALL}}}}}`);

    const { skeleton } = node;
    assert.equal(Date.parse(skeleton.startTime), 1_000);
    assert.deepEqual(skeleton.rowIds, [2, 1, 3, 4]);
    assert.deepEqual(skeleton.spanIds, [id('1'), id('2'), id('3'), 'by hand']);
    assert.deepEqual(skeleton.parents, [-1, 0, -2, 1]);
    assert.deepEqual(skeleton.names, ['run', 'step', 'ask']);
    assert.deepEqual(skeleton.nameIndices, [0, 1, 1, 2]);
    assert.deepEqual(
      skeleton.spanKindIndices.map((index: number) => skeleton.spanKinds[index]),
      ['agent', 'unknown', 'unknown', 'llm'],
    );
    assert.deepEqual(skeleton.errors, [1]);
    assert.deepEqual(skeleton.offsetsMs, [0, 2.5, 10, 20]);
    assert.deepEqual(skeleton.latenciesMs, [250, 0.5, 0, 0.000001]);
    assert.deepEqual(skeleton.tokenCounts, [0, 0, 0, 5]);
    assert.deepEqual(skeleton.cumulativeTokenCounts, [5, 5, 0, 5]);
  });

  test('includes parents in a ring, and more spans than one part of a response has', async (t) => {
    const server = await openTestServer(t);
    const ring = [1, 2, 3].map((number) => ({
      traceId: TRACE,
      spanId: id(String(number)),
      parentSpanId: id(String((number % 3) + 1)),
      spanKind: 'LLM' as const,
      tokens: [1, 0] as const,
    }));
    const chain = Array.from({ length: 5_000 }, (_, index) => ({
      traceId: 'b'.repeat(32),
      spanId: (index + 1).toString(16).padStart(16, '0'),
      ...(index > 0 && { parentSpanId: index.toString(16).padStart(16, '0') }),
      name: `step ${index % 7}`,
      start: BigInt(index),
      spanKind: 'LLM' as const,
      tokens: [1, 0] as const,
    }));
    await server.append(...ring, ...chain);

    const answer = await server.ask(
      `{ring:node(id:"${toGlobalId('Trace', 1)}"){...on Trace{skeleton{parents cumulativeTokenCounts}}}
        chain:node(id:"${toGlobalId('Trace', 2)}"){...on Trace{skeleton{parents names nameIndices cumulativeTokenCounts}}}}`,
    );

    assert.deepEqual(answer.ring.skeleton, { parents: [1, 2, 0], cumulativeTokenCounts: [3, 3, 3] });
    const { parents, names, nameIndices, cumulativeTokenCounts } = answer.chain.skeleton;
    assert.deepEqual(
      parents,
      Array.from(chain, (_, index) => index - 1),
    );
    assert.deepEqual(
      nameIndices.map((index: number) => names[index]),
      chain.map(({ name }) => name),
    );
    assert.deepEqual(
      cumulativeTokenCounts,
      Array.from(chain, (_, index) => 5_000 - index),
    );
  });
});
