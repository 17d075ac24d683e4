/**
 * How many reads leave the primary with a read replica, what does one cost, and does a caller see the own write at once
 * while the replica is 5 s behind, also on another server than it was on?
 */
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openReplication } from '../../test/metadata-store/replica/standby.ts';
import { type ServerProcess, startServer } from '../../test/e2e/server-process.ts';

const READ_COUNT = process.env.SMOKE ? 20 : 2_000;
const WRITE_COUNT = process.env.SMOKE ? 3 : 200;
const LAG_SECONDS = process.env.SMOKE ? 0.2 : 5;
const ADMIN_SECRET = 'an0ther-secret-of-the-administrators';
const DATASETS = '{ datasets(first: 100) { edges { node { name exampleCount } } } }';

type Headers = Readonly<Record<string, string>>;
interface Callers {
  readonly writer: Headers;
  readonly reader: Headers;
}

const cleanUps: (() => Promise<void>)[] = [];
const replication = await openReplication((work) => cleanUps.push(work));
const dataDir = await mkdtemp(join(tmpdir(), 'spandrel-bench-'));

/** Another directory with the same ID, as a copy of the first one has. */
async function copyOf(dir: string): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'spandrel-bench-'));
  cleanUps.push(() => rm(copy, { recursive: true, force: true, maxRetries: 20 }));
  await copyFile(join(dir, 'installation-id'), join(copy, 'installation-id'));
  return copy;
}

const start = (env: Headers, dir = dataDir) =>
  startServer({
    dataDir: dir,
    env: {
      SERVICE_SQL_DATABASE_URL: replication.primaryUrl,
      SERVICE_ENABLE_AUTH: 'true',
      SERVICE_SECRET: 'a-secret-for-t3sts-of-the-replica',
      SERVICE_ADMIN_SECRET: ADMIN_SECRET,
      ...env,
    },
  });

