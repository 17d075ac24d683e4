import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const gid = (type: string, rowId: number) => Buffer.from(`${type}:${rowId}`).toString('base64');
const ABSENT = 999_999;
const TIME = '2026-03-02T08:00:00Z';

/** Statuses and texts of what clients get wrong. */
describe('routes of experiments, splits and labels', () => {
  let server: ServerProcess;
  let dataDir: string;
  /** Of a dataset of two examples with one experiment, and of an empty dataset. */
  const ids = { dataset: '', empty: '', example: '', experiment: '', run: '' };

  const ask = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(server.url + path, {
      method,
      ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, text, data: text.startsWith('{') ? JSON.parse(text).data : undefined };
  };
  const run = (more: object = {}) => ({
    dataset_example_id: ids.example,
    output: null,
    repetition_number: 1,
    start_time: TIME,
    end_time: TIME,
    ...more,
  });
  const evaluation = (more: object = {}) => ({
    experiment_run_id: ids.run,
    name: 'accuracy',
    annotator_kind: 'CODE',
    start_time: TIME,
    end_time: TIME,
    result: { score: 1 },
    ...more,
  });

  before(async () => {
    dataDir = await makeDataDir();
    server = await startServer({ dataDir });
    const made = await ask('POST', '/v1/datasets/upload?sync=true', { name: 'full', inputs: [{ n: 1 }, { n: 2 }] });
    ids.dataset = made.data.dataset_id;
    const { data } = await ask('GET', `/v1/datasets/${ids.dataset}/examples`);
    ids.example = data.examples[0].node_id;
    ids.experiment = (await ask('POST', `/v1/datasets/${ids.dataset}/experiments`, { name: 'e' })).data.id;
    ids.run = (await ask('POST', `/v1/experiments/${ids.experiment}/runs`, run())).data.id;
    const created = await ask('POST', '/graphql', {
      query: 'mutation { createDataset(input: { name: "empty" }) { dataset { id } } }',
    });
    ids.empty = created.data.createDataset.dataset.id;
  });

  after(async () => {
    await server.stop();
    await removeDataDir(dataDir);
  });

  type Case = readonly [
    method: string,
    path: () => string,
    body: (() => unknown) | undefined,
    status: number,
    text: () => string | RegExp,
  ];
  const CASES: readonly Case[] = [
    ['GET', () => '/v1/experiments/no', undefined, 422, () => 'Invalid experiment ID format: no'],
    [
      'GET',
      () => `/v1/experiments/${gid('Experiment', ABSENT)}`,
      undefined,
      404,
      () => `Experiment with ID ${gid('Experiment', ABSENT)} does not exist`,
    ],
    ['DELETE', () => `/v1/experiments/${gid('Experiment', ABSENT)}`, undefined, 404, () => 'Experiment does not exist'],
    ['PATCH', () => `/v1/experiments/${ids.experiment}`, () => ({}), 422, () => 'No fields to update'],
    ['PATCH', () => `/v1/experiments/${ids.experiment}`, () => ({ name: null }), 422, () => /name/],
    ['POST', () => '/v1/datasets/no/experiments', () => ({}), 422, () => 'Invalid dataset ID format: no'],
    [
      'POST',
      () => `/v1/datasets/${gid('Dataset', ABSENT)}/experiments`,
      () => ({}),
      404,
      () => `Dataset with ID ${gid('Dataset', ABSENT)} does not exist`,
    ],
    [
      'POST',
      () => `/v1/datasets/${ids.empty}/experiments`,
      () => ({}),
      404,
      () => `Dataset ${ids.empty} does not have any versions`,
    ],
    [
      'POST',
      () => `/v1/datasets/${ids.dataset}/experiments`,
      () => ({ version_id: 'no' }),
      422,
      () => 'Invalid dataset version ID format: no',
    ],
    [
      'POST',
      () => `/v1/datasets/${ids.dataset}/experiments`,
      () => ({ version_id: gid('DatasetVersion', ABSENT) }),
      404,
      () => `DatasetVersion with ID ${gid('DatasetVersion', ABSENT)} does not exist`,
    ],
    [
      'POST',
      () => `/v1/datasets/${ids.dataset}/experiments`,
      () => ({ splits: ['absent'] }),
      404,
      () => 'Dataset splits not found: absent',
    ],
    ['POST', () => `/v1/datasets/${ids.dataset}/experiments`, () => ({ repetitions: 0 }), 422, () => /repetitions/],
    ['GET', () => `/v1/datasets/${ids.dataset}/experiments?cursor=no`, undefined, 422, () => /cursor/i],
    [
      'POST',
      () => `/v1/experiments/${ids.experiment}/runs`,
      () => run(),
      409,
      () => `Experiment run ${ids.run} already exists with a successful result and cannot be updated`,
    ],
    [
      'POST',
      () => `/v1/experiments/${gid('Experiment', ABSENT)}/runs`,
      () => run(),
      404,
      () => `Experiment with ID ${gid('Experiment', ABSENT)} does not exist`,
    ],
    [
      'POST',
      () => `/v1/experiments/${ids.experiment}/runs`,
      () => run({ dataset_example_id: gid('DatasetExample', ABSENT) }),
      404,
      () => `DatasetExample with ID ${gid('DatasetExample', ABSENT)} does not exist`,
    ],
    [
      'POST',
      () => `/v1/experiments/${ids.experiment}/runs`,
      () => run({ dataset_example_id: 'no' }),
      422,
      () => 'Invalid dataset example ID format: no',
    ],
    [
      'POST',
      () => `/v1/experiments/${ids.experiment}/runs`,
      () => run({ repetition_number: 0 }),
      422,
      () => /repetition_number/,
    ],
    [
      'POST',
      () => `/v1/experiments/${ids.experiment}/runs`,
      () => ({ ...run(), output: undefined }),
      422,
      () => /output/,
    ],
    [
      'GET',
      () => `/v1/experiments/${ids.experiment}/runs?cursor=no`,
      undefined,
      422,
      () => 'Invalid cursor format: no',
    ],
    [
      'POST',
      () => '/v1/experiment_evaluations',
      () => evaluation({ result: null }),
      422,
      () => /Either 'result' or 'error' must be provided/,
    ],
    [
      'POST',
      () => '/v1/experiment_evaluations',
      () => evaluation({ annotator_kind: 'ROBOT' }),
      422,
      () => /annotator_kind/,
    ],
    [
      'POST',
      () => '/v1/experiment_evaluations',
      () => evaluation({ experiment_run_id: gid('ExperimentRun', ABSENT) }),
      404,
      () => `ExperimentRun with ID ${gid('ExperimentRun', ABSENT)} does not exist`,
    ],
    [
      'GET',
      () => `/v1/experiments/${ids.experiment}/incomplete-evaluations`,
      undefined,
      400,
      () => 'At least one evaluation_name must be provided',
    ],
    [
      'GET',
      () => `/v1/experiments/${ids.experiment}/incomplete-evaluations?evaluation_name=a%00b`,
      undefined,
      400,
      () => 'Invalid evaluation name: null bytes are not allowed',
    ],
    [
      'GET',
      () => `/v1/experiments/${gid('Experiment', ABSENT)}/incomplete-runs`,
      undefined,
      404,
      () => `Experiment with ID ${gid('Experiment', ABSENT)} does not exist`,
    ],
    ['GET', () => `/v1/experiments/${ids.dataset}/json`, undefined, 422, () => `Invalid experiment ID: ${ids.dataset}`],
    ['GET', () => `/v1/experiments/${gid('Experiment', ABSENT)}/csv`, undefined, 404, () => 'Experiment not found'],
    [
      'POST',
      () => `/v1/datasets/${ids.dataset}/splits`,
      () => ({ name: ' ' }),
      422,
      () => 'Dataset split name cannot be empty',
    ],
    [
      'POST',
      () => `/v1/datasets/${ids.dataset}/splits`,
      () => ({ name: 's', color: '' }),
      422,
      () => 'Dataset split color cannot be empty',
    ],
    [
      'POST',
      () => '/v1/datasets/absent/splits',
      () => ({ name: 's' }),
      404,
      () => 'Dataset with name absent not found',
    ],
    [
      'POST',
      () => `/v1/datasets/${ids.dataset}/splits`,
      () => ({ name: 's', example_ids: ['no'] }),
      422,
      () => 'Invalid dataset example ID: no',
    ],
    [
      'POST',
      () => `/v1/datasets/${ids.dataset}/splits`,
      () => ({ name: 's', example_ids: [gid('DatasetExample', ABSENT)] }),
      404,
      () => `Dataset examples not found in this dataset: ${gid('DatasetExample', ABSENT)}`,
    ],
    [
      'PATCH',
      () => `/v1/datasets/${ids.dataset}/splits/${gid('DatasetSplit', ABSENT)}`,
      () => ({}),
      404,
      () => `Dataset split with ID ${gid('DatasetSplit', ABSENT)} not found`,
    ],
    ['GET', () => '/v1/dataset_labels?cursor=no', undefined, 422, () => 'Invalid cursor: no'],
    ['GET', () => '/v1/dataset_labels/no', undefined, 422, () => 'Invalid dataset label ID: no'],
    ['GET', () => `/v1/dataset_labels/${gid('DatasetLabel', ABSENT)}`, undefined, 404, () => 'Dataset label not found'],
    [
      'PUT',
      () => `/v1/datasets/${ids.dataset}/labels`,
      () => ({ dataset_label_ids: [gid('DatasetLabel', ABSENT)] }),
      404,
      () => 'One or more dataset labels not found',
    ],
    ['POST', () => '/v1/dataset_labels', () => ({ name: 'l', color: 'red' }), 422, () => /color/],
  ];

  test('return errors with status and text', async () => {
    for (const [method, path, body, status, text] of CASES) {
      const what = `${method} ${path()} ${JSON.stringify(body?.() ?? null)}`;

      const answer = await ask(method, path(), body?.());

      assert.equal(answer.status, status, `${what}: ${answer.text}`);
      const expected = text();
      if (typeof expected === 'string') assert.ok(answer.text.includes(expected), `${what}: ${answer.text}`);
      else assert.match(answer.text, expected, what);
    }
  });

  test('create an experiment on the examples of splits, and list the remaining work', async () => {
    const split = await ask('POST', `/v1/datasets/${ids.dataset}/splits`, {
      name: ' half ',
      example_ids: [ids.example],
    });
    assert.deepEqual([split.status, split.data.name, split.data.example_count], [201, 'half', 1]);
    const again = await ask('POST', `/v1/datasets/${ids.dataset}/splits`, { name: 'half' });
    assert.deepEqual([again.status, again.text], [409, "A dataset split named 'half' already exists"]);

    const body = { splits: ['half', split.data.id], repetitions: 3, metadata: { a: 1 } };
    const made = await ask('POST', `/v1/datasets/${ids.dataset}/experiments`, body);

    assert.deepEqual(
      [made.status, made.data.example_count, made.data.missing_run_count, made.data.metadata],
      [200, 1, 3, { a: 1 }],
    );
    assert.match(made.data.name, /^full-[0-9a-f]{8}$/);
    assert.match(made.data.project_name, /^Experiment-[0-9a-f]{24}$/);
    await ask('POST', `/v1/experiments/${made.data.id}/runs`, run({ repetition_number: 2 }));
    await ask('POST', `/v1/experiments/${made.data.id}/runs`, run({ repetition_number: 3, error: 'boom' }));
    const { data } = await ask('GET', `/v1/experiments/${made.data.id}/incomplete-runs`);
    assert.deepEqual(
      data.map((row: { dataset_example: { id: string }; repetition_numbers: number[] }) => [
        row.dataset_example.id,
        row.repetition_numbers,
      ]),
      [[ids.example, [1, 3]]],
    );
  });

  test('add and remove labels, which are unique', async () => {
    const make = (name: string) => ask('POST', '/v1/dataset_labels', { name, color: '#00ff00' });
    const [one, two] = [await make('one'), await make('two')];
    assert.deepEqual([one.status, (await make('one')).status], [201, 409]);
    const path = `/v1/datasets/${ids.dataset}/labels`;
    const namesOf = async () => (await ask('GET', path)).data.map((label: { name: string }) => label.name);

    await ask('PUT', path, { dataset_label_ids: [one.data.id, two.data.id] });
    assert.deepEqual(await namesOf(), ['two', 'one']);
    assert.equal((await ask('DELETE', `${path}/${one.data.id}`)).status, 204);
    assert.equal((await ask('DELETE', `${path}/${one.data.id}`)).status, 204);
    assert.deepEqual(await namesOf(), ['two']);
    assert.equal((await ask('DELETE', `/v1/dataset_labels/${two.data.id}`)).status, 204);
    assert.deepEqual(await namesOf(), []);
  });
});
