/**
 * How long does it take to add 20,000 spans to a dataset over HTTP, by the default mapping and by paths, to compare them
 * with the dataset, and to count the new matches of a source? Spans are model calls with messages of 4 KB.
 */

import { openTestServer } from '../../test/api/test-server.ts';
import type { TestSpan } from '../../test/fixtures/span-columns.ts';
import { size } from '../whole-server/measure.ts';

const SPAN_COUNT = size('SPANS', { smoke: 50, full: 20_000 });

const closing: (() => Promise<void>)[] = [];
const server = await openTestServer({ after: (work) => closing.push(work) });
const toSpan = (index: number): TestSpan => ({
  project: 'cases',
  traceId: (1 + index).toString(16).padStart(32, '0'),
  spanId: (1 + index).toString(16).padStart(16, '0'),
  spanKind: 'LLM',
  name: 'answer',
  input: `question ${index} `.repeat(100),
  output: `answer ${index} `.repeat(100),
  attributes: {
    llm: {
      model_name: 'm',
      input_messages: [{ message: { role: 'user', content: `question ${index} `.repeat(100) } }],
      output_messages: [{ message: { role: 'assistant', content: `answer ${index} `.repeat(100) } }],
    },
  },
});
for (let from = 0; from < SPAN_COUNT; from += 1_000) {
  const count = Math.min(1_000, SPAN_COUNT - from);
  await server.append(...Array.from({ length: count }, (_, index) => toSpan(from + index)));
}

const project = await server.domain.projects.get({ name: 'cases' });
const spanIds: string[] = [];
for (let after: { readonly rowId: number } | undefined = { rowId: 0 }; after; ) {
  const page: Awaited<ReturnType<typeof server.domain.spans.listSpans>> = await server.domain.spans.listSpans({
    projectId: project.rowId,
    order: 'asc',
    after,
    limit: 1_000,
  });
  for (const { span } of page.items) spanIds.push(Buffer.from(`Span:${span.rowId}`).toString('base64'));
  after = page.nextAfter;
}

const newDataset = (name: string) => server.domain.datasets.create({ name, description: null, metadata: '{}' });
const mapping = { input: [{ name: 'question', path: 'input.messages[-1].content' }], metadata: [] };

async function post(name: string, path: string, body: object): Promise<void> {
  const [startedAt, before] = [performance.now(), process.cpuUsage()];
  const { text } = await server.call('POST', path, { json: body });
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(before);
  const cpuSeconds = (user + system) / 1_000_000;
  console.log(
    `${name}: ${seconds.toFixed(1)} s, ${cpuSeconds.toFixed(1)} s of processor time without Postgres; ${text.trim().split('\n').at(-1)}`,
  );
}

for (const [name, body] of [
  ['default mapping', {}],
  ['mapping by paths', { mapping }],
] as const) {
  const id = await newDataset(name);
  const path = `/v1/datasets/${Buffer.from(`Dataset:${id}`).toString('base64')}/spans`;
  await post(`${SPAN_COUNT} spans, ${name}`, path, { span_ids: spanIds, ...body });
  await post('the same again, compared only', path, { span_ids: spanIds, ...body, dry_run: true });
}
const source = await server.domain.datasetSources.create({
  projectId: project.rowId,
  datasetRowId: await newDataset('of a source'),
  name: 'source',
  filter: "name == 'answer'",
  mapping: { input: null, output: null, metadata: null },
  splitNames: [],
  isFromNow: false,
});
const startedAt = performance.now();
const count = await server.domain.datasetSources.countNewMatches(source.rowId);
console.log(`count of ${count} new matches: ${((performance.now() - startedAt) / 1_000).toFixed(2)} s`);
const sourceId = Buffer.from(`DatasetSource:${source.rowId}`).toString('base64');
await post('new matches of the source', `/v1/dataset_sources/${sourceId}/examples`, {});

for (const close of closing) await close();
