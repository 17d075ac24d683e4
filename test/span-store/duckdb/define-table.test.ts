import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { ChunkWriter } from '../../../src/span-store/duckdb/chunk-writer.ts';
import {
  appendRows,
  bigint64,
  bigint64OrNull,
  defineTable,
  doubleOrNull,
  indexIn,
  int32,
  int64,
  int64OrNull,
  type RowOf,
  selectRows,
  text,
  textOrNull,
  ubigint64,
  updateSql,
} from '../../../src/span-store/duckdb/define-table.ts';
import { Parameters, statementsOf } from '../../../src/span-store/duckdb/sql.ts';

const KINDS = ['first', 'second'] as const;
const THINGS = defineTable('things', {
  rowId: int64('row_id'),
  parentRowId: int64OrNull('parent_row_id'),
  start: bigint64('start_ns'),
  end: bigint64OrNull('end_ns'),
  id: ubigint64('thing_id'),
  projectId: int32('project_id'),
  kind: indexIn('kind', KINDS),
  score: doubleOrNull('score'),
  name: text('name', { compression: 'uncompressed' }),
  label: textOrNull('label'),
});
type Thing = RowOf<typeof THINGS>;

const thing = (rowId: number, changes: Partial<Thing> = {}): Thing => ({
  rowId,
  parentRowId: null,
  start: -(2n ** 63n),
  end: null,
  id: 2n ** 64n - 1n,
  projectId: -1,
  kind: 'second',
  score: null,
  name: '',
  label: null,
  ...changes,
});

async function openThings() {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run("ATTACH ':memory:' AS store");
  const columns = THINGS.columns.map(({ name, type }) => `${name} ${type}`).join(', ');
  await connection.run(`CREATE TABLE store.things (${columns})`);
  await connection.run(`CREATE TEMP TABLE thing_changes (${columns})`);
  return { instance, connection, statements: statementsOf(connection) };
}

test('selects the rows that were appended, with extreme and missing values', async () => {
  const { instance, connection, statements } = await openThings();
  const rows = [
    thing(1),
    thing(2, { parentRowId: 2 ** 53 - 1, start: 2n ** 63n - 1n, end: 0n, score: -0.5, name: 'Zürich', label: '' }),
    thing(3, { parentRowId: -5, end: -1n, id: 0n, kind: 'first', score: 0, label: 'long '.repeat(20) }),
    // More rows than one vector has.
    ...Array.from({ length: 3_000 }, (_, index) => thing(4 + index, { name: `name ${index}` })),
  ];

  await appendRows(new ChunkWriter(connection, 'store', THINGS.name, THINGS.columns), THINGS, rows);

  assert.deepEqual(await selectRows(statements, THINGS, 'true', new Parameters(), 'ORDER BY row_id'), rows);
  const parameters = new Parameters();
  assert.deepEqual(await selectRows(statements, THINGS, `name = ${parameters.text('Zürich')}`, parameters), [rows[1]]);
  instance.closeSync();
});

test('updates all fields but the fixed ones, in the range of row ids', async () => {
  const { instance, connection, statements } = await openThings();
  const stored = [thing(1), thing(2), thing(3)];
  await appendRows(new ChunkWriter(connection, 'store', THINGS.name, THINGS.columns), THINGS, stored);
  const changes = [1, 2].map((rowId) => thing(rowId, { name: 'new', projectId: 7, kind: 'first', score: 1 }));
  await appendRows(new ChunkWriter(connection, 'temp', 'thing_changes', THINGS.columns), THINGS, changes);
  const parameters = new Parameters();
  parameters.bigint(2);
  parameters.bigint(3);

  await statements.run(updateSql(THINGS, 'thing_changes', ['rowId', 'projectId']), parameters);

  assert.deepEqual(await selectRows(statements, THINGS, 'true', new Parameters(), 'ORDER BY row_id'), [
    stored[0],
    thing(2, { name: 'new', kind: 'first', score: 1 }),
    stored[2],
  ]);
  instance.closeSync();
});
