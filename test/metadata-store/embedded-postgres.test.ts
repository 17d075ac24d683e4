import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chown, cp, mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { Registry } from 'prom-client';
import { SpandrelError } from '../../src/model/errors.ts';
import { type Account, runAs } from '../../src/metadata-store/embedded/embedded-account.ts';
import { findProject, resolveProjectIds } from '../../src/metadata-store/projects/projects.ts';
import {
  cleanUpAfter,
  directoriesWithPostgres,
  isAlive,
  openTestStore,
  postgresPid,
  temporaryDirectory,
  until,
} from './fixtures.ts';
import { otherUser, runStoreProcess } from './run-store-process.ts';

const isRoot = process.getuid?.() === 0;
const other = await otherUser();
const needsRoot = { skip: !isRoot && 'needs root' };
const needsOther = { skip: !other && 'needs root, and a checkout that `nobody` can read' };

const directoryWithPostgres = directoriesWithPostgres(cleanUpAfter(after));

/** Each process that is a server runs as this user: as we are, and as somebody else. */
const USERS: readonly (readonly [string, Account | undefined, object])[] = [
  [isRoot ? 'root' : 'this user', undefined, {}],
  ['another user than root', other, needsOther],
];

for (const [who, account, condition] of USERS) {
  describe(`the embedded Postgres of a server that runs as ${who}`, { ...condition, concurrency: 2 }, () => {
    test('keeps committed data when it is closed and reopened', async (t) => {
      const cleanUp = cleanUpAfter((work) => t.after(work));
      const dataDir = await temporaryDirectory(cleanUp);
      const first = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);
      assert.deepEqual(first.reply, { opened: true, projectIds: { kept: 2 } });
      await first.close();

      const second = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);

      assert.deepEqual(second.reply, first.reply);
    });

    test('ends when the server is killed, and the next one has the committed data', async (t) => {
      const cleanUp = cleanUpAfter((work) => t.after(work));
      const dataDir = await directoryWithPostgres(cleanUp, account);
      const first = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);
      const pid = (await postgresPid(dataDir))!;

      await first.kill();
      await until('Postgres has ended', () => !isAlive(pid));

      const second = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);
      assert.deepEqual(second.reply, first.reply);
    });

    test('is taken over immediately after the server was killed', async (t) => {
      const cleanUp = cleanUpAfter((work) => t.after(work));
      const dataDir = await directoryWithPostgres(cleanUp, account);
      const first = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);

      await first.kill();
      const second = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);

      assert.deepEqual(second.reply, first.reply);
    });

    test('is stopped at the next start if nothing stopped it before', { skip: isNoLinux() }, async (t) => {
      const cleanUp = cleanUpAfter((work) => t.after(work));
      const dataDir = await directoryWithPostgres(cleanUp, account);
      const first = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);
      const pid = (await postgresPid(dataDir))!;
      const watchdogs = (await childrenOf(first.child.pid!)).filter((child) => child !== pid);
      assert.equal(watchdogs.length, 1);
      process.kill(watchdogs[0]!, 'SIGKILL');
      await first.kill();
      assert.ok(isAlive(pid));

      const second = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);

      assert.deepEqual(second.reply, first.reply);
      await until('the orphan has ended', () => !isAlive(pid));
    });

    test('rejects a second server, and the first one continues', async (t) => {
      const cleanUp = cleanUpAfter((work) => t.after(work));
      const dataDir = await directoryWithPostgres(cleanUp, account);
      const first = await runStoreProcess(cleanUp, { dataDir }, account);
      const pid = await postgresPid(dataDir);

      const second = await runStoreProcess(cleanUp, { dataDir }, account);

      assert.equal(first.reply.opened, true);
      assert.match(JSON.stringify(second.reply), /Another server uses the embedded Postgres .* SERVICE_WORKING_DIR/);
      assert.equal(await postgresPid(dataDir), pid);
    });

    test('belongs to one of two servers that create it concurrently', async (t) => {
      const cleanUp = cleanUpAfter((work) => t.after(work));
      const dataDir = await temporaryDirectory(cleanUp);

      const servers = await Promise.all([1, 2].map(() => runStoreProcess(cleanUp, { dataDir }, account)));

      const replies = servers.map(({ reply }) => reply);
      assert.deepEqual(replies.map(({ opened }) => opened).toSorted(), [false, true], JSON.stringify(replies));
    });

    test('starts although its pid file names another process', async (t) => {
      const cleanUp = cleanUpAfter((work) => t.after(work));
      const dataDir = await directoryWithPostgres(cleanUp, account);
      const first = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);
      const pidFile = join(dataDir, 'data/postmaster.pid');
      const text = await readFile(pidFile, 'utf8');
      const owner = await stat(pidFile);
      await first.close();
      // As after a power cut, when another process of Postgres' user has got its pid.
      const stranger = spawn('/bin/sleep', ['60'], isRoot ? runAs({ ...owner, name: '' }) : {});
      t.after(() => stranger.kill('SIGKILL'));
      await writeFile(pidFile, text.replace(/^\d+/, String(stranger.pid)), { mode: 0o600 });
      await chown(pidFile, owner.uid, owner.gid);

      const second = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);

      assert.deepEqual(second.reply, first.reply);
      assert.ok(isAlive(stranger.pid!));
    });

    test('works in a directory whose path is too long for a socket', async (t) => {
      const cleanUp = cleanUpAfter((work) => t.after(work));
      const dataDir = join(await temporaryDirectory(cleanUp), 'x'.repeat(60), 'y'.repeat(60));
      const first = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);
      const postmaster = await readFile(join(dataDir, 'data/postmaster.pid'), 'utf8');
      const socketDirectory = postmaster.split('\n')[4]!;
      assert.equal((await stat(socketDirectory)).mode & 0o777, 0o700);
      await first.kill();

      const second = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, account);

      assert.deepEqual(second.reply, first.reply);
      await second.close();
      await assert.rejects(stat(socketDirectory), { code: 'ENOENT' });
    });
  });
}

