import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseSpanKey } from '../../src/filter/spans/parse-span-filter.ts';

describe('a key of a projection', () => {
  test('is a name in the notation of filters', () => {
    assert.deepEqual(parseSpanKey('context.span_id'), { type: 'text', kind: 'field', field: 'span_id' });
    assert.deepEqual(parseSpanKey("metadata['tier']"), { type: 'any', kind: 'attribute', path: ['metadata', 'tier'] });
    assert.deepEqual(parseSpanKey('attributes.llm.x'), { type: 'any', kind: 'attribute', path: ['llm', 'x'] });
    assert.equal(parseSpanKey("annotations['q'].score").type, 'number');
  });

  test('is rejected if it is not a name', () => {
    for (const key of ['1', 'a + b', "annotations['q']", 'parent_span', "f('x')", 'a b', '']) {
      assert.throws(() => parseSpanKey(key), { code: 'FILTER_INVALID' }, key);
    }
  });
});
