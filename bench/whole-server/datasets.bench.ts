/**
 * Uploads, pages and runs: how long does a CSV of 100,000 examples take and how much memory, what does a page of it cost
 * at depth, and how many runs a second does an experiment take from 16 clients? `EXAMPLES` and `RUNS` set the sizes.
 */
import { readFileSync } from 'node:fs';

import type { ServerProcess } from '../../test/e2e/server-process.ts';
import { withServer } from './bench-server.ts';
import { count, LatencyRecorder, mib, ms, printTable, sample, size } from './measure.ts';

const EXAMPLE_COUNT = size('EXAMPLES', { smoke: 200, full: 100_000 });
const RUN_COUNT = size('RUNS', { smoke: 50, full: 1_000 });
const RUN_CONCURRENCY = 16;
const PAGE_COUNT = size('PAGES', { smoke: 5, full: 200 });

await withServer(async (server) => {
  const rows: Record<string, string>[] = [];
  const row = (what: string, figure: string) => rows.push({ what, figure });

  const before = residentBytes(server);
  const memory = sample(50, () => residentBytes(server));
  const startedAt = performance.now();
  const datasetId = await upload(server, EXAMPLE_COUNT);
  const seconds = (performance.now() - startedAt) / 1_000;
  const extra = Math.max(...memory.stop(), before) - before;
  row(`upload of ${count(EXAMPLE_COUNT)} examples as CSV`, `${seconds.toFixed(1)} s, ${mib(extra)} more memory`);

  const pages = new LatencyRecorder();
  const first = await page(server, datasetId, 1);
  const firstId = Number(Buffer.from(first.data.examples[0]!.node_id, 'base64').toString().split(':')[1]);
  for (let i = 0; i < PAGE_COUNT; i++) {
    const pageStartedAt = performance.now();
    const rowId = firstId + Math.floor((EXAMPLE_COUNT - 100) * Math.random());
    await page(server, datasetId, 100, Buffer.from(`DatasetExample:${rowId}`).toString('base64'));
    pages.add(performance.now() - pageStartedAt);
  }
  const { p50, p99 } = pages.summary();
  row('page of 100 of them, anywhere', `p50 ${ms(p50)} ms, p99 ${ms(p99)} ms`);

  row(`${count(RUN_COUNT)} runs from ${RUN_CONCURRENCY} clients`, await postRuns(server));
  printTable('What do datasets and experiments cost?', rows);
});

/** The server's own process, without Postgres. */
function residentBytes({ pid }: ServerProcess): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) * 1024;
}

async function upload(server: ServerProcess, exampleCount: number): Promise<string> {
  const lines = Array.from(
    { length: exampleCount },
    (_, i) =>
      `ex-${i},"What is the answer to question ${i}, exactly?",Answer number ${i} with some words,topic ${i % 7}`,
  );
  const form = new FormData();
  form.set('name', `bench of ${exampleCount}`);
  form.append('input_keys[]', 'question');
  form.append('output_keys[]', 'answer');
  form.append('metadata_keys[]', 'topic');
  form.set('example_id_key', 'id');
  form.set('file', new Blob([`id,question,answer,topic\n${lines.join('\n')}\n`], { type: 'text/csv' }), 'bench.csv');
  const response = await fetch(`${server.url}/v1/datasets/upload?sync=true`, { method: 'POST', body: form });
  if (response.status !== 200) throw new Error(await response.text());
  return ((await response.json()) as { data: { dataset_id: string } }).data.dataset_id;
}

interface ExamplePage {
  readonly data: { readonly examples: readonly { readonly node_id: string }[] };
}

async function page(server: ServerProcess, datasetId: string, limit: number, cursor = ''): Promise<ExamplePage> {
  const url = `${server.url}/v1/datasets/${datasetId}/examples?limit=${limit}&cursor=${encodeURIComponent(cursor)}`;
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as ExamplePage;
}

/** Each run on an example of its own, in a dataset of as many. */
async function postRuns(server: ServerProcess): Promise<string> {
  const datasetId = await upload(server, RUN_COUNT);
  const { data } = await page(server, datasetId, RUN_COUNT);
  const json = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const made = await fetch(`${server.url}/v1/datasets/${datasetId}/experiments`, { ...json, body: '{}' });
  const experiment = ((await made.json()) as { data: { id: string } }).data.id;
  const time = new Date().toISOString();
  const recorder = new LatencyRecorder();
  const todo = data.examples.map(({ node_id }) =>
    JSON.stringify({
      dataset_example_id: node_id,
      output: 'x',
      repetition_number: 1,
      start_time: time,
      end_time: time,
    }),
  );
  const client = async () => {
    for (let body = todo.pop(); body !== undefined; body = todo.pop()) {
      const runStartedAt = performance.now();
      const response = await fetch(`${server.url}/v1/experiments/${experiment}/runs`, { ...json, body });
      if (response.status !== 200) throw new Error(await response.text());
      await response.arrayBuffer();
      recorder.add(performance.now() - runStartedAt);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: RUN_CONCURRENCY }, client));
  const perSecond = recorder.count / ((performance.now() - startedAt) / 1_000);
  return `${count(perSecond)} runs/s, p50 ${ms(recorder.summary().p50)} ms`;
}
