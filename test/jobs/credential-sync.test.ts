import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, silentLog } from '../../src/base/log.ts';
import { SpandrelError } from '../../src/model/errors.ts';
import { CREDENTIAL_STALE_MS_MAX, CREDENTIAL_SYNC_MS, LISTEN_PROOF_MS_MAX } from '../../src/model/limits/access.ts';
import { apiKeyRepository } from '../../src/metadata-store/access/api-keys.ts';
import { credentialRepository } from '../../src/metadata-store/access/credentials.ts';
import { oauth2ClientRepository } from '../../src/metadata-store/access/oauth2-clients.ts';
import { oauth2GrantRepository } from '../../src/metadata-store/access/oauth2-grants.ts';
import { sessionRepository } from '../../src/metadata-store/access/sessions.ts';
import { userRepository } from '../../src/metadata-store/access/users.ts';
import { parseDatabaseUrl } from '../../src/metadata-store/database/database-url.ts';
import { reachDatabase } from '../../src/metadata-store/database/reach-database.ts';
import type { MetadataStore } from '../../src/metadata-store/metadata-store.ts';
import { projectMemberRepository } from '../../src/metadata-store/projects/project-members.ts';
import {
  type CleanUp,
  cleanUpAfter,
  openTestPostgres,
  openTestStore,
  query,
  temporaryDirectory,
  until,
} from '../metadata-store/fixtures.ts';
import { type Credentials, openCredentials } from '../../src/domain/access/credentials.ts';
import { createTokens } from '../../src/domain/access/tokens.ts';
import { ProjectDirectory } from '../../src/domain/project-access/project-directory.ts';
import { openCredentialSync } from '../../src/jobs/credential-sync.ts';

const PGBOUNCER = '/usr/sbin/pgbouncer';
const NEEDS_POOLER = { skip: !existsSync(PGBOUNCER) && 'needs pgbouncer' };
const tokens = createTokens(`secret-0${'a'.repeat(30)}`);

const directoryOf = ({ db }: MetadataStore) => new ProjectDirectory(projectMemberRepository(db));

/** The cache of one server. */
async function openServer(cleanUp: CleanUp, store: MetadataStore, log: Log = silentLog): Promise<Credentials> {
  const repository = credentialRepository(store.db);
  const credentials = await openCredentials({ repository, projects: directoryOf(store), log });
  const sync = openCredentialSync({ credentials, repository, listen: store.listen, isReadOnly: false, log });
  cleanUp(() => sync.close());
  return credentials;
}

async function newUser({ db }: MetadataStore, username: string) {
  const role = 'MEMBER';
  return await userRepository(db).create({
    username,
    email: `${username}@example.com`,
    role,
    authMethod: 'OAUTH2',
    passwordHash: null,
  });
}

async function newKey({ db }: MetadataStore, userRowId: number): Promise<{ rowId: number; hash: Buffer }> {
  const keys = apiKeyRepository(db);
  const rowId = await keys.allocateRowId();
  const { hash } = tokens.mint('ApiKey', rowId);
  const rest = {
    description: null,
    lastCharacters: 'abcd',
    scope: 'ALL',
    projects: null,
    expiresAtUnixNano: null,
  } as const;
  await keys.create({ rowId, userRowId, hash, name: 'key', ...rest });
  return { rowId, hash };
}

async function newSession({ db }: MetadataStore, userRowId: number): Promise<Buffer> {
  const sessions = sessionRepository(db);
  const rowIds = await sessions.allocateTokenRowIds();
  const [access, refresh] = [tokens.mint('AccessToken', rowIds.access), tokens.mint('RefreshToken', rowIds.refresh)];
  const expiresAt = new Date(Date.now() + 60_000);
  await sessions.create(
    { userRowId, expiresAt, remoteAddress: null, userAgent: null },
    {
      access: { rowId: rowIds.access, hash: access.hash, expiresAt },
      refresh: { rowId: rowIds.refresh, hash: refresh.hash, expiresAt },
    },
  );
  return access.hash;
}