async function call({ url }: ServerProcess, headers: Headers, method: string, path: string, body?: object) {
  const response = await fetch(url + path, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return { text, cookies: response.headers.getSetCookie() };
}

/** The admin secret writes, and the signed-in administrator reads: two users. */
async function signIn(server: ServerProcess): Promise<Callers> {
  const { cookies } = await call(server, {}, 'POST', '/auth/login', { email: 'admin@localhost', password: 'admin' });
  return {
    writer: { authorization: `Bearer ${ADMIN_SECRET}` },
    reader: { cookie: cookies.map((cookie) => cookie.split(';')[0]).join('; ') },
  };
}

const reads = {
  'GET /v1/datasets': (server: ServerProcess, headers: Headers) => call(server, headers, 'GET', '/v1/datasets'),
  'query datasets': (server: ServerProcess, headers: Headers) =>
    call(server, headers, 'POST', '/graphql', { query: DATASETS }),
};

const rows: object[] = [];

/** Measures the reads of several callers alternately, so that the load of the machine is the same for all. */
async function measure(server: ServerProcess, callers: Readonly<Record<string, Headers>>): Promise<void> {
  for (const [name, read] of Object.entries(reads)) {
    const results = Object.entries(callers).map(([title, headers]) => ({
      title,
      headers,
      times: [] as number[],
      replicaCount: 0,
    }));
    for (const { headers } of results)
      for (let count = 0; count < READ_COUNT / 10; count++) await read(server, headers);
    for (let count = 0; count < READ_COUNT; count++) {
      for (const result of results) {
        const startedAt = performance.now();
        await read(server, result.headers);
        result.times.push(performance.now() - startedAt);
      }
    }
    for (const result of results) {
      const before = await countChoices(server);
      for (let count = 0; count < 20; count++) await read(server, result.headers);
      result.replicaCount = (await countChoices(server)).replica - before.replica;
    }
    for (const { title, times, replicaCount } of results) {
      times.sort((a, b) => a - b);
      rows.push({
        phase: title,
        read: name,
        'p50 ms': toMs(times[Math.floor(times.length / 2)]),
        'p99 ms': toMs(times[Math.floor(times.length * 0.99)]),
        'left the primary': `${Math.round((100 * replicaCount) / 20)} %`,
      });
    }
  }
}

const toMs = (ms = 0): string => ms.toFixed(2);

async function countChoices(server: ServerProcess): Promise<{ replica: number; primary: number }> {
  const { text } = await call(server, {}, 'GET', '/metrics');
  const sum = (name: string) =>
    [...text.matchAll(new RegExp(`^spandrel_replica_reads_total\\{server="${name}",.*\\} (\\d+)$`, 'gm'))].reduce(
      (total, [, value]) => total + Number(value),
      0,
    );
  return { replica: sum('replica'), primary: sum('primary') };
}

/** A write every 200 ms. */
function writeInBackground(server: ServerProcess, { writer }: Callers): () => Promise<void> {
  let isStopping = false;
  const writing = (async () => {
    for (let serial = 0; !isStopping; serial++) {
      const config = { name: `config_${serial}`, type: 'FREEFORM' };
      await call(server, writer, 'POST', '/v1/annotation_configs', config);
      await sleep(200);
    }
  })();
  return () => {
    isStopping = true;
    return writing;
  };
}

/** Writes, and reads the write at once, on this server or on another one. Returns how many were seen, with the times of both. */
async function writeAndRead(server: ServerProcess, { writer }: Callers, from: ServerProcess = server) {
  let seenCount = 0;
  const writes: number[] = [];
  const times: number[] = [];
  for (let serial = 0; serial < WRITE_COUNT; serial++) {
    const name = `own ${++nameCount}`;
    const writtenAt = performance.now();
    await call(server, writer, 'POST', '/graphql', {
      query: 'mutation ($name: String!) { createDataset(input: {name: $name}) { dataset { id } } }',
      variables: { name },
    });
    const startedAt = performance.now();
    writes.push(startedAt - writtenAt);
    const { text } = await call(from, writer, 'GET', `/v1/datasets?name=${encodeURIComponent(name)}`);
    times.push(performance.now() - startedAt);
    if (text.includes(`"${name}"`)) seenCount++;
  }
  const p50 = (list: number[]) => toMs(list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
  return { seenCount, p50: p50(times), writeP50: p50(writes) };
}

let nameCount = 0;

const setDelay = (seconds: number) =>
  replication.standby
    .query(`alter system set recovery_min_apply_delay = '${1_000 * seconds}ms'`)
    .then(() => replication.standby.query('select pg_reload_conf()'));

try {
  const alone = await start({});
  // As many as a page has, so that later writes do not change the cost of a read.
  await replication.onPrimary(`insert into datasets (name) select 'dataset ' || n from generate_series(1, 100) n`);
  await measure(alone, { 'no replica': (await signIn(alone)).reader });
  await alone.stop();

  const server = await start({ SERVICE_SQL_DATABASE_READ_REPLICA_URL: replication.standbyUrl });
  const callers = await signIn(server);
  await measure(server, { 'replica, no writes': callers.reader });
  const current = await writeAndRead(server, callers);
  await setDelay(LAG_SECONDS);
  const late = await writeAndRead(server, callers);
  const stopWriting = writeInBackground(server, callers);
  await measure(server, {
    [`${LAG_SECONDS} s of lag, another writes`]: callers.reader,
    [`${LAG_SECONDS} s of lag, the writer`]: callers.writer,
  });
  await stopWriting();
  const second = await start({ SERVICE_SQL_DATABASE_READ_REPLICA_URL: replication.standbyUrl }, await copyOf(dataDir));
  // As warm as the first one.
  for (let count = 0; count < READ_COUNT / 10; count++) await reads['GET /v1/datasets'](second, callers.writer);
  const across = await writeAndRead(server, callers, second);
  await second.stop();
  await server.stop();
  console.table(rows);
  console.log(`own write seen at once: ${current.seenCount} of ${WRITE_COUNT}, read in ${current.p50} ms (p50)`);
  console.log(
    `own write seen at once with ${LAG_SECONDS} s of lag: ${late.seenCount} of ${WRITE_COUNT}, read in ${late.p50} ms (p50)`,
  );
  console.log(
    `own write seen at once on another server: ${across.seenCount} of ${WRITE_COUNT}, read in ${across.p50} ms (p50); a write takes ${across.writeP50} ms instead of ${late.writeP50} ms`,
  );
  if (Math.min(current.seenCount, late.seenCount, across.seenCount) < WRITE_COUNT) process.exitCode = 1;
} finally {
  for (const work of cleanUps.reverse()) await work();
  await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
}
