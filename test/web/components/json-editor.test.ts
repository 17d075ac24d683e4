import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatJson } from '../../../src/web/components/editor/format-json.ts';
import { findInexactNumber, findJsonProblem } from '../../../src/web/components/editor/json-problem.ts';
import { toTokens } from '../../../src/web/components/editor/tokens.ts';

test('a problem of a JSON text has its line, its column and what was expected', () => {
  const problems: readonly (readonly [string, number, number, RegExp])[] = [
    ['', 1, 1, /no value/],
    ['{"a": 1,\n "b" 2}', 2, 6, /Expected a colon, but found 2/],
    ['{"a": 1,\n}', 2, 1, /Expected a name in double quotes, but found }/],
    ['[1 2]', 1, 4, /Expected a comma or \], but found 2/],
    ["{'a': 1}", 1, 2, /name in double quotes or }, but found '/],
    ['{"a": tru}', 1, 7, /Expected a value, but found tru/],
    ['{"a": "x\ny"}', 1, 9, /line break as \\n/],
    ['{"a": "C:\\q"}', 1, 10, /backslash/],
    ['{"a": "x', 1, 7, /closing double quote/],
    ['{"a": [1', 1, 9, /closing \]/],
    ['1 2', 1, 3, /end of the text/],
    ['01', 1, 1, /Expected a value, but found 01/],
    ['{"__proto__": }', 1, 15, /Expected a value, but found }/],
  ];
  for (const [text, line, column, message] of problems) {
    const problem = findJsonProblem(text);
    assert.deepEqual([problem?.line, problem?.column], [line, column], text);
    assert.match(problem!.message, message, text);
  }
});

test('a text has a problem exactly if it cannot be parsed, and formatting keeps its value', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom('', '}', '"', ',', 'x', '\\'), (json, at, mark) => {
      assert.equal(findJsonProblem(json), undefined);
      assert.deepEqual(JSON.parse(formatJson(json)), JSON.parse(json));
      assert.equal(formatJson(formatJson(json)), formatJson(json));
      const changed = json.slice(0, at % (json.length + 1)) + mark + json.slice((at % (json.length + 1)) + 1);
      assert.equal(
        toTokens(changed)
          .map(({ text }) => text)
          .join(''),
        changed,
      );
      let isJson = true;
      try {
        JSON.parse(changed);
      } catch {
        isJson = false;
      }
      assert.equal(findJsonProblem(changed) === undefined, isJson, changed);
    }),
    { numRuns: 500 },
  );
});

test('formatting keeps digits that a number of the browser would lose', () => {
  assert.equal(
    formatJson('{"id":12345678901234567890,"a":[],"b":{}}'),
    '{\n  "id": 12345678901234567890,\n  "a": [],\n  "b": {}\n}',
  );
  assert.equal(findInexactNumber('{"id": 12345678901234567890}'), '12345678901234567890');
  assert.equal(findInexactNumber('{"id": "12345678901234567890", "n": 9007199254740991}'), undefined);
});
