/**
 * What does a REST request of 1,000 spans cost on the main thread: parsing its JSON, validating it, and encoding it for
 * the journal?
 */
import { Bench } from 'tinybench';
import { toExactJsonText } from '../../../src/base/exact-json.ts';
import { parseExactJson } from '../../../src/base/parse-exact-json.ts';
import { toReceipt } from '../../../src/ingest/journaled-ingest.ts';
import type { Domain } from '../../../src/domain/domain.ts';
import type { HttpRequest } from '../../../src/server/route.ts';
import { restRoutes } from '../../../src/api/rest/routes.ts';
import { BENCH_TIME } from '../../bench-time.ts';

const SPAN_COUNT = process.env.SMOKE ? 10 : 1_000;
let journaledChars = 0;

const span = (i: number) => ({
  name: 'chat',
  context: { trace_id: 'a'.repeat(32), span_id: String(i).padStart(16, '0') },
  span_kind: 'LLM',
  start_time: '2026-02-01T10:00:00.250Z',
  end_time: '2026-02-01T10:00:01+02:00',
  status_code: 'OK',
  attributes: {
    'llm.model_name': 'm',
    'input.value': '"text" '.repeat(40),
    'output.value': 'text '.repeat(60),
    n: 5,
    f: 1.5,
  },
});
const text = JSON.stringify({ data: Array.from({ length: SPAN_COUNT }, (_, i) => span(i)) });

const journal = {
  findByIds: async () => [],
  async submitSpans(json: string) {
    journaledChars += json.length;
    return { receipt: toReceipt(1) };
  },
};
const domain = { spans: journal, writes: journal, projects: {} } as unknown as Domain;
const route = restRoutes({ domainFor: () => domain, version: '0', uploadDir: '' }).find(
  ({ method, path }) => method === 'POST' && path.endsWith('/spans'),
)!;
const request = {
  params: { project_identifier: 'bench' },
  query: '',
  header: () => 'application/json',
  body: new Uint8Array(Buffer.from(text)),
  signal: new AbortController().signal,
} as unknown as HttpRequest;
const parsed = parseExactJson(text, { depthMax: 100 });

const bench = new Bench({
  name: 'create spans',
  ...BENCH_TIME,
});
bench
  .add('JSON.parse', () => JSON.parse(text))
  .add('parseExactJson', () => parseExactJson(text, { depthMax: 100 }))
  .add('toExactJsonText', () => toExactJsonText(parsed))
  .add('the whole route', async () => {
    const response = await route.handle(request);
    if (response.status !== 202) throw new Error(String(response.body));
  });
await bench.run();
console.table(bench.table());
console.log(`a body of ${text.length} characters and ${SPAN_COUNT} spans; journaled ${journaledChars} characters`);
