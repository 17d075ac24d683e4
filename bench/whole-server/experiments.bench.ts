/**
 * Runs and comparisons: how many runs per second does an experiment store from 16 clients, and what does the first page
 * of a comparison of 5 experiments cost? `RUNS` and `COMPARED` set the sizes.
 */
import { Agent, request } from 'node:http';
import { type BenchServer, withServer } from './bench-server.ts';
import { count, LatencyRecorder, ms, printTable, size } from './measure.ts';

const EXAMPLE_COUNT = size('RUNS', { smoke: 20, full: 1_000 });
const EXPERIMENT_COUNT = size('COMPARED', { smoke: 2, full: 5 });
const TABLE_COUNT = size('TABLES', { smoke: 2, full: 50 });
const CONCURRENCY = 16;

const agent = new Agent({ keepAlive: true });

const TABLE = `query ($base: ID!, $others: [ID!]!, $filter: String) {
  compareExperiments(first: 50, baseExperimentId: $base, compareExperimentIds: $others, filterCondition: $filter) {
    pageInfo { hasNextPage endCursor }
    edges { node {
      example { id revision { input output metadata } }
      repeatedRunGroups {
        id averageLatencyMs annotationSummaries { annotationName meanScore } costSummary { total { tokens cost } }
        runs { id output error latencyMs traceId annotations { edges { node { name label score } } } } } } } } }`;

await withServer(async (server) => {
  const rows: Record<string, string>[] = [];
  const datasetId = await makeDataset(server);
  const examples = await listExamples(server, datasetId);
  const experiments: string[] = [];
  for (let n = 0; n < EXPERIMENT_COUNT; n++) {
    const { data } = await post<{ id: string }>(`${server.url}/v1/datasets/${datasetId}/experiments`, {});
    experiments.push(data.id);
    const runs = await timeAll(examples, (example) =>
      post<{ id: string }>(`${server.url}/v1/experiments/${data.id}/runs`, toRun(example, n)),
    );
    const evaluations = await timeAll(runs.results, (run) =>
      post(`${server.url}/v1/experiment_evaluations`, toEvaluation(run.data.id, n)),
    );
    // The first experiment runs on a server that has just started.
    if (n === EXPERIMENT_COUNT - 1) {
      rows.push({ what: `${count(EXAMPLE_COUNT)} runs from ${CONCURRENCY} clients`, figure: runs.figure });
      rows.push({ what: 'as many evaluations', figure: evaluations.figure });
    }
  }
  const [base, ...others] = experiments;
  for (const [what, filter] of [
    [`first page of ${EXPERIMENT_COUNT} experiments on ${count(EXAMPLE_COUNT)} examples`, null],
    [
      'the same of those where the base is worse',
      'experiments[0].evals["accuracy"].score < experiments[1].evals["accuracy"].score',
    ],
  ] as const) {
    const tables = new LatencyRecorder();
    for (let n = 0; n < TABLE_COUNT; n++) {
      const startedAt = performance.now();
      await post(`${server.url}/graphql`, { query: TABLE, variables: { base, others, filter } });
      tables.add(performance.now() - startedAt);
    }
    const { p50, p99 } = tables.summary();
    rows.push({ what, figure: `p50 ${ms(p50)} ms, p99 ${ms(p99)} ms` });
  }
  printTable('What do runs and comparisons of experiments cost?', rows);
});
agent.destroy();

async function makeDataset({ url }: BenchServer): Promise<string> {
  const made = await post<{ dataset_id: string }>(`${url}/v1/datasets/upload?sync=true`, {
    action: 'create',
    name: 'bench of experiments',
    inputs: Array.from({ length: EXAMPLE_COUNT }, (_, n) => ({ question: `What is the answer to question ${n}?` })),
    outputs: Array.from({ length: EXAMPLE_COUNT }, (_, n) => ({ answer: `Answer number ${n}` })),
  });
  return made.data.dataset_id;
}

async function listExamples({ url }: BenchServer, datasetId: string): Promise<string[]> {
  const response = await fetch(`${url}/v1/datasets/${datasetId}/examples?limit=${EXAMPLE_COUNT}`);
  const { data } = (await response.json()) as { data: { examples: { node_id: string }[] } };
  return data.examples.map(({ node_id }) => node_id);
}

function toRun(exampleId: string, n: number) {
  return {
    dataset_example_id: exampleId,
    output: { answer: `an answer of experiment ${n}` },
    repetition_number: 1,
    start_time: '2026-03-02T08:00:00Z',
    end_time: `2026-03-02T08:00:0${n}Z`,
  };
}

function toEvaluation(runId: string, n: number) {
  return {
    experiment_run_id: runId,
    name: 'accuracy',
    annotator_kind: 'CODE',
    result: { score: ((n * 7) % 5) / 5, label: n % 2 === 0 ? 'right' : 'wrong' },
    start_time: '2026-03-02T08:00:00Z',
    end_time: '2026-03-02T08:00:01Z',
  };
}

/** Processes the items with this number of concurrent clients. */
async function timeAll<Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) {
  const recorder = new LatencyRecorder();
  const results: Result[] = [];
  let next = 0;
  const client = async () => {
    for (let index = next++; index < items.length; index = next++) {
      const startedAt = performance.now();
      results[index] = await work(items[index]!);
      recorder.add(performance.now() - startedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: CONCURRENCY }, client));
  const perSecond = items.length / ((performance.now() - startedAt) / 1_000);
  return { results, figure: `${count(perSecond)}/s, p50 ${ms(recorder.summary().p50)} ms` };
}

/** Through `node:http`: `fetch` would take more of the two cores than the server. */
function post<Data>(url: string, body: object): Promise<{ readonly data: Data }> {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: 'POST', headers }, async (response) => {
      try {
        const answer = Buffer.concat(await response.toArray()).toString();
        if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}: ${answer}`);
        const json = JSON.parse(answer);
        if (json.errors) throw new Error(answer);
        resolve(json);
      } catch (error) {
        reject(error);
      }
    });
    sent.once('error', reject).end(text);
  });
}
