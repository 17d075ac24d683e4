import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, openTestPostgres, query } from '../metadata-store/fixtures.ts';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from './server-process.ts';

describe('requests with idempotency keys to two servers on one Postgres', () => {
  const cleanUp = cleanUpAfter(after);
  const dataDirs: string[] = [];
  let databaseUrl: string;
  let one: ServerProcess;
  let two: ServerProcess;

  async function start(dataDir: string): Promise<ServerProcess> {
    const server = await startServer({ dataDir, env: { SERVICE_SQL_DATABASE_URL: databaseUrl } });
    cleanUp(() => server.kill9());
    return server;
  }

  before(async () => {
    databaseUrl = await (await openTestPostgres(cleanUp)).newDatabase();
    for (let n = 0; n < 2; n++) {
      const dataDir = await makeDataDir({ isEmpty: true });
      cleanUp(() => removeDataDir(dataDir));
      dataDirs.push(dataDir);
    }
    one = await start(dataDirs[0]!);
    // The database belongs to the installation, which both servers are then.
    await copyFile(join(dataDirs[0]!, 'installation-id'), join(dataDirs[1]!, 'installation-id'));
    two = await start(dataDirs[1]!);
  });

  async function append(server: ServerProcess, key: string, name: string) {
    const response = await fetch(`${server.url}/v1/datasets/upload?sync=true`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify({ action: 'append', name, inputs: [{ n: 1 }], outputs: [{}] }),
    });
    const { status, headers } = response;
    return { status, text: await response.text(), replayed: headers.get('idempotency-replayed') };
  }
  const versionsOf = async (name: string) =>
    Number(
      (
        await query<{ n: string }>(
          databaseUrl,
          `select count(*) as n from dataset_versions v join datasets d on d.id = v.dataset_id where d.name = '${name}'`,
        )
      )[0]!.n,
    );

  test('are executed by one of them', async () => {
    const first = await append(one, 'shared', 'shared');

    assert.deepEqual(await append(two, 'shared', 'shared'), { ...first, replayed: 'true' });
    assert.equal(await versionsOf('shared'), 1);
  });

  test('are executed once when they arrive at both at the same time', async () => {
    const replies = await Promise.all(Array.from({ length: 10 }, (_, n) => append(n % 2 ? one : two, 'race', 'race')));

    assert.equal(replies.filter(({ status, replayed }) => status === 200 && replayed === null).length, 1);
    assert.ok(replies.every(({ status }) => status === 200 || status === 409));
    assert.equal(await versionsOf('race'), 1);
  });

  test('get their first response after the server was killed and started again', async () => {
    const first = await append(one, 'killed', 'killed');
    await one.kill9();
    one = await start(dataDirs[0]!);

    assert.deepEqual(await append(one, 'killed', 'killed'), { ...first, replayed: 'true' });
    assert.equal(await versionsOf('killed'), 1);
  });

  test('store each run once when the server is killed while it stores them', async () => {
    const count = 400;
    const post = async (path: string, body: unknown, key: string) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': key };
      const response = await fetch(`${one.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      const text = await response.text();
      return { status: response.status, retryAfter: response.headers.get('retry-after'), text };
    };
    const inputs = Array.from({ length: count }, (_, n) => ({ n }));
    const upload = { name: 'runs', inputs, outputs: inputs };
    const dataset = JSON.parse((await post('/v1/datasets/upload?sync=true', upload, 'runs-1')).text).data.dataset_id;
    const examples = await (await fetch(`${one.url}/v1/datasets/${dataset}/examples`)).json();
    const created = await post(`/v1/datasets/${dataset}/experiments`, {}, 'runs-2');
    const experiment = JSON.parse(created.text).data.id;
    const time = '2026-11-23T10:00:00Z';
    const runs = (examples as { data: { examples: { id: string }[] } }).data.examples.map(({ id }) => ({
      dataset_example_id: id,
      repetition_number: 1,
      output: 'x'.repeat(50_000),
      start_time: time,
      end_time: time,
    }));
    const send = () => post(`/v1/experiments/${experiment}/runs`, runs, 'runs-3');
    const rowsOf = async (table: string, condition: string) =>
      Number((await query<{ n: string }>(databaseUrl, `select count(*) as n from ${table} where ${condition}`))[0]!.n);

    const lost = send().then(
      ({ status }) => status,
      () => 'lost',
    );
    while ((await rowsOf('experiment_runs', 'true')) === 0);
    await one.kill9();
    assert.equal(await lost, 'lost', 'the server was killed before it responded');
    assert.ok((await rowsOf('experiment_runs', 'true')) < count, 'and before it had stored all runs');
    one = await start(dataDirs[0]!);

    const early = await send();
    assert.deepEqual([early.status, early.retryAfter], [409, '1']);
    await query(databaseUrl, `update idempotency_keys set renewed_at = renewed_at - interval '30 s'`);
    const again = await send();
    const statuses = JSON.parse(again.text).data.map(({ status }: { status: number }) => status);
    assert.equal(statuses.length, count);
    assert.deepEqual([...new Set(statuses)].sort(), [200, 409], 'runs that were stored before are 409');
    assert.equal(await rowsOf('experiment_runs', 'error is null'), count);
    assert.equal((await send()).text, again.text);
  });
});
