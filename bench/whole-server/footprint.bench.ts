/**
 * How much memory does the server need at rest and after load, how many bytes on disk does a span take, and how well
 * does each column compress?
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { measureProcessTree } from '../../test/e2e/process-tree.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../../test/e2e/server-process.ts';
import { measureVisibleMs } from './bench-server.ts';
import { readColumnBytes } from './column-bytes.ts';
import { runLoad } from './load-generator.ts';
import { count, diskBytes, isSmoke, mib, ms, printTable, ratio, sample, size } from './measure.ts';

const SPAN_COUNT = size('SPANS', { smoke: 500, full: 5_000_000 });
const REST_MS = isSmoke ? 200 : 10_000;

// The first start of all, of which a run of tests has a copy.
const dataDir = await makeDataDir({ isEmpty: !isSmoke });
const rows: Record<string, string>[] = [];
const note = (when: string, server: ServerProcess, more: Record<string, string> = {}) => {
  const { pssBytes, rssBytes, processCount } = measureProcessTree(server.pid);
  rows.push({
    when,
    PSS: mib(pssBytes),
    'RSS (shared pages twice)': mib(rssBytes),
    processes: String(processCount),
    'ready after ms': '',
    ...more,
  });
};

let startedAt = performance.now();
let server = await startServer({ dataDir });
const firstReadyMs = performance.now() - startedAt;
await delay(REST_MS);
note('at rest, nothing stored', server, { 'ready after ms': ms(firstReadyMs) });
const emptyBytes = diskBytes(dataDir);

const memory = sample(500, () => measureProcessTree(server.pid).pssBytes);
const load = await runLoad({
  transport: 'http',
  target: server.url,
  project: 'footprint',
  seconds: 3_600,
  concurrency: 4,
  spanCountMax: SPAN_COUNT,
});
await measureVisibleMs(server, 'footprint');
const mostBytes = Math.max(0, ...memory.stop());
note(`just after ${count(load.acknowledgedSpanCount)} spans (most: ${mib(mostBytes)})`, server);
await delay(REST_MS);
note('at rest after that', server);
await server.stop();
const parts = partsOf(dataDir);
const storedBytes = diskBytes(dataDir) - emptyBytes;
const columns = await readColumnBytes(join(dataDir, 'spans/spans.duckdb'));

startedAt = performance.now();
server = await startServer({ dataDir });
const secondReadyMs = performance.now() - startedAt;
await delay(REST_MS);
note('started again', server, { 'ready after ms': ms(secondReadyMs) });
await server.stop();
await removeDataDir(dataDir);

printTable('Memory of all processes', rows);
printTable(
  `Disk after ${count(load.acknowledgedSpanCount)} spans and a clean stop; a span is ${count(load.bytesPerSpan)} bytes on the wire`,
  [
    ...parts.map(({ name, bytes }) => ({
      part: name,
      size: mib(bytes),
      'bytes/span': count(bytes / load.acknowledgedSpanCount),
      'of the wire': ratio(bytes / load.acknowledgedSpanCount / load.bytesPerSpan),
    })),
    {
      part: 'all, less an empty directory',
      size: mib(storedBytes),
      'bytes/span': count(storedBytes / load.acknowledgedSpanCount),
      'of the wire': ratio(storedBytes / load.acknowledgedSpanCount / load.bytesPerSpan),
    },
  ],
);
printTable(
  'Columns of the span store that take a byte a span or more',
  columns
    .filter(({ diskBytes }) => diskBytes >= load.acknowledgedSpanCount)
    .map(({ table, column, diskBytes, valueBytes, compression }) => ({
      column: `${table}.${column}`,
      'bytes/span': (diskBytes / load.acknowledgedSpanCount).toFixed(1),
      'values, bytes/span': (valueBytes / load.acknowledgedSpanCount).toFixed(1),
      'of the values': ratio(diskBytes / valueBytes),
      compression,
    })),
);

function partsOf(dir: string): { name: string; bytes: number }[] {
  const passing: Record<string, string> = { journal: 'journal (goes after its grace period)' };
  return readdirSync(dir)
    .filter((name) => !name.startsWith('.'))
    .map((name) => ({ name: passing[name] ?? name, bytes: diskBytes(`${dir}/${name}`) }))
    .sort((a, b) => b.bytes - a.bytes);
}
