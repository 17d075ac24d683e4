import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SPAN_KINDS, STATUS_CODES } from '../../../src/semconv/span-kinds.ts';
import {
  ANNOTATION_SOURCES,
  ANNOTATION_TARGETS,
  ANNOTATOR_KINDS,
  type Annotation,
} from '../../../src/model/annotations/annotation.ts';
import type { Span, SpanRow } from '../../../src/model/spans/span.ts';
import { packResult, unpackResult } from '../../../src/span-store/thread/codecs/packed-results.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';

const TEXTS = ['', 'a', 'Zürich 🏔', 'a\u0000b', '\ud800 alone', '__proto__', 'x'.repeat(5_000), 'y'.repeat(100_000)];
const NUMBERS = [0, -0, 1, -1.5, 2 ** 53 - 1, -(2 ** 53 - 1), Number.MAX_VALUE];
const BIGINTS = [0n, 1n, -1n, 2n ** 63n - 1n, -(2n ** 63n)];

for (const seed of [1, 2, 3]) {
  test(`results cross threads unchanged (seed ${seed})`, () => {
    const random = new SeededRandom(seed);
    const maybe = <Value>(value: Value) => (random.below(3) === 0 ? null : value);
    const text = () => random.pick(TEXTS);
    const head = () => maybe({ head: text(), mimeType: maybe(text()) });
    const spanHead = (rowId: number) => ({
      rowId,
      traceId: text() as Span['traceId'],
      spanId: text() as Span['spanId'],
      parentSpanId: maybe(text()) as Span['parentSpanId'],
      name: text(),
      spanKind: random.pick(SPAN_KINDS),
      statusCode: random.pick(STATUS_CODES),
      statusMessage: text(),
      startTimeUnixNano: random.pick(BIGINTS),
      endTimeUnixNano: random.pick(BIGINTS),
    });
    const spanRow = (rowId: number): SpanRow => ({
      ...spanHead(rowId),
      traceRowId: random.below(2 ** 40),
      projectId: random.below(9),
      tokensPrompt: maybe(random.below(2 ** 40)),
      tokensCompletion: maybe(0),
      input: head(),
      output: head(),
    });
    const span = (rowId: number): Span => ({
      ...spanHead(rowId),
      attributeParts: Array.from({ length: random.below(5) }, text),
      events: maybe(text()),
    });
    const annotation = (rowId: number, targetRowId: number): Annotation => ({
      rowId,
      target: random.pick(ANNOTATION_TARGETS),
      targetRowId,
      targetId: text(),
      documentPosition: maybe(random.below(9)),
      name: text(),
      identifier: text(),
      annotatorKind: random.pick(ANNOTATOR_KINDS),
      label: maybe(text()),
      score: maybe(random.pick(NUMBERS)),
      explanation: maybe(text()),
      metadata: text(),
      source: random.pick(ANNOTATION_SOURCES),
      userId: maybe(random.below(9)),
      createdAtMs: random.below(2 ** 42),
      updatedAtMs: random.below(2 ** 42),
    });
    for (const count of [0, 1, 200]) {
      const rows = Array.from({ length: count }, (_, index) => spanRow(index * 7));
      const items = rows.map((span) => ({
        span,
        at: { rowId: random.below(9), ...(random.below(2) === 0 && { value: random.pick([3n, 0.5, 'text']) }) },
      }));
      const ofTargets = rows.map(({ rowId }) => {
        const made = Array.from({ length: 1 + random.below(3) }, (_, index) => annotation(rowId + index, rowId));
        return [rowId, made] as const;
      });
      const results = {
        findSpans: {
          items: rows.map(({ rowId }) => span(rowId)),
          ...(random.below(2) === 0 && { nextRowId: random.below(2 ** 40) }),
        },
        'spans.row': new Map(rows.map((row) => [row.rowId, row])),
        listSpans: { items },
        listRootSpans: { items, nextAfter: { rowId: 4, value: 3n } },
        'spans.annotations': new Map(ofTargets),
        findFacets: count,
        'traces.user': new Map([[1, 'ann']]),
        findSessions: undefined,
        nobody: null,
      };
      for (const [name, result] of Object.entries(results)) {
        const [of, column] = name.split('.');
        const method = column === undefined ? name : 'get';
        const packed = structuredClone(packResult(method, { of, column }, result));
        assert.deepEqual(unpackResult(method, { of, column }, packed), result, name);
      }
    }
  });
}
