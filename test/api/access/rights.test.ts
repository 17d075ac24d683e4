import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { credentials, Client as GrpcClient, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Access } from '../../../src/model/access/rights.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { readAccess } from '../../../src/api/graphql/execution/guarded-resolver.ts';
import { createSchema } from '../../../src/api/graphql/schema.ts';
import { readText } from '../../house/repository.ts';
import { sampleDocument } from '../graphql-samples.ts';
import { openTestServer } from '../test-server.ts';
import { createEveryCredential } from './every-credential.ts';
import { type Client, openSignedInServer, type SignedInServer } from './signed-in-server.ts';

const OK = '';
const VIEWER = 'Viewers cannot perform this action';
const ADMIN = 'Only admin';
const SCOPE = 'The scope of this API key does not allow this action';
const NONE = 'Invalid token';
const ELSEWHERE = 'Token is not valid for this resource';

/**
 * Beginning of the rejection of each credential for each right, written by hand from the contract. For a viewer, the text of
 * a denied read and a denied write differ; `|` separates them.
 */
const EXPECTED: Readonly<Record<Exclude<Access, 'open'>, Readonly<Record<string, string>>>> = {
  viewer: {
    admin: OK,
    member: OK,
    viewer: OK,
    adminKey: OK,
    app: OK,
    mcpApp: ELSEWHERE,
    readKey: OK,
    sendKey: SCOPE,
    systemKey: OK,
    adminSecret: OK,
    scimKey: SCOPE,
    none: NONE,
    refresh: NONE,
  },
  query: {
    admin: OK,
    member: OK,
    viewer: VIEWER,
    adminKey: OK,
    app: OK,
    mcpApp: ELSEWHERE,
    readKey: OK,
    sendKey: SCOPE,
    systemKey: OK,
    adminSecret: OK,
    scimKey: SCOPE,
    none: NONE,
    refresh: NONE,
  },
  member: {
    admin: OK,
    member: OK,
    viewer: VIEWER,
    adminKey: OK,
    app: OK,
    mcpApp: ELSEWHERE,
    readKey: SCOPE,
    sendKey: SCOPE,
    systemKey: OK,
    adminSecret: OK,
    scimKey: SCOPE,
    none: NONE,
    refresh: NONE,
  },
  send: {
    admin: OK,
    member: OK,
    viewer: VIEWER,
    adminKey: OK,
    app: OK,
    mcpApp: ELSEWHERE,
    readKey: SCOPE,
    sendKey: OK,
    systemKey: OK,
    adminSecret: OK,
    scimKey: SCOPE,
    none: NONE,
    refresh: NONE,
  },
  admin: {
    admin: OK,
    member: ADMIN,
    viewer: `${ADMIN}|${VIEWER}`,
    adminKey: OK,
    app: OK,
    mcpApp: ELSEWHERE,
    readKey: ADMIN,
    sendKey: ADMIN,
    systemKey: ADMIN,
    adminSecret: OK,
    scimKey: ADMIN,
    none: NONE,
    refresh: NONE,
  },
  strictAdmin: {
    admin: OK,
    member: ADMIN,
    viewer: `${ADMIN}|${VIEWER}`,
    adminKey: OK,
    app: OK,
    mcpApp: ELSEWHERE,
    readKey: ADMIN,
    sendKey: ADMIN,
    systemKey: ADMIN,
    adminSecret: OK,
    scimKey: ADMIN,
    none: NONE,
    refresh: NONE,
  },
  person: {
    admin: OK,
    member: OK,
    viewer: OK,
    adminKey: OK,
    app: OK,
    mcpApp: ELSEWHERE,
    readKey: SCOPE,
    sendKey: SCOPE,
    systemKey: OK,
    adminSecret: OK,
    scimKey: SCOPE,
    none: NONE,
    refresh: NONE,
  },
  scim: {
    admin: OK,
    member: ADMIN,
    viewer: `${ADMIN}|${VIEWER}`,
    adminKey: OK,
    app: OK,
    mcpApp: ELSEWHERE,
    readKey: ADMIN,
    sendKey: ADMIN,
    systemKey: ADMIN,
    adminSecret: OK,
    scimKey: OK,
    none: NONE,
    refresh: NONE,
  },
};

