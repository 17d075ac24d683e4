import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { silentLog } from '../../src/base/log.ts';
import { DATABASE_FILE } from '../../src/span-store/duckdb/store-files.ts';
import { openSpanStore } from '../../src/span-store/open-span-store.ts';
import { verifySpanStore } from '../../src/span-store/verify-span-store.ts';
import { spanColumns } from '../fixtures/span-columns.ts';

const trace = (digit: string) => digit.repeat(32);
const span = (digit: string) => digit.repeat(16);

describe('verifySpanStore', () => {
  let dir: string;
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'verify-span-store-'));
    const store = await openSpanStore({
      dir,
      resolveProjects: async (names) => new Map(names.map((name) => [name, 1])),
      log: silentLog,
    });
    const batch = [
      { traceId: trace('a'), spanId: span('1'), sessionId: 'chat', input: 'one'.repeat(2_000) },
      { traceId: trace('a'), spanId: span('2'), parentSpanId: span('1') },
      { traceId: trace('b'), spanId: span('3'), sessionId: 'chat' },
    ];
    await store.append(spanColumns(batch), 7);
    await store.close();
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const change = async (sql: string) => {
    const instance = await DuckDBInstance.create(join(dir, DATABASE_FILE));
    const connection = await instance.connect();
    await connection.run(sql);
    await connection.run('CHECKPOINT');
    instance.closeSync();
  };

  test('counts the rows, and finds no problem in a database that the store wrote', async () => {
    assert.deepEqual(await verifySpanStore(dir), {
      spanCount: 3,
      traceCount: 2,
      sessionCount: 1,
      position: 7,
      newestSpanRowId: 3,
      metadata: { projectIds: [1], modelIds: [] },
      problems: [],
    });
  });

  const DAMAGES = [
    {
      what: 'a span without its trace',
      sql: 'DELETE FROM traces WHERE span_count = 1',
      problem: /^1 spans belong to no/,
    },
    {
      what: 'a lost span',
      sql: 'DELETE FROM spans WHERE row_id = 1',
      problem: /^1 traces differ from the rollup of their spans/,
    },
    { what: 'a lost session', sql: 'DELETE FROM sessions', problem: /^2 traces belong to a session that is missing/ },
    {
      what: 'a wrong rollup',
      sql: 'UPDATE sessions SET trace_count = 9',
      problem: /^1 sessions differ from the rollup/,
    },
    {
      what: 'wrong tokens of a trace',
      sql: 'UPDATE traces SET tokens_prompt = 1 WHERE row_id = 1',
      problem: /^1 traces differ from the rollup of their spans/,
    },
    {
      what: 'a wrong preview of a session',
      sql: "UPDATE sessions SET first_input = 'two'",
      problem: /^1 sessions differ from the rollup/,
    },
    {
      what: 'a lost chunk of a long text',
      sql: 'DELETE FROM long_texts WHERE part = 1',
      problem: /^1 long texts of spans are incomplete/,
    },
    {
      what: 'a span stored twice',
      sql: 'INSERT INTO spans FROM spans WHERE row_id = 1',
      problem: /1 spans are stored twice/,
    },
    {
      what: 'a row id that would be allocated again',
      sql: 'UPDATE position SET next_span_row_id = 2',
      problem: /would be allocated again/,
    },
  ];
  for (const { what, sql, problem } of DAMAGES) {
    test(`finds ${what}`, async () => {
      await change(sql);

      assert.match((await verifySpanStore(dir)).problems.join('\n'), problem);
    });
  }

  test('detects a block that was changed on disk', async () => {
    const path = join(dir, DATABASE_FILE);
    const bytes = readFileSync(path);
    // After the file's three headers, one byte in each of DuckDB's blocks.
    for (let offset = 3 * 4096 + 1_000; offset < bytes.length; offset += 65_536)
      bytes.writeUInt8(bytes[offset]! ^ 0xff, offset);
    writeFileSync(path, bytes);

    await assert.rejects(verifySpanStore(dir));
  });

  test('rejects a directory without a database', async () => {
    await assert.rejects(verifySpanStore(join(dir, 'nowhere')), /There is no/);
  });
});
