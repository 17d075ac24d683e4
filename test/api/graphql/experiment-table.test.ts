import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, query } from '../../metadata-store/fixtures.ts';
import type { Ports } from '../../../src/domain/ports.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { type ExperimentFixtures, experimentFixtures } from './experiment-fixtures.ts';

describe('table of experiments', () => {
  let server: TestServer;
  let experiments: Ports['experiments'];
  let createDataset: ExperimentFixtures['createDataset'];
  let createExperiment: ExperimentFixtures['createExperiment'];
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openTestServer({ after: cleanUp });
    ({ experiments } = server.ports);
    ({ createDataset, createExperiment } = experimentFixtures(server.ports));
  });

  const read = async (type: 'Experiment' | 'Dataset', rowId: number, fields: string) =>
    (
      await server.ask(`query ($id: ID!) { node(id: $id) { ... on ${type} { ${fields} } } }`, {
        id: toGlobalId(type, rowId),
      })
    ).node;
  const names = async (datasetRowId: number, args: string): Promise<string[]> =>
    (await read('Dataset', datasetRowId, `experiments(${args}) { edges { node { name } } }`)).experiments.edges.map(
      ({ node }: { node: { name: string } }) => node.name,
    );
  const evaluate = (runRowId: number, score: number | null, error: string | null = null) =>
    experiments.writeEvaluation(runRowId, {
      name: 'accuracy',
      annotatorKind: 'CODE',
      label: null,
      score,
      explanation: null,
      traceId: null,
      error,
      metadata: '{}',
      startMicros: 0n,
      endMicros: 1n,
    });

  test('a summary includes runs and evaluations that are written after it was stored', async () => {
    const dataset = await createDataset(2);
    const rowId = await createExperiment(dataset, 'growing', [{ example: 0, ms: 100, score: 1 }]);
    const fields = 'runCount errorRate averageRunLatencyMs annotationSummaries { meanScore count }';
    assert.deepEqual(await read('Experiment', rowId, fields), {
      runCount: 1,
      errorRate: 0,
      averageRunLatencyMs: 100,
      annotationSummaries: [{ meanScore: 1, count: 1 }],
    });

    const run = await experiments.writeRun(rowId, {
      exampleRowId: dataset.exampleIds[1]!,
      repetitionNumber: 1,
      output: 'null',
      startMicros: 0n,
      endMicros: 300_000n,
      traceId: null,
      error: 'boom',
    });
    assert(run.state === 'written');
    const grown = { runCount: 2, errorRate: 0.5, averageRunLatencyMs: 200 };
    assert.deepEqual(await read('Experiment', rowId, fields), {
      ...grown,
      annotationSummaries: [{ meanScore: 1, count: 1 }],
    });

    await evaluate(run.rowId, 0);
    assert.deepEqual(await read('Experiment', rowId, fields), {
      ...grown,
      annotationSummaries: [{ meanScore: 0.5, count: 2 }],
    });
    assert.equal((await experiments.find(rowId))!.failedRunCount, 1);
  });

  test('a summary without changes is read from its table', async () => {
    const rowId = await createExperiment(await createDataset(1), 'stored', [{ example: 0, ms: 5 }]);
    await experiments.summarize([rowId]);
    await query(
      server.databaseUrl,
      `update experiment_summaries set average_latency_ms = 77 where experiment_id = ${rowId}`,
    );

    assert.equal((await read('Experiment', rowId, 'averageRunLatencyMs')).averageRunLatencyMs, 77);
  });

  test('the distribution of scores has percentiles and bins, and omits scores that are no numbers', async () => {
    const scores = [0, 0.25, 0.5, 0.75, 1];
    const dataset = await createDataset(scores.length + 1);
    const runs = scores.map((score, example) => ({ example, ms: 1, score }));
    const rowId = await createExperiment(dataset, 'spread', [...runs, { example: 5, ms: 1, score: Number.NaN }]);

    const { annotationSummaries } = await read(
      'Experiment',
      rowId,
      'annotationSummaries { minScore maxScore meanScore count scoreCount percentiles scoreBins }',
    );

    assert.deepEqual(annotationSummaries, [
      {
        minScore: 0,
        maxScore: 1,
        meanScore: 0.5,
        count: 6,
        scoreCount: 5,
        percentiles: [0.1, 0.5, 0.9],
        scoreBins: [1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 1],
      },
    ]);
  });

  test('experiments are sorted by fields and scores, those without a value last', async () => {
    const dataset = await createDataset(1);
    await createExperiment(dataset, 'b', [{ example: 0, ms: 30, score: 0.2 }]);
    await createExperiment(dataset, 'a', [{ example: 0, ms: 10, score: 0.9 }]);
    await createExperiment(dataset, 'c');

    assert.deepEqual(await names(dataset.rowId, 'first: 9'), ['c', 'a', 'b']);
    assert.deepEqual(await names(dataset.rowId, 'sort: { col: { field: name }, dir: asc }'), ['a', 'b', 'c']);
    assert.deepEqual(await names(dataset.rowId, 'sort: { col: { field: averageRunLatencyMs }, dir: desc }'), [
      'b',
      'a',
      'c',
    ]);
    const byScore = (dir: string) => `sort: { col: { annotationName: "accuracy" }, dir: ${dir} }`;
    assert.deepEqual(await names(dataset.rowId, byScore('desc')), ['a', 'b', 'c']);
    assert.deepEqual(await names(dataset.rowId, byScore('asc')), ['b', 'a', 'c']);
    assert.deepEqual(await names(dataset.rowId, `filterCondition: "A", ${byScore('asc')}`), ['b', 'a', 'c']);
  });

  test('groups by a metadata key have means of their experiments', async () => {
    const dataset = await createDataset(1);
    const score = { first: 0.2, second: 0.6, other: 1 };
    for (const [name, metadata] of [
      ['first', '{"model":"small","__proto__":1}'],
      ['second', '{"model":"small"}'],
      ['other', '{"model":{"size":2}}'],
    ] as const) {
      const rowId = await createExperiment(dataset, name, [{ example: 0, ms: 100, score: score[name] }]);
      await experiments.update(rowId, { metadata });
    }
    await createExperiment(dataset, 'without');

    const found = await read(
      'Dataset',
      dataset.rowId,
      `experimentMetadataKeys experimentGroups(key: "model") { value experimentCount averageRunLatencyMs scores { annotationName meanScore } }
       experiments(groupBy: "model", sort: { col: { field: name }, dir: asc }) { edges { node { name metadataValue(key: "model") } } }`,
    );

    assert.deepEqual(found.experimentMetadataKeys, ['model', '__proto__']);
    assert.deepEqual(
      found.experimentGroups.map(
        (group: { value: string; experimentCount: number; scores: { meanScore: number }[] }) => [
          group.value,
          group.experimentCount,
          group.scores[0]?.meanScore,
        ],
      ),
      [
        ['small', 2, 0.4],
        ['{"size":2}', 1, 1],
        [null, 1, undefined],
      ],
    );
    assert.deepEqual(
      found.experiments.edges.map(({ node }: { node: object }) => Object.values(node)),
      [
        ['first', 'small'],
        ['second', 'small'],
        ['other', '{"size":2}'],
        ['without', null],
      ],
    );
  });

  test('equal errors of the task and of evaluators are counted', async () => {
    const dataset = await createDataset(3);
    const runs = [0, 1].map((example) => ({ example, ms: 1, error: 'timeout' }));
    const rowId = await createExperiment(dataset, 'failing', [...runs, { example: 2, ms: 1 }]);
    const [last] = (await experiments.listRuns({ experimentRowId: rowId, limit: 1 })).items;
    await evaluate(last!.rowId, null, 'no verdict');

    const { errorGroups } = await read(
      'Experiment',
      rowId,
      'errorGroups { source evaluatorName message count trace { id } }',
    );

    assert.deepEqual(errorGroups, [
      { source: 'TASK', evaluatorName: null, message: 'timeout', count: 2, trace: null },
      { source: 'EVALUATOR', evaluatorName: 'accuracy', message: 'no verdict', count: 1, trace: null },
    ]);
  });

  test('notes and tags are written, changed and deleted', async () => {
    const dataset = await createDataset(1);
    const [rowId, other] = [await createExperiment(dataset, 'noted'), await createExperiment(dataset, 'other')];
    const id = toGlobalId('Experiment', rowId);
    const { note } = await server.ask(
      `mutation ($id: ID!, $text: String!) { note: addExperimentNote(experimentId: $id, text: $text) { id text user { id } } }`,
      { id, text: ' **better** <script>\u0000 ' },
    );
    assert.deepEqual([note.text, note.user], ['**better** <script>\uFFFD', null]);
    await server.ask(`mutation ($id: ID!) { patchExperimentNote(id: $id, text: "changed") { text } }`, { id: note.id });
    await server.ask(`mutation ($id: ID!) { tagExperiment(experimentId: $id, name: "candidate") { id } }`, { id });
    assert.deepEqual(await read('Experiment', rowId, 'notes { text } tags { name }'), {
      notes: [{ text: 'changed' }],
      tags: [{ name: 'candidate' }],
    });

    await server.ask(`mutation ($id: ID!) { tagExperiment(experimentId: $id, name: "candidate") { id } }`, {
      id: toGlobalId('Experiment', other),
    });
    await server.ask(`mutation ($id: ID!) { deleteExperimentNote(id: $id) { id } }`, { id: note.id });
    assert.deepEqual(await read('Experiment', rowId, 'notes { text } tags { name }'), { notes: [], tags: [] });

    const add = (text: string) =>
      server.post(`mutation ($id: ID!, $text: String!) { addExperimentNote(experimentId: $id, text: $text) { id } }`, {
        id,
        text,
      });
    assert.match((await add(' ')).errors![0]!, /A note needs a text/);
    assert.match((await add('x'.repeat(20_001))).errors![0]!, /at most 20000 characters, received 20001/);
  });
});
