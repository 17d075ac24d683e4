import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { EPHEMERAL_EXPERIMENT_MS } from '../../../src/model/limits/datasets.ts';
import type { NewGenerativeModel } from '../../../src/model/models/generative-model.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { deleteStaleExperiments } from '../../../src/domain/experiments/delete-stale-experiments.ts';
import type { Ports } from '../../../src/domain/ports.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { type CallCounts, countCalls } from '../count-calls.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { type ExperimentFixtures, experimentFixtures } from './experiment-fixtures.ts';

/** Two dollars a token, so that sums are whole. */
const PRICED: NewGenerativeModel = {
  name: 'priced',
  provider: 'openai',
  namePattern: '^known',
  startTimeMs: null,
  prices: [
    { tokenType: 'input', isPrompt: true, perToken: 2 },
    { tokenType: 'output', isPrompt: false, perToken: 2 },
  ],
};

describe('GraphQL of experiments', () => {
  let server: TestServer;
  let datasets: Ports['datasets'];
  let experiments: Ports['experiments'];
  let createDataset: ExperimentFixtures['createDataset'];
  let createExperiment: ExperimentFixtures['createExperiment'];
  let asked: CallCounts;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openTestServer({ after: cleanUp }, { builtInModels: [PRICED] });
    ({ datasets, experiments } = server.ports);
    asked = countCalls(server.domain.experiments);
    ({ createDataset, createExperiment } = experimentFixtures(server.ports));
  });

  const read = async (type: 'Experiment' | 'Dataset' | 'DatasetExample', rowId: number, fields: string) =>
    (
      await server.ask(`query ($id: ID!) { node(id: $id) { ... on ${type} { ${fields} } } }`, {
        id: toGlobalId(type, rowId),
      })
    ).node;

  test('lists the splits that an experiment is limited to', async () => {
    const dataset = await createDataset(2);
    const splits = [];
    for (const name of ['test', 'train']) {
      const fields = { name, description: null, color: '#123456', metadata: '{}', userId: null };
      splits.push(await datasets.createSplit(fields, dataset.exampleIds, dataset.rowId));
    }
    const made = await experiments.create({
      datasetRowId: dataset.rowId,
      datasetVersionRowId: dataset.versionRowId,
      name: 'of two splits',
      description: null,
      repetitions: 1,
      metadata: '{}',
      projectName: 'project-of-two-splits',
      projectDescription: '',
      splitRowIds: splits.map(({ rowId }) => rowId),
      userId: null,
    });

    const { datasetSplits } = (await read(
      'Experiment',
      made!.rowId,
      'datasetSplits { edges { node { id name } } }',
    )) as {
      datasetSplits: { edges: { node: { id: string; name: string } }[] };
    };

    assert.deepEqual(
      datasetSplits.edges.map(({ node }) => node),
      splits.map(({ rowId, name }) => ({ id: toGlobalId('DatasetSplit', rowId), name })),
    );
  });

  test('means weigh examples alike, whatever their repetitions', async () => {
    const rowId = await createExperiment(
      await createDataset(2),
      'repeated',
      [
        { example: 0, repetition: 1, ms: 100, score: 1, label: 'right' },
        { example: 0, repetition: 2, ms: 300, score: 0, label: 'wrong' },
        { example: 1, repetition: 1, ms: 1000, score: 1, label: 'right' },
        { example: 1, repetition: 2, ms: 2000, error: 'boom' },
        { example: 1, repetition: 3, ms: 3000, error: 'boom', score: 0.4 },
      ],
      3,
    );

    const found = await read(
      'Experiment',
      rowId,
      `runCount expectedRunCount averageRunLatencyMs errorRate sequenceNumber isEphemeral isBaseline
       annotationSummaries { annotationName minScore maxScore meanScore count errorCount scoreCount labelCount labelFractions { label fraction } }`,
    );

    assert.ok(Math.abs(found.errorRate - 1 / 3) < 1e-9);
    assert.deepEqual(
      { ...found, errorRate: 0 },
      {
        runCount: 5,
        expectedRunCount: 6,
        averageRunLatencyMs: 1100,
        errorRate: 0,
        sequenceNumber: 1,
        isEphemeral: false,
        isBaseline: false,
        annotationSummaries: [
          {
            annotationName: 'accuracy',
            minScore: 0,
            maxScore: 1,
            meanScore: 0.6,
            count: 4,
            errorCount: 0,
            scoreCount: 4,
            labelCount: 3,
            labelFractions: [
              { label: 'right', fraction: 2 / 3 },
              { label: 'wrong', fraction: 1 / 3 },
            ],
          },
        ],
      },
    );
  });

  test('an experiment, its runs and their annotations have all their fields', async () => {
    const dataset = await createDataset(1);
    const traceId = 'e'.repeat(32);
    const run = { example: 0, ms: 250, score: 0.5, label: 'right', traceId };
    const rowId = await createExperiment(dataset, 'whole', [run]);

    const { runs, createdAt, updatedAt, lastUpdatedAt, ...found } = await read(
      'Experiment',
      rowId,
      `name description metadata repetitions datasetVersion { id } dataset { id } createdAt updatedAt lastUpdatedAt
       user { id } project { name } projectName datasetSplits { edges { node { id } } } costDetailSummaryEntries { tokenType }
       named: annotationSummaries(annotationName: "accuracy") { meanScore }
       unknown: annotationSummaries(annotationName: "other") { meanScore }
       runs { edges { node { experimentId repetitionNumber traceId startTime endTime error latencyMs output
         trace { id } costSummary { total { tokens } } costDetailSummaryEntries { tokenType }
         annotations { edges { node { name annotatorKind label score explanation error metadata startTime endTime traceId } } } } } }`,
    );

    assert.deepEqual(found, {
      ...{ name: 'whole', description: 'about whole', metadata: {}, repetitions: 1 },
      datasetVersion: { id: toGlobalId('DatasetVersion', dataset.versionRowId) },
      dataset: { id: toGlobalId('Dataset', dataset.rowId) },
      ...{
        user: null,
        project: { name: found.projectName },
        projectName: found.projectName,
        datasetSplits: { edges: [] },
        costDetailSummaryEntries: [],
      },
      ...{ named: [{ meanScore: 0.5 }], unknown: [] },
    });
    assert.match(found.projectName, /^project-of-whole-/);
    assert.ok(Date.parse(createdAt) <= Date.parse(updatedAt));
    assert.equal(lastUpdatedAt, updatedAt);
    const start = '1970-01-01T00:00:00+00:00';
    assert.deepEqual(runs.edges[0].node, {
      ...{ experimentId: toGlobalId('Experiment', rowId), repetitionNumber: 1, traceId, trace: null },
      ...{ startTime: start, endTime: '1970-01-01T00:00:00.250000+00:00', latencyMs: 250 },
      ...{ error: null, output: { ms: 250 }, costSummary: { total: { tokens: null } }, costDetailSummaryEntries: [] },
      annotations: {
        edges: [
          {
            node: {
              ...{
                name: 'accuracy',
                annotatorKind: 'CODE',
                label: 'right',
                score: 0.5,
                explanation: null,
                error: null,
              },
              ...{ metadata: { by: 'test' }, startTime: start, endTime: '1970-01-01T00:00:00.000001+00:00' },
              traceId: null,
            },
          },
        ],
      },
    });
  });

  test('runs come page by page, in the order of ids, latencies or scores', async () => {
    const rowId = await createExperiment(await createDataset(4), 'sorted', [
      { example: 0, ms: 300, score: 0.2 },
      { example: 1, ms: 100, score: 0.9 },
      { example: 2, ms: 200 },
      { example: 3, ms: 200, score: 0.5 },
    ]);
    const runsOf = async (args: string) => {
      const { runs } = await read(
        'Experiment',
        rowId,
        `runs(${args}) { pageInfo { hasNextPage endCursor } edges { node { example { revision { input } } } } }`,
      );
      const places = runs.edges.map(
        (edge: { node: { example: { revision: { input: { n: number } } } } }) => edge.node.example.revision.input.n,
      );
      return { places, ...runs.pageInfo };
    };

    const first = await runsOf('first: 3');
    const rest = await runsOf(`first: 3, after: "${first.endCursor}"`);
    assert.deepEqual([first.places, first.hasNextPage, rest.places, rest.hasNextPage], [[0, 1, 2], true, [3], false]);
    assert.deepEqual((await runsOf('sort: { col: { metric: latencyMs }, dir: asc }')).places, [1, 2, 3, 0]);
    assert.deepEqual((await runsOf('sort: { col: { annotationName: "accuracy" }, dir: desc }')).places, [1, 3, 0, 2]);
    const { errors } = await server.post(
      `{ node(id: "${toGlobalId('Experiment', rowId)}") { ... on Experiment { runs(first: 0) { edges { cursor } } } } }`,
    );
    assert.deepEqual(errors, ['first must be a positive integer if set']);
  });

  test('costs and tokens are those of the traces of the runs, each counted once', async () => {
    const traceId = 'a'.repeat(32);
    const llm = { traceId, spanKind: 'LLM', modelName: 'known' } as const;
    await server.append(
      { ...llm, spanId: '0000000000000001', attributes: { llm: { token_count: { prompt: 10, completion: 5 } } } },
      { ...llm, spanId: '0000000000000002', attributes: { llm: { token_count: { prompt: 1, completion: 2 } } } },
    );
    const dataset = await createDataset(3);
    const rowId = await createExperiment(dataset, 'traced', [
      { example: 0, ms: 1, traceId },
      { example: 1, ms: 1, traceId },
      { example: 2, ms: 1, traceId: 'b'.repeat(32) },
    ]);

    const found = await read(
      'Experiment',
      rowId,
      `costSummary { total { tokens cost } prompt { tokens } } costDetailSummaryEntries { tokenType value { tokens } } runs { edges { node { traceId trace { traceId } costSummary { total { tokens } } } } }`,
    );

    assert.deepEqual(
      found.runs.edges.map((edge: { node: { trace: object } }) => edge.node.trace),
      [{ traceId }, { traceId }, null],
    );
    assert.deepEqual(found.costSummary, { total: { tokens: 18, cost: 36 }, prompt: { tokens: 11 } });
    assert.deepEqual(found.costDetailSummaryEntries, [
      { tokenType: 'input', value: { tokens: 11 } },
      { tokenType: 'output', value: { tokens: 7 } },
    ]);
    assert.deepEqual(found.runs.edges[0].node.costSummary, { total: { tokens: 18 } });
    const { node } = await server.ask(
      `query ($example: ID!, $experiments: [ID!]!) { node(id: $example) { ... on DatasetExample {
         experimentRepeatedRunGroups(experimentIds: $experiments) {
           costSummary { total { tokens cost } } costDetailSummaryEntries { tokenType value { tokens } } } } } }`,
      {
        example: toGlobalId('DatasetExample', dataset.exampleIds[0]!),
        experiments: [toGlobalId('Experiment', rowId)],
      },
    );
    assert.deepEqual(node.experimentRepeatedRunGroups, [
      { costSummary: { total: found.costSummary.total }, costDetailSummaryEntries: found.costDetailSummaryEntries },
    ]);
  });

  test('experiments are compared example by example, in as few reads for many as for one', async () => {
    const dataset = await createDataset(3);
    const base = await createExperiment(dataset, 'base', [
      { example: 0, ms: 100, score: 1 },
      { example: 1, ms: 200 },
    ]);
    const other = await createExperiment(dataset, 'other', [{ example: 0, ms: 50, score: 0 }]);
    await datasets.deleteExamples(dataset.rowId, [dataset.exampleIds[0]!], { userId: null });
    for (const name of Object.keys(asked)) delete asked[name];

    const { compareExperiments } = await server.ask(
      `query ($base: ID!, $other: [ID!]!) { compareExperiments(first: 2, baseExperimentId: $base, compareExperimentIds: $other) {
        pageInfo { hasNextPage }
        edges { node { example { revision { input } } repeatedRunGroups {
          averageLatencyMs annotationSummaries { annotationName meanScore } runs { output annotations { edges { node { name score metadata trace { id } } } } } } } } } }`,
      { base: toGlobalId('Experiment', base), other: [toGlobalId('Experiment', other)] },
    );

    const group = (averageLatencyMs: number | null, score?: number) => ({
      averageLatencyMs,
      annotationSummaries: score === undefined ? [] : [{ annotationName: 'accuracy', meanScore: score }],
      runs:
        averageLatencyMs === null
          ? []
          : [
              {
                output: { ms: averageLatencyMs },
                annotations: {
                  edges:
                    score === undefined
                      ? []
                      : [{ node: { name: 'accuracy', score, metadata: { by: 'test' }, trace: null } }],
                },
              },
            ],
    });
    assert.equal(compareExperiments.pageInfo.hasNextPage, true);
    assert.deepEqual(
      compareExperiments.edges.map((edge: { node: object }) => edge.node),
      [
        { example: { revision: { input: { n: 0 } } }, repeatedRunGroups: [group(100, 1), group(50, 0)] },
        { example: { revision: { input: { n: 1 } } }, repeatedRunGroups: [group(200), group(null)] },
      ],
    );
    assert.ok(
      Object.values(asked).every((times) => times === 1),
      JSON.stringify(asked),
    );
  });

  test('a dataset has one baseline, which moves', async () => {
    const dataset = await createDataset(1);
    const [one, two] = [await createExperiment(dataset, 'one'), await createExperiment(dataset, 'two')];
    const set = async (rowId: number, baseline: boolean) => {
      const { setExperimentBaseline } = await server.ask(
        `mutation ($id: ID!, $baseline: Boolean!) { setExperimentBaseline(experimentId: $id, baseline: $baseline) {
          experiment { isBaseline } previousBaselineExperiment { name } dataset { baselineExperiment { name } } } }`,
        { id: toGlobalId('Experiment', rowId), baseline },
      );
      const { experiment, previousBaselineExperiment, dataset: found } = setExperimentBaseline;
      return [experiment.isBaseline, previousBaselineExperiment?.name ?? null, found.baselineExperiment?.name ?? null];
    };

    assert.deepEqual(await set(one, true), [true, null, 'one']);
    const [tag] = await experiments.listTags(one);
    const id = toGlobalId('ExperimentTag', tag!.rowId);
    const { node } = await server.ask(
      'query ($id: ID!) { node(id: $id) { ... on ExperimentTag { id experimentId name description } } }',
      { id },
    );
    assert.deepEqual(node, { id, experimentId: toGlobalId('Experiment', one), name: 'baseline', description: null });
    assert.deepEqual(await set(two, true), [true, 'one', 'two']);
    assert.deepEqual(await set(one, false), [false, 'two', 'two']);
    assert.deepEqual(await set(two, false), [false, 'two', null]);
  });

  test('an experiment that a client runs has no job, and there is none to stop or to resume', async () => {
    const dataset = await createDataset(1);
    const experiment = await createExperiment(dataset, 'run by a client', [{ example: 0, ms: 1 }]);
    const jobs = await read(
      'Dataset',
      dataset.rowId,
      'experimentJobs { pageInfo { hasNextPage } edges { node { id } } }',
    );
    const JOB = `status lastError { message detail { ... on FailureDetail { workItem { __typename } } } }
      taskConfig { prompt { modelName } connection { ... on OpenAIConnectionConfig { openaiApiType } } }`;

    assert.deepEqual(jobs, { experimentJobs: { pageInfo: { hasNextPage: false }, edges: [] } });
    assert.deepEqual(await read('Experiment', experiment, `job { ${JOB} }`), { job: null });
    for (const rowId of [experiment, 999_999]) {
      const id = toGlobalId('Experiment', rowId);
      for (const change of [
        `stopExperiment(experimentId: $id) { job { ${JOB} } }`,
        'resumeExperiment(experimentId: $id, credentials: [{ envVarName: "KEY", value: "secret" }]) { job { id } }',
      ]) {
        const { errors } = await server.post(`mutation ($id: ID!) { ${change} }`, { id });
        assert.deepEqual(errors, [`Experiment ${id} not found`]);
      }
    }
    const id = toGlobalId('ExperimentJob', experiment);
    const { errors } = await server.post('query ($id: ID!) { node(id: $id) { id } }', { id });
    assert.deepEqual(errors, [`ExperimentJob with ID ${id} not found`]);
    const wrong = await server.post('mutation ($id: ID!) { stopExperiment(experimentId: $id) { job { id } } }', { id });
    assert.match(wrong.errors![0]!, /node of type Experiment, .*: ExperimentJob$/);
  });

  test('an ephemeral experiment is left out of lists, is no baseline, and goes when its time has come', async () => {
    const dataset = await createDataset(1);
    const [kept, dismissed] = [
      await createExperiment(dataset, 'kept', [{ example: 0, ms: 1, score: 0 }]),
      await createExperiment(dataset, 'dismissed', [{ example: 0, ms: 1, score: 1 }]),
    ];
    const change = (mutation: string, rowId = dismissed) =>
      server.post(`mutation ($id: ID!) { ${mutation} }`, { id: toGlobalId('Experiment', rowId) });
    const DISMISS = 'dismissExperiment(experimentId: $id) { experiment { isEphemeral } }';
    const REINSTATE = 'reinstateExperiment(experimentId: $id) { experiment { isEphemeral isBaseline } }';
    const BASELINE = 'setExperimentBaseline(experimentId: $id, baseline: true) { experiment { isBaseline } }';
    const lists = async () => {
      const found = await read(
        'Dataset',
        dataset.rowId,
        `experimentCount all: experimentCount(includeEphemeral: true) baselineExperiment { name }
         experiments { edges { node { name } } } every: experiments(includeEphemeral: true) { edges { node { name } } }
         experimentAnnotationSummaries { maxScore } everySummary: experimentAnnotationSummaries(includeEphemeral: true) { maxScore }`,
      );
      const names = (list: { edges: { node: { name: string } }[] }) => list.edges.map(({ node }) => node.name);
      const { name } = found.baselineExperiment ?? { name: null };
      return [
        [found.experimentCount, names(found.experiments), found.experimentAnnotationSummaries[0].maxScore, name],
        [found.all, names(found.every), found.everySummary[0].maxScore],
      ];
    };

    await change(BASELINE);
    assert.deepEqual((await change(DISMISS)).data, { dismissExperiment: { experiment: { isEphemeral: true } } });
    assert.deepEqual(await lists(), [
      [1, ['kept'], 0, null],
      [2, ['dismissed', 'kept'], 1],
    ]);
    assert.deepEqual((await change(BASELINE)).errors, [
      'Ephemeral experiments cannot be marked as baseline. Reinstate the experiment before tagging it as the baseline.',
    ]);
    assert.deepEqual((await experiments.list({ datasetRowId: dataset.rowId, limit: 10 })).items.length, 1);
    const later = await createExperiment(dataset, 'later');
    assert.equal((await read('Experiment', later, 'sequenceNumber')).sequenceNumber, 2);
    assert.deepEqual((await change(REINSTATE)).data, {
      reinstateExperiment: { experiment: { isEphemeral: false, isBaseline: true } },
    });
    const absent = toGlobalId('Experiment', 999_999);
    for (const mutation of [DISMISS, REINSTATE])
      assert.deepEqual((await change(mutation, 999_999)).errors, [`Experiment ${absent} not found`]);

    await change(DISMISS, kept);
    const domain = { ...server.ports, experiments };
    assert.equal(await deleteStaleExperiments(domain, new Date(Date.now() + EPHEMERAL_EXPERIMENT_MS - 60_000)), 0);
    assert.equal(await deleteStaleExperiments(domain, new Date(Date.now() + EPHEMERAL_EXPERIMENT_MS + 60_000)), 1);
    assert.deepEqual(
      [await experiments.find(kept), (await experiments.find(dismissed))?.name],
      [undefined, 'dismissed'],
    );
  });

  test('experiments are patched, and deleted all or none', async () => {
    const dataset = await createDataset(1);
    const [one, two] = [await createExperiment(dataset, 'one'), await createExperiment(dataset, 'two')];
    const PATCH =
      'mutation ($input: PatchExperimentInput!) { patchExperiment(input: $input) { experiment { name description metadata } } }';
    const experimentId = toGlobalId('Experiment', one);
    const absent = toGlobalId('Experiment', 999_999);
    const messages = [];
    for (const input of [
      { experimentId, name: null },
      { experimentId, metadata: null },
      { experimentId },
      { experimentId: absent, name: 'x' },
    ]) {
      messages.push((await server.post(PATCH, { input })).errors?.[0]);
    }

    assert.deepEqual(messages, [
      'name cannot be null',
      'metadata cannot be null',
      'No fields to patch.',
      `Experiment with ID ${absent} not found`,
    ]);
    const patched = await server.ask(PATCH, {
      input: { experimentId, name: 'new', description: null, metadata: { k: 1 } },
    });
    assert.deepEqual(patched.patchExperiment.experiment, { name: 'new', description: null, metadata: { k: 1 } });

    const DROP =
      'mutation ($input: DeleteExperimentsInput!) { deleteExperiments(input: $input) { experiments { name } } }';
    const ids = [experimentId, toGlobalId('Experiment', two)];
    assert.deepEqual((await server.post(DROP, { input: { experimentIds: [...ids, absent] } })).errors, [
      `Experiment with ID ${absent} not found`,
    ]);
    assert.equal((await read('Dataset', dataset.rowId, 'experimentCount')).experimentCount, 2);
    const dropped = await server.ask(DROP, { input: { experimentIds: ids } });
    assert.deepEqual(dropped.deleteExperiments.experiments, [{ name: 'new' }, { name: 'two' }]);
    assert.equal((await read('Dataset', dataset.rowId, 'experimentCount')).experimentCount, 0);
  });
});
