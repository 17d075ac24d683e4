import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, openTestPostgres } from '../metadata-store/fixtures.ts';
import { PHOENIX_CLIENTS } from './phoenix-clients.ts';
import { eventually, spansOnceThere } from './rest.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

const silence = () => {};
const logger = { info: silence, warn: silence, error: silence, log: silence, debug: silence, table: silence };
const quiet = { logger, setGlobalTracerProvider: false } as const;

const numbers = (count: number) =>
  Array.from({ length: count }, (_, n) => ({
    input: { n },
    output: { double: 2 * n },
    metadata: { even: n % 2 === 0 },
  }));
const double = async ({ input }: { input: Record<string, unknown> }) => ({ double: 2 * Number(input.n) });

const VARIANTS = [
  { version: 'newest', database: 'embedded' },
  { version: 'newest', database: 'external' },
  { version: '6.5.5', database: 'embedded' },
  { version: '5.9.0', database: 'external' },
] as const;

for (const { version, database } of VARIANTS) {
  describe(`datasets and experiments of the TypeScript client, ${version}, on ${database} Postgres`, () => {
    const { createClient, datasets, experiments } = PHOENIX_CLIENTS[version];
    const { appendDatasetExamples, createDataset, getDataset } = datasets;
    const {
      asExperimentEvaluator,
      createExperiment,
      deleteExperiment,
      getExperiment,
      getExperimentInfo,
      listExperiments,
      resumeEvaluation,
      resumeExperiment,
      runExperiment,
    } = experiments;
    const isRight = asExperimentEvaluator({
      name: 'is right',
      kind: 'CODE',
      evaluate: ({ output, expected }) => ({
        score: JSON.stringify(output) === JSON.stringify(expected) ? 1 : 0,
        label: 'compared',
        explanation: 'with the expected output',
      }),
    });
    const length = asExperimentEvaluator({
      name: 'length',
      kind: 'LLM',
      evaluate: ({ output }) => ({ score: JSON.stringify(output).length }),
    });

    let server: ServerProcess;
    let dataDir: string;
    let env: Record<string, string> = {};
    let lastName = 0;
    const newName = () => `numbers ${++lastName}`;
    const client = () => createClient({ options: { baseUrl: server.url } });
    const make = async (count: number) => {
      const name = newName();
      const { datasetId } = await createDataset({
        client: client(),
        name,
        description: 'of tests',
        examples: numbers(count),
      });
      return { name, datasetId };
    };
    const download = async (experimentId: string) => {
      const response = await fetch(`${server.url}/v1/experiments/${experimentId}/json`);
      assert.match(response.headers.get('content-disposition') ?? '', /^attachment; filename="[^"]+\.json"/);
      return (await response.json()) as RunRecord[];
    };

    const cleanUp = cleanUpAfter(after);
    before(async () => {
      if (database === 'external')
        env = { SERVICE_SQL_DATABASE_URL: await (await openTestPostgres(cleanUp)).newDatabase() };
      dataDir = await makeDataDir();
      cleanUp(() => removeDataDir(dataDir));
      server = await startServer({ dataDir, env });
      cleanUp(async () => {
        await server.stop();
      });
    });

    test('a dataset is returned as it was created, at each of its versions', async () => {
      const { name, datasetId } = await make(3);
      const first = await getDataset({ client: client(), dataset: { datasetId } });
      await appendDatasetExamples({
        client: client(),
        dataset: { datasetName: name },
        examples: [{ input: { n: 99 }, output: null, metadata: {} }],
      });

      const latest = await getDataset({ client: client(), dataset: { datasetName: name } });
      const old = await getDataset({ client: client(), dataset: { datasetId, versionId: first.versionId } });

      assert.equal(first.description, 'of tests');
      assert.deepEqual(
        first.examples.map(({ input, output, metadata }) => ({ input, output, metadata })),
        numbers(3),
      );
      assert.deepEqual(
        latest.examples.map(({ input }) => input.n),
        [0, 1, 2, 99],
      );
      assert.deepEqual(old.examples, first.examples);
    });

    test('an experiment with two evaluators and three repetitions is stored completely with its traces', async () => {
      const { datasetId } = await make(4);

      const ran = await runExperiment({
        ...quiet,
        client: client(),
        dataset: { datasetId },
        experimentName: 'doubling',
        experimentMetadata: { model: 'none' },
        task: double,
        evaluators: [isRight, length],
        repetitions: 3,
      });

      const info = await getExperimentInfo({ client: client(), experimentId: ran.id });
      assert.equal(info.exampleCount, 4);
      assert.equal(info.successfulRunCount, 12);
      assert.equal(info.failedRunCount, 0);
      assert.equal(info.missingRunCount, 0);
      assert.deepEqual(info.metadata, { model: 'none' });
      await eventually(async () => {
        const records = await download(ran.id);
        assert.equal(records.length, 12);
        for (const { output, reference_output, annotations, latency_ms } of records) {
          assert.deepEqual(output, reference_output);
          assert.deepEqual(annotations.map(({ name, score }) => [name, name === 'is right' ? score : 'some']).sort(), [
            ['is right', 1],
            ['length', 'some'],
          ]);
          assert.ok(latency_ms >= 0);
        }
      });
      const spans = await spansOnceThere(server.url, info.projectName ?? '', 12);
      const traceIds = new Set(spans.map((span) => span.context.trace_id));
      for (const { trace_id } of await download(ran.id)) assert.ok(traceIds.has(trace_id ?? ''));
      const experiments = await listExperiments({ client: client(), datasetId });
      assert.deepEqual(
        experiments.map(({ id }) => id),
        [ran.id],
      );
    });

    test('a task that throws leaves failed runs, and a resumed experiment repeats only those', async () => {
      const { datasetId } = await make(5);
      const done: number[] = [];
      const failing = async (example: { input: Record<string, unknown> }) => {
        if (Number(example.input.n) % 2 === 1) throw new Error(`odd: ${example.input.n}`);
        return double(example);
      };
      const ran = await runExperiment({ ...quiet, client: client(), dataset: { datasetId }, task: failing });
      const before = await getExperimentInfo({ client: client(), experimentId: ran.id });
      assert.equal(before.failedRunCount, 2);
      assert.match((await download(ran.id)).find(({ error }) => error)?.error ?? '', /odd: 1/);

      await resumeExperiment({
        ...quiet,
        client: client(),
        experimentId: ran.id,
        task: async (example) => {
          done.push(Number(example.input.n));
          return double(example);
        },
        evaluators: [isRight],
      });

      assert.deepEqual(done.sort(), [1, 3]);
      const { runs } = await getExperiment({ client: client(), experimentId: ran.id });
      assert.equal(Object.keys(runs).length, 5);
      assert.ok(Object.values(runs).every(({ error }) => error === null));
      const records = await download(ran.id);
      assert.deepEqual(
        records.map(({ annotations }) => annotations.map(({ name, score }) => [name, score])),
        records.map(() => [['is right', 1]]),
      );
    });

    test('a resumed evaluation adds only missing and failed evaluations', async () => {
      const { datasetId } = await make(3);
      let evaluatedCount = 0;
      const flaky = asExperimentEvaluator({
        name: 'flaky',
        kind: 'CODE',
        evaluate: () => {
          if (++evaluatedCount === 2) throw new Error('not today');
          return { score: 1 };
        },
      });
      const ran = await runExperiment({
        ...quiet,
        client: client(),
        dataset: { datasetId },
        task: double,
        evaluators: [flaky],
      });
      await eventually(async () => {
        const states = (await download(ran.id)).flatMap(({ annotations }) =>
          annotations.map(({ error }) => error === null),
        );
        assert.deepEqual(states.sort(), [false, true, true]);
      });

      await resumeEvaluation({ ...quiet, client: client(), experimentId: ran.id, evaluators: [flaky, length] });

      assert.equal(evaluatedCount, 4);
      for (const { annotations } of await download(ran.id)) {
        assert.deepEqual(annotations.map(({ name, error }) => [name, error]).sort(), [
          ['flaky', null],
          ['length', null],
        ]);
      }
    });

    test('a dry run stores nothing', async () => {
      const { datasetId } = await make(2);

      await runExperiment({ ...quiet, client: client(), dataset: { datasetId }, task: double, dryRun: 1 });

      assert.deepEqual(await listExperiments({ client: client(), datasetId }), []);
    });

    test('an experiment is deleted with its project on request', async () => {
      const { datasetId } = await make(1);
      const ran = await runExperiment({ ...quiet, client: client(), dataset: { datasetId }, task: double });
      const { projectName } = await getExperimentInfo({ client: client(), experimentId: ran.id });
      await spansOnceThere(server.url, projectName ?? '', 1);

      await deleteExperiment({ client: client(), experimentId: ran.id, deleteProject: true });

      await assert.rejects(getExperimentInfo({ client: client(), experimentId: ran.id }), /404|not found/i);
      assert.equal((await fetch(`${server.url}/v1/projects/${projectName}`)).status, 404);
    });

    // Versions differ in what they ask, not in what a server keeps.
    if (version !== 'newest') return;

    test('a dismissed experiment is not listed and is not a baseline until it is reinstated', async () => {
      const { datasetId } = await make(1);
      const { id } = await createExperiment({ client: client(), datasetId });
      const post = async (path: string, body: object) => {
        const headers = { 'content-type': 'application/json' };
        const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        return { status: response.status, text: await response.text() };
      };
      const change = (mutation: string) =>
        post('/graphql', { query: `mutation { ${mutation}(experimentId: "${id}") { experiment { isEphemeral } } }` });
      const tag = () => post(`/v1/experiments/${id}/tags`, { name: 'baseline' });

      await change('dismissExperiment');
      const refused = await tag();

      assert.equal(refused.status, 422);
      assert.match(refused.text, /Ephemeral experiments cannot be marked as baseline\. Reinstate the experiment/);
      assert.deepEqual(await listExperiments({ client: client(), datasetId }), []);
      await change('reinstateExperiment');
      assert.equal((await tag()).status, 200);
      assert.equal((await listExperiments({ client: client(), datasetId })).length, 1);
    });

    test('a later upload finds examples by their external IDs', async () => {
      const name = newName();
      const upload = (n: number) =>
        createDataset({
          client: client(),
          name,
          description: '',
          examples: ['a', 'b'].map((id) => ({ id, input: { n, id }, output: {}, metadata: {} })),
        });
      await upload(1);
      const before = await getDataset({ client: client(), dataset: { datasetName: name } });

      await upload(2);

      const latest = await getDataset({ client: client(), dataset: { datasetName: name } });
      assert.deepEqual(
        latest.examples.map(({ id, input }) => [id, input.n]),
        [
          ['a', 2],
          ['b', 2],
        ],
      );
      assert.notEqual(latest.versionId, before.versionId);
    });

    test('an experiment whose server is killed is complete with each run once after a restart and a resume', async () => {
      const { datasetId } = await make(40);
      const { id } = await createExperiment({ client: client(), datasetId, repetitions: 2 });
      const acknowledged = await postRunsUntilDown(server, id, datasetId);
      assert.ok(acknowledged.size > 10 && acknowledged.size < 80, `${acknowledged.size} runs before the end`);

      server = await startServer({ dataDir, ports: server.ports, env });
      const kept = await listRuns(server.url, id);
      for (const key of acknowledged) assert.ok(kept.includes(key), `lost ${key}`);
      assert.equal(new Set(kept).size, kept.length);
      await resumeExperiment({ ...quiet, client: client(), experimentId: id, task: double, evaluators: [isRight] });

      const info = await getExperimentInfo({ client: client(), experimentId: id });
      assert.equal(info.successfulRunCount, 80);
      assert.equal(info.missingRunCount, 0);
      const keys = await listRuns(server.url, id);
      assert.equal(keys.length, 80);
      assert.equal(new Set(keys).size, 80);
      const records = await download(id);
      assert.ok(records.every(({ annotations }) => annotations.length === 1 && annotations[0]?.score === 1));
    });
  });
}

