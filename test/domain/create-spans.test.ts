import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ExactJsonObject } from '../../src/base/exact-json.ts';
import { parseExactJson } from '../../src/base/parse-exact-json.ts';
import { SPAN_ATTRIBUTE_COUNT_MAX, VALUE_DEPTH_MAX } from '../../src/model/limits/spans.ts';
import { createSpans } from '../../src/domain/spans/create-spans.ts';
import type { NewSpan } from '../../src/domain/spans/new-span.ts';
import { shareTestServer } from '../api/test-server.ts';

const openServer = shareTestServer();

const newSpan = (over: Partial<NewSpan> = {}): NewSpan => ({
  name: 'made',
  traceId: 't',
  spanId: 's',
  parentId: null,
  spanKind: 'LLM',
  statusCode: 'OK',
  statusMessage: '',
  startTimeUnixNano: 0n,
  endTimeUnixNano: 0n,
  attributes: {},
  events: [],
  ...over,
});
const nested = (depth: number) =>
  parseExactJson(`{"a":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`, { depthMax: 1_000 }) as ExactJsonObject;
const many = (count: number): ExactJsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

describe('creating spans', () => {
  for (const { what, over, error } of [
    { what: 'an empty trace ID', over: { traceId: '' }, error: /^trace_id must not be empty$/ },
    { what: 'an empty span ID', over: { spanId: '' }, error: /^span_id must not be empty$/ },
    { what: 'a time past int64', over: { startTimeUnixNano: 2n ** 63n }, error: /^start_time must be between/ },
    {
      what: 'an event past int64',
      over: { events: [{ name: 'e', timeUnixNano: 2n ** 63n, attributes: {} }] },
      error: /^event timestamp must be between/,
    },
    { what: 'attributes too deep', over: { attributes: nested(VALUE_DEPTH_MAX + 1) }, error: /nested deeper/ },
    { what: 'too many attributes', over: { attributes: many(SPAN_ATTRIBUTE_COUNT_MAX + 1) }, error: /^more than/ },
  ]) {
    test(`rejects ${what}, and the valid span beside it`, async () => {
      const { ports, settled } = await openServer();

      const created = await createSpans(ports, { name: 'p' }, [newSpan({ spanId: 'good' }), newSpan(over)]);

      assert.ok(created.state === 'rejected');
      assert.equal(created.invalid.length, 1);
      assert.match(created.invalid[0]!.error, error);
      await settled();
      assert.deepEqual(await ports.spans.findByIds({ of: 'spans', ids: ['good'] }), []);
      assert.equal(await ports.projects.find({ name: 'p' }), undefined);
    });
  }

  test('takes attributes as deep and as many as the limits say', async () => {
    const { ports, settled } = await openServer();
    const spans = [
      newSpan({ spanId: 'deep', attributes: nested(VALUE_DEPTH_MAX) }),
      newSpan({ spanId: 'many', attributes: many(SPAN_ATTRIBUTE_COUNT_MAX) }),
    ];

    assert.deepEqual(await createSpans(ports, { name: 'p' }, spans), { state: 'queued' });
    await settled();
    const stored = await ports.spans.findByIds({ of: 'spans', ids: ['deep', 'many'] });
    assert.deepEqual(stored.map(({ id }) => id).toSorted(), ['deep', 'many']);
  });
});
