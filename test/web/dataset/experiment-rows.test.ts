import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { experimentCode } from '../../../src/web/pages/dataset/experiments/experiment-code.ts';
import {
  addGroupHeads,
  comparePath,
  type Experiment,
  formatShare,
  isRunning,
} from '../../../src/web/pages/dataset/experiments/experiment-row.ts';
import { readSort } from '../../../src/web/pages/dataset/experiments/read-sort.ts';

const experiment = (fields: Partial<Experiment>): Experiment => ({
  __typename: 'Experiment',
  id: 'RXhwZXJpbWVudDox',
  name: 'first',
  description: null,
  createdAt: '2026-01-01T00:00:00Z',
  sequenceNumber: 1,
  repetitions: 1,
  runCount: 0,
  expectedRunCount: 10,
  errorRate: null,
  averageRunLatencyMs: null,
  isBaseline: false,
  metadata: {},
  user: null,
  project: null,
  datasetSplits: { edges: [] },
  annotationSummaries: [],
  tags: [],
  job: null,
  group: null,
  ...fields,
});

describe('rows of the table of experiments', () => {
  test('each group has a head above its experiments', () => {
    const figures = { experimentCount: 2, errorRate: 0, averageRunLatencyMs: 1, scores: [] };
    const rows = addGroupHeads(
      [experiment({ id: 'a', group: 'x' }), experiment({ id: 'b', group: 'x' }), experiment({ id: 'c' })],
      'model',
      [{ value: 'x', ...figures }],
    );

    assert.deepEqual(
      rows.map((row) => (row.__typename === 'Group' ? [row.group.value, row.group.experimentCount] : row.id)),
      [['x', 2], 'a', 'b', [null, 0], 'c'],
    );
  });

  test('an experiment runs while its job does, or while runs of the last day are missing', () => {
    const now = Date.parse('2026-01-01T10:00:00Z');
    const job = { status: 'STOPPED', isEvaluationOnly: false, lastError: null } as const;

    assert.equal(isRunning(experiment({}), now), true);
    assert.equal(isRunning(experiment({ runCount: 10 }), now), false);
    assert.equal(isRunning(experiment({}), now + 86_400_000), false);
    assert.equal(isRunning(experiment({ job }), now), false);
    assert.equal(isRunning(experiment({ job: { ...job, status: 'RUNNING' }, runCount: 10 }), now), true);
  });

  test('the comparison starts with the baseline', () => {
    assert.equal(
      comparePath('d=', ['a', 'b', 'c='], 'c='),
      '/datasets/d%3D/compare?experiment=c%3D&experiment=a&experiment=b',
    );
  });

  test('shares are percentages, and an unknown sort order is ignored', () => {
    assert.deepEqual([0, 0.004, 0.126, 1, null].map(formatShare), ['0%', '0.4%', '13%', '100%', '--']);
    assert.deepEqual(readSort('score.a:b:asc'), { col: 'score.a:b', dir: 'asc' });
    assert.deepEqual(readSort('name:desc'), { col: 'name', dir: 'desc' });
    for (const text of [null, '', 'name', 'name:up', '__proto__:asc']) assert.equal(readSort(text), undefined);
  });

  test('code quotes the name of the dataset and sends a key only where one is needed', () => {
    const name = `a "quoted" \\ name\n'`;
    const open = experimentCode({ url: 'http://h', datasetId: 'RA==', datasetName: name, needsKey: false });
    const closed = experimentCode({ url: 'http://h', datasetId: 'RA==', datasetName: name, needsKey: true });

    assert.match(open[0]!.code, /dataset="a \\"quoted\\" \\\\ name\\n'"/);
    for (const { code } of open) assert.doesNotMatch(code, /API_KEY/);
    for (const { code } of closed) assert.match(code, /PHOENIX_API_KEY/);
  });
});
