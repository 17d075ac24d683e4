import assert from 'node:assert/strict';
import { after } from 'node:test';
import { cleanUpAfter, query } from '../../metadata-store/fixtures.ts';
import { ADMIN_SECRET, openSignedInServer, type SignedInServer } from '../access/signed-in-server.ts';
import type { TestServerOptions } from '../test-server.ts';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

// biome-ignore lint/suspicious/noExplicitAny: the request determines the shape
export type Json = any;

export interface ScimReply {
  readonly status: number;
  readonly headers: Headers;
  /** Undefined without a body. */
  readonly json: Json;
}

export interface ScimServer extends SignedInServer {
  /** Text of the key of the identity provider. */
  readonly key: string;
  /** A request of the identity provider. A text is sent as it is. */
  scim(method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<ScimReply>;
  /** Hands an existing user to SCIM, as an administrator. Returns the ID. */
  handOver(globalId: string): Promise<string>;
  /** A PATCH with these operations. */
  patch(path: string, ...operations: readonly object[]): Promise<ScimReply>;
  /** Creates a user with the email `<name>@example.com`, and returns the ID. */
  newScimUser(name: string, fields?: object): Promise<string>;
  newGroup(displayName: string, members?: readonly string[]): Promise<string>;
  /** IDs of the members of a group. */
  membersOf(id: string): Promise<string[]>;
  /** Runs a statement on the database. */
  sql(text: string): Promise<readonly object[]>;
}

/** One server with sign-in and an OpenID Connect provider in its settings, for the tests of a file. */
export function shareScimServer(options: TestServerOptions = {}): () => Promise<ScimServer> {
  const cleanUp = cleanUpAfter(after);
  let server: Promise<ScimServer> | undefined;
  return () => (server ??= openScimServer({ after: cleanUp }, options));
}

export async function openScimServer(
  t: { after(work: () => Promise<void>): void },
  options: TestServerOptions = {},
): Promise<ScimServer> {
  const provider = {
    OAUTH2_OKTA_CLIENT_ID: 'spandrel',
    OAUTH2_OKTA_CLIENT_SECRET: 'hush',
    OAUTH2_OKTA_OIDC_CONFIG_URL: 'http://127.0.0.1:1/.well-known/openid-configuration',
  };
  const server = await openSignedInServer(t, { ...options, settings: { ...provider, ...options.settings } });
  const { json } = await server.as({ bearer: ADMIN_SECRET }).call('POST', '/v1/system/api_keys', {
    data: { name: 'okta', scope: 'SCIM' },
  });
  const { key } = (json as { data: { key: string } }).data;
  const scim: ScimServer['scim'] = async (method, path, body, headers = {}) => {
    const response = await fetch(`${server.address}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, json: text === '' ? undefined : JSON.parse(text) };
  };
  const create = async (path: string, body: object) => {
    const reply = await scim('POST', path, body);
    assert.equal(reply.status, 201, JSON.stringify(reply.json));
    return reply.json.id as string;
  };
  return {
    ...server,
    key,
    scim,
    async handOver(globalId) {
      const id = rowIdOf(globalId);
      const headers = { authorization: `Bearer ${ADMIN_SECRET}` };
      const body = { schemas: [PATCH], Operations: [{ op: 'replace', path: 'active', value: true }] };
      assert.equal((await scim('PATCH', `/Users/${id}`, body, headers)).status, 200);
      return id;
    },
    patch: (path, ...Operations) => scim('PATCH', path, { schemas: [PATCH], Operations }),
    newScimUser: (name, fields = {}) =>
      create('/Users', { schemas: [USER], userName: name, emails: [{ value: `${name}@example.com` }], ...fields }),
    newGroup: (displayName, members = []) =>
      create('/Groups', { schemas: [GROUP], displayName, members: members.map((value) => ({ value })) }),
    async membersOf(id) {
      const { json } = await scim('GET', `/Groups/${id}`);
      return json.members.map(({ value }: { value: string }) => value);
    },
    sql: (text) => query(server.databaseUrl, text),
  };
}

/** Row id in the global ID of a user. */
export const rowIdOf = (globalId: string): string =>
  Buffer.from(globalId, 'base64').toString().split(':')[1] ?? assert.fail(globalId);

/** Fails unless the reply is an error of SCIM with this status and type. */
export function assertScimError({ status, headers, json }: ScimReply, expected: number, scimType?: string): void {
  assert.equal(status, expected, JSON.stringify(json));
  assert.match(headers.get('content-type') ?? '', /^application\/scim\+json/);
  assert.deepEqual(json.schemas, ['urn:ietf:params:scim:api:messages:2.0:Error']);
  assert.equal(json.status, String(expected));
  assert.equal(json.scimType, scimType, json.detail);
  assert.notEqual(json.detail, '');
}
