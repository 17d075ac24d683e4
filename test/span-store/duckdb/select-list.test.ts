import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { bigint64, doubleOrNull, int64, text, textOrNull } from '../../../src/span-store/duckdb/define-table.ts';
import { boolean, bytes, numbers, select } from '../../../src/span-store/duckdb/select-list.ts';
import { Parameters, statementsOf } from '../../../src/span-store/duckdb/sql.ts';

async function openStatements(t: TestContext) {
  const instance = await DuckDBInstance.create(':memory:');
  t.after(() => instance.closeSync());
  return statementsOf(await instance.connect());
}

test('selects expressions in the order of a list, and rows have them by name', async (t) => {
  const statements = await openStatements(t);
  const parameters = new Parameters();
  const list = {
    name: text('name'),
    count: int64('count(*)'),
    total: int64('sum(amount)'),
    greatest: bigint64('max(amount)'),
    mean: doubleOrNull('avg(amount)'),
    isLarge: boolean(`count(*) > ${parameters.bigint(1)}`),
    amounts: numbers('list(amount) FILTER (amount IS NOT NULL)'),
    label: textOrNull('min(label)'),
    bits: bytes(`'\\x01\\xFF'::BLOB`),
  };

  const rows = await select(
    statements,
    list,
    `FROM (VALUES ('a', 9007199254740993, NULL), ('a', NULL, 'x'), ('b', 5, NULL)) AS t(name, amount, label)
     GROUP BY name ORDER BY name`,
    parameters,
  );

  const bits = Uint8Array.of(1, 255);
  assert.deepEqual(
    rows.map((row) => ({ ...row, bits: Uint8Array.from(row.bits) })),
    [
      {
        ...{ name: 'a', count: 2, total: 2 ** 53, greatest: 2n ** 53n + 1n, mean: 2 ** 53, isLarge: true },
        ...{ amounts: [2 ** 53], label: 'x', bits },
      },
      {
        ...{ name: 'b', count: 1, total: 5, greatest: 5n, mean: 5, isLarge: false },
        ...{ amounts: [5], label: null, bits },
      },
    ],
  );
});

test('rejects a value of another type than its list has, naming both', async (t) => {
  const statements = await openStatements(t);

  for (const [list, message] of [
    [{ start: bigint64('NULL::BIGINT') }, /NULL instead of an int64/],
    [{ name: text('1') }, /a number instead of a text/],
    [{ name: textOrNull('1::BIGINT') }, /a bigint instead of a text/],
    [{ isLarge: boolean("'true'") }, /a string instead of a boolean/],
    [{ items: numbers('NULL::DOUBLE[]') }, /NULL instead of a list/],
    [{ bits: bytes("'x'") }, /a string instead of a blob/],
  ] as const) {
    await assert.rejects(select(statements, list, ''), { name: 'TypeError', message });
  }
});
