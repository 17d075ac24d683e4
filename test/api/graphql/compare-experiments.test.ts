import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { NewGenerativeModel } from '../../../src/model/models/generative-model.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { type ExperimentFixtures, experimentFixtures } from './experiment-fixtures.ts';

const COMPARE = `query ($base: ID!, $others: [ID!]!, $filter: String, $first: Int, $after: String) {
  compareExperiments(baseExperimentId: $base, compareExperimentIds: $others, filterCondition: $filter, first: $first, after: $after) {
    pageInfo { hasNextPage endCursor }
    edges { node { example { revision { input } } repeatedRunGroups { experimentId runs { id } } } } } }`;

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

describe('GraphQL comparisons of experiments', () => {
  let server: TestServer;
  let fixtures: ExperimentFixtures;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openTestServer({ after: cleanUp }, { builtInModels: [PRICED] });
    fixtures = experimentFixtures(server.ports);
  });

  const idOf = (rowId: number) => toGlobalId('Experiment', rowId);
  /** Numbers of the examples that match. */
  const select = async (rowIds: readonly number[], filter: string, more: object = {}) => {
    const [base, ...others] = rowIds.map(idOf);
    const { compareExperiments } = await server.ask(COMPARE, { base, others, filter, ...more });
    return compareExperiments.edges.map((edge: { node: { example: { revision: { input: { n: number } } } } }) => {
      return edge.node.example.revision.input.n;
    });
  };

  test('a filter selects each example once, whatever its runs', async () => {
    const dataset = await fixtures.createDataset(4);
    const base = await fixtures.createExperiment(
      dataset,
      'base',
      [
        { example: 0, repetition: 1, ms: 100, score: 0.9 },
        { example: 0, repetition: 2, ms: 150, score: 0.8 },
        { example: 1, ms: 200, score: 0.1 },
        { example: 2, ms: 300, error: 'boom' },
      ],
      2,
    );
    const other = await fixtures.createExperiment(dataset, 'other', [
      { example: 0, ms: 90, score: 0.5, label: 'ok' },
      { example: 1, ms: 900, score: 0.7 },
    ]);
    const both = [base, other];

    assert.deepEqual(await select(both, ''), [0, 1, 2, 3]);
    assert.deepEqual(await select(both, 'latency_ms > 0'), [0, 1, 2]);
    assert.deepEqual(await select(both, 'error is not None or latency_ms > 500'), [1, 2]);
    assert.deepEqual(
      await select(both, 'experiments[0].evals["accuracy"].score > experiments[1].evals["accuracy"].score'),
      [0],
    );
    assert.deepEqual(await select(both, 'input["n"] >= 2'), [2, 3]);
    assert.deepEqual(await select(both, 'output["ms"] == 900'), [1]);
    assert.deepEqual(await select(both, 'experiments[1].output is None', { first: 1 }), [2]);
    const { errors } = await server.post(COMPARE, {
      base: idOf(base),
      others: [],
      filter: 'experiments[1].error is None',
    });
    assert.deepEqual(errors, ['Index to experiments must be below 1']);
  });

  test('a filter goes on after a cursor', async () => {
    const dataset = await fixtures.createDataset(5);
    const base = await fixtures.createExperiment(
      dataset,
      'base',
      [0, 1, 2, 3, 4].map((example) => ({ example, ms: example * 100 })),
    );
    const ask = (after: string | null) =>
      server.ask(COMPARE, { base: idOf(base), others: [], filter: 'latency_ms >= 200', first: 2, after });

    const first = (await ask(null)).compareExperiments;
    const second = (await ask(first.pageInfo.endCursor)).compareExperiments;

    assert.deepEqual([first.pageInfo.hasNextPage, first.edges.length], [true, 2]);
    assert.deepEqual([second.pageInfo.hasNextPage, second.edges.length], [false, 1]);
  });

  test('rejects experiments that cannot be compared', async () => {
    const [mine, theirs] = [await fixtures.createDataset(1), await fixtures.createDataset(1)];
    const base = idOf(await fixtures.createExperiment(mine, 'base'));
    const other = idOf(await fixtures.createExperiment(mine, 'other'));
    const foreign = idOf(await fixtures.createExperiment(theirs, 'foreign'));
    const errorOf = async (others: readonly string[], from = base) =>
      (await server.post(COMPARE, { base: from, others })).errors?.[0];

    assert.equal(await errorOf([other, base]), 'Compare experiment IDs cannot contain the base experiment ID');
    assert.equal(await errorOf([other, other]), 'Compare experiment IDs must be unique');
    assert.equal(
      await errorOf([toGlobalId('Dataset', 1)]),
      `Invalid compare experiment ID: ${toGlobalId('Dataset', 1)}`,
    );
    assert.equal(await errorOf([], 'x'), 'Invalid base experiment ID: x');
    assert.equal(await errorOf([idOf(999_999)]), 'Unable to resolve one or more experiment IDs.');
    assert.equal(await errorOf([foreign]), 'Experiments must belong to the same dataset.');
  });

  test('compares up to ten experiments', async () => {
    const dataset = await fixtures.createDataset(2);
    const rowIds: number[] = [];
    for (let n = 0; n < 10; n++) {
      rowIds.push(await fixtures.createExperiment(dataset, `experiment ${n}`, [{ example: 0, ms: n + 1 }]));
    }

    const [base, ...others] = rowIds.map(idOf);
    const { compareExperiments } = await server.ask(COMPARE, {
      base,
      others,
      filter: 'experiments[9].latency_ms == 10',
    });

    assert.deepEqual(
      compareExperiments.edges.map(({ node }: { node: { repeatedRunGroups: { experimentId: string }[] } }) =>
        node.repeatedRunGroups.map(({ experimentId }) => experimentId),
      ),
      [rowIds.map(idOf)],
    );
  });

  test('reports whether a text is a run filter', async () => {
    const validate = (condition: string, experimentIds: readonly string[]) =>
      server.post(
        `query ($condition: String!, $experimentIds: [ID!]!) {
          validateExperimentRunFilterCondition(condition: $condition, experimentIds: $experimentIds) { isValid errorMessage warnings } }`,
        { condition, experimentIds },
      );
    const isValid = (condition: string) => validate(condition, [idOf(1), idOf(2)]);

    assert.deepEqual((await isValid('experiments[1].error is None')).data.validateExperimentRunFilterCondition, {
      isValid: true,
      errorMessage: null,
      warnings: [],
    });
    assert.deepEqual((await isValid('latency_ms in [1, 2]')).data.validateExperimentRunFilterCondition, {
      isValid: false,
      errorMessage:
        'Membership against a list is not supported here; compare against a single value, or combine comparisons with `or`',
      warnings: [],
    });
    assert.deepEqual((await validate('error is None', [])).errors, ['At least one experiment ID must be provided']);
  });

  test('counts where the base is below the best of the others', async () => {
    const dataset = await fixtures.createDataset(5);
    const base = await fixtures.createExperiment(
      dataset,
      'base',
      [
        { example: 0, ms: 100 },
        { example: 1, repetition: 1, ms: 100 },
        { example: 1, repetition: 2, ms: 300 },
        { example: 2, ms: 70 },
        { example: 3, ms: 10 },
      ],
      2,
    );
    const one = await fixtures.createExperiment(dataset, 'one', [
      { example: 0, ms: 500 },
      { example: 1, ms: 900 },
      { example: 2, ms: 70 },
      { example: 4, ms: 1 },
    ]);
    const two = await fixtures.createExperiment(dataset, 'two', [
      { example: 0, ms: 400 },
      { example: 1, ms: 50 },
    ]);
    const METRICS = `query ($base: ID!, $others: [ID!]!) {
      experimentRunMetricComparisons(baseExperimentId: $base, compareExperimentIds: $others) {
        latency { ...counts } totalCost { ...counts } } }
      fragment counts on ExperimentRunMetricComparison { numRunsImproved numRunsRegressed numRunsEqual numRunsWithoutComparison }`;

    const found = await server.ask(METRICS, { base: idOf(base), others: [idOf(one), idOf(two)] });

    assert.deepEqual(found.experimentRunMetricComparisons, {
      latency: { numRunsImproved: 1, numRunsRegressed: 1, numRunsEqual: 1, numRunsWithoutComparison: 1 },
      totalCost: { numRunsImproved: 0, numRunsRegressed: 0, numRunsEqual: 0, numRunsWithoutComparison: 4 },
    });
    assert.deepEqual((await server.post(METRICS, { base: idOf(base), others: [] })).errors, [
      'At least one compare experiment ID must be provided',
    ]);
  });

  test('tokens and costs are those of the traces of the runs', async () => {
    const traceIds = ['a', 'b', 'c'].map((digit) => digit.repeat(32));
    const tokens = [
      [10, 5],
      [10, 9],
      [20, 1],
    ];
    await server.append(
      ...traceIds.map((traceId, n) => ({
        traceId,
        spanId: `000000000000000${n + 1}`,
        spanKind: 'LLM' as const,
        modelName: 'known',
        attributes: { llm: { token_count: { prompt: tokens[n]![0], completion: tokens[n]![1] } } },
      })),
    );
    const dataset = await fixtures.createDataset(2);
    const [traceOfBase, ...traces] = traceIds;
    const base = await fixtures.createExperiment(dataset, 'base', [
      { example: 0, ms: 1, traceId: traceOfBase! },
      { example: 1, ms: 1, traceId: 'd'.repeat(32) },
    ]);
    const others: string[] = [];
    for (const traceId of traces) {
      others.push(idOf(await fixtures.createExperiment(dataset, 'other', [{ example: 0, ms: 1, traceId }])));
    }

    const found = await server.ask(
      `query ($base: ID!, $others: [ID!]!) { experimentRunMetricComparisons(baseExperimentId: $base, compareExperimentIds: $others) {
        promptTokenCount { ...counts } completionTokenCount { ...counts } totalCost { ...counts } } }
        fragment counts on ExperimentRunMetricComparison { numRunsImproved numRunsRegressed numRunsEqual numRunsWithoutComparison }`,
      { base: idOf(base), others },
    );

    const one = (outcome: string) => ({
      numRunsImproved: 0,
      numRunsRegressed: 0,
      numRunsEqual: 0,
      numRunsWithoutComparison: 1,
      [outcome]: 1,
    });
    assert.deepEqual(found.experimentRunMetricComparisons, {
      promptTokenCount: one('numRunsEqual'),
      completionTokenCount: one('numRunsRegressed'),
      totalCost: one('numRunsImproved'),
    });
  });
});
