import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { queryRows } from '../../../src/span-store/duckdb/sql.ts';
import { SeededRandom } from '../../fixtures/seeded-random.ts';

const SEED = Number(process.env.SEED ?? Date.now() % 1e6);

async function connect(t: TestContext): Promise<DuckDBConnection> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  t.after(() => connection.closeSync());
  return connection;
}

/** Around the twelve bytes that are not elsewhere, ASCII and not, with what decoders take away, and nothing at all. */
const TEXTS = [
  null,
  '',
  'a',
  'twelve bytes',
  'thirteen byte',
  'é',
  'ééééééé',
  '🏔🏔🏔',
  '🏔🏔🏔🏔',
  '\ufeffafter a mark',
  '\ufeff',
  'nul\0',
];

test(`texts are read as they were written, in runs and alone (seed ${SEED})`, async (t) => {
  const random = new SeededRandom(SEED);
  const connection = await connect(t);
  await connection.run('CREATE TABLE texts (row INTEGER, text VARCHAR)');
  const texts = Array.from({ length: 5_000 }, () =>
    random.chance(0.6)
      ? random.pick(TEXTS)
      : 'a longer text ü '.slice(0, 14 + random.below(3)).repeat(random.below(40)),
  );
  const appender = await connection.createAppender('texts');
  for (const [row, text] of texts.entries()) {
    appender.appendInteger(row);
    if (text === null) appender.appendNull();
    else appender.appendVarchar(text);
    appender.endRow();
  }
  appender.closeSync();

  const rows = await queryRows(connection, 'SELECT text FROM texts ORDER BY row');
  const few = await queryRows(connection, 'SELECT row, text FROM texts WHERE row % 7 = 3 ORDER BY row');

  assert.deepEqual(rows.flat(), texts);
  assert.deepEqual(
    few.map(([row, text]) => [row, text]),
    texts.flatMap((text, row) => (row % 7 === 3 ? [[row, text]] : [])),
  );
});

test('values of every type equal those of the client', async (t) => {
  const connection = await connect(t);
  const sql = `SELECT CASE WHEN i % 3 > 0 THEN i::BIGINT - 4 END, CASE WHEN i % 5 > 0 THEN 18446744073709551615::UBIGINT - i::UBIGINT END,
    (i - 4)::INTEGER, i::UTINYINT, i / 7, i % 2 = 0, [i], 'text'::BLOB, {'a': i}, i::HUGEINT, NULL::BIGINT
    FROM range(200) t(i)`;
  const result = await connection.run(sql);

  assert.deepEqual(await queryRows(connection, sql), await result.getRows());
  assert.deepEqual(await queryRows(connection, 'SELECT 1::BIGINT WHERE false'), []);
});