describe('the embedded Postgres', { concurrency: 2 }, () => {
  test('is restarted after a crash; until then queries fail with a clear error', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await directoryWithPostgres(cleanUp);
    const registry = new Registry();
    const { db } = await openTestStore(cleanUp, { dataDir, registry });
    await resolveProjectIds(db, ['kept']);
    const pid = (await postgresPid(dataDir))!;

    process.kill(pid, 'SIGKILL');
    const errors: unknown[] = [];
    const isBack = () =>
      findProject(db, { name: 'kept' }).then(
        (project) => project !== undefined && errors.length > 0,
        (error) => {
          errors.push(error);
          return false;
        },
      );
    await until('queries work again', isBack);

    for (const error of errors) {
      assert.ok(error instanceof SpandrelError && error.code === 'STORE_UNAVAILABLE', String(error));
      assert.match(error.message, /^The metadata database is not available: /);
    }
    assert.notEqual(await postgresPid(dataDir), pid);
    assert.match(await registry.metrics(), /spandrel_embedded_postgres_restarts_total 1/);
    // The server still owns it.
    const second = await runStoreProcess(cleanUp, { dataDir });
    assert.match(JSON.stringify(second.reply), /Another server/);
  });

  test('survives disconnected sessions, even during a transaction', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await directoryWithPostgres(cleanUp);
    const { db } = await openTestStore(cleanUp, { dataDir });
    const pid = (await postgresPid(dataDir))!;

    const cutOff = db.transaction().execute(async (tx) => {
      await resolveProjectIds(tx, ['never']);
      process.kill(pid, 'SIGKILL');
      await until('Postgres has ended', () => !isAlive(pid));
      await resolveProjectIds(tx, ['never again']);
    });

    await assert.rejects(cutOff, { code: 'STORE_UNAVAILABLE' });
    await until('queries work again', () => findProject(db, { name: 'default' }).then(Boolean, () => false));
    assert.equal(await findProject(db, { name: 'never' }), undefined);
  });

  test('leaves no process and no socket behind when it is closed', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await directoryWithPostgres(cleanUp);
    const store = await openTestStore(() => {}, { dataDir });
    const pid = (await postgresPid(dataDir))!;

    await store.close();

    assert.ok(!isAlive(pid));
    assert.equal(await postgresPid(dataDir), undefined);
    assert.deepEqual(
      (await readdir(join(dataDir, 'data'))).filter((name) => name.startsWith('.s.')),
      [],
    );
    await assert.rejects(findProject(store.db, { rowId: 1 }));
  });

  test('can be closed directly after a crash', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await directoryWithPostgres(cleanUp);
    const store = await openTestStore(() => {}, { dataDir });
    process.kill((await postgresPid(dataDir))!, 'SIGKILL');

    await store.close();

    const again = await openTestStore(cleanUp, { dataDir });
    assert.ok(await findProject(again.db, { rowId: 1 }));
  });

  test('is private: no TCP, a private directory, a password', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await directoryWithPostgres(cleanUp);
    const store = await openTestStore(cleanUp, { dataDir });
    const data = join(dataDir, 'data');
    const settings = (await readFile(join(data, 'postmaster.opts'), 'utf8')).split(' ');

    assert.equal((await stat(data)).mode & 0o777, 0o700);
    assert.equal((await stat(join(data, 'spandrel.password'))).mode & 0o777, 0o600);
    assert.ok(settings.includes('"listen_addresses="'));
    const hba = (await readFile(join(data, 'pg_hba.conf'), 'utf8')).split('\n').filter((line) => /^\w/.test(line));
    for (const line of hba) assert.match(line, /scram-sha-256$/);
    assert.match(store.describe(), /^embedded Postgres 18 in .*\/data$/);
  });

  test('is created again when the first start was interrupted', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await temporaryDirectory(cleanUp);
    await mkdir(join(dataDir, 'data.new-abc/base'), { recursive: true });
    await utimes(join(dataDir, 'data.new-abc'), 0, 0);

    const { db } = await openTestStore(cleanUp, { dataDir });

    assert.ok(await findProject(db, { name: 'default' }));
    // Below a directory that Postgres' user cannot enter there is a copy of the programs too.
    const left = (await readdir(dataDir)).filter((name) => !name.startsWith('postgres-'));
    assert.deepEqual(left, ['data']);
  });

  test('of another version is rejected with a suggestion', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await temporaryDirectory(cleanUp);
    await mkdir(join(dataDir, 'data'), { recursive: true });
    await writeFile(join(dataDir, 'data/PG_VERSION'), '17\n');

    const refused = await runStoreProcess(cleanUp, { dataDir });

    assert.match(JSON.stringify(refused.reply), /made by Postgres 17, .* brings Postgres 18.*spandrel db move/);
  });

  test('runs below a directory that its user cannot enter', needsRoot, async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const closed = join(await temporaryDirectory(cleanUp), 'like-root');
    await mkdir(closed, { mode: 0o700 });
    const dataDir = join(closed, 'data');
    const first = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] });
    await first.kill();

    const second = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] });

    assert.equal(second.reply.opened, true);
    assert.deepEqual(second.reply, first.reply);
    assert.equal((await stat(closed)).mode & 0o777, 0o700);
  });

  test('runs as the user that its data belongs to', needsOther, async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await directoryWithPostgres(cleanUp, other);
    const first = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] }, other);
    await first.close();

    const second = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] });

    assert.deepEqual(second.reply, first.reply);
    assert.equal((await stat(join(dataDir, 'data'))).uid, other!.uid);
  });

  test('runs on data that root has restored as its own', needsRoot, async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await directoryWithPostgres(cleanUp);
    const first = await runStoreProcess(cleanUp, { dataDir, projectNames: ['kept'] });
    await first.close();
    const restored = await temporaryDirectory(cleanUp);
    // As the owner of all that it copies, which root is.
    await cp(dataDir, restored, { recursive: true });

    const second = await runStoreProcess(cleanUp, { dataDir: restored, projectNames: ['kept'] });

    assert.deepEqual(second.reply, first.reply);
  });

  test('names the owner of its data if this user cannot read it', needsOther, async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await temporaryDirectory(cleanUp);
    const first = await runStoreProcess(cleanUp, { dataDir }, { name: 'daemon', uid: 1, gid: 1 });
    assert.equal(first.reply.opened, true, JSON.stringify(first.reply));
    await first.close();

    const second = await runStoreProcess(cleanUp, { dataDir }, other);

    assert.match(JSON.stringify(second.reply), /belongs to the user with uid 1, and this process runs as uid 65534/);
  });
});

function isNoLinux(): string | false {
  return process.platform !== 'linux' && 'finds children in /proc';
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return text.trim().split(' ').map(Number);
}
