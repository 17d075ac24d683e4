import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findToolCalls, toComparisonText } from '../../../../src/domain/experiments/comparison/comparison-text.ts';

test('a JSON text is shown without quotes and escapes, also if it is cut off anywhere', () => {
  const whole = 'a "quoted" line\nand \\u0041 \u00e9 \u{1f600} \\ end';
  const json = JSON.stringify(whole).replace('\u00e9', '\\u00e9');
  assert.deepEqual(toComparisonText(json), { text: whole, isCut: false, isJson: false });
  for (let end = 1; end < json.length; end++) {
    const { text, isJson } = toComparisonText(json.slice(0, end));
    assert.ok(!isJson && whole.startsWith(text), `${end}: ${text}`);
  }
});

test('a longer text is cut, and other values stay JSON', () => {
  assert.deepEqual(toComparisonText('"abcdef"', 3), { text: 'abc', isCut: true, isJson: false });
  assert.deepEqual(toComparisonText('{"a":1}'), { text: '{"a":1}', isCut: false, isJson: true });
  assert.deepEqual(toComparisonText('null'), { text: 'null', isCut: false, isJson: true });
});

test('tool calls are found in the forms of the vendors', () => {
  const of = (value: unknown) => findToolCalls(JSON.stringify(value));
  assert.deepEqual(of({ tool_calls: [{ function: { name: 'search', arguments: '{}' } }, { name: 'book' }] }), [
    'search',
    'book',
  ]);
  assert.deepEqual(of({ content: [{ type: 'tool_use', name: 'lookup', input: {} }] }), ['lookup']);
  assert.deepEqual(of({ messages: [{ toolCalls: [{ toolName: 'fetch' }] }] }), ['fetch']);
  assert.deepEqual(of({ tool_calls: [null, 3, { function: null }] }), []);
  assert.deepEqual(findToolCalls('{"tool_calls": [{"name": "cut'), []);
});
