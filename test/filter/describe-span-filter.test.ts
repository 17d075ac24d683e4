import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { mostSimilar, similarityOf } from '../../src/filter/similarity.ts';
import { SPAN_FILTER } from '../../src/filter/spans/describe-span-filter.ts';
import { parseSpanFilter, parseSpanKey } from '../../src/filter/spans/parse-span-filter.ts';
import { ANNOTATION_SCOPES, SPAN_FIELDS } from '../../src/filter/spans/span-names.ts';

const TYPES: Readonly<Record<string, string>> = { text: 'string', number: 'number', datetime: 'datetime', any: 'any' };

describe('the description of the span filter', () => {
  test('names every field of the language, by a name or an alias', () => {
    const described = new Set(SPAN_FILTER.names.map(({ name }) => SPAN_FIELDS.get(name)?.field));

    for (const { field } of SPAN_FIELDS.values()) assert.ok(described.has(field), field);
    for (const name of ANNOTATION_SCOPES.keys()) assert.ok(SPAN_FILTER.names.some((entry) => entry.name === name));
  });

  test('gives each name its type in the language', () => {
    for (const { name, type } of SPAN_FILTER.names) {
      if (type === 'annotation' || name === 'parent_span' || name === 'attributes') continue;
      const resolved = TYPES[parseSpanKey(name).type];
      assert.equal(type === 'object' ? 'any' : type, resolved, name);
    }
  });

  test('offers snippets and values that are conditions', () => {
    for (const { text } of SPAN_FILTER.snippets) assert.ok(parseSpanFilter(text), text);
    for (const { name, values = [] } of SPAN_FILTER.names) {
      for (const value of values) assert.ok(parseSpanFilter(`${name} == '${value}'`));
    }
  });

  test('has no name and no snippet twice', () => {
    const texts = [...SPAN_FILTER.names.map(({ name }) => name), ...SPAN_FILTER.snippets.map(({ text }) => text)];
    assert.equal(new Set(texts).size, texts.length);
  });
});

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

describe('similarity', () => {
  test('is twice the matching characters over all characters', () => {
    assert.equal(similarityOf('score', 'scores'), 10 / 11);
    assert.equal(similarityOf('label', 'label'), 1);
    assert.equal(similarityOf('abcd', 'bcde'), 0.75);
    assert.equal(similarityOf('a', 'xyza'), 0.4);
    assert.equal(similarityOf('abc', 'xyz'), 0);
    assert.equal(similarityOf('', ''), 1);
  });

  test('suggests only names that are more than three quarters similar', () => {
    assert.equal(mostSimilar('lable', ['score', 'label', 'explanation']), 'label');
    assert.equal(mostSimilar('abcd', ['bcde']), undefined);
    assert.equal(mostSimilar('x'.repeat(100_000), ['score']), undefined);
  });
});