/** An application with access to the account of a user. */
async function newApp({ db }: MetadataStore, userRowId: number) {
  const clientId = randomUUID();
  const client = { clientId, name: 'app', redirectUris: ['http://127.0.0.1/'], registeredFrom: null };
  const { rowId: clientRowId } = await oauth2ClientRepository(db).create(client);
  const rowIds = await sessionRepository(db).allocateTokenRowIds();
  const expiresAt = new Date(Date.now() + 60_000);
  const token = (rowId: number) => ({ rowId, hash: randomBytes(32), expiresAt });
  const pair = { access: token(rowIds.access), refresh: token(rowIds.refresh) };
  const common = { userRowId, clientRowId, scopes: [], resource: 'MCP', remoteAddress: null, userAgent: null } as const;
  const grantRowId = await oauth2GrantRepository(db).create({ ...common, expiresAt }, pair);
  return { hash: pair.access.hash, grantRowId };
}

const isGone = (credentials: Credentials, hash: Buffer) => async () => (await credentials.find(hash)) === undefined;

describe('credentials of two servers', () => {
  async function openTwo(
    t: { after(work: () => Promise<void>): void },
    otherUrl: (url: string, cleanUp: CleanUp) => Promise<string>,
  ) {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await (await openTestPostgres(cleanUp)).newDatabase();
    const store = await openTestStore(cleanUp, { url });
    const other = await openTestStore(cleanUp, { url: await otherUrl(url, cleanUp), migrate: false });
    return { cleanUp, store, one: await openServer(cleanUp, store), two: await openServer(cleanUp, other) };
  }

  /** Revokes in each way on the first server, and waits until the second one knows. Returns the number of waits. */
  async function revokeAll(store: MetadataStore, two: Credentials): Promise<number> {
    let waitCount = 0;
    const untilTwo = (what: string, condition: () => boolean | Promise<boolean>) => {
      waitCount++;
      return until(what, condition);
    };
    const user = await newUser(store, 'ada');
    const key = await newKey(store, user.rowId);
    const session = await newSession(store, user.rowId);
    const known = await two.find(key.hash);
    assert.ok(typeof known === 'object' && (await two.find(session)));
    assert.equal(known.user.role, 'MEMBER');

    await userRepository(store.db).update(user.rowId, { role: 'VIEWER' });
    await untilTwo('the new role is known', () => known.user.role === 'VIEWER');
    const app = await newApp(store, user.rowId);
    const ofApp = await two.find(app.hash);
    assert.ok(typeof ofApp === 'object' && ofApp.credential === 'app' && ofApp.app?.resource === 'MCP');
    await sessionRepository(store.db).endAll([user.rowId]);
    await untilTwo('the session has ended', isGone(two, session));
    assert.ok(await two.find(app.hash), 'the application goes on');
    await oauth2GrantRepository(store.db).revoke([app.grantRowId]);
    await untilTwo('the application has no access', isGone(two, app.hash));
    assert.ok(await two.find(key.hash));
    const { signal } = known;
    await apiKeyRepository(store.db).delete(key.rowId);
    await untilTwo('the key has ended', isGone(two, key.hash));
    assert.ok(signal.aborted, 'streams of the key end');
    const last = await newKey(store, user.rowId);
    assert.ok(await two.find(last.hash));
    await userRepository(store.db).delete([user.rowId]);
    await untilTwo('the keys of a deleted user have ended', isGone(two, last.hash));
    return waitCount;
  }

  test('a revocation on one ends the credential on the other', async (t) => {
    const { store, two } = await openTwo(t, async (url) => url);
    await revokeAll(store, two);
  });

  test('also behind a pooler that swallows notifications', {
    skip: !existsSync(PGBOUNCER) && 'needs pgbouncer',
  }, async (t) => {
    const { store, two } = await openTwo(t, (url, cleanUp) => openPooler(cleanUp, url));
    // The second server has noticed it.
    await sleep(LISTEN_PROOF_MS_MAX);
    const startedAt = performance.now();

    const waitCount = await revokeAll(store, two);

    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < (waitCount * CREDENTIAL_SYNC_MS) / 2, `${waitCount} revocations took ${tookMs} ms`);
  });

  test('a change whose transaction commits later than others is not missed', async (t) => {
    const { cleanUp, store, two } = await openTwo(t, async (url) => url);
    const user = await newUser(store, 'slow');
    const [slow, quick] = [await newKey(store, user.rowId), await newKey(store, user.rowId)];
    assert.ok((await two.find(slow.hash)) && (await two.find(quick.hash)));
    let commit = () => {};
    const committed = new Promise<void>((resolve) => {
      commit = resolve;
    });
    const running = store.db.transaction().execute(async (transaction) => {
      await apiKeyRepository(transaction).delete(slow.rowId);
      await committed;
    });
    cleanUp(async () => commit());
    await sleep(50);
    await apiKeyRepository(store.db).delete(quick.rowId);
    await until('the later change is known', isGone(two, quick.hash));
    assert.ok(await two.find(slow.hash));
    commit();
    await running;
    await until('the earlier change is known', isGone(two, slow.hash));
  });

  test('thousands of credentials are read at the start, and expired ones are reported as expired', async (t) => {
    const { cleanUp, store, one } = await openTwo(t, async (url) => url);
    const user = await newUser(store, 'many');
    const keys: Awaited<ReturnType<typeof newKey>>[] = [];
    // Not all at once: the last would wait too long for a connection on a busy machine.
    while (keys.length < 300)
      keys.push(...(await Promise.all(Array.from({ length: 10 }, () => newKey(store, user.rowId)))));
    const fresh = await openServer(cleanUp, store);
    assert.equal(fresh.count, 300);
    assert.ok(keys.every(({ hash }) => typeof fresh.findKnown(hash) === 'object'));
    assert.equal(one.findKnown(keys[0]!.hash), undefined);
    const expired = await newKey(store, user.rowId);
    await store.db
      .updateTable('api_keys')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', expired.rowId)
      .execute();
    assert.equal(await fresh.find(expired.hash), 'expired');
  });
});

