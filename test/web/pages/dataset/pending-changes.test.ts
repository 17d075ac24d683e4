import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPaths, writePaths } from '../../../../src/web/pages/dataset/examples/example-paths.ts';
import {
  changedFields,
  collect,
  countChanges,
  type Step,
  toInput,
  withValue,
} from '../../../../src/web/pages/dataset/examples/pending-changes.ts';
import { linePoints, scoreSeries } from '../../../../src/web/pages/dataset/examples/score-series.ts';

const edit = (exampleId: string, text: string, revisionId = 'r1'): Step => ({
  kind: 'edit',
  exampleId,
  revisionId,
  field: 'input',
  text,
});
const set = (exampleIds: string[], path: string[], value: string): Step => ({ kind: 'set', exampleIds, path, value });
const TEXTS = { input: '{"q":1}', output: '{}', metadata: '{"a":{"b":1}}' };

test('a later edit replaces earlier values of its field, and a deletion everything before', () => {
  const steps = [
    set(['a', 'b'], ['input', 'q'], '2'),
    set(['a', 'b'], ['metadata', 'a'], '3'),
    edit('a', '{"q":4}'),
    edit('a', '{"q":5}', 'r2'),
    edit('c', '{}'),
    { kind: 'delete', exampleIds: ['c', 'd'] } as const,
  ];
  const collected = collect(steps);
  const input = toInput('data', collected, '  why ');
  assert.deepEqual(input.patches, [{ exampleId: 'a', revisionId: 'r1', input: '{"q":5}' }]);
  assert.deepEqual(input.values, [
    { exampleIds: ['b'], path: ['input', 'q'], value: '2' },
    { exampleIds: ['a', 'b'], path: ['metadata', 'a'], value: '3' },
  ]);
  assert.deepEqual(input.deletions, [{ exampleId: 'c' }, { exampleId: 'd' }]);
  assert.equal(input.versionDescription, 'why');
  assert.deepEqual(countChanges(collected), { edited: 2, deleted: 2, added: 0 });
  assert.deepEqual(countChanges(collect(steps.slice(0, 1))), { edited: 2, deleted: 0, added: 0 });
});

test('an example is shown with its unsaved changes', () => {
  const collected = collect([set(['a'], ['metadata', 'a', '__proto__'], '"x"'), edit('b', '{"q":2}')]);
  assert.deepEqual(Object.keys(changedFields(collected, 'a', TEXTS)), ['metadata']);
  assert.match(changedFields(collected, 'a', TEXTS).metadata!, /"b": 1,\s+"__proto__": "x"/);
  assert.deepEqual(changedFields(collected, 'b', TEXTS), { input: '{"q":2}' });
  assert.deepEqual(changedFields(collected, 'c', TEXTS), {});
  assert.equal(withValue('{"a":1}', ['a', 'b'], '2'), '{"a":1}');
});

test('paths of columns survive the address, also with dots, commas and colons in keys', () => {
  const paths = [
    ['input', 'a.b', 'c,d'],
    ['metadata', 'ключ: %2E'],
  ];
  assert.deepEqual(readPaths(writePaths(paths)), paths);
  assert.deepEqual(readPaths('other.x,input,input.%E0%A4%A'), [['input', '%E0%A4%A']]);
});

test('scores over time need two finite scores', () => {
  const runs = [
    [
      { name: 'a', score: 0 },
      { name: 'b', score: 1 },
    ],
    [
      { name: 'a', score: 1 },
      { name: 'b', score: null },
    ],
  ];
  assert.deepEqual(scoreSeries(runs), [{ name: 'a', scores: [0, 1] }]);
  assert.equal(linePoints([0, 1], 100, 20), '2.0,18.0 98.0,2.0');
});
