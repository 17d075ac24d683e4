import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { findCriticalPath, waitedMs } from '../../../../../src/web/pages/trace/tree/critical-path.ts';
import { SpanTree } from '../../../../../src/web/pages/trace/tree/span-tree.ts';
import { type GivenSpan, toSkeleton } from '../../../skeleton.ts';

const toTree = (spans: readonly GivenSpan[]): SpanTree => new SpanTree(toSkeleton(spans));

/** By the definition, without regard for time: which span is waited for in each millisecond before a moment. */
function waitedFor(
  spans: readonly GivenSpan[],
  index: number,
  from: number,
  to: number,
  into: Map<number, number>,
): void {
  let moment = to;
  while (moment > from) {
    const last = spans
      .map((span, at) => ({ ...span, at }))
      .filter(({ parent, start, end }) => parent === index && end <= moment && end > from && end > start)
      .sort((a, b) => b.end - a.end || a.at - b.at)[0];
    const ownFrom = last ? last.end : from;
    for (let ms = ownFrom; ms < moment; ms++) into.set(ms, index);
    if (!last) return;
    const start = Math.max(from, last.start);
    waitedFor(spans, last.at, start, last.end, into);
    moment = start;
  }
}

const someSpans = fc
  .array(fc.record({ parent: fc.nat(), start: fc.nat(60), length: fc.nat(30) }), { maxLength: 14 })
  .map((given): GivenSpan[] => [
    { parent: -1, start: 0, end: 60 },
    ...given.map(({ parent, start, length }, index) => ({ parent: parent % (index + 1), start, end: start + length })),
  ]);

describe('the critical path', () => {
  test('is at every moment the span whose end the root waits for', () => {
    fc.assert(
      fc.property(someSpans, (spans) => {
        const expected = new Map<number, number>();
        waitedFor(spans, 0, 0, 60, expected);

        const found = new Map<number, number>();
        const path = findCriticalPath(toTree(spans));
        for (const index of spans.keys()) {
          const waits = path.waitsOf(index);
          for (let at = 0; at < waits.length; at += 2) {
            for (let ms = waits[at]!; ms < waits[at + 1]!; ms++) found.set(ms, index);
          }
        }

        assert.deepEqual(
          [...found].sort(([a], [b]) => a - b),
          [...expected].sort(([a], [b]) => a - b),
        );
      }),
    );
  });

  test('adds up to the time of the root', () => {
    fc.assert(
      fc.property(someSpans, (spans) => {
        const path = findCriticalPath(toTree(spans));

        const sum = [...spans.keys()].reduce((all, index) => all + waitedMs(path.waitsOf(index)), 0);

        assert.equal(sum, 60);
      }),
    );
  });
});
