/**
 * How many exports complete while spans arrive as fast as the server takes them and other clients read pages, and how long do those
 * clients wait for the newest page, with and without exports?
 */
import { measureVisibleMs, withServer } from './bench-server.ts';
import { runLoad, startLoad } from './load-generator.ts';
import { count, ms, printTable, ratio, size } from './measure.ts';
import { watchReads } from './watch-reads.ts';

const SECONDS = size('SECONDS', { smoke: 1, full: 120 });
const SPANS = size('SPANS', { smoke: 200, full: 50_000 });
/** Clients that read pages all the time: more than the concurrent reads of the store. */
const READERS = size('READERS', { smoke: 2, full: 4 });
const PROJECT = 'exported';

const WAYS: Readonly<Record<string, (url: string, signal: AbortSignal) => Promise<Response>>> = {
  'JSON lines': (url, signal) => fetch(`${url}/v1/projects/${PROJECT}/spans/export`, { signal }),
  Parquet: (url, signal) => fetch(`${url}/v1/projects/${PROJECT}/spans/export?format=parquet`, { signal }),
  'pages of Arrow': (url, signal) =>
    fetch(`${url}/v1/spans?project_name=${PROJECT}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/vnd.spandrel.arrow-pages' },
      body: JSON.stringify({ queries: [{}], limit: -1 }),
      signal,
    }),
};

/** Exports one after the other until the signal fires. Returns the number of complete ones. */
async function exportAgainAndAgain(way: string, url: string, signal: AbortSignal): Promise<number> {
  for (let completed = 0; ; completed++) {
    try {
      const response = await WAYS[way]?.(url, signal);
      await response?.arrayBuffer();
      if (response?.status !== 200) throw new Error(`${way}: ${response?.status}`);
    } catch (error) {
      if (signal.aborted) return completed;
      throw error;
    }
  }
}

await withServer(async (server) => {
  const load = { transport: 'http', target: server.url, concurrency: 16 } as const;
  await runLoad({ ...load, project: PROJECT, seconds: 600, spanCountMax: SPANS, windowSeconds: 3_600 });
  await measureVisibleMs(server, PROJECT);
  const rows: Record<string, string>[] = [];
  let alone = Number.NaN;
  for (const ways of [[], Object.keys(WAYS)]) {
    const arriving = startLoad({ ...load, project: 'arriving', seconds: SECONDS });
    await arriving.started;
    const newestPage = `${server.url}/v1/projects/${PROJECT}/spans?limit=100`;
    const readers = Array.from({ length: READERS }, () => watchReads(newestPage, 0));
    const ending = new AbortController();
    const exports = ways.map((way) => exportAgainAndAgain(way, server.url, ending.signal));
    const { spansPerSecond } = await arriving.result;
    ending.abort();
    const completed = await Promise.all(exports);
    const reads = await Promise.all(readers.map((reader) => reader.stop()));
    const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const p50 = meanOf(reads.map((one) => one.p50));
    if (ways.length === 0) alone = p50;
    rows.push({
      exports: ways.length === 0 ? 'none' : 'one of each kind at a time',
      completed: ways.map((way, at) => `${way}: ${completed[at]}`).join(', '),
      'spans/s': count(spansPerSecond),
      pages: count(reads.reduce((sum, one) => sum + one.count, 0)),
      'newest page p50 ms': ms(p50),
      'p99 ms': ms(meanOf(reads.map((one) => one.p99))),
      'p50 against none': ratio(p50 / alone),
    });
  }
  printTable(
    `Exports of ${count(SPANS)} spans for ${SECONDS} s of ingest, ${READERS} readers of the newest page`,
    rows,
  );
});
