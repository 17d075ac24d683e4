import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { shareTestServer, type TestServer } from '../test-server.ts';
import { mapping } from './evaluator-fixtures.ts';
import { CREATE_BUILT_IN } from './evaluator-server.ts';
import { experimentFixtures } from './experiment-fixtures.ts';

const open = shareTestServer();
/** One for all tests, as it numbers the names. */
let fixtures: ReturnType<typeof experimentFixtures> | undefined;

const MEASURES = `targetCount evaluatedCount errorCount
  labels { count agreedCount share shareInterval { low high } kappa kappaInterval { low high } matrix
    labels { label humanCount judgeCount agreedCount precision recall f1 } }
  scores { count correlation meanDifference meanAbsoluteDifference }`;
const CALIBRATION = `id status reason evaluatorName outputName annotationName target heldOutShare
  project { name } dataset { id } promptVersion { id }
  progress { targetCount doneCount errorCount promptTokens cost remainingSeconds }
  all { ${MEASURES} } tuning { ${MEASURES} } heldOut { ${MEASURES} }`;
const START = `mutation ($input: StartCalibrationInput!) { startCalibration(input: $input) { calibration { id } } }`;
const READ = `query ($id: ID!) { node(id: $id) { ... on Calibration { ${CALIBRATION} } } }`;
const ITEMS = `query ($id: ID!, $first: Int!, $after: String, $filter: CalibrationItemFilter) {
  node(id: $id) { ... on Calibration { items(first: $first, after: $after, filter: $filter) {
    pageInfo { hasNextPage endCursor }
    edges { node { id isHeldOut isDone isDisagreement humanLabel humanScore humanCount judgeLabel judgeScore explanation
      error traceId trace { traceId }
      target { __typename ... on Span { spanId } ... on Trace { traceId } ... on ExperimentRun { id } } } } } } } }`;

const spanId = (index: number) => index.toString(16).padStart(16, '0');
const traceId = (index: number) => index.toString(16).padStart(32, '0');

async function openCalibrations(outputOf: (index: number) => string, count: number) {
  const server = await open();
  fixtures ??= experimentFixtures(server.ports);
  const dataset = await fixtures.createDataset(2);
  const { builtInEvaluators } = await server.ask('{ builtInEvaluators { id name } }');
  const evaluatorId = builtInEvaluators.find(({ name }: { name: string }) => name === 'contains').id;
  const input = {
    ...{ datasetId: toGlobalId('Dataset', dataset.rowId), evaluatorId, name: 'refunded' },
    inputMapping: mapping({ text: '$.output.output' }, { words: 'refund' }),
  };
  const { evaluator } = (await server.ask(CREATE_BUILT_IN, { input })).createDatasetBuiltinEvaluator;
  await server.append(
    ...Array.from({ length: count }, (_, index) => ({
      ...{ traceId: traceId(index + 1), spanId: spanId(index + 1), project: 'calls', output: outputOf(index) },
      ...{ outputMimeType: 'text/plain', start: BigInt(index + 1), end: BigInt(index + 2) },
    })),
  );
  const { getProjectByName } = await server.ask('{ getProjectByName(name: "calls") { id } }');
  const projectId: string = getProjectByName.id;
  return { server, fixtures, dataset, evaluator, projectId };
}

const annotate = (
  server: TestServer,
  labels: readonly (readonly [index: number, label: string, identifier?: string, kind?: string])[],
) =>
  server.call('POST', '/v1/span_annotations?sync=true', {
    json: {
      data: labels.map(([index, label, identifier = '', annotator_kind = 'HUMAN']) => ({
        ...{ span_id: spanId(index + 1), name: 'verdict', annotator_kind, identifier, result: { label } },
      })),
    },
  });

/** Starts a calibration and waits for its end. */
async function calibrate(server: TestServer, input: object) {
  const { id } = (await server.ask(START, { input })).startCalibration.calibration;
  for (;;) {
    const { node } = await server.ask(READ, { id });
    if (node.status !== 'RUNNING') return node;
    await sleep(5);
  }
}

const itemsOf = async (server: TestServer, id: string, filter: object = {}, first = 100, after?: string) =>
  (await server.ask(ITEMS, { id, filter, first, after })).node.items;

