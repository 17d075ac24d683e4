import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { NewGenerativeModel } from '../../../src/model/models/generative-model.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { type ExperimentFixtures, experimentFixtures, type TestRun } from './experiment-fixtures.ts';

const SUMMARY = `query ($input: ExperimentComparisonInput!) {
  experimentComparison(input: $input) {
    experiments { id name } exampleCount commonExampleCount metadataKeys notices
    measures { ...measure } splits { name exampleCount measures { ...measure } }
    metadataGroups { name exampleCount measures { ...measure } }
  }
}
fragment measure on ComparisonMeasure {
  key name kind direction isBinary
  values { experimentId count mean low high
    difference { count mean low high method pValue wins losses ties verdict countNeeded sentence } }
}`;

/** A dollar a token of either side. */
const PRICED: NewGenerativeModel = {
  name: 'priced',
  provider: 'openai',
  namePattern: '^known',
  startTimeMs: null,
  prices: [
    { tokenType: 'input', isPrompt: true, perToken: 1 },
    { tokenType: 'output', isPrompt: false, perToken: 1 },
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: a response of the API
type Response = any;

describe('the summary of a comparison of experiments', () => {
  let server: TestServer;
  let fixtures: ExperimentFixtures;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openTestServer({ after: cleanUp }, { builtInModels: [PRICED] });
    fixtures = experimentFixtures(server.ports);
  });

  const compare = async (rowIds: readonly number[], more: object = {}): Promise<Response> => {
    const experimentIds = rowIds.map((rowId) => toGlobalId('Experiment', rowId));
    return (await server.ask(SUMMARY, { input: { experimentIds, ...more } })).experimentComparison;
  };
  const measureOf = (report: Response, key: string) => {
    const found = report.measures.find((one: Response) => one.key === key);
    assert.ok(found, `${key} is not one of ${report.measures.map((one: Response) => one.key)}`);
    return found;
  };
  const runsOf = (count: number, toRun: (example: number) => Omit<TestRun, 'example'>): TestRun[] =>
    Array.from({ length: count }, (_, example) => ({ example, ...toRun(example) }));

  test('shows the known difference of yes/no scores with its exact test, and of the latency', async () => {
    const dataset = await fixtures.createDataset(40);
    const base = await fixtures.createExperiment(
      dataset,
      'base',
      runsOf(40, (example) => ({ ms: 100 + example, score: example < 20 ? 1 : 0 })),
    );
    const better = await fixtures.createExperiment(
      dataset,
      'better',
      // Of 20 wrong answers, 10 are right now; one of the right ones is wrong.
      runsOf(40, (example) => ({ ms: 1_100 + example + (example % 3), score: example > 0 && example < 30 ? 1 : 0 })),
    );
    const report = await compare([base, better]);
    assert.deepEqual([report.exampleCount, report.commonExampleCount], [40, 40]);
    const { values, isBinary, direction } = measureOf(report, 'score:accuracy');
    assert.equal(isBinary, true);
    assert.equal(direction, 'MAXIMIZE');
    assert.equal(values[0].mean, 0.5);
    assert.equal(values[0].difference, null);
    // The Wilson interval of 20 of 40.
    assert.ok(Math.abs(values[0].low - 0.352) < 0.001 && Math.abs(values[0].high - 0.648) < 0.001);
    const { difference } = values[1];
    assert.equal(values[1].mean, 0.725);
    assert.ok(Math.abs(difference.mean - 0.225) < 1e-12);
    assert.deepEqual([difference.wins, difference.losses, difference.ties], [10, 1, 29]);
    assert.equal(difference.method, 'SIGN_TEST');
    // 2 × (1 + 11) / 2^11.
    assert.ok(Math.abs(difference.pValue - 24 / 2_048) < 1e-12);
    assert.equal(difference.verdict, 'BETTER');
    assert.match(difference.sentence, /^better on accuracy by 22\.5 points \(.* to .*\), n = 40; 1\.0 s slower$/);
    const latency = measureOf(report, 'latencyMs').values[1].difference;
    assert.equal(latency.verdict, 'WORSE');
    assert.equal(latency.method, 'BOOTSTRAP');
    assert.ok(latency.low > 1_000 && latency.high < 1_002);
    assert.deepEqual(measureOf(report, 'errorRate').values[1].difference.verdict, 'UNCLEAR');
    assert.deepEqual(
      (await compare([base, better])).measures,
      report.measures,
      'the same data has the same intervals each time',
    );
    assert.ok(report.notices.some((text: string) => text.startsWith('No annotation config says')));
  });

  test('follows the direction of the annotation config', async () => {
    await server.ports.annotationConfigs.create({
      type: 'CONTINUOUS',
      name: 'accuracy',
      description: null,
      optimizationDirection: 'MINIMIZE',
      lowerBound: null,
      upperBound: null,
    });
    const dataset = await fixtures.createDataset(10);
    const base = await fixtures.createExperiment(
      dataset,
      'base',
      runsOf(10, () => ({ ms: 1, score: 0.5 })),
    );
    const low = await fixtures.createExperiment(
      dataset,
      'low',
      runsOf(10, (n) => ({ ms: 1, score: 0.2 + n / 100 })),
    );
    const report = await compare([base, low]);
    const { direction, values } = measureOf(report, 'score:accuracy');
    assert.equal(direction, 'MINIMIZE');
    assert.equal(values[1].difference.verdict, 'BETTER');
    assert.equal(values[1].difference.wins, 10);
    assert.deepEqual(report.notices, []);
  });

  test('reports what is missing: runs, errors, numbers, pairs, repetitions', async () => {
    const dataset = await fixtures.createDataset(8);
    const base = await fixtures.createExperiment(dataset, 'base', [
      ...runsOf(4, (example) => ({ ms: 10, score: example === 0 ? Number.NaN : 0.5 })),
      { example: 4, ms: 10, error: 'boom' },
      { example: 5, ms: 10 },
    ]);
    const repeated = await fixtures.createExperiment(
      dataset,
      'twice',
      [1, 2].flatMap((repetition) => runsOf(8, () => ({ ms: 10 * repetition, score: repetition / 4, repetition }))),
      2,
    );
    const empty = await fixtures.createExperiment(dataset, 'empty');
    const report = await compare([base, repeated, empty]);
    const notices = report.notices.join('\n');
    assert.match(
      notices,
      /“twice” has 2 repetitions and the baseline has 1\. Their differences are those of the means/,
    );
    assert.match(notices, /The baseline “base” has no run of 2 of 8 examples\./);
    assert.match(notices, /The baseline “base” failed in 1 of 6 runs\./);
    assert.match(notices, /1 score “accuracy” in the baseline “base” is not a finite number and is left out\./);
    assert.match(notices, /1 of 5 successful runs in the baseline “base” has no score “accuracy”\./);
    assert.match(notices, /“empty” has no runs yet\./);
    const { values } = measureOf(report, 'score:accuracy');
    assert.equal(values[0].count, 3);
    assert.equal(values[1].mean, 0.375);
    // The mean of both repetitions against the only one.
    assert.ok(Math.abs(values[1].difference.mean + 0.125) < 1e-12);
    assert.equal(values[1].difference.count, 3);
    assert.equal(values[1].difference.verdict, 'UNCLEAR');
    assert.deepEqual([values[2].count, values[2].mean, values[2].low], [0, null, null]);
    assert.match(values[2].difference.sentence, /no example has a value/);
    const errors = measureOf(report, 'errorRate').values;
    assert.ok(Math.abs(errors[0].mean - 1 / 6) < 1e-12);
  });

  test('compares only the examples that all experiments have, when they ran on different versions', async () => {
    const { datasets } = server.ports;
    const dataset = await fixtures.createDataset(10);
    const base = await fixtures.createExperiment(
      dataset,
      'base',
      runsOf(10, (n) => ({ ms: n, score: n })),
    );
    await datasets.deleteExamples(dataset.rowId, dataset.exampleIds.slice(0, 4), {
      description: null,
      metadata: '{}',
      userId: null,
    });
    const version = (await datasets.findVersion(dataset.rowId))!;
    assert.notEqual(version.rowId, dataset.versionRowId);
    const later = { ...dataset, versionRowId: version.rowId };
    const other = await fixtures.createExperiment(later, 'other', runsOf(10, (n) => ({ ms: n, score: n })).slice(4));
    const report = await compare([base, other]);
    assert.deepEqual([report.exampleCount, report.commonExampleCount], [10, 6]);
    assert.match(
      report.notices[0],
      /ran on 2 versions of the dataset\. Only the 6 examples that all of them have are compared\./,
    );
    assert.equal(measureOf(report, 'score:accuracy').values[0].mean, 6.5);
  });

  test('shows where a difference is: by split, by a key of metadata, and on the chosen splits alone', async () => {
    const topics = ['billing', 'shipping'];
    const dataset = await fixtures.createDataset(24, (n) => ({
      topic: topics[n % 2],
      n,
      nested: { a: 1 },
      __proto__: 1,
    }));
    const [hard] = await Promise.all([
      server.ports.datasets.createSplit(
        { name: 'hard', description: null, color: '#123456', metadata: '{}', userId: null },
        dataset.exampleIds.slice(0, 8),
      ),
    ]);
    const base = await fixtures.createExperiment(
      dataset,
      'base',
      runsOf(24, () => ({ ms: 1, score: 0.5 })),
    );
    const other = await fixtures.createExperiment(
      dataset,
      'other',
      // Better on billing by 0.2, worse on shipping by 0.1.
      runsOf(24, (n) => ({ ms: 1, score: n % 2 === 0 ? 0.7 : 0.4 })),
    );
    const report = await compare([base, other], { metadataKey: 'topic' });
    assert.deepEqual(report.metadataKeys, ['n', 'topic']);
    const meansOf = (groups: Response[]) =>
      groups.map(({ name, exampleCount, measures }) => [
        name,
        exampleCount,
        measures.find(({ key }: { key: string }) => key === 'score:accuracy').values[1].difference.mean.toFixed(3),
      ]);
    assert.deepEqual(meansOf(report.metadataGroups), [
      ['billing', 12, '0.200'],
      ['shipping', 12, '-0.100'],
    ]);
    assert.deepEqual(meansOf(report.splits), [['hard', 8, '0.050']]);
    const onHard = await compare([base, other], { splitIds: [toGlobalId('DatasetSplit', hard!.rowId)] });
    assert.equal(onHard.exampleCount, 8);
    const { experimentComparisonRows } = await server.ask(
      `query ($input: ExperimentComparisonRowsInput!) { experimentComparisonRows(input: $input) { totalCount rows { splits } } }`,
      {
        input: {
          experimentIds: [base, other].map((rowId) => toGlobalId('Experiment', rowId)),
          splitIds: [toGlobalId('DatasetSplit', hard!.rowId)],
        },
      },
    );
    assert.equal(experimentComparisonRows.totalCount, 8);
    assert.deepEqual(experimentComparisonRows.rows[0].splits, ['hard']);
    assert.deepEqual((await compare([base, other], { metadataKey: '__proto__' })).metadataGroups, []);
  });

  test('has the tokens and costs of the traces of the runs', async () => {
    const traceIds = ['a', 'b', 'c'].map((digit) => digit.repeat(32));
    const dataset = await fixtures.createDataset(2);
    const base = await fixtures.createExperiment(dataset, 'base', [
      { example: 0, ms: 1, traceId: 'not\nan ID' },
      { example: 1, ms: 1, traceId: traceIds[0]! },
    ]);
    const other = await fixtures.createExperiment(dataset, 'other', [
      { example: 0, ms: 1, traceId: traceIds[1]! },
      { example: 1, ms: 1, traceId: traceIds[2]! },
    ]);
    const { projectName } = (await server.ports.experiments.find(other))!;
    // The traces of the other experiment are in its project, and the one of the baseline is in another one.
    await server.append(
      ...traceIds.map((traceId, n) => ({
        ...(n > 0 && { project: projectName }),
        traceId,
        spanId: `000000000000000${n + 1}`,
        spanKind: 'LLM' as const,
        modelName: 'known',
        attributes: { llm: { token_count: { prompt: 10 * (n + 1), completion: 1 } } },
      })),
    );
    const report = await compare([base, other]);
    const valuesOf = (key: string) => measureOf(report, key).values.map(({ mean }: { mean: number }) => mean);
    assert.deepEqual(valuesOf('totalTokens'), [11, 26]);
    assert.deepEqual(valuesOf('totalCost'), [11, 26]);
    assert.equal(measureOf(report, 'totalTokens').values[1].difference.mean, 20);
    assert.match(report.notices.join(), /1 of 2 successful runs in the baseline “base” has no known tokens/);
  });
});
