import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { silentLog } from '../src/base/log.ts';
import { type Config, readConfig } from '../src/config/config.ts';
import { DATABASE_FILE } from '../src/span-store/duckdb/store-files.ts';
import { openSpanStore } from '../src/span-store/open-span-store.ts';
import { lockDataDirectory } from '../src/ingest/data-directory/data-directory-lock.ts';
import { Journal } from '../src/ingest/journal/journal.ts';
import { check } from '../src/check-data.ts';

describe('check', () => {
  let dir: string;
  let config: Config;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'spandrel-check-'));
    config = readConfig({ env: { SERVICE_WORKING_DIR: dir } }).config;
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const makeStore = async (position: number) => {
    const store = await openSpanStore({
      dir: config.paths.spanStoreDir,
      resolveProjects: async () => new Map(),
      log: silentLog,
    });
    await store.advance(position);
    await store.checkpoint();
    await store.close();
  };
  /** Returns the end position of its only record. */
  const makeJournal = async (startPosition = 0): Promise<number> => {
    const journal = await Journal.open({
      dir: config.paths.journalDir,
      startPosition,
      log: silentLog,
      onFatal: assert.fail,
      segmentBytes: 1024 * 1024,
    });
    const head = { kind: 'spans', receivedAtMs: 0, spanCount: 0 } as const;
    const position = await journal.append(head, Buffer.from('{}'));
    await journal.close();
    return position;
  };

  test('finds no problem in a directory that no server has used yet', async () => {
    assert.deepEqual((await check(config)).problems, []);
  });

  test('finds no problem when the store is at a position of its journal', async () => {
    await makeStore(await makeJournal());

    const { facts, problems } = await check(config);

    assert.deepEqual(problems, []);
    assert.match(facts.join('\n'), /1 records .* in 1 segments\n.*0 spans/);
  });

  test('finds a journal that ends before the store, or is missing', async () => {
    await makeStore((await makeJournal()) + 1_000);
    assert.match((await check(config)).problems.join(), /ends at position .*, before the span store's/);

    rmSync(config.paths.journalDir, { recursive: true });
    assert.match((await check(config)).problems.join(), /ends at position 0, before the span store's/);
  });

  test('finds a journal that starts after the store', async () => {
    await makeStore(8);
    await makeJournal(1_048_576);

    assert.match((await check(config)).problems.join(), /starts at position .*, after the span store's 8/);
  });

  test('finds a file that is not a database', async () => {
    mkdirSync(config.paths.spanStoreDir);
    writeFileSync(join(config.paths.spanStoreDir, DATABASE_FILE), 'not a database');

    const { problems } = await check(config);

    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^Span store: /);
  });

  test('rejects a directory that a server uses, and a missing directory', async () => {
    const lock = await lockDataDirectory(dir);
    await assert.rejects(check(config), /Another server/);
    await lock.release();

    rmSync(dir, { recursive: true });
    await assert.rejects(check(config), /directory does not exist/);
  });
});
