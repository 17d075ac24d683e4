import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { DATASET_ROW_CHARS_MAX, PARQUET_PAGE_BYTES_MAX } from '../../../src/model/limits/datasets.ts';
import type { OpenTable } from '../../../src/span-store/contract/span-files.ts';
import { TEST_FOLDER } from '../../fixtures/test-folder.ts';
import { storeForTest } from '../store-for-test.ts';

async function openTable(t: TestContext, query: string): Promise<OpenTable> {
  const dir = await mkdtemp(join(TEST_FOLDER, 'parquet-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  const path = join(dir, 'file.parquet');
  const instance = await DuckDBInstance.create(':memory:');
  await (await instance.connect()).run(`COPY (${query}) TO '${path}' (FORMAT parquet)`);
  instance.closeSync();
  const bytes = await readFile(path);
  const store = await storeForTest(t);
  const table = await store.openTable(
    (async function* () {
      yield bytes;
    })(),
  );
  t.after(() => table.close());
  return table;
}

test('a page of a table ends before its texts exceed the memory of a page, wherever they are', async (t) => {
  const text = "repeat('x', 1000000)";
  const columns = {
    plain: text,
    nested: `{'a': [{'b': ${text}}]}`,
    mapped: `MAP {'key': ${text}}`,
  };
  const fields = Object.entries(columns).map(([name, value]) => `${value} AS ${name}`);
  const table = await openTable(t, `SELECT ${fields.join(', ')}, range AS "a ""number""" FROM range(100)`);

  for (const name of Object.keys(columns)) {
    const { rows, bytes } = await table.read(0, 100, [name]);

    assert.ok(rows.length < 100 && bytes <= PARQUET_PAGE_BYTES_MAX + 2_000_000, `${name}: ${rows.length}, ${bytes}`);
    assert.ok(rows.every((row) => row && row.length > 1_000_000));
  }
  const numbers = await table.read(98, 100, ['a "number"']);
  assert.deepEqual(numbers.rows, ['{"a \\"number\\"":98}', '{"a \\"number\\"":99}']);
  const [nothing] = (await table.read(0, 1, [])).rows;
  assert.equal(nothing, '{}');
});

test('a row that is too long for an example does not hide the others of its page', async (t) => {
  const long = `CASE WHEN range = 1 THEN repeat('x', ${DATASET_ROW_CHARS_MAX + 1}) ELSE 'short' END`;
  const table = await openTable(t, `SELECT ${long} AS a FROM range(3)`);

  const { rows } = await table.read(0, 3, ['a']);

  assert.deepEqual(rows, ['{"a":"short"}', undefined, '{"a":"short"}']);
});