/** Whether a rejection says that the request has no valid credential. */
const isUnauthenticated = (text: string) => text === NONE || text === ELSEWHERE;

/** What docs/access.md prints: the right of each route, field and method, and which columns have each right. */
const PRINTED = readPrinted(readText('docs/access.md'));
/** The columns, by the name of the credential here. That of applications is one of a member, and ours is an administrator's. */
const COLUMNS = [
  'admin',
  'member',
  'viewer',
  null,
  'systemKey',
  'adminSecret',
  'readKey',
  'sendKey',
  'scimKey',
  'none',
];

function readPrinted(text: string) {
  const [, rights = '', demands = ''] = text.split(/\n## (?:Rights|What demands them)\n/);
  const rows = [...rights.matchAll(/^\| `(\w+)` \| [^|]* \| (.*) \|$/gm)];
  const sections = [...demands.matchAll(/^### `(\w+)`\n\n((?:- .*\n)+)/gm)];
  return {
    columns: new Map(rows.map(([, right = '', cells = '']) => [right, cells.split('|').map((cell) => cell.trim())])),
    rights: new Map(
      sections.flatMap(([, right = '', lines = '']) =>
        [...lines.matchAll(/^- (?:(\w+) )?`([^`]+)`/gm)].map(([, kind, name = '']): [string, string] => [
          kind === undefined ? name : `${kind} ${name}`,
          right,
        ]),
      ),
    ),
  };
}

let server: SignedInServer;
let clients: ReadonlyMap<string, Client>;
let tokens: ReadonlyMap<string, string | undefined>;
const cleanUp = cleanUpAfter(after);
before(async () => {
  // A provider and a directory, so that the server has every route.
  const settings = {
    OAUTH2_IDP_CLIENT_ID: 'spandrel',
    OAUTH2_IDP_CLIENT_SECRET: 'secret',
    OAUTH2_IDP_OIDC_CONFIG_URL: 'http://127.0.0.1:1/.well-known/openid-configuration',
    LDAP_HOST: '127.0.0.1',
    LDAP_PORT: '1',
    LDAP_USER_SEARCH_BASE_DNS: '["dc=example,dc=com"]',
    LDAP_GROUP_ROLE_MAPPINGS: '[{"group_dn":"*","role":"MEMBER"}]',
  };
  server = await openSignedInServer({ after: cleanUp }, { settings });
  tokens = await createEveryCredential(server);
  clients = new Map([...tokens].map(([name, bearer]) => [name, server.as(bearer === undefined ? {} : { bearer })]));
});

function expectedText(access: Access, name: string, isWrite: boolean): string {
  if (access === 'open') return OK;
  const [read = OK, write = read] = (EXPECTED[access][name] ?? assert.fail(name)).split('|');
  return isWrite ? write : read;
}

/** `/mcp` takes only the tokens of applications that are made for it, and the rest of the server takes all others. */
function expectedAt(path: string, access: Access, name: string, isWrite: boolean): string {
  if (!/^\/mcp\/?$/.test(path)) return expectedText(access, name, isWrite);
  return name === 'mcpApp' ? OK : name === 'app' ? ELSEWHERE : expectedText(access, name, isWrite);
}

/** Status and beginning of the body. An endless response is not read. */
async function send(method: string, path: string, token: string | undefined): Promise<{ code: number; text: string }> {
  const headers = { accept: '*/*', ...(token !== undefined && { authorization: `Bearer ${token}` }) };
  const response = await fetch(server.address + path, { method, headers, redirect: 'manual' });
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel();
    return { code: response.status, text: '' };
  }
  const text = await response.text();
  // SCIM has its own form of errors.
  return { code: response.status, text: path.startsWith('/scim/') ? String(JSON.parse(text).detail) : text };
}

describe('the rights of each credential', () => {
  test('are those that the documents print', () => {
    assert.deepEqual([...PRINTED.columns.keys()].sort(), ['open', ...Object.keys(EXPECTED)].sort());
    for (const [right, cells] of PRINTED.columns) {
      for (const [index, name] of COLUMNS.entries()) {
        if (name === null) continue;
        const isGiven = expectedText(right as Access, name, true) === OK;
        assert.equal(cells[index], isGiven ? 'yes' : '', `${right} for ${name}`);
      }
    }
    // Every route that is served is printed with its right, but for the pages of the interface, which have no data.
    for (const { method, path, access } of server.apis.routes) {
      const printed = PRINTED.rights.get(`${method} ${path}`);
      if (printed === undefined && method === 'GET' && access === 'open' && PAGE_PATH.test(path)) continue;
      assert.equal(printed, access, `${method} ${path}`);
    }
    for (const { path, access } of server.apis.grpcMethods)
      assert.equal(PRINTED.rights.get(`gRPC ${path.slice(path.lastIndexOf('.') + 1)}`), access, path);
    const served = new Set(server.apis.routes.map(({ method, path }) => `${method} ${path}`));
    const unserved = [...PRINTED.rights.keys()].filter((name) => /^[A-Z]+ \//.test(name) && !served.has(name));
    assert.deepEqual(unserved, []);
  });

  test('hold on every route', async () => {
    assert.ok(server.apis.routes.length > 150);
    for (const { method, path, access } of server.apis.routes) {
      // A path parameter that names nothing.
      const address = path.replaceAll(/:\w+/g, 'x');
      for (const [name, token] of tokens) {
        // A session would end.
        if (path === '/auth/logout' && /^(admin|member|viewer)$/.test(name)) continue;
        const { code, text } = await send(method, address, token);
        const expected = expectedAt(path, access, name, method !== 'GET');
        const label = `${method} ${path} (${access}) as ${name}: ${code} ${text.slice(0, 80)}`;
        if (access === 'open') assert.ok(code !== 403 && !(code === 401 && RIGHTS_TEXT.test(text)), label);
        else if (expected === OK) assert.ok(code !== 401 && !RIGHTS_TEXT.test(text), label);
        else assert.ok(code === (isUnauthenticated(expected) ? 401 : 403) && text.startsWith(expected), label);
      }
    }
  });

  test('hold on every query and mutation', async () => {
    const schema = createSchema();
    for (const [operation, type] of [
      ['query', schema.getQueryType()],
      ['mutation', schema.getMutationType()],
    ] as const) {
      for (const field of Object.values(type!.getFields())) {
        const access = readAccess(field.astNode?.directives ?? []) ?? assert.fail(field.name);
        assert.equal(PRINTED.rights.get(`${operation} ${field.name}`), access, field.name);
        const document = sampleDocument(operation, field);
        for (const [name, client] of clients) {
          // A session would end with its account or password.
          if (
            expectedText(access, name, operation === 'mutation') === OK &&
            /^(patchViewer|deleteUsers)$/.test(field.name)
          )
            continue;
          const { status: code, errors } = await client.graphql(document);
          const label = `${document} (${access}) as ${name}: ${code} ${errors.join('; ')}`;
          // Every operation needs the right of the endpoint, too.
          const endpoint = expectedText('viewer', name, true);
          if (endpoint !== OK) {
            assert.equal(code, isUnauthenticated(endpoint) ? 401 : 403, label);
            continue;
          }
          const expected = expectedText(access, name, operation === 'mutation');
          assert.equal(code, 200, label);
          if (expected === OK) assert.ok(!errors.some((text) => RIGHTS_TEXT.test(text)), label);
          else assert.ok(errors[0]?.startsWith(expected), label);
        }
      }
    }
  });

  test('hold on aliases, fragments and GET', async () => {
    const viewer = clients.get('viewer')!;
    for (const document of [
      'mutation {a: createProject(input: {name: "p"}) {__typename}}',
      'mutation {...F} fragment F on Mutation {createProject(input: {name: "p"}) {__typename}}',
      'mutation {... on Mutation {createProject(input: {name: "p"}) {__typename}}}',
    ]) {
      assert.deepEqual((await viewer.graphql(document)).errors, [VIEWER], document);
    }
    const { status: code } = await viewer.call(
      'GET',
      `/graphql?query=${encodeURIComponent('mutation {createProject(input: {name: "p"}) {__typename}}')}`,
    );
    assert.equal(code, 405);
    const { data } = await server.admin.graphql('{getProjectByName(name: "p") {id}}');
    assert.deepEqual(data, { getProjectByName: null });
  });

  test('hold on OTLP over gRPC', async () => {
    const client = new GrpcClient(`127.0.0.1:${server.grpcPort}`, credentials.createInsecure());
    cleanUp(async () => client.close());
    for (const [name, token] of tokens) {
      const metadata = new Metadata();
      if (token !== undefined) metadata.set('authorization', `Bearer ${token}`);
      const code = await new Promise<number>((resolve) => {
        client.makeUnaryRequest(
          '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
          (bytes: Buffer) => bytes,
          (bytes: Buffer) => bytes,
          Buffer.alloc(0),
          metadata,
          {},
          (error: ServiceError | null) => resolve(error?.code ?? status.OK),
        );
      });
      const expected = expectedText('send', name, true);
      const wanted =
        expected === OK ? status.OK : isUnauthenticated(expected) ? status.UNAUTHENTICATED : status.PERMISSION_DENIED;
      assert.equal(code, wanted, name);
    }
  });

  test('a page of the interface and its files need no credential, and streams of events do', async () => {
    for (const [path, code] of [
      ['/', 200],
      ['/healthz', 200],
      ['/arize_phoenix_version', 200],
      ['/openapi.json', 200],
      ['/events', 401],
    ] as const) {
      assert.equal((await fetch(server.address + path, { headers: { accept: 'text/html,*/*' } })).status, code, path);
    }
  });

  test('the address of an assistant, which the server has not, needs a credential', async () => {
    const post = (headers: Record<string, string>) => fetch(`${server.address}/chat`, { method: 'POST', headers });
    assert.equal((await post({})).status, 401);
    assert.equal((await post({ authorization: `Bearer ${tokens.get('viewer')}` })).status, 404);
  });

  test('a path cannot be disguised', async () => {
    for (const path of [
      '/v1/%2e%2e/v1/projects',
      '//v1/projects',
      '/v1//projects',
      '/v1/projects/',
      '/V1/projects',
      '/v1%2Fprojects',
    ]) {
      const response = await fetch(server.address + path, { headers: { accept: 'application/json' } });
      assert.ok(response.status === 401 || response.status === 404, `${path}: ${response.status}`);
    }
  });

  test('a stream of events ends with its credential', async () => {
    const { access } = await server.newUser('streams', 'VIEWER');
    const stream = await fetch(`${server.address}/events`, { headers: { authorization: `Bearer ${access}` } });
    assert.equal(stream.status, 200);
    const ended = stream.text();
    await fetch(`${server.address}/auth/logout`, {
      redirect: 'manual',
      headers: { cookie: `phoenix-access-token=${access}` },
    });
    await ended;
  });
});

/** Pages of the interface and of sign-in, and their files. */
const PAGE_PATH = /^\/(|[a-z-]+|oauth2\/consent|assets\/:name)$/;

const RIGHTS_TEXT = new RegExp(
  [VIEWER, 'Only admin can perform', 'Only admin or system', SCOPE, NONE, ELSEWHERE].join('|'),
);

test('while sign-in is off, everything but what needs an identity is allowed', async (t) => {
  const open = await openTestServer(t);
  assert.equal((await open.call('GET', '/v1/users')).status, 200);
  assert.deepEqual((await open.call('GET', '/v1/user')).json, { data: { auth_method: 'ANONYMOUS' } });
  assert.equal((await open.call('GET', '/v1/user/api_keys')).status, 403);
  assert.deepEqual((await open.post('{users {edges {cursor}}}')).errors, ['Only admin can perform this action']);
  assert.deepEqual((await open.post('{viewer {id}}')).data, { viewer: null });
  assert.equal((await fetch(`${open.address}/auth/login`, { method: 'POST' })).status, 404);
});
