import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

const SAMPLE = `dataset {id name metadata exampleCount splits {name}} isComplete
  prompt {id promptVersions {edges {node {id tags {name}}}}}
  experiments {id name runCount errorRate averageRunLatencyMs annotationSummaries {annotationName meanScore} project {id traceCount}}`;

interface Found {
  readonly dataset: { readonly id: string; readonly exampleCount: number; readonly splits: { name: string }[] };
  readonly isComplete: boolean;
  readonly prompt: {
    readonly id: string;
    readonly promptVersions: { edges: { node: { id: string; tags: { name: string }[] } }[] };
  };
  readonly experiments: readonly {
    readonly id: string;
    readonly runCount: number;
    readonly averageRunLatencyMs: number;
    readonly annotationSummaries: readonly { annotationName: string; meanScore: number }[];
    readonly project: { readonly id: string; readonly traceCount: number };
  }[];
}

describe('the sample', () => {
  let server: TestServer;
  const cleanUp = cleanUpAfter(after);
  before(async () => {
    server = await openTestServer({ after: cleanUp });
  });
  const create = async (): Promise<Found> => (await server.ask(`mutation {createSample {${SAMPLE}}}`)).createSample;
  const find = async (): Promise<Found | null> => (await server.ask(`{sample {${SAMPLE}}}`)).sample;

  test('is created once, by any number of requests at the same time', async () => {
    assert.equal(await find(), null);
    const [one, two] = await Promise.all([create(), create()]);
    assert.ok(one.isComplete && two.isComplete);
    assert.deepEqual(one, two);
    assert.deepEqual(await create(), one);
    assert.equal(one.dataset.exampleCount, 40);
    assert.equal(one.dataset.splits.length, 3);
    assert.deepEqual(
      one.prompt.promptVersions.edges.map(({ node }) => node.tags.map(({ name }) => name)),
      [['draft'], ['staging'], ['production']],
    );
    assert.deepEqual(
      one.experiments.map(({ runCount, project }) => [runCount, project.traceCount]),
      [
        [40, 40],
        [40, 40],
      ],
    );
  });

  test('the second version is more correct and slower, and worse on one split', async () => {
    const { experiments, dataset } = await create();
    const mean = (index: number, name: string) =>
      experiments[index]!.annotationSummaries.find(({ annotationName }) => annotationName === name)!.meanScore;
    assert.ok(mean(1, 'correctness') - mean(0, 'correctness') > 0.2);
    assert.ok(mean(1, 'brevity') < mean(0, 'brevity'));
    assert.ok(experiments[1]!.averageRunLatencyMs > experiments[0]!.averageRunLatencyMs + 500);
    const scoresOf = async (id: string): Promise<Map<string, number[]>> => {
      const { node } = await server.ask(
        `query ($id: ID!) {node(id: $id) {... on Experiment {runs(first: 100) {edges {node {error
          example {datasetSplits {name}} trace {spans(first: 10) {edges {node {name}}}}
          annotations {edges {node {name score}}}}}}}}}`,
        { id },
      );
      const bySplit = new Map<string, number[]>();
      for (const { node: run } of node.runs.edges) {
        assert.equal(run.trace.spans.edges.length, 2);
        const scored = run.annotations.edges.find(
          (edge: { node: { name: string } }) => edge.node.name === 'correctness',
        );
        assert.equal(scored === undefined, run.error !== null);
        const [split] = run.example.datasetSplits;
        if (scored) bySplit.set(split.name, [...(bySplit.get(split.name) ?? []), scored.node.score]);
      }
      return bySplit;
    };
    const [first, second] = [await scoresOf(experiments[0]!.id), await scoresOf(experiments[1]!.id)];
    const average = (values: readonly number[] = []) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const worse = dataset.splits.filter(({ name }) => average(second.get(name)) < average(first.get(name)));
    assert.deepEqual(
      worse.map(({ name }) => name),
      ['sample: not in the handbook'],
    );
  });

  test('a part that was deleted comes back, and the rest stays as users have changed it', async () => {
    const { dataset, experiments } = await create();
    await server.ask('mutation ($input: PatchDatasetInput!) {patchDataset(input: $input) {dataset {id}}}', {
      input: { datasetId: dataset.id, description: 'mine' },
    });
    await server.ask(
      'mutation ($input: DeleteExperimentsInput!) {deleteExperiments(input: $input) {experiments {id}}}',
      {
        input: { experimentIds: [experiments[1]!.id] },
      },
    );
    assert.equal((await find())!.isComplete, false);
    const again = await create();
    assert.ok(again.isComplete);
    assert.equal(again.experiments[0]!.id, experiments[0]!.id);
    const { node } = await server.ask('query ($id: ID!) {node(id: $id) {... on Dataset {description}}}', {
      id: dataset.id,
    });
    assert.equal(node.description, 'mine');
  });

  test('is deleted with all of its parts, but not a dataset of the same name', async () => {
    await create();
    assert.equal((await server.ask('mutation {deleteSample}')).deleteSample, true);
    assert.equal(await find(), null);
    const left = await server.ask(
      '{datasetCount datasetSplits {edges {node {name}}} prompts {edges {node {name}}} projectCount}',
    );
    assert.deepEqual([left.datasetCount, left.datasetSplits.edges, left.prompts.edges], [0, [], []]);
    assert.equal((await server.ask('mutation {deleteSample}')).deleteSample, false);
    await server.ask('mutation ($input: CreateDatasetInput!) {createDataset(input: $input) {dataset {id}}}', {
      input: { name: 'Sample: support questions' },
    });
    assert.match((await server.post('mutation {createSample {isComplete}}')).errors![0]!, /already exists/);
  });
});
