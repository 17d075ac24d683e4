/**
 * What does sign-in cost? Acknowledged spans and page reads on a server with a key, compared with a server without sign-in;
 * reads while 200 people sign in at once; and the time until a revoked key is rejected by another server of the same database.
 */
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanUpAfter, openTestPostgres } from '../../test/metadata-store/fixtures.ts';
import { ADMIN_SECRET, postJson, SECRET, sessionOf, toClient } from '../../test/api/access/signed-in-server.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../../test/e2e/server-process.ts';
import { type LoadJob, type LoadResult, runLoad } from './load-generator.ts';
import { count, isSmoke, LatencyRecorder, ms, printTable, ratio, size } from './measure.ts';

const SECONDS = size('SECONDS', { smoke: 0.1, full: 5 });
const ROUND_COUNT = size('ROUNDS', { smoke: 1, full: 6 });
const READ_COUNT = size('READS', { smoke: 5, full: 1_000 });
const PERSON_COUNT = size('PERSONS', { smoke: 4, full: 200 });
const REVOCATION_COUNT = size('REVOCATIONS', { smoke: 2, full: 200 });
const PROJECT = 'sign-in';
const SIGN_IN = {
  SERVICE_ENABLE_AUTH: 'true',
  SERVICE_SECRET: SECRET,
  SERVICE_ADMIN_SECRET: ADMIN_SECRET,
  SERVICE_DISABLE_RATE_LIMIT: 'true',
};

/** A server, and the key that its clients use. */
interface Side {
  readonly server: ServerProcess;
  readonly key: string | undefined;
}
type Sides = { readonly off: Side; readonly on: Side };

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const newestPage = (projectId: string) => `{ node(id: "${projectId}") { ... on Project { spans(first: 50) {
  edges { node { name spanKind statusCode latencyMs startTime cumulativeTokenCountTotal } } } } } }`;

let keyCount = 0;
let end = async () => {};
const cleanUp = cleanUpAfter((work) => {
  end = work;
});
try {
  await bench();
} finally {
  await end();
}

async function bench(): Promise<void> {
  const postgres = await openTestPostgres(cleanUp);
  const url = await postgres.newDatabase();
  const first = await start({ ...SIGN_IN, SERVICE_SQL_DATABASE_URL: url });
  const off: Side = { server: await start({ SERVICE_SQL_DATABASE_URL: await postgres.newDatabase() }), key: undefined };
  const on: Side = { server: first, key: await newKey(first) };

  const rows = [await measureIngest({ off, on }), ...(await measureReads({ off, on }))];
  printTable(
    `Sign-in on, compared with off: ${ROUND_COUNT} rounds of ${SECONDS} s alternately, ${READ_COUNT} reads alternately`,
    rows,
  );
  printTable(`Reads while ${PERSON_COUNT} people sign in at once`, [await measureCrowd(on)]);
  printTable('Time until another server rejects a deleted key', [await measureRevocation(on, url)]);
}

async function start(env: Readonly<Record<string, string>>, installationOf?: string): Promise<ServerProcess> {
  const dataDir = await makeDataDir({ isEmpty: true });
  if (installationOf) await copyFile(join(installationOf, 'installation-id'), join(dataDir, 'installation-id'));
  const server = await startServer({ dataDir, env });
  cleanUp(async () => {
    await server.kill9();
    await removeDataDir(dataDir);
  });
  return server;
}

async function newKey({ url }: ServerProcess): Promise<string> {
  const name = `person${keyCount++}`;
  const user = {
    auth_method: 'LOCAL',
    email: `${name}@example.com`,
    username: name,
    role: 'MEMBER',
    password: 'word-1',
  };
  await toClient(url, { bearer: ADMIN_SECRET }).call('POST', '/v1/users', { user });
  const { access } = sessionOf(await postJson(`${url}/auth/login`, { email: user.email, password: user.password }));
  const { json } = await toClient(url, { bearer: access }).call('POST', '/v1/user/api_keys', { data: { name: 'k' } });
  return (json as { data: { key: string } }).data.key;
}

async function measureIngest(sides: Sides): Promise<Record<string, string>> {
  const results = { off: [] as LoadResult[], on: [] as LoadResult[] };
  for (let round = 0; round < ROUND_COUNT; round++) {
    // The one that went second goes first in the next round.
    for (const name of round % 2 === 0 ? (['off', 'on'] as const) : (['on', 'off'] as const)) {
      const { server, key } = sides[name];
      const job: LoadJob = {
        ...{ transport: 'http', target: server.url, project: PROJECT, seconds: SECONDS },
        ...{ concurrency: isSmoke ? 2 : 8 },
        ...(key !== undefined && { key }),
      };
      results[name].push(await runLoad(job));
      // The backlog of a round must not slow the next one.
      if (!isSmoke) await sleep(3_000);
    }
  }
  const rate = (name: 'off' | 'on') => median(results[name].map(({ spansPerSecond }) => spansPerSecond));
  const p99 = (name: 'off' | 'on') => median(results[name].map(({ ackMs }) => ackMs.p99));
  return {
    what: 'spans/s acknowledged',
    off: count(rate('off')),
    on: count(rate('on')),
    ratio: ratio(rate('on') / rate('off')),
    'p99 off ms': ms(p99('off')),
    'p99 on ms': ms(p99('on')),
  };
}

