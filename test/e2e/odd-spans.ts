import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { type AttributeValue, nestedArrays, type OtlpSpan } from './otlp-request.ts';
import type { RestSpan } from './rest.ts';

const MiB = 1024 * 1024;

/** When the spans of these tests start. */
export const START = 1_770_000_000_000_000_000n;

/** A good span with ids of its own, but for the changes. */
export function span(changes: Partial<OtlpSpan> = {}): OtlpSpan {
  return {
    traceId: randomBytes(16),
    spanId: randomBytes(8),
    name: 'good',
    startTimeUnixNano: START,
    endTimeUnixNano: START + 1_000_000n,
    attributes: { 'input.value': 'good input' },
    ...changes,
  };
}

/** Spans that are rejected and counted, while the good ones of the same request stay. */
export const REJECTED_SPANS: readonly {
  readonly what: string;
  readonly bad: Partial<OtlpSpan>;
  readonly reason: RegExp;
}[] = [
  { what: 'an empty trace id', bad: { traceId: new Uint8Array(0) }, reason: /trace.?id/i },
  { what: 'a trace id of zeros', bad: { traceId: new Uint8Array(16) }, reason: /trace.?id/i },
  {
    what: 'a start after 2262, which nanoseconds in int64 cannot tell',
    bad: { startTimeUnixNano: 2n ** 63n, endTimeUnixNano: 2n ** 63n + 1n },
    reason: /2262/,
  },
  { what: 'an empty span id', bad: { spanId: new Uint8Array(0) }, reason: /span.?id/i },
  { what: 'a span id of zeros', bad: { spanId: new Uint8Array(8) }, reason: /span.?id/i },
  {
    what: '100,000 attributes',
    bad: {
      attributes: Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`key ${index}`, index])),
    },
    reason: /attribute/i,
  },
  {
    what: 'a value nested 10,000 deep',
    bad: { attributes: { deep: { encoded: nestedArrays(10_000) } } },
    reason: /more than \d+ levels/,
  },
];

/** Spans that are odd, and kept as they were sent. */
export const KEPT_SPANS: readonly {
  readonly what: string;
  readonly odd: Partial<OtlpSpan>;
  readonly check?: (stored: RestSpan) => void;
}[] = [
  {
    what: 'an end before its start',
    odd: { endTimeUnixNano: START - 5_000_000n },
    check: (stored) => assert.ok(stored.end_time < stored.start_time),
  },
  {
    what: 'the year 1970',
    odd: { startTimeUnixNano: 0n, endTimeUnixNano: 1_000n },
    check: (stored) =>
      assert.deepEqual(
        [stored.start_time, stored.end_time],
        ['1970-01-01T00:00:00+00:00', '1970-01-01T00:00:00.000001+00:00'],
      ),
  },
  {
    what: 'the last second of int64 nanoseconds, in 2262',
    odd: { startTimeUnixNano: 2n ** 63n - 2_000_000_000n, endTimeUnixNano: 2n ** 63n - 1_000_000_000n },
    check: (stored) => assert.match(stored.start_time, /^2262-04-11T23:47:14/),
  },
  { what: 'no name', odd: { name: '' } },
  {
    what: 'a name of 100,000 characters',
    odd: { name: 'n'.repeat(100_000) },
    check: (stored) => assert.equal(stored.name.length, 100_000),
  },
  {
    what: 'NUL characters in its texts',
    odd: { name: 'a\u0000b', attributes: { 'input.value': 'c\u0000d', 'k\u0000ey': 'v\u0000' } },
    check: (stored) => {
      assert.equal(stored.name, 'a\u0000b');
      assert.equal(stored.attributes['input.value'], 'c\u0000d');
    },
  },
  {
    what: "attribute names of JavaScript's own making",
    odd: {
      attributes: { ['__proto__']: 'p', 'constructor.prototype.polluted': 'q', toString: 's', 'a.__proto__.b': 'r' },
    },
    check: (stored) => {
      assert.equal(stored.attributes['constructor.prototype.polluted'], 'q');
      assert.equal(stored.attributes['a.__proto__.b'], 'r');
      assert.equal(stored.attributes.toString, 's');
    },
  },
  {
    what: 'one key twice: the last value wins',
    odd: {
      attributes: [
        ['twice', 'first'],
        ['once', 1],
        ['twice', 'second'],
      ],
    },
    check: (stored) => assert.deepEqual(stored.attributes, { twice: 'second', once: 1 }),
  },
  {
    what: 'an attribute of 50 MB',
    odd: { attributes: { 'input.value': 'x'.repeat(50 * MiB) } },
    check: (stored) => assert.equal(String(stored.attributes['input.value']).length, 50 * MiB),
  },
  {
    what: 'numbers beyond what a double holds, and what JSON has no word for',
    odd: {
      attributes: {
        big: 2n ** 53n + 1n,
        least: -(2n ** 63n),
        nan: { double: Number.NaN },
        infinite: { double: Number.POSITIVE_INFINITY },
        small: { double: 5e-324 },
      } satisfies Record<string, AttributeValue>,
    },
    check: (stored) => {
      assert.ok(!('nan' in stored.attributes) && !('infinite' in stored.attributes));
      assert.equal(stored.attributes.small, 5e-324);
    },
  },
  {
    what: 'Unicode in every text',
    odd: {
      name: 'Ω≈ç√ 漢字 🦊👩‍👩‍👧 \u202Eabc \uFEFF \u0001\u007F',
      statusMessage: 'schiefgegangen: ß 🐛',
      statusCode: 2,
      attributes: { 'ключ.値.🔑': ['日本', '🦊'], metadata: '{"ключ": "значение 🦊"}', 'session.id': 'Sitzung 🦊' },
      events: [{ name: 'événement', timeUnixNano: START, attributes: { clé: 'valeur 🦊' } }],
    },
    check: (stored) => {
      assert.equal(stored.name, 'Ω≈ç√ 漢字 🦊👩‍👩‍👧 \u202Eabc \uFEFF \u0001\u007F');
      assert.equal(stored.status_message, 'schiefgegangen: ß 🐛');
      assert.deepEqual(stored.attributes['ключ.値.🔑'], ['日本', '🦊']);
      assert.equal(stored.attributes['metadata.ключ'], 'значение 🦊');
      assert.deepEqual([stored.events[0]?.name, stored.events[0]?.attributes.clé], ['événement', 'valeur 🦊']);
    },
  },
];