describe('a calibration over spans', () => {
  test('compares the judge with the majority of people, and lists disagreements with their traces', async () => {
    const { server, evaluator, projectId } = await openCalibrations((index) => (index % 2 ? 'refund' : 'sorry'), 12);
    // The judge says true for odd spans. People disagree on 2 and 3.
    await annotate(server, [
      ...Array.from(
        { length: 10 },
        (_, index) => [index, (index % 2 === 1) !== (index === 2 || index === 3) ? 'true' : 'false'] as const,
      ),
      [4, 'true', 'ann'],
      [4, 'false', 'ben'],
      [11, 'true', '', 'LLM'],
    ]);
    const calibration = await calibrate(server, {
      ...{ datasetEvaluatorId: evaluator.id, annotationName: 'verdict', heldOutShare: 0.3, concurrency: 3 },
      source: { project: { projectId } },
    });
    assert.deepEqual(
      [calibration.status, calibration.reason, calibration.evaluatorName, calibration.target, calibration.project.name],
      ['COMPLETED', null, 'contains', 'SPAN', 'calls'],
    );
    assert.deepEqual(calibration.progress, {
      ...{ targetCount: 10, doneCount: 10, errorCount: 0, promptTokens: 0, cost: 0, remainingSeconds: null },
    });
    const { labels, targetCount } = calibration.all;
    assert.deepEqual([targetCount, labels.count, labels.agreedCount, labels.share], [10, 10, 8, 0.8]);
    assert.deepEqual(labels.matrix, [
      [4, 1],
      [1, 4],
    ]);
    assert.ok(Math.abs(labels.kappa - 0.6) < 1e-12);
    assert.ok(labels.kappaInterval.low < 0.6 && labels.kappaInterval.high > 0.6);
    assert.deepEqual(labels.labels[0], {
      ...{ label: 'true', humanCount: 5, judgeCount: 5, agreedCount: 4, precision: 0.8, recall: 0.8, f1: 0.8 },
    });
    assert.equal(calibration.tuning.targetCount + calibration.heldOut.targetCount, 10);
    assert.ok(calibration.heldOut.targetCount > 0);
    const { edges } = await itemsOf(server, calibration.id, { isDisagreement: true });
    assert.deepEqual(
      edges
        .map(({ node }: { node: { target: { spanId: string }; humanLabel: string; judgeLabel: string } }) => [
          node.target.spanId,
          node.humanLabel,
          node.judgeLabel,
        ])
        .sort(),
      [
        [spanId(3), 'true', 'false'],
        [spanId(4), 'false', 'true'],
      ],
    );
    assert.equal(edges[0].node.trace.traceId, edges[0].node.traceId);
    const [several] = (await itemsOf(server, calibration.id)).edges.filter(
      ({ node }: { node: { target: { spanId: string } } }) => node.target.spanId === spanId(5),
    );
    assert.deepEqual([several.node.humanLabel, several.node.humanCount], ['false', 3]);
    const first = await itemsOf(server, calibration.id, { judgeLabel: 'true' }, 3);
    const rest = await itemsOf(server, calibration.id, { judgeLabel: 'true' }, 3, first.pageInfo.endCursor);
    assert.deepEqual([first.edges.length, first.pageInfo.hasNextPage, rest.edges.length], [3, true, 2]);
  });

  test('reads its items after its status, so that a response with an ended status has all results', async (t) => {
    const { server, evaluator, projectId } = await openCalibrations(() => 'refund', 1);
    await annotate(server, [[0, 'true']]);
    const { id } = await calibrate(server, {
      ...{ datasetEvaluatorId: evaluator.id, annotationName: 'verdict', heldOutShare: 0, concurrency: 1 },
      source: { project: { projectId } },
    });
    const { calibrations } = server.domain;
    const { findByRowIds, listItems } = calibrations;
    const order: string[] = [];
    t.mock.method(calibrations, 'findByRowIds', async (rowIds: readonly number[]) => {
      await sleep(20);
      order.push('status');
      return findByRowIds(rowIds);
    });
    t.mock.method(calibrations, 'listItems', (...args: Parameters<typeof listItems>) => {
      order.push('items');
      return listItems(...args);
    });

    await server.ask(
      'query ($id: ID!) { node(id: $id) { ... on Calibration { status items { edges { node { id } } } } } }',
      {
        id,
      },
    );

    assert.deepEqual(order, ['status', 'items']);
  });

  test('keeps failures apart, and judges them again when it is resumed', async () => {
    const { server, evaluator, projectId } = await openCalibrations((index) => (index === 2 ? '' : 'refund'), 4);
    await annotate(
      server,
      [0, 1, 2, 3].map((index) => [index, 'true'] as const),
    );
    const calibration = await calibrate(server, {
      ...{ datasetEvaluatorId: evaluator.id, annotationName: 'verdict', source: { project: { projectId } } },
      inputMapping: mapping({ text: '$.output.output', words: '$.metadata.missing' }),
    });
    assert.equal(calibration.status, 'COMPLETED');
    assert.deepEqual([calibration.all.errorCount, calibration.all.labels], [4, null]);
    const { edges } = await itemsOf(server, calibration.id, { hasError: true });
    assert.match(edges[0].node.error, /did not match any values/);
    assert.equal(edges[0].node.isDisagreement, false);
    await server.ask(
      `mutation ($input: ResumeCalibrationInput!) { resumeCalibration(input: $input) { calibration { status } } }`,
      { input: { calibrationId: calibration.id } },
    );
    for (;;) {
      const { node } = await server.ask(READ, { id: calibration.id });
      if (node.status === 'COMPLETED') break;
      await sleep(5);
    }
    const stop = `mutation ($id: ID!) { stopCalibration(calibrationId: $id) { calibration { status } } }`;
    assert.equal((await server.ask(stop, { id: calibration.id })).stopCalibration.calibration.status, 'COMPLETED');
    await server.ask(`mutation ($id: ID!) { deleteCalibration(calibrationId: $id) { calibrationId } }`, {
      id: calibration.id,
    });
    assert.match((await server.post(READ, { id: calibration.id })).errors![0]!, /Calibration with ID .* not found/);
  });

  test('lists what people have labeled, and what it cannot run on', async () => {
    const { server, evaluator, projectId, dataset } = await openCalibrations(() => 'refund', 3);
    await annotate(server, [
      [0, 'true'],
      [1, 'true'],
      [2, 'false'],
    ]);
    const labels = `query ($source: CalibrationSourceInput!, $name: String!) {
      calibrationLabels(source: $source, annotationName: $name) { targetCount scoreCount labels { label count } } }`;
    const { calibrationLabels } = await server.ask(labels, { source: { project: { projectId } }, name: 'verdict' });
    assert.deepEqual(calibrationLabels, {
      ...{ targetCount: 3, scoreCount: 0 },
      labels: [
        { label: 'true', count: 2 },
        { label: 'false', count: 1 },
      ],
    });
    const refusal = async (over: object) => {
      const input = { datasetEvaluatorId: evaluator.id, source: { project: { projectId } }, annotationName: 'verdict' };
      return (await server.post(START, { input: { ...input, ...over } })).errors?.[0];
    };
    assert.match((await refusal({ annotationName: 'nothing' }))!, /have not labelled anything as 'nothing'/);
    assert.match((await refusal({ outputName: 'nothing' }))!, /has no output 'nothing'; it has 'contains'/);
    assert.match((await refusal({ heldOutShare: 1 }))!, /less than 1, received 1/);
    assert.match((await refusal({ concurrency: 0 }))!, /from 1 to 20/);
    assert.match((await refusal({ maxTargets: 5_001 }))!, /from 1 to 5000/);
    assert.match((await refusal({ source: { datasetId: toGlobalId('Dataset', 999) } }))!, /./);
    assert.match(
      (await refusal({ source: { datasetId: toGlobalId('Dataset', dataset.rowId) } }))!,
      /have not labelled/,
    );
    assert.match((await refusal({ datasetEvaluatorId: toGlobalId('DatasetEvaluator', 999) }))!, /not found/);
  });

  test('runs a code evaluator, and keeps errors of its code apart', async () => {
    const { server, dataset, projectId } = await openCalibrations((index) => (index % 2 ? 'refund' : 'sorry'), 6);
    const { sandboxProviders } = await server.ask('{ sandboxProviders { configs { id name } } }');
    const sandbox = sandboxProviders
      .flatMap(({ configs }: { configs: { id: string; name: string }[] }) => configs)
      .find(({ name }: { name: string }) => name === 'python');
    const { createCodeEvaluator } = await server.ask(
      `mutation ($input: CreateCodeEvaluatorInput!) { createCodeEvaluator(input: $input) { evaluator { id } } }`,
      {
        input: {
          ...{ name: `code-${dataset.rowId}`, language: 'PYTHON', sandboxConfigId: sandbox.id },
          sourceCode: [
            'def evaluate(text: str, number: int):',
            '    if number == 6: raise ValueError("six")',
            '    return "yes" if "refund" in text else "no"',
          ].join('\n'),
          outputConfigs: [
            {
              categorical: {
                ...{ name: 'verdict', optimizationDirection: 'MAXIMIZE' },
                values: [
                  { label: 'yes', score: 1 },
                  { label: 'no', score: 0 },
                ],
              },
            },
          ],
        },
      },
    );
    const { createDatasetCodeEvaluator } = await server.ask(
      `mutation ($input: CreateDatasetCodeEvaluatorInput!) { createDatasetCodeEvaluator(input: $input) { evaluator { id } } }`,
      {
        input: {
          ...{ datasetId: toGlobalId('Dataset', dataset.rowId), evaluatorId: createCodeEvaluator.evaluator.id },
          ...{ name: 'verdict', inputMapping: mapping({ text: '$.output.output', number: '$.metadata.number' }) },
        },
      },
    );
    await annotate(
      server,
      [0, 1, 2, 3, 4, 5].map((index) => [index, index % 2 && index !== 3 ? 'yes' : 'no'] as const),
    );
    const calibration = await calibrate(server, {
      ...{ datasetEvaluatorId: createDatasetCodeEvaluator.evaluator.id, source: { project: { projectId } } },
      inputMapping: mapping({ text: '$.output.output' }, { number: 1 }),
      heldOutShare: 0,
    });
    assert.deepEqual(
      [calibration.status, calibration.promptVersion, calibration.outputName],
      ['COMPLETED', null, 'verdict'],
    );
    assert.deepEqual(calibration.all.labels.matrix, [
      [2, 0],
      [1, 3],
    ]);
    const failed = await calibrate(server, {
      ...{ datasetEvaluatorId: createDatasetCodeEvaluator.evaluator.id, source: { project: { projectId } } },
      inputMapping: mapping({ text: '$.output.output' }, { number: 6 }),
    });
    assert.equal(failed.all.labels, null);
    const { edges } = await itemsOf(server, failed.id, { hasError: true }, 1);
    assert.match(edges[0].node.error, /six.*line 2/);
  });

  test('is compared with others by their common targets', async () => {
    const { server, evaluator, projectId } = await openCalibrations((index) => (index % 2 ? 'refund' : 'sorry'), 6);
    await annotate(
      server,
      [0, 1, 2, 3, 4, 5].map((index) => [index, index % 2 ? 'true' : 'false'] as const),
    );
    const input = { datasetEvaluatorId: evaluator.id, annotationName: 'verdict', source: { project: { projectId } } };
    const good = await calibrate(server, input);
    const bad = await calibrate(server, {
      ...{ ...input, maxTargets: 4, heldOutShare: 0 },
      inputMapping: mapping({ text: '$.output.output' }, { words: 'sorry' }),
    });
    const { compareCalibrations } = await server.ask(
      `query ($ids: [ID!]!) { compareCalibrations(calibrationIds: $ids) { commonCount
        columns { calibration { id } fixedCount brokenCount all { targetCount labels { share kappa } } } } }`,
      { ids: [bad.id, good.id] },
    );
    assert.deepEqual(compareCalibrations, {
      commonCount: 4,
      columns: [
        {
          ...{ calibration: { id: bad.id }, fixedCount: 0, brokenCount: 0 },
          all: { targetCount: 4, labels: { share: 0, kappa: -1 } },
        },
        {
          ...{ calibration: { id: good.id }, fixedCount: 4, brokenCount: 0 },
          all: { targetCount: 4, labels: { share: 1, kappa: 1 } },
        },
      ],
    });
    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on DatasetEvaluator { calibrations { edges { node { id } } } } } }`,
      { id: evaluator.id },
    );
    assert.deepEqual(
      node.calibrations.edges.map((edge: { node: { id: string } }) => edge.node.id),
      [bad.id, good.id],
    );
  });
});

describe('a calibration over runs of experiments', () => {
  test('compares the judge with the annotations of people', async () => {
    const { server, fixtures, dataset, evaluator } = await openCalibrations(() => '', 1);
    const experimentRowId = await fixtures.createExperiment(dataset, 'runs', [
      { example: 0, ms: 1 },
      { example: 1, ms: 1 },
    ]);
    const { node } = await server.ask(
      `query ($id: ID!) { node(id: $id) { ... on Experiment { runs { edges { node { id output } } } } } }`,
      { id: toGlobalId('Experiment', experimentRowId) },
    );
    const runs: { node: { id: string } }[] = node.runs.edges;
    for (const [index, run] of runs.entries()) {
      await server.ask(
        `mutation ($input: AnnotateExperimentRunInput!) { annotateExperimentRun(input: $input) { __typename } }`,
        { input: { runId: run.node.id, name: 'contains', label: index ? 'true' : 'false' } },
      );
    }
    const calibration = await calibrate(server, {
      datasetEvaluatorId: evaluator.id,
      source: { datasetId: toGlobalId('Dataset', dataset.rowId) },
      inputMapping: mapping({ text: '$.input.n' }, { words: '1' }),
    });
    assert.deepEqual(
      [calibration.status, calibration.all.labels?.agreedCount, calibration.target],
      ['COMPLETED', 2, null],
    );
    const { edges } = await itemsOf(server, calibration.id);
    assert.deepEqual(
      edges.map((edge: { node: { target: { id: string } } }) => edge.node.target.id).sort(),
      runs.map((run) => run.node.id).sort(),
    );
  });
});
