import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { cleanUpAfter, temporaryDirectory } from '../metadata-store/fixtures.ts';
import { startServer } from './server-process.ts';

const MAIN = fileURLToPath(new URL('../../server/main.js', import.meta.url));
const LIST = `{ secrets(first: 100) { edges { node { key value { __typename
  ... on DecryptedSecret { value } ... on UnparsableSecret { parseError } } } } } }`;
const CHANGE = `mutation ($input: UpsertOrDeleteSecretsMutationInput!) {
  upsertOrDeleteSecrets(input: $input) { upsertedSecrets { key value { ... on DecryptedSecret { value } } } } }`;

const newSecret = () => `s3cret${randomBytes(24).toString('hex')}`;

test('secrets survive a new SERVICE_SECRET, are sealed again while the server runs, and are in no output or file', async (t) => {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const dataDir = await temporaryDirectory(cleanUp);
  const [oldSecret, newOne, overRest, overGraphql] = [newSecret(), newSecret(), newSecret(), newSecret()];
  const texts: string[] = [];
  const start = async (env: Readonly<Record<string, string>>) => {
    const server = await startServer({
      dataDir,
      env: { SERVICE_LOG_SQL: 'true', SERVICE_LOGGING_LEVEL: 'debug', ...env },
    });
    cleanUp(() => server.kill9());
    const send = async (method: string, path: string, body: unknown) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(server.url + path, { method, headers, body: JSON.stringify(body) });
      const text = await response.text();
      texts.push(text);
      return JSON.parse(text);
    };
    const list = async (): Promise<{ key: string; value: { __typename: string } }[]> =>
      (await send('POST', '/graphql', { query: LIST })).data.secrets.edges.map((edge: { node: unknown }) => edge.node);
    const kinds = async () => (await list()).map(({ value }) => value.__typename);
    const stop = async () => {
      await server.stop();
      texts.push(server.output());
      return server.output();
    };
    return { send, kinds, stop };
  };
  const rotate = async (env: Readonly<Record<string, string>>) => {
    const inherited = Object.entries(process.env).filter(([name]) => !/^(SERVICE|PHOENIX|NODE_TEST)_/.test(name));
    const result = await promisify(execFile)(process.execPath, [MAIN, 'secrets', 'rotate'], {
      env: {
        ...Object.fromEntries(inherited),
        SERVICE_WORKING_DIR: dataDir,
        SERVICE_LOGGING_MODE: 'structured',
        ...env,
      },
    }).then(
      ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
      (error) => error as { code: number; stdout: string; stderr: string },
    );
    texts.push(result.stdout, result.stderr);
    return result;
  };

  const first = await start({ SERVICE_SECRET: oldSecret });
  const put = (value: unknown) => ({ secrets: [{ key: 'REST_KEY', value }] });
  await first.send('PUT', '/v1/secrets', put(overRest));
  const rejected = await first.send('PUT', '/v1/secrets', put([overRest]));
  assert.ok(rejected.detail[0].msg);
  const variables = { input: { secrets: [{ key: 'GRAPHQL_KEY', value: overGraphql, hosts: ['api.example'] }] } };
  await first.send('POST', '/graphql', { query: CHANGE, variables });
  const wrong = { input: { secrets: [{ key: 'GRAPHQL_KEY', value: { overGraphql } }] } };
  assert.ok((await first.send('POST', '/graphql', { query: CHANGE, variables: wrong })).errors);
  assert.deepEqual(await first.kinds(), ['DecryptedSecret', 'DecryptedSecret']);
  await first.stop();

  const lost = await start({ SERVICE_SECRET: newOne });
  assert.deepEqual(await lost.kinds(), ['UnparsableSecret', 'UnparsableSecret']);
  const failed = await rotate({ SERVICE_SECRET: newOne });
  assert.equal(failed.code, 1);
  assert.match(failed.stderr, /Cannot decrypt: secret GRAPHQL_KEY \(key [0-9a-f]{8}\)/);
  assert.match(failed.stderr, /2 credentials cannot be decrypted\. Add their secret to SERVICE_FORMER_SECRETS/);
  assert.match(
    await lost.stop(),
    /key [0-9a-f]{8} cannot decrypt 2 of 2 stored credentials \(secret GRAPHQL_KEY, secret REST_KEY\), encrypted with key [0-9a-f]{8}\. Add the previous value of SERVICE_SECRET to SERVICE_FORMER_SECRETS/,
  );

  const both = { SERVICE_SECRET: newOne, SERVICE_FORMER_SECRETS: oldSecret };
  const second = await start(both);
  assert.deepEqual(await second.kinds(), ['DecryptedSecret', 'DecryptedSecret']);
  const rotated = await rotate(both);
  assert.equal(rotated.code, 0, rotated.stderr);
  assert.match(rotated.stdout, /2 credentials encrypted again, 0 had the current key already/);
  assert.deepEqual(await second.kinds(), ['DecryptedSecret', 'DecryptedSecret']);
  await second.stop();
  assert.match((await rotate(both)).stdout, /0 credentials encrypted again, 2 had the current key already/);

  const third = await start({ SERVICE_SECRET: newOne });
  assert.deepEqual(await third.kinds(), ['DecryptedSecret', 'DecryptedSecret']);
  assert.doesNotMatch(await third.stop(), /cannot decrypt/);
  const shown = await promisify(execFile)(process.execPath, [MAIN, 'serve', '--print-config'], {
    env: { PATH: process.env.PATH, SERVICE_WORKING_DIR: dataDir, ...both },
  });
  texts.push(shown.stdout, shown.stderr);
  assert.match(shown.stdout, /FORMER_SECRETS +\*\*\*/);

  for (const secret of [oldSecret, newOne, overRest, overGraphql]) {
    for (const text of texts) assert.ok(!text.includes(secret), `in ${text.slice(0, 200)}`);
    for (const path of filesIn(dataDir)) assert.ok(!readFileSync(path).includes(secret), path);
  }
});

const filesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