async function measureReads(sides: Sides): Promise<Record<string, string>[]> {
  const readsOf = async ({ server, key }: Side): Promise<Record<string, () => Promise<void>>> => {
    const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const check = async (response: Response) => {
      const text = await response.text();
      if (!response.ok) throw new Error(`${response.url}: ${response.status} ${text}`);
      return text;
    };
    const graphql = (query: string) =>
      fetch(`${server.url}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query }),
      }).then(check);
    let id: string | undefined;
    while (id === undefined) {
      const found = JSON.parse(await graphql(`{ getProjectByName(name: "${PROJECT}") { id } }`));
      ({ id } = (found as { data: { getProjectByName: { id: string } | null } }).data.getProjectByName ?? {});
    }
    const page = newestPage(id);
    return {
      'newest page over REST': async () =>
        void (await check(await fetch(`${server.url}/v1/projects/${PROJECT}/spans?limit=50`, { headers }))),
      'newest page over GraphQL': async () => void (await graphql(page)),
      projects: async () => void (await check(await fetch(`${server.url}/v1/projects`, { headers }))),
    };
  };
  const [off, on] = [await readsOf(sides.off), await readsOf(sides.on)];
  const rows: Record<string, string>[] = [];
  for (const what of Object.keys(off)) {
    const times = { off: new LatencyRecorder(), on: new LatencyRecorder() };
    for (let turn = -READ_COUNT / 10; turn < READ_COUNT; turn++) {
      for (const [name, read] of [['off', off[what]!] as const, ['on', on[what]!] as const]) {
        const startedAt = performance.now();
        await read();
        if (turn >= 0) times[name].add(performance.now() - startedAt);
      }
    }
    const [without, with_] = [times.off.summary(), times.on.summary()];
    rows.push({
      what: `${what}, p50 ms`,
      off: without.p50.toFixed(2),
      on: with_.p50.toFixed(2),
      ratio: ratio(with_.p50 / without.p50),
      'p99 off ms': ms(without.p99),
      'p99 on ms': ms(with_.p99),
    });
  }
  return rows;
}

/** Reads one after another until `isOver`. */
async function readUntil({ server, key }: Side, isOver: () => boolean): Promise<LatencyRecorder> {
  const times = new LatencyRecorder();
  while (!isOver()) {
    const startedAt = performance.now();
    const response = await fetch(`${server.url}/v1/projects/${PROJECT}/spans?limit=50`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await response.arrayBuffer();
    times.add(performance.now() - startedAt);
  }
  return times;
}

async function measureCrowd(side: Side): Promise<Record<string, string>> {
  const { url } = side.server;
  const admin = toClient(url, { bearer: ADMIN_SECRET });
  const emails = Array.from({ length: PERSON_COUNT }, (_, index) => `crowd${index}@example.com`);
  for (const [index, email] of emails.entries()) {
    const user = { auth_method: 'LOCAL', email, username: `crowd${index}`, role: 'MEMBER', password: 'word-1' };
    await admin.call('POST', '/v1/users', { user });
  }
  const calmUntil = performance.now() + (isSmoke ? 50 : 5_000);
  const calm = (await readUntil(side, () => performance.now() > calmUntil)).summary();
  const startedAt = performance.now();
  let isOver = false;
  const crowd = Promise.all(
    emails.map((email) => postJson(`${url}/auth/login`, { email, password: 'word-1' })),
  ).finally(() => {
    isOver = true;
  });
  const busy = (await readUntil(side, () => isOver)).summary();
  const statuses = (await crowd).map(({ status }) => status);
  const seconds = (performance.now() - startedAt) / 1_000;
  return {
    'signed in': count(statuses.filter((status) => status === 204).length),
    'sign-ins/s': count(PERSON_COUNT / seconds),
    'p50 before ms': ms(calm.p50),
    'p50 during ms': ms(busy.p50),
    'p99 before ms': ms(calm.p99),
    'p99 during ms': ms(busy.p99),
    'p99 ratio': ratio(busy.p99 / calm.p99),
  };
}

async function measureRevocation({ server }: Side, databaseUrl: string): Promise<Record<string, string>> {
  const other = await start({ ...SIGN_IN, SERVICE_SQL_DATABASE_URL: databaseUrl }, server.dataDir);
  const admin = toClient(server.url, { bearer: ADMIN_SECRET });
  const times = new LatencyRecorder();
  for (let turn = 0; turn < REVOCATION_COUNT; turn++) {
    const made = await admin.call('POST', '/v1/system/api_keys', { data: { name: 'k' } });
    const { id, key } = (made.json as { data: { id: string; key: string } }).data;
    const isAccepted = async () => (await toClient(other.url, { bearer: key }).call('GET', '/v1/user')).status === 200;
    if (!(await isAccepted())) throw new Error('the other server does not know the key');
    await admin.call('DELETE', `/v1/system/api_keys/${id}`);
    const revokedAt = performance.now();
    while (await isAccepted()) await sleep(1);
    times.add(performance.now() - revokedAt);
  }
  const { p50, p99, max } = times.summary();
  return { keys: count(REVOCATION_COUNT), 'p50 ms': ms(p50), 'p99 ms': ms(p99), 'max ms': ms(max) };
}