interface RunRecord {
  readonly output: unknown;
  readonly reference_output: unknown;
  readonly error: string | null;
  readonly latency_ms: number;
  readonly trace_id: string | null;
  readonly annotations: readonly {
    readonly name: string;
    readonly score: number | null;
    readonly error: string | null;
  }[];
}

interface RestRun {
  readonly dataset_example_id: string;
  readonly repetition_number: number;
}

const keyOf = ({ dataset_example_id, repetition_number }: RestRun) => `${dataset_example_id} ${repetition_number}`;

async function listRuns(url: string, experimentId: string): Promise<string[]> {
  const response = await fetch(`${url}/v1/experiments/${experimentId}/runs`);
  return ((await response.json()) as { data: RestRun[] }).data.map(keyOf);
}

/** Posts runs from four sides, kills the server after a third of them, and returns those that were acknowledged. */
async function postRunsUntilDown(server: ServerProcess, experimentId: string, datasetId: string): Promise<Set<string>> {
  const examples = await fetch(`${server.url}/v1/datasets/${datasetId}/examples`);
  const { data } = (await examples.json()) as { data: { examples: { node_id: string; output: unknown }[] } };
  const todo = data.examples.flatMap(({ node_id, output }) =>
    [1, 2].map((repetition_number) => ({ dataset_example_id: node_id, repetition_number, output })),
  );
  const acknowledged = new Set<string>();
  let killed: Promise<void> | undefined;
  const post = async () => {
    for (let run = todo.shift(); run; run = todo.shift()) {
      const now = new Date().toISOString();
      const reply = await fetch(`${server.url}/v1/experiments/${experimentId}/runs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ ...run, start_time: now, end_time: now }),
      }).catch(() => undefined);
      if (reply?.status !== 200) return;
      acknowledged.add(keyOf(run));
      if (acknowledged.size === 27) killed = server.kill9();
    }
  };
  await Promise.all([post(), post(), post(), post()]);
  await killed;
  return acknowledged;
}