test(
  'while Postgres is unavailable, known credentials stay valid for a while, and unknown ones are neither accepted nor rejected',
  NEEDS_POOLER,
  async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const url = await (await openTestPostgres(cleanUp)).newDatabase();
    const poolers: (() => Promise<void>)[] = [];
    const store = await openTestStore(cleanUp, {
      url: await openPooler((work) => poolers.push(work), url),
      migrate: false,
    });
    const user = await newUser(store, 'outage');
    const [known, unknown] = [await newKey(store, user.rowId), tokens.mint('ApiKey', 999)];
    let nowMs = Date.now();
    const repository = credentialRepository(store.db);
    const credentials = await openCredentials({
      repository,
      projects: directoryOf(store),
      log: silentLog,
      now: () => nowMs,
    });
    // From here on, nothing listens at the address of the database.
    for (const stop of poolers) await stop();

    assert.ok(typeof (await credentials.find(known.hash)) === 'object');
    const isUnavailable = (error: unknown) => error instanceof SpandrelError && error.code === 'STORE_UNAVAILABLE';
    await assert.rejects(credentials.find(unknown.hash), isUnavailable);
    nowMs += CREDENTIAL_STALE_MS_MAX + 1_000;
    assert.throws(() => credentials.findKnown(known.hash), isUnavailable);
  },
);

/** A pgbouncer that lends a connection for one transaction, so that `listen` has no effect. Returns the URL of the database behind it. */
async function openPooler(cleanUp: CleanUp, url: string): Promise<string> {
  const directory = await temporaryDirectory(cleanUp);
  const port = await freePort();
  const endpoint = await reachDatabase(parseDatabaseUrl(url), { log: silentLog, clientName: 'test' });
  const { host, port: postgresPort, user, password, database } = endpoint;
  const config = [
    '[databases]',
    `* = host=${host} port=${postgresPort} user=${user} password=${password}`,
    '[pgbouncer]',
    ...[`listen_addr=127.0.0.1`, `listen_port=${port}`, 'auth_type=any', 'pool_mode=transaction', 'unix_socket_dir='],
    ...['ignore_startup_parameters=extra_float_digits,statement_timeout'],
  ];
  const path = join(directory, 'pgbouncer.ini');
  await writeFile(path, `${config.join('\n')}\n`, { mode: 0o644 });
  // It does not run as root. The owner of the socket may use it.
  const { uid, gid } = await stat(host);
  const pooler = spawn(PGBOUNCER, ['-q', path], { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid, gid }) });
  cleanUp(async () => {
    const ended = new Promise((resolve) => pooler.once('exit', resolve));
    if (pooler.kill('SIGKILL')) await ended;
  });
  const pooled = `postgresql://${user}@127.0.0.1:${port}/${database}`;
  await until('the pooler listens', () =>
    query(pooled, 'select 1').then(
      () => true,
      () => false,
    ),
  );
  return pooled;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
