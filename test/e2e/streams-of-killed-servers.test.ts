import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUpAfter } from '../metadata-store/fixtures.ts';
import { CHAT, chatInput } from '../api/graphql/subscriptions/scripted-chat.ts';
import { ACCEPT, readPayloads, TRANSPORTS, type Transport } from '../api/graphql/subscriptions/stream-readers.ts';
import { openVendorEndpoint } from '../vendor-endpoint/vendor-endpoint.ts';
import { type ServerProcess, startServer } from './server-process.ts';

test('streams of a server that is killed end for their readers, and leave nothing behind', async (t) => {
  const cleanUp = cleanUpAfter((work) => t.after(work));
  const dataDir = await mkdtemp(join(tmpdir(), 'spandrel-killed-'));
  cleanUp(() => rm(dataDir, { recursive: true, force: true, maxRetries: 20 }));
  const endpoint = await openVendorEndpoint({ after: cleanUp });
  let server = await startServer({ dataDir });
  cleanUp(() => server.kill9());
  const bodyOf = (prompt: string) =>
    JSON.stringify({
      query: CHAT,
      variables: {
        input: chatInput({
          template: { variables: { what: prompt }, format: 'MUSTACHE' },
          connectionConfig: { baseUrl: `${endpoint.url}/v1` },
          credentials: [{ envVarName: 'OPENAI_API_KEY', value: 'sk-test' }],
        }),
      },
    });

  const ends = await Promise.all(
    TRANSPORTS.map((transport) => openStream(server, transport, bodyOf('[[words 5000]] [[rate 50]]'))),
  );
  await server.kill9();
  // Each ends as incomplete: no reader takes it for a whole answer, and none waits.
  assert.deepEqual(await Promise.all(ends.map(({ ended }) => ended)), ['ECONNRESET', 'ECONNRESET']);
  await endpoint.idle();
  assert.deepEqual(
    endpoint.calls.map(({ state }) => state),
    ['aborted', 'aborted'],
  );

  server = await startServer({ dataDir, ports: server.ports });
  const { data } = await ask(
    server,
    '{ projects { edges { node { name spans(first: 10) { edges { node { statusCode } } } } } } }',
  );
  const playground = data.projects.edges.find(({ node }: { node: { name: string } }) => node.name === 'playground');
  // The calls had not ended, so no span tells of them, and the server does not make them again.
  assert.deepEqual(playground?.node.spans.edges ?? [], []);
  assert.equal(endpoint.calls.length, 2);
  const again = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: ACCEPT.multipart },
    body: bodyOf('[[say x]]'),
  });
  const payloads = await readPayloads(again);
  assert.equal(payloads.at(-1)?.data.chatCompletion.__typename, 'ChatCompletionSubscriptionResult');
  await server.stop();
});

/** A stream that has begun. `ended`: the code of the error with which it ended, or undefined for a whole body. */
async function openStream(server: ServerProcess, transport: Transport, body: string) {
  const sent = request(`${server.url}/graphql`, {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json', accept: ACCEPT[transport] },
  });
  sent.end(body);
  const [response] = await once(sent, 'response');
  let text = '';
  const begun = new Promise<void>((resolve) => {
    response.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('TextChunk')) resolve();
    });
  });
  const ended = new Promise<string | undefined>((resolve) => {
    response.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    response.on('end', () => resolve(undefined));
  });
  await begun;
  return { ended };
}

async function ask(server: ServerProcess, query: string) {
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: the query determines the shape
  return (await response.json()) as { readonly data: any };
}
