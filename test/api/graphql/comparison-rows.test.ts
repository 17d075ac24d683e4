import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { type ExperimentFixtures, experimentFixtures } from './experiment-fixtures.ts';

const ROWS = `query ($input: ExperimentComparisonRowsInput!) {
  experimentComparisonRows(input: $input) {
    totalCount offset sortedBy
    rows { exampleId position input { text isCut isJson } reference { text } splits
      cells { experimentId runs { id repetitionNumber output { text isJson } toolCalls error latencyMs totalTokens totalCost
        traceId projectId scores { name score label annotatorKind difference } } } }
  }
}`;

describe('rows of a comparison of experiments', () => {
  let server: TestServer;
  let fixtures: ExperimentFixtures;
  let experiments: number[];
  let runOfFirst: number;
  const cleanUp = cleanUpAfter(after);

  before(async () => {
    server = await openTestServer({ after: cleanUp });
    fixtures = experimentFixtures(server.ports);
    const dataset = await fixtures.createDataset(6);
    const base = await fixtures.createExperiment(dataset, 'base', [
      { example: 0, ms: 100, score: 0.5 },
      { example: 1, ms: 200, score: 0.9 },
      { example: 2, ms: 300, score: 0.4 },
      { example: 3, ms: 400, error: 'boom' },
      { example: 4, ms: 100, score: Number.NaN },
    ]);
    const other = await fixtures.createExperiment(dataset, 'other', [
      { example: 0, ms: 1_100, score: 0.75 },
      { example: 1, ms: 100, score: 0.1 },
      { example: 2, ms: 300, score: 0.4 },
      { example: 4, ms: 100, score: 1 },
      { example: 5, ms: 50, score: 1 },
    ]);
    const third = await fixtures.createExperiment(dataset, 'third', [
      { example: 0, ms: 100, score: 0.25 },
      { example: 2, ms: 900, score: 1 },
    ]);
    experiments = [base, other, third];
    const rows = await server.ports.experiments.findComparedRuns([base], [dataset.exampleIds[0]!]);
    runOfFirst = rows[0]!.rowId;
  });

  const idOf = (index: number) => toGlobalId('Experiment', experiments[index]!);
  const read = async (input: object) => {
    const ids = experiments.map((_, index) => idOf(index));
    const { experimentComparisonRows } = await server.ask(ROWS, { input: { experimentIds: ids, ...input } });
    return experimentComparisonRows;
  };
  const positions = async (input: object) =>
    (await read(input)).rows.map(({ position }: { position: number }) => position);

  test('there is one row per example of the baseline, with the runs of every experiment', async () => {
    const { totalCount, rows } = await read({});
    assert.equal(totalCount, 6);
    const [first] = rows;
    assert.deepEqual(first.input, { text: '{"n":0}', isCut: false, isJson: true });
    assert.deepEqual(
      first.cells.map((cell: { experimentId: string }) => cell.experimentId),
      experiments.map((_, index) => idOf(index)),
    );
    const [base, other] = first.cells.map((cell: { runs: unknown[] }) => cell.runs[0]);
    assert.equal(base.id, toGlobalId('ExperimentRun', runOfFirst));
    assert.deepEqual(base.scores, [
      { name: 'accuracy', score: 0.5, label: null, annotatorKind: 'CODE', difference: null },
    ]);
    assert.equal(other.scores[0].difference, 0.25);
    assert.equal(other.latencyMs, 1_100);
    assert.equal(rows[3].cells[0].runs[0].error, 'boom');
    assert.equal(rows[3].cells[0].runs[0].output, null);
    assert.deepEqual(rows[3].cells[1].runs, []);
    assert.equal(rows[4].cells[0].runs[0].scores[0].score, null);
  });

  test('a window is read by offset and limit', async () => {
    assert.deepEqual(await positions({ offset: 2, limit: 2 }), [2, 3]);
    assert.deepEqual(await positions({ offset: 6 }), []);
  });

  test('rows are sorted by the regression of one experiment, of the worst, or by the value of the baseline', async () => {
    const by = 'score:accuracy';
    assert.deepEqual(await positions({ sort: { by, experimentId: idOf(1) } }), [1, 2, 0, 3, 4, 5]);
    assert.deepEqual(await positions({ sort: { by } }), [1, 0, 2, 3, 4, 5]);
    assert.deepEqual(await positions({ sort: { by, experimentId: idOf(1), order: 'desc' } }), [0, 2, 1, 3, 4, 5]);
    assert.deepEqual(await positions({ sort: { by, experimentId: idOf(0) } }), [2, 0, 1, 3, 4, 5]);
    // A lower latency is better, so the largest increase is first.
    assert.deepEqual(await positions({ sort: { by: 'latencyMs', experimentId: idOf(1) } }), [0, 2, 4, 1, 3, 5]);
  });

  test('without a key, rows are sorted by the first score, and the response names it', async () => {
    const { sortedBy, rows } = await read({ sort: { by: 'first' } });
    assert.equal(sortedBy, 'score:accuracy');
    assert.deepEqual(
      rows.map(({ position }: { position: number }) => position),
      [1, 0, 2, 3, 4, 5],
    );
    assert.equal((await read({ sort: { by: 'latencyMs' } })).sortedBy, 'latencyMs');
    assert.equal((await read({})).sortedBy, null);
  });

  test('filters select regressed, improved, failed, missing and slow rows', async () => {
    const filter = (one: object) => positions({ filter: one });
    assert.deepEqual(await filter({ regressedOn: 'score:accuracy' }), [0, 1]);
    assert.deepEqual(await filter({ regressedOn: 'score:accuracy', experimentId: idOf(2) }), [0]);
    assert.deepEqual(await filter({ improvedOn: 'score:accuracy' }), [0, 2]);
    assert.deepEqual(await filter({ hasError: true }), [3]);
    assert.deepEqual(await filter({ isMissing: true, experimentId: idOf(1) }), [3]);
    assert.deepEqual(await filter({ slowerThanMs: 500 }), [0, 2]);
    assert.deepEqual(await filter({ slowerThanMs: 500, experimentId: idOf(2) }), [2]);
    assert.deepEqual(await filter({ text: '"N":1' }), [1]);
    assert.deepEqual(await filter({ condition: 'experiments[0].latency_ms > 250' }), [2, 3]);
    assert.deepEqual(await filter({ slowerThanMs: 500, text: '"n":2' }), [2]);
  });

  test('a changed evaluation is seen by the next read', async () => {
    const scoreOf = async () => (await positions({ sort: { by: 'score:accuracy', experimentId: idOf(0) } }))[0];
    assert.equal(await scoreOf(), 2);
    const evaluation = {
      name: 'accuracy',
      annotatorKind: 'CODE',
      label: null,
      explanation: null,
      traceId: null,
      error: null,
      metadata: '{}',
      startMicros: 0n,
      endMicros: 1n,
    } as const;
    await server.ports.experiments.writeEvaluation(runOfFirst, { ...evaluation, score: -1 });
    assert.equal(await scoreOf(), 0);
    await server.ports.experiments.writeEvaluation(runOfFirst, { ...evaluation, score: 0.5 });
    assert.equal(await scoreOf(), 2);
  });

  test('an invalid query reports the expected value', async () => {
    const messageOf = (input: object): Promise<string> =>
      server.ask(ROWS, { input }).then(
        () => '',
        (error: Error) => error.message,
      );
    const ids = [idOf(0), idOf(1)];
    assert.match(await messageOf({ experimentIds: [idOf(0)] }), /2 to 8 experiments, but received 1/);
    assert.match(await messageOf({ experimentIds: [idOf(0), idOf(0)] }), /must be different/);
    assert.match(await messageOf({ experimentIds: ids, limit: 201 }), /limit must be 1 to 200, but is 201/);
    assert.match(await messageOf({ experimentIds: ids, sort: { by: '__proto__' } }), /no measure '__proto__'/);
    assert.match(
      await messageOf({ experimentIds: ids, filter: { hasError: true, experimentId: idOf(2) } }),
      /one of the compared experiments/,
    );
  });
});
