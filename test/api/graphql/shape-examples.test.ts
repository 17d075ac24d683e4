import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shapeExamples } from '../../../src/api/graphql/spans/shape-examples.ts';

const common = { rowId: 1, name: 'a', description: null, optimizationDirection: 'NONE' } as const;

test('a config shows what a code evaluator may return', () => {
  const values = [
    { label: 'say "yes"', score: 1 },
    { label: 'no', score: null },
  ];
  assert.deepEqual(shapeExamples({ ...common, type: 'CATEGORICAL', values }, 'PYTHON', 'FULL'), [
    'return "say \\"yes\\""',
    'return {"label": "say \\"yes\\"", "score": 1, "explanation": "…"}',
    'return "no"',
    'return {"label": "no", "explanation": "…"}',
  ]);
  const continuous = { ...common, type: 'CONTINUOUS', lowerBound: null, upperBound: 5 } as const;
  assert.deepEqual(shapeExamples(continuous, 'TYPESCRIPT', 'CURATED'), [
    'return 5;',
    'return { score: 5, explanation: "…" };',
  ]);
  assert.deepEqual(shapeExamples({ ...continuous, lowerBound: -1 }, 'PYTHON', 'FULL').length, 4);
});
