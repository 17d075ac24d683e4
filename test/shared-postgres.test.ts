import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cleanUpAfter, openTestPostgres, query } from './metadata-store/fixtures.ts';

const tableCount = async (url: string): Promise<number> => {
  const rows = await query<{ name: string }>(
    url,
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  return rows.length;
};

test('databases that are created at the same time are separate, and have the requested content', async (t) => {
  const postgres = await openTestPostgres(cleanUpAfter((work) => t.after(work)));

  const [empty, first, second] = await Promise.all([
    postgres.newDatabase('empty'),
    postgres.newDatabase(),
    postgres.newDatabase(),
  ]);
  await query(first!, `insert into projects (name) values ('mine')`);

  assert.equal(await tableCount(empty!), 0);
  assert.ok((await tableCount(first!)) > 20);
  assert.deepEqual(await query(second!, 'select name from projects'), [{ name: 'default' }]);
});

test('a database is dropped with the test that created it', async (t) => {
  const postgres = await openTestPostgres(cleanUpAfter((work) => t.after(work)));
  let url = '';
  await t.test('inside', async (inner) => {
    const own = await openTestPostgres(cleanUpAfter((work) => inner.after(work)));
    url = await own.newDatabase();
    await query(url, 'select 1');
  });

  await assert.rejects(query(url, 'select 1'));
  await query(await postgres.newDatabase(), 'select 1');
});
