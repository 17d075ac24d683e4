import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { Client, type OAuthClientProvider, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { cleanUpAfter } from '../metadata-store/fixtures.ts';
import { call, connectHttp, read } from '../clients/mcp-calls.ts';
import { approve, giveAccess, REDIRECT } from './access/application.ts';
import { createEveryCredential } from './access/every-credential.ts';
import { openSignedInServer, type SignedInServer } from './access/signed-in-server.ts';
import { openTestServer } from './test-server.ts';

const REQUEST = {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
};

describe('/mcp behind the sign-in', () => {
  const cleanUp = cleanUpAfter(after);
  let server: SignedInServer;
  let tokens: ReadonlyMap<string, string | undefined>;

  before(async () => {
    const settings = { DISABLE_RATE_LIMIT: 'true', MCP_ALLOW_WRITES: 'true' };
    server = await openSignedInServer({ after: cleanUp }, { settings });
    tokens = await createEveryCredential(server);
  });

  const connect = async (token: string | undefined): Promise<Client> => {
    const client = await connectHttp(server.address, { authorization: `Bearer ${token}` });
    cleanUp(() => client.close());
    return client;
  };
  const post = (token: string | undefined) =>
    fetch(`${server.address}/mcp`, {
      ...REQUEST,
      headers: { ...REQUEST.headers, ...(token && { authorization: `Bearer ${token}` }) },
    });

  test('rejects a request without a credential, and names where applications get access', async () => {
    const response = await post(undefined);
    assert.equal(response.status, 401);
    const challenge = response.headers.get('www-authenticate') ?? '';
    const [, document] = /^Bearer .*resource_metadata="([^"]+)"$/.exec(challenge) ?? [];
    assert.equal(document, `${server.address}/.well-known/oauth-protected-resource/mcp`);
    const { resource } = (await (await fetch(document)).json()) as { resource: string };
    assert.equal(resource, `${server.address}/mcp`);
  });

  test('takes tokens for itself and no others of applications; its own are rejected by REST and GraphQL', async () => {
    const elsewhere = 'Token is not valid for this resource';
    const app = await post(tokens.get('app'));
    assert.deepEqual([app.status, await app.text()], [401, elsewhere]);
    assert.equal((await post(tokens.get('mcpApp'))).status, 200);
    const client = server.as({ bearer: tokens.get('mcpApp') ?? '' });
    for (const { status, text } of [
      await client.call('GET', '/v1/projects'),
      await client.call('POST', '/graphql', { query: '{ projectCount }' }),
    ]) {
      assert.deepEqual([status, text], [401, elsewhere]);
    }
  });

  test('lets the official client sign a user in: it registers, sends the browser, and calls tools', async () => {
    const user = await server.newUser('signing-in', 'MEMBER');
    const browser = new BrowserOfUser();
    const url = new URL('/mcp', server.address);
    const open = () => new StreamableHTTPClientTransport(url, { authProvider: browser });
    const first = open();
    await assert.rejects(new Client({ name: 'assistant', version: '1.0.0' }).connect(first), /Unauthorized/);
    assert.ok(browser.sentTo);
    assert.equal(browser.sentTo.searchParams.get('resource'), url.href);
    const back = await approve(server, user, browser.sentTo);
    await first.finishAuth(back.searchParams);

    const client = new Client({ name: 'assistant', version: '1.0.0' });
    await client.connect(open());
    cleanUp(() => client.close());
    assert.equal((await read(client, 'list-projects')).data.projects[0].name, 'default');
    const rest = await server.as({ bearer: browser.token ?? '' }).call('GET', '/v1/projects');
    assert.equal(rest.status, 401);
  });

  test('lets the tools call REST and GraphQL for the caller of such a token', async () => {
    const client = await connect(tokens.get('mcpApp'));
    const { data } = await read(client, 'list-projects');
    assert.deepEqual(
      data.projects.map(({ name }: { name: string }) => name),
      ['default'],
    );
    const facets = await read(client, 'get-facets', { project_identifier: 'default' });
    assert.equal(facets.data.rowCount, 0);
  });

  test('lists tools that write for callers who may write', async () => {
    const writes = async (name: string) => {
      const { tools } = await (await connect(tokens.get(name))).listTools();
      return tools.some((tool) => tool.name === 'upsert-prompt');
    };
    assert.equal(await writes('member'), true);
    assert.equal(await writes('mcpApp'), true);
    assert.equal(await writes('viewer'), false);
    assert.equal(await writes('readKey'), false);
  });

  test('runs no tool that writes for a viewer who names it', async () => {
    const viewer = await connect(tokens.get('viewer'));
    const input = { name: 'mine', template: 'Hello' };
    await assert.rejects(call(viewer, 'upsert-prompt', input), /upsert-prompt not found/);
    assert.deepEqual((await read(viewer, 'list-prompts')).data.prompts, []);
  });

  test('rejects keys that may not read', async () => {
    for (const name of ['sendKey', 'scimKey']) assert.equal((await post(tokens.get(name))).status, 403);
  });

  test('shows no project of others', async () => {
    const owner = await server.newUser('owner', 'MEMBER');
    const stranger = await server.newUser('stranger', 'MEMBER');
    const created = await server
      .as({ bearer: owner.access })
      .call('POST', '/v1/projects', { name: 'secret', is_private: true });
    assert.equal(created.status, 200, created.text);
    const traceId = 'd'.repeat(32);
    await server.append({ traceId, spanId: 'd'.repeat(16), project: 'secret', input: 'hidden' });

    const { access_token: token } = await giveAccess(server, stranger, { resource: `${server.address}/mcp` });
    const client = await connect(token);
    const projects = (await read(client, 'list-projects')).data.projects as { name: string }[];
    assert.ok(!projects.some(({ name }) => name === 'secret'));
    for (const [name, input] of [
      ['get-project', { project_identifier: 'secret' }],
      ['list-traces', { project_identifier: 'secret' }],
      ['get-trace', { trace_id: traceId }],
      ['get-span-body', { span_id: 'd'.repeat(16) }],
      ['search-spans', { project_identifier: 'secret' }],
    ] as const) {
      const { isError, text } = await call(client, name, input);
      assert.ok(isError, text);
      assert.doesNotMatch(text, /hidden/);
    }
    const own = await connect(owner.access);
    assert.equal((await read(own, 'get-trace', { trace_id: traceId })).data.trace.numSpans, 1);
  });
});

