/**
 * Uploads and pages: how long does a CSV of 100,000 examples take, and of a million, how much memory, and what does a page
 * of them cost at any depth? `EXAMPLES` and `MANY_EXAMPLES` set the sizes.
 */
import { readFileSync } from 'node:fs';
import { type BenchServer, withServer } from './bench-server.ts';
import { count, LatencyRecorder, mib, ms, printTable, sample, size } from './measure.ts';

const EXAMPLE_COUNT = size('EXAMPLES', { smoke: 200, full: 100_000 });
const MANY_EXAMPLE_COUNT = size('MANY_EXAMPLES', { smoke: 300, full: 1_000_000 });
const PAGE_COUNT = size('PAGES', { smoke: 5, full: 200 });

await withServer(async (server) => {
  const rows: Record<string, string>[] = [];
  const row = (what: string, figure: string) => rows.push({ what, figure });

  for (const exampleCount of [EXAMPLE_COUNT, MANY_EXAMPLE_COUNT]) {
    const before = residentBytes(server);
    const memory = sample(50, () => residentBytes(server));
    const startedAt = performance.now();
    const datasetId = await upload(server, exampleCount);
    const seconds = (performance.now() - startedAt) / 1_000;
    const extra = Math.max(...memory.stop(), before) - before;
    row(`upload of ${count(exampleCount)} examples as CSV`, `${seconds.toFixed(1)} s, ${mib(extra)} more memory`);

    const pages = new LatencyRecorder();
    const first = await page(server, datasetId, 1);
    const firstId = Number(Buffer.from(first.data.examples[0]!.node_id, 'base64').toString().split(':')[1]);
    for (let i = 0; i < PAGE_COUNT; i++) {
      const pageStartedAt = performance.now();
      const rowId = firstId + Math.floor((exampleCount - 100) * Math.random());
      await page(server, datasetId, 100, Buffer.from(`DatasetExample:${rowId}`).toString('base64'));
      pages.add(performance.now() - pageStartedAt);
    }
    const { p50, p99 } = pages.summary();
    row('page of 100 of them, at any depth', `p50 ${ms(p50)} ms, p99 ${ms(p99)} ms`);
  }
  printTable('What do datasets cost?', rows);
});

/** The server's own process, without Postgres. */
function residentBytes({ pid }: BenchServer): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(match?.[1] ?? 0) * 1024;
}

async function upload(server: BenchServer, exampleCount: number): Promise<string> {
  const parts = ['id,question,answer,topic\n'];
  for (let i = 0; i < exampleCount; i++) {
    parts.push(
      `ex-${i},"What is the answer to question ${i}, exactly?",Answer number ${i} with some words,topic ${i % 7}\n`,
    );
  }
  const form = new FormData();
  form.set('name', `bench of ${exampleCount}`);
  form.append('input_keys[]', 'question');
  form.append('output_keys[]', 'answer');
  form.append('metadata_keys[]', 'topic');
  form.set('example_id_key', 'id');
  form.set('file', new Blob([parts.join('')], { type: 'text/csv' }), 'bench.csv');
  const response = await fetch(`${server.url}/v1/datasets/upload?sync=true`, { method: 'POST', body: form });
  if (response.status !== 200) throw new Error(await response.text());
  return ((await response.json()) as { data: { dataset_id: string } }).data.dataset_id;
}

interface ExamplePage {
  readonly data: { readonly examples: readonly { readonly node_id: string }[] };
}

async function page(server: BenchServer, datasetId: string, limit: number, cursor = ''): Promise<ExamplePage> {
  const url = `${server.url}/v1/datasets/${datasetId}/examples?limit=${limit}&cursor=${encodeURIComponent(cursor)}`;
  const response = await fetch(url);
  if (response.status !== 200) throw new Error(await response.text());
  return (await response.json()) as ExamplePage;
}
