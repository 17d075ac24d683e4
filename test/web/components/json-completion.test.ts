import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { findJsonPosition } from '../../../src/web/components/editor/json-position.ts';
import { suggestJson } from '../../../src/web/components/editor/json-shape.ts';
import { FORMAT_SHAPE, TOOL_SHAPES } from '../../../src/web/components/prompt/variant/tool-shapes.ts';

/** The caret is at the bar. */
function at(marked: string) {
  const caret = marked.indexOf('|');
  return findJsonPosition(marked.replace('|', ''), caret);
}

function labels(marked: string, shape = FORMAT_SHAPE): readonly string[] {
  const position = at(marked);
  return position ? suggestJson(shape, position).map(({ label }) => label) : [];
}

/** The text after the first suggestion was taken. */
function taken(marked: string, shape = FORMAT_SHAPE): string {
  const text = marked.replace('|', '');
  const position = at(marked)!;
  const [first] = suggestJson(shape, position);
  return text.slice(0, position.start) + first!.insert + text.slice(position.end);
}

describe('the position of the caret in a JSON text', () => {
  const cases: readonly (readonly [string, readonly (string | number)[] | undefined, 'key' | 'value' | undefined])[] = [
    ['|', [], 'value'],
    ['{|', [], 'key'],
    ['{"na|', [], 'key'],
    ['{"na|me": 1}', [], 'key'],
    ['{"name"|', undefined, undefined],
    ['{"name": |', ['name'], 'value'],
    ['{"name": "x"|', undefined, undefined],
    ['{"name": "x", |', [], 'key'],
    ['{"a": {"b": [1, {"c": tr|', ['a', 'b', 1, 'c'], 'value'],
    ['{"a": [1, 2, |', ['a', 2], 'value'],
    ['{"a": {"b": 1}, "c": {|', ['c'], 'key'],
    ['{"a": "{\\"b\\": |', ['a'], 'value'],
    ['{"a": 1}|', undefined, undefined],
    ['}{]|', undefined, undefined],
  ];
  for (const [marked, path, expected] of cases) {
    test(`is found in ${marked}`, () => {
      const position = at(marked);
      assert.deepEqual(position?.path, path);
      assert.equal(position?.expected, expected);
    });
  }

  test('is found, or not, at every offset of a text with problems', () => {
    const text = '{"a": [1, {"b" "c\n: }], tru, "d\\": {[}} ,,"';
    for (let caret = 0; caret <= text.length; caret++) findJsonPosition(text, caret);
  });
});

describe('suggestions in the JSON of tools and formats', () => {
  test('are names of the form and of JSON Schema, without those that are there', () => {
    assert.deepEqual(labels('{"name": "x", "s|'), ['schema', 'strict', 'description']);
    assert.ok(labels('{"schema": {"properties": {"a": {"|').includes('type'));
    assert.deepEqual(labels('{"schema": {"type": "object", "ty|'), []);
    assert.deepEqual(labels('{"schema": {"properties": {"|'), []);
    assert.deepEqual(labels('{"schema": {"anyOf": [{}, {"uniq|'), ['uniqueItems']);
  });

  test('are values where a value is expected', () => {
    assert.deepEqual(labels('{"strict": |'), ['true', 'false']);
    assert.deepEqual(labels('{"schema": {"type": "in|'), ['"integer"', '"string"']);
    assert.deepEqual(labels('{"schema": {"type": ["string", "nu|'), ['"number"', '"null"']);
  });

  test('follow the form of the vendor', () => {
    assert.deepEqual(labels('{"function": {"para|', TOOL_SHAPES.openai), ['parameters']);
    assert.deepEqual(labels('{"input|', TOOL_SHAPES.anthropic), ['input_schema']);
    assert.deepEqual(labels('{"toolSpec": {"inputSchema": {"json": {"min|', TOOL_SHAPES.aws).slice(0, 3), [
      'minimum',
      'minLength',
      'minItems',
    ]);
    assert.deepEqual(labels('{"__proto__": {"|', TOOL_SHAPES.openai), []);
  });

  test('replace the token with the caret, and no more', () => {
    assert.equal(taken('{"sch|}'), '{"schema": }');
    assert.equal(taken('{"sch|em": {}}'), '{"schema": {}}');
    assert.equal(taken('{"schema": {"type": "obj|"}}'), '{"schema": {"type": "object"}}');
    assert.equal(taken('{"strict": f|\n}'), '{"strict": false\n}');
    assert.equal(taken('{"schema": {"ty|\n  "enum": []}}'), '{"schema": {"type": \n  "enum": []}}');
  });
});