test('a server with ENABLE_MCP_SERVER=false has no /mcp', async (t) => {
  const server = await openTestServer(t, { settings: { ENABLE_MCP_SERVER: 'false' } });
  assert.equal((await fetch(`${server.address}/mcp`, REQUEST)).status, 404);
});

/** What an assistant keeps while its user signs in. */
class BrowserOfUser implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT;
  readonly clientMetadata = { client_name: 'Assistant', redirect_uris: [REDIRECT] };
  sentTo: URL | undefined;
  #client: Parameters<NonNullable<OAuthClientProvider['saveClientInformation']>>[0] | undefined;
  #tokens: Parameters<OAuthClientProvider['saveTokens']>[0] | undefined;
  #verifier = '';

  get token(): string | undefined {
    return this.#tokens?.access_token;
  }
  state = () => randomBytes(24).toString('base64url');
  clientInformation = () => this.#client;
  saveClientInformation: NonNullable<OAuthClientProvider['saveClientInformation']> = (client) => {
    this.#client = client;
  };
  tokens = () => this.#tokens;
  saveTokens: OAuthClientProvider['saveTokens'] = (tokens) => {
    this.#tokens = tokens;
  };
  redirectToAuthorization = (url: URL) => {
    this.sentTo = url;
  };
  saveCodeVerifier = (verifier: string) => {
    this.#verifier = verifier;
  };
  codeVerifier = () => this.#verifier;
}
