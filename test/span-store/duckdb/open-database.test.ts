import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { silentLog } from '../../../src/base/log.ts';
import { openSpanStore } from '../../../src/span-store/open-span-store.ts';
import { verifySpanStore } from '../../../src/span-store/verify-span-store.ts';
import { findRowId } from '../../../src/domain/find-row-ids.ts';
import { spanColumns } from '../../fixtures/span-columns.ts';
import { TEST_FOLDER } from '../../fixtures/test-folder.ts';

const TRACE = 'a'.repeat(32);
const oneSpan = (n: number) => spanColumns([{ traceId: TRACE, spanId: `${n}`.padStart(16, '0') }]);

/** A directory, and every store that is opened in it. */
async function given(t: TestContext) {
  const dir = await mkdtemp(join(TEST_FOLDER, 'span-store-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const errors: { fields: object; message: string }[] = [];
  const log = { ...silentLog, error: (fields: object, message: string) => errors.push({ fields, message }) };
  const open = () =>
    openSpanStore({
      dir,
      log: { ...silentLog, ...log, child: () => silentLog, info: () => {}, warn: () => {}, debug: () => {} },
      resolveProjects: async (names) => new Map(names.map((name) => [name, 1])),
    });
  return { dir, path: join(dir, 'spans.duckdb'), errors, open };
}

test('the database has its last checkpoint after a crash, and no log of DuckDB', async (t) => {
  const { dir, path, open } = await given(t);
  const store = await open();
  await store.append(oneSpan(1), 1);
  await store.checkpoint();
  await store.append(oneSpan(2), 2);

  const crashed = await given(t);
  await cp(dir, crashed.dir, { recursive: true });
  await store.close();

  assert.ok(!existsSync(`${path}.wal`));
  const again = await crashed.open();
  assert.equal(await again.appliedPosition(), 1);
  assert.equal((await again.stats()).spanCount, 1);
  await again.close();
});

const DAMAGES: { what: string; damage: (path: string) => Promise<void> }[] = [
  { what: 'is no database', damage: (path) => writeFile(path, 'not a database '.repeat(1000)) },
  { what: 'is empty', damage: (path) => writeFile(path, '') },
  { what: 'was cut off', damage: async (path) => truncate(path, Math.floor((await stat(path)).size / 3)) },
  {
    what: 'has its first blocks overwritten',
    damage: async (path) => {
      const bytes = await readFile(path);
      bytes.fill(0x55, 4096, 300_000);
      await writeFile(path, bytes);
    },
  },
  {
    what: 'has tables of another version',
    damage: async (path) => {
      const instance = await DuckDBInstance.create(path);
      const connection = await instance.connect();
      await connection.run('UPDATE position SET schema_version = 999');
      // A connection that is left to the garbage collector may write its checkpoint at any later time.
      connection.closeSync();
      instance.closeSync();
    },
  },
];
for (const { what, damage } of DAMAGES) {
  test(`quarantines a file that ${what}, reports it, and continues above all allocated row ids`, async (t) => {
    const { dir, path, errors, open } = await given(t);
    const store = await open();
    await store.append(oneSpan(1), 7);
    await store.close();
    await damage(path);
    const damaged = await readFile(path);

    const again = await open();

    assert.equal(await again.appliedPosition(), 0);
    await again.append(oneSpan(1), 7);
    assert.ok((await findRowId(again, 'spans', { id: '1'.padStart(16, '0') }))! > 1_000_000);
    await again.close();
    const aside = (await readdir(dir)).filter((name) => /set-aside.*Z$/.test(name));
    assert.equal(aside.length, 1);
    assert.deepEqual(await readFile(join(dir, aside[0]!)), damaged);
    assert.match(errors[0]!.message, /quarantined/);
  });
}

test('continues from the backup if there is one', async (t) => {
  const { dir, path, errors, open } = await given(t);
  const store = await open();
  await store.append(oneSpan(1), 1);
  await store.backUp();
  await store.append(oneSpan(2), 2);
  await store.close();
  await writeFile(path, 'damaged');

  const again = await open();

  assert.equal(await again.appliedPosition(), 1);
  await again.append(oneSpan(2), 2);
  const { items } = await again.findSpans({ projectId: 1, limit: 10 });
  assert.deepEqual(
    items.map(({ rowId }) => rowId),
    [2, 1],
  );
  await again.close();
  assert.match(errors[0]!.message, /backup/);
  assert.deepEqual((await verifySpanStore(dir)).problems, []);
});

test('starts with an empty database if the backup is damaged as well', async (t) => {
  const { dir, path, errors, open } = await given(t);
  const store = await open();
  await store.append(oneSpan(1), 1);
  await store.backUp();
  await store.close();
  await writeFile(path, 'damaged');
  await writeFile(join(dir, 'spans.backup.duckdb'), 'damaged too');

  const again = await open();

  assert.equal(await again.appliedPosition(), 0);
  await again.close();
  assert.equal(errors.length, 2);
});

test('does not replace a file that another process has open, also after a backup', async (t) => {
  const { dir, open, errors } = await given(t);
  const store = await open();
  await store.append(oneSpan(1), 1);
  // Copying the file must not release its lock.
  await store.backUp();

  const other = `
    import { openSpanStore } from ${JSON.stringify(new URL('../../../src/span-store/open-span-store.js', import.meta.url).href)};
    import { silentLog } from ${JSON.stringify(new URL('../../../src/base/log.js', import.meta.url).href)};
    await openSpanStore({ dir: process.argv[1], log: silentLog, resolveProjects: async () => new Map() })
      .then(() => console.log('opened'), (error) => console.log(error.code));
    process.exit();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', other, dir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (data) => {
    output += data;
  });
  await once(child, 'close');

  assert.equal(output.trim(), 'STORE_UNAVAILABLE');
  assert.equal((await store.stats()).spanCount, 1);
  await store.close();
  assert.deepEqual(errors, []);
});
