import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter } from '../../../metadata-store/fixtures.ts';
import { openVendorEndpoint, type VendorEndpoint } from '../../../vendor-endpoint/vendor-endpoint.ts';
import { ADMIN_SECRET, openSignedInServer, type SignedInServer } from '../../access/signed-in-server.ts';
import { CHAT, chatInput } from './scripted-chat.ts';
import { ACCEPT, readStream, TRANSPORTS, type Transport } from './stream-readers.ts';

describe('the access to subscriptions', () => {
  const cleanUp = cleanUpAfter(after);
  let endpoint: VendorEndpoint;
  let server: SignedInServer;

  before(async () => {
    endpoint = await openVendorEndpoint({ after: cleanUp });
    server = await openSignedInServer({ after: cleanUp });
  });

  const subscribe = (bearer: string | undefined, transport: Transport = 'multipart', prompt = '[[say x]]') =>
    fetch(`${server.address}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: ACCEPT[transport],
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
      },
      body: JSON.stringify({
        query: CHAT,
        variables: {
          input: chatInput({
            template: { variables: { what: prompt }, format: 'MUSTACHE' },
            connectionConfig: { baseUrl: `${endpoint.url}/v1` },
          }),
        },
      }),
    });

  test('is for members, and not for viewers', async () => {
    const viewer = await server.newUser('sees', 'VIEWER');
    const member = await server.newUser('runs', 'MEMBER');
    endpoint.clear();

    assert.equal((await subscribe(undefined)).status, 401);
    assert.match(await (await subscribe(viewer.access)).text(), /Viewers cannot perform this action/);
    assert.match(await (await subscribe(viewer.access, 'sse')).text(), /Viewers cannot perform this action/);
    assert.equal(endpoint.calls.length, 0);
    assert.match(await (await subscribe(member.access)).text(), /ChatCompletionSubscriptionResult/);
    assert.match(await (await subscribe(ADMIN_SECRET)).text(), /ChatCompletionSubscriptionResult/);
  });

  for (const transport of TRANSPORTS) {
    test(`ends a stream and its call with the credential (${transport})`, async () => {
      const { access } = await server.newUser(`leaves-${transport}`, 'MEMBER');
      endpoint.clear();
      const reading = readStream(await subscribe(access, transport, '[[words 2000]] [[rate 20]]'));
      for await (const found of { [Symbol.asyncIterator]: () => ({ next: () => reading.next() }) }) {
        if (found !== 'heartbeat') break;
      }

      await fetch(`${server.address}/auth/logout`, {
        redirect: 'manual',
        headers: { cookie: `phoenix-access-token=${access}` },
      });
      const rest: unknown[] = [];
      for await (const found of reading) rest.push(found);
      await endpoint.idle();

      assert.equal(rest.at(-1), 'end');
      assert.match(JSON.stringify(rest.at(-2)), /"Invalid token".*"UNAUTHENTICATED"/);
      assert.equal(endpoint.calls.at(-1)?.state, 'aborted');
    });
  }
});
