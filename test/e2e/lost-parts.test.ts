import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUpAfter, openTestPostgres, temporaryDirectory } from '../metadata-store/fixtures.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { openHttpSender } from './otlp-sender.ts';
import { openai, secretOf } from './provider-configs.ts';
import { spansOnceThere } from './rest.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const CREATE = `mutation ($input: CreateGenerativeModelCustomProviderMutationInput!) {
  createGenerativeModelCustomProvider(input: $input) { provider { id } } }`;
const LOST_KEY =
  /The encryption key is lost or has changed: key [0-9a-f]{8} cannot decrypt 1 of 1 stored credentials \(custom provider own\), encrypted with key [0-9a-f]{8}\. /;
const LOST_JOURNAL = /The journal is missing\. Acknowledged data .* is lost, unless you stop the server now/;

async function createProvider({ url }: ServerProcess): Promise<void> {
  const input = { name: 'own', provider: 'p', clientConfig: openai(secretOf('own')) };
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: CREATE, variables: { input } }),
  });
  assert.equal(((await response.json()) as { errors?: unknown }).errors, undefined);
}

async function sendSpan(server: ServerProcess, serial: number): Promise<void> {
  const sender = openHttpSender(server.url);
  const span = {
    traceId: serial.toString(16).padStart(32, '0'),
    spanId: serial.toString(16).padStart(16, '0'),
    name: 'answer',
    startTimeUnixNano: 1_770_000_000_000_000_000n,
    endTimeUnixNano: 1_770_000_001_000_000_000n,
  };
  assert.ok((await sender.send(encodeTraceRequest({ project: 'p', spans: [span] }))).isAcknowledged);
  sender.close();
  await spansOnceThere(server.url, 'p', serial);
}

test('a start logs when the key or the journal is lost, and what to do; no other start does', async (t) => {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const url = await (await openTestPostgres(cleanUp)).newDatabase();
  const dataDir = await temporaryDirectory(cleanUp);
  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const server = await startServer({ dataDir, env: { SERVICE_SQL_DATABASE_URL: url, ...env } });
    cleanUp(() => server.kill9());
    return server;
  };
  const whole = await start();
  await createProvider(whole);
  await sendSpan(whole, 1);
  await whole.stop();
  const again = await start();
  await again.stop();
  for (const server of [whole, again]) assert.doesNotMatch(server.output(), /is lost|is missing/);

  await rm(join(dataDir, 'encryption-key'));
  await rm(join(dataDir, 'journal'), { recursive: true });
  const without = await start();

  assert.match(without.output(), LOST_KEY);
  assert.match(without.output(), /restore the file encryption-key from a backup/);
  assert.match(without.output(), LOST_JOURNAL);
  await sendSpan(without, 2);
  await without.stop();
  const later = await start({ SERVICE_SECRET: `1${'a'.repeat(40)}` });
  assert.match(later.output(), LOST_KEY);
  assert.match(later.output(), /Add the previous value of SERVICE_SECRET to SERVICE_FORMER_SECRETS/);
  assert.doesNotMatch(later.output(), /journal is missing/);
});
