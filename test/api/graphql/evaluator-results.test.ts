import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { toGlobalId } from '../../../src/api/contract/global-id.ts';
import { openTestServer, type TestServer } from '../test-server.ts';
import { type ExperimentFixtures, experimentFixtures } from './experiment-fixtures.ts';

describe('results of evaluators', () => {
  let server: TestServer;
  let fixtures: ExperimentFixtures;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openTestServer({ after: cleanUp });
    fixtures = experimentFixtures(server.ports);
  });

  const mapping = { pathMapping: { text: 'output.ms', words: 'reference' }, literalMapping: {} };
  async function bind(datasetRowId: number): Promise<string> {
    const { builtInEvaluators } = await server.ask('{ builtInEvaluators { id name } }');
    const evaluatorId = builtInEvaluators.find(({ name }: { name: string }) => name === 'contains').id;
    const { created } = await server.ask(
      `mutation ($input: CreateDatasetBuiltinEvaluatorInput!) {
        created: createDatasetBuiltinEvaluator(input: $input) { evaluator { id } } }`,
      {
        input: { datasetId: toGlobalId('Dataset', datasetRowId), evaluatorId, name: 'accuracy', inputMapping: mapping },
      },
    );
    return created.evaluator.id;
  }
  const read = async (id: string) =>
    (
      await server.ask(
        `query ($id: ID!) { node(id: $id) { ... on DatasetEvaluator {
          recentResults { experimentCount scoreCount meanScore labelCount errorCount }
          agreement { sentence labels { count agreedCount share kappa } scores { count correlation meanDifference } } } } }`,
        { id },
      )
    ).node;

  test('are means over recent experiments, and agreement with people on the same runs', async () => {
    const dataset = await fixtures.createDataset(4);
    const id = await bind(dataset.rowId);
    assert.deepEqual(await read(id), { recentResults: null, agreement: null });

    const scores = [1, 0.5, 0];
    const runs = scores.map((score, example) => ({ example, ms: 1, score, label: score > 0.4 ? 'yes' : 'no' }));
    const experiment = await fixtures.createExperiment(dataset, 'first', runs);
    await fixtures.createExperiment(dataset, 'second', [{ example: 0, ms: 1, score: 0.5 }]);
    await fixtures.createExperiment(dataset, 'without');
    const { items } = await server.ports.experiments.listRuns({ experimentRowId: experiment, limit: 9 });
    const people = [
      { score: 1, label: 'yes' },
      { score: 0.25, label: 'no' },
      { score: 0, label: 'no' },
    ];
    for (const [index, run] of items.toReversed().entries()) {
      await server.ask(
        'mutation ($input: AnnotateExperimentRunInput!) { annotateExperimentRun(input: $input) { __typename } }',
        { input: { runId: toGlobalId('ExperimentRun', run.rowId), name: 'accuracy', ...people[index] } },
      );
    }

    const { recentResults, agreement } = await read(id);

    assert.deepEqual(recentResults, {
      experimentCount: 2,
      scoreCount: 4,
      meanScore: 0.5,
      labelCount: 3,
      errorCount: 0,
    });
    assert.deepEqual(agreement.labels, { count: 3, agreedCount: 2, share: 2 / 3, kappa: 0.4 });
    assert.equal(agreement.scores.correlation.toFixed(4), '0.9608');
    assert.match(agreement.sentence, /^Agrees with people on 2 of 3 labels \(67%\); kappa 0\.40/);
  });

  test('inputs of an example are previewed with the output of its newest run', async () => {
    const dataset = await fixtures.createDataset(2);
    await fixtures.createExperiment(dataset, 'older', [{ example: 0, ms: 1 }]);
    await fixtures.createExperiment(dataset, 'newer', [
      { example: 0, ms: 2 },
      { example: 1, ms: 3, error: 'x' },
    ]);
    const preview = async (example: number) =>
      (
        await server.ask(
          `query ($id: ID!, $mapping: EvaluatorInputMappingInput!) {
            evaluatorInputPreview(exampleId: $id, inputMapping: $mapping) { context inputs { name value problem } } }`,
          {
            id: toGlobalId('DatasetExample', dataset.exampleIds[example]!),
            mapping: { ...mapping, literalMapping: { n: 7 } },
          },
        )
      ).evaluatorInputPreview;

    assert.deepEqual(await preview(0), {
      context: { input: { n: 0 }, output: { ms: 2 }, reference: {}, metadata: {} },
      inputs: [
        { name: 'text', value: 2, problem: null },
        { name: 'words', value: {}, problem: null },
        { name: 'n', value: 7, problem: null },
      ],
    });
    const { inputs } = await preview(1);
    assert.match(inputs[0].problem, /does not lead to a value/);
  });

  test('inputs of given values are previewed, and a preview has one source of values', async () => {
    const dataset = await fixtures.createDataset(1);
    const example = toGlobalId('DatasetExample', dataset.exampleIds[0]!);
    const query = `query ($id: ID, $context: JSON, $mapping: EvaluatorInputMappingInput!) {
      evaluatorInputPreview(exampleId: $id, context: $context, inputMapping: $mapping) { context inputs { name value problem } } }`;
    const paths = { pathMapping: { text: '$.output.parts[*].t', words: 'reference' }, literalMapping: {} };
    const context = { output: { parts: [{ t: 'a' }, { t: 'b' }] } };

    const { evaluatorInputPreview } = await server.ask(query, { context, mapping: paths });

    assert.deepEqual(evaluatorInputPreview.context, context);
    assert.deepEqual(evaluatorInputPreview.inputs[0], { name: 'text', value: ['a', 'b'], problem: null });
    assert.match(evaluatorInputPreview.inputs[1].problem, /does not lead to a value/);
    const errorOf = async (variables: object) =>
      `${(await server.post(query, { mapping: paths, ...variables })).errors?.[0]}`;
    assert.match(await errorOf({}), /either exampleId or context/);
    assert.match(await errorOf({ id: example, context }), /either exampleId or context/);
    assert.match(await errorOf({ context: [1] }), /context must be a JSON object/);
  });
});
