import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Client } from 'pg';
import { ERROR_CODE_HEADER, ERROR_KINDS, type ErrorCode } from '../../../src/model/errors.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { openSignedInServer, type SignedInServer } from '../access/signed-in-server.ts';
import { ACCESS, type AccessCase, type AccessIds } from './cases-access.ts';

/** Input type and selected field of each mutation. */
const MUTATIONS: Readonly<Record<string, readonly [inputType: string, fields: string]>> = {
  createUser: ['CreateUserInput', 'user { id }'],
  deleteUsers: ['DeleteUsersInput', 'userIds'],
  createUserApiKey: ['CreateUserApiKeyInput', 'jwt'],
  createSystemApiKey: ['CreateApiKeyInput', 'jwt'],
  deleteUserApiKey: ['DeleteApiKeyInput', 'apiKeyId'],
  deleteSystemApiKey: ['DeleteApiKeyInput', 'apiKeyId'],
};

let server: SignedInServer;
let database: Client;
let headers: Record<string, string>;
const cleanUp = cleanUpAfter(after);
before(async () => {
  server = await openSignedInServer({ after: cleanUp });
  database = new Client(server.databaseUrl);
  await database.connect();
  cleanUp(() => database.end());
  const { access } = await server.newUser('caller', 'ADMIN');
  headers = { authorization: `Bearer ${access}`, 'content-type': 'application/json' };
});

const send = (method: string, path: string, body?: object): Promise<Response> =>
  fetch(server.address + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });

async function setUp(): Promise<AccessIds> {
  await database.query(`delete from api_keys; delete from users where username not in ('admin', 'system', 'caller')`);
  const idOf = async (path: string, body: object) => {
    const response = await send('POST', path, body);
    assert.equal(response.status, 201, path);
    return ((await response.json()) as { data: { id: string } }).data.id;
  };
  // Without a password, whose hash takes most of the time.
  const user = { email: 'stored@example.com', username: 'stored', role: 'VIEWER' };
  return {
    user: await idOf('/v1/users', { user: { ...user, auth_method: 'OAUTH2' }, send_welcome_email: false }),
    userKey: await idOf('/v1/user/api_keys', { data: { name: 'stored' } }),
    systemKey: await idOf('/v1/system/api_keys', { data: { name: 'stored' } }),
  };
}

/** Rows without ids, times of the test and secrets. */
async function stored(): Promise<unknown> {
  const { rows } = await database.query(
    `select to_jsonb(u) - '{id,password_hash,created_at,updated_at}'::text[] as row, password_hash is null as bare, null as owner
     from users u
     union all
     select to_jsonb(k) - '{id,user_id,hash,last_characters,created_at}'::text[], false, u.username
     from api_keys k join users u on u.id = k.user_id
     order by 1, 3`,
  );
  return rows;
}

async function callRest({ rest }: AccessCase) {
  const [method, path, body] = rest(await setUp());
  const response = await send(method, path, body);
  return { code: response.headers.get(ERROR_CODE_HEADER) ?? undefined, text: await response.text() };
}

async function callGraphql(mutation: string, { input }: AccessCase) {
  const [inputType, fields] = MUTATIONS[mutation] ?? assert.fail(`add ${mutation} to MUTATIONS`);
  const query = `mutation ($input: ${inputType}!) { ${mutation}(input: $input) { ${fields} } }`;
  const response = await send('POST', '/graphql', { query, variables: { input: input(await setUp()) } });
  const text = await response.text();
  return { code: JSON.parse(text).errors?.[0].extensions.code as string | undefined, text };
}

/** The schema of a route rejects some input before the operation sees it, with one code for all of them. */
function assertCode({ code, text }: { code: string | undefined; text: string }, expected: ErrorCode | undefined): void {
  if (code === 'REQUEST_INVALID' && expected !== undefined) assert.equal(ERROR_KINDS[expected], 'invalid', text);
  else assert.equal(code, expected, text);
}

describe('a write of access over REST and over GraphQL', () => {
  for (const { operation, mutation, cases } of ACCESS.twins) {
    describe(operation === mutation ? operation : `${operation} and ${mutation}`, () => {
      for (const one of cases) {
        test(one.title, async () => {
          const overRest = { reply: await callRest(one), rows: await stored() };
          const overGraphql = { reply: await callGraphql(mutation, one), rows: await stored() };

          const expected = one.differs ?? { rest: one.code, graphql: one.code };
          assertCode(overRest.reply, expected.rest);
          assertCode(overGraphql.reply, expected.graphql);
          if (!one.differs) assert.deepEqual(overGraphql.rows, overRest.rows);
        });
      }
    });
  }
});
