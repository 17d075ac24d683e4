import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { RUN_LIST_COUNT_MAX } from '../../../src/model/limits/datasets.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

// biome-ignore lint/suspicious/noExplicitAny: the route determines the shape
type Json = any;

describe('a batch', () => {
  const cleanUp = cleanUpAfter(after);
  let server: TestServer;
  let exampleIds: string[];
  let experimentId: string;

  before(async () => {
    server = await openTestServer({ after: cleanUp });
    const inputs = Array.from({ length: 250 }, (_, n) => ({ n }));
    const outputs = inputs.map(() => ({}));
    const { data } = await post('/v1/datasets/upload?sync=true', { name: 'batches', inputs, outputs });
    const { json } = await server.call('GET', `/v1/datasets/${data.dataset_id}/examples`);
    exampleIds = (json as Json).data.examples.map(({ id }: Json) => id);
    experimentId = (await post(`/v1/datasets/${data.dataset_id}/experiments`, { repetitions: 2 })).data.id;
  });

  async function post(path: string, json: unknown): Promise<Json> {
    const reply = await server.call('POST', path, { json });
    assert.equal(reply.status, 200, reply.text);
    return reply.json;
  }
  const times = { start_time: '2026-11-23T10:00:00.000001Z', end_time: '2026-11-23T10:00:01Z' };
  const run = (example: number, repetition: number, more: object = {}) => ({
    ...{ dataset_example_id: exampleIds[example], repetition_number: repetition, output: { example }, ...times },
    ...more,
  });
  const evaluation = (runId: string, name: string, more: object = {}) => ({
    ...{ experiment_run_id: runId, name, annotator_kind: 'CODE', result: { score: 0.5 }, ...times },
    ...more,
  });
  const runs = () => `/v1/experiments/${experimentId}/runs`;
  const storedRuns = async (): Promise<Json[]> => ((await server.call('GET', runs())).json as Json).data;

  test('stores each of its runs and names them in order', async () => {
    const { data } = await post(
      runs(),
      exampleIds.map((_, example) => run(example, 1)),
    );

    assert.deepEqual(new Set(data.map(({ status }: Json) => status)), new Set([200]));
    const byId = new Map((await storedRuns()).map((stored: Json) => [stored.id, stored]));
    assert.equal(byId.size, exampleIds.length);
    for (const [example, { data: named }] of data.entries()) {
      const stored = byId.get(named.id);
      assert.deepEqual([stored.dataset_example_id, stored.output], [exampleIds[example], { example }]);
    }
  });

  test('rejects single runs with the status and the text that each would get alone, and stores the others', async () => {
    const wrong = [
      run(0, 1),
      { ...run(1, 2), dataset_example_id: 'no-id' },
      { ...run(1, 2), dataset_example_id: btoa('DatasetExample:999999') },
      { ...run(1, 2), repetition_number: 0, start_time: 'yesterday' },
      null,
      'run',
    ];
    const { data } = await post(runs(), [run(2, 2), ...wrong, run(3, 2, { error: 'timed out' }), run(3, 2)]);

    assert.deepEqual(
      data.map(({ status, code }: Json) => [status, code]),
      [
        [200, undefined],
        [409, 'EXPERIMENT_RUN_COMPLETE'],
        [422, 'QUERY_INVALID'],
        [404, 'DATASET_EXAMPLE_NOT_FOUND'],
        [422, 'REQUEST_INVALID'],
        [422, 'REQUEST_INVALID'],
        [422, 'REQUEST_INVALID'],
        [200, undefined],
        [200, undefined],
      ],
    );
    assert.equal(data[7].data.id, data[8].data.id, 'the second attempt replaces the failed run');
    for (const [index, body] of wrong.slice(0, 4).entries()) {
      const alone = await server.call('POST', runs(), { json: body });
      const { status, detail } = data[index + 1];
      assert.equal(alone.status, status);
      if (typeof detail === 'string') assert.equal(alone.text, detail);
      else assert.deepEqual(withoutIndex(detail), (alone.json as Json).detail);
    }
    const second = (await storedRuns()).filter(({ repetition_number: repetition }) => repetition === 2);
    assert.deepEqual(second.map(({ output, error }) => [output.example, error]).sort(), [
      [2, null],
      [3, null],
    ]);
  });
  const withoutIndex = (issues: Json[]) =>
    issues.map(({ loc: [body, , ...rest], ...issue }) => ({ ...issue, loc: [body, ...rest] }));

  test('of evaluations replaces those of the same name, and rejects those of unknown runs', async () => {
    const [{ id }] = await storedRuns();
    const items = [
      evaluation(id, 'right'),
      evaluation(btoa('ExperimentRun:999999'), 'right'),
      evaluation(id, 'empty', { result: null }),
      evaluation(id, 'right', { result: { score: 0.75 } }),
      evaluation(id, 'failed', { result: null, error: 'broken' }),
    ];
    const { data } = await post('/v1/experiment_evaluations', items);

    assert.deepEqual(
      data.map(({ status }: Json) => status),
      [200, 404, 422, 200, 200],
    );
    assert.equal(data[0].data.id, data[3].data.id);
    assert.match(data[2].detail[0].msg, /Either 'result' or 'error' must be provided/);
    const exported = await server.call('GET', `/v1/experiments/${experimentId}/json`);
    const annotations = (exported.json as Json).flatMap(({ annotations: all }: Json) => all);
    assert.deepEqual(annotations.map(({ name, score }: Json) => [name, score]).sort(), [
      ['failed', null],
      ['right', 0.75],
    ]);
  });

  test('is limited in number, may be empty, and belongs to one experiment', async () => {
    const many = Array.from({ length: RUN_LIST_COUNT_MAX + 1 }, () => 0);
    const tooMany = await server.call('POST', runs(), { json: many });
    assert.equal(tooMany.status, 413);
    assert.match(tooMany.text, /at most 1000 items; this one has 1001/);
    assert.deepEqual(await post(runs(), []), { data: [] });
    const unknown = `/v1/experiments/${btoa('Experiment:999999')}/runs`;
    assert.equal((await server.call('POST', unknown, { json: [run(0, 1)] })).status, 404);
    const broken = await server.call('POST', runs(), { body: '[{]', type: 'application/json' });
    assert.equal(broken.status, 422);
    const { data } = await post(runs(), many.slice(1));
    assert.equal(data.length, RUN_LIST_COUNT_MAX);
    assert.ok(JSON.stringify(data).length < 300_000, 'issues of many items are bounded');
  });
});
