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
});
