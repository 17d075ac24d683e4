import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { query } from '../../metadata-store/fixtures.ts';
import { openSecretFor } from '../../../src/domain/secrets/secret-value.ts';
import { shareTestServer, type TestServer } from '../test-server.ts';

/** The value of a stored secret for a host. */
async function valueFor({ ports: { secrets, secretBox } }: TestServer, key: string, host: string): Promise<string> {
  const secret = (await secrets.findByKeys([key])).get(key);
  assert.ok(secret);
  return openSecretFor(secretBox, secret, host);
}

describe('PUT /v1/secrets', () => {
  const open = shareTestServer();

  test('returns the stored and the deleted keys, the last change first', async () => {
    const server = await open();
    const secrets = [
      { key: ' A ', value: ' a ' },
      { key: 'B', value: 'b' },
      { key: 'C', value: null },
      { key: 'D', value: null },
      { key: 'A', value: 'a2' },
    ];

    const { status, json } = await server.call('PUT', '/v1/secrets', { json: { secrets } });

    assert.deepEqual([status, json], [200, { data: { upserted_keys: ['A', 'B'], deleted_keys: ['D', 'C'] } }]);
    assert.equal(await valueFor(server, 'A', 'any.example'), 'a2');
  });

  for (const [what, body, loc, type, msg] of [
    ['no secrets', { secrets: [] }, ['secrets'], 'value_error', 'Value error, At least one secret is required'],
    [
      'a blank value',
      { secrets: [{ key: 'A', value: ' ' }] },
      ['secrets', 0, 'value'],
      'value_error',
      'Value error, Value cannot be empty',
    ],
    [
      'an invalid key',
      { secrets: [{ key: '1', value: 'x' }] },
      ['secrets', 0, 'key'],
      'value_error',
      'Value error, Key must start with a letter or underscore and contain only letters, digits, and underscores',
    ],
    ['an absent value', { secrets: [{ key: 'A' }] }, ['secrets', 0, 'value'], 'missing', 'Field required'],
    [
      'a number',
      { secrets: [{ key: 'A', value: 1 }] },
      ['secrets', 0, 'value'],
      'string_type',
      'Input should be a valid string',
    ],
  ] as const) {
    test(`rejects ${what}`, async () => {
      const { status, json } = await (await open()).call('PUT', '/v1/secrets', { json: body });
      const [issue] = (json as { detail: { loc: unknown; type: string; msg: string }[] }).detail;

      assert.equal(status, 422);
      assert.deepEqual([issue?.loc, issue?.type, issue?.msg], [['body', ...loc], type, msg]);
    });
  }

  test('repeats nothing of an invalid body', async () => {
    const server = await open();

    for (const json of [
      { secrets: [{ key: 'A', value: ['hunter2'] }] },
      { secrets: [{ value: 'hunter2' }] },
      { secrets: 'hunter2' },
      { secret: 'hunter2' },
      ['hunter2'],
      'hunter2',
      { secrets: [{ key: 'hunter2!', value: 'hunter2', hosts: ['hunter2:1'] }] },
    ]) {
      const { status, text } = await server.call('PUT', '/v1/secrets', { json });
      assert.equal(status, 422);
      assert.doesNotMatch(text, /hunter2/);
    }
    const { status, text } = await server.call('PUT', '/v1/secrets', {
      body: '{"secrets": [hunter2',
      type: 'application/json',
    });
    assert.equal(status, 422);
    assert.doesNotMatch(text, /hunter2/);
  });
});

describe('a secret that is about to be sent', () => {
  const open = shareTestServer();

  test('goes to its hosts alone', async () => {
    const server = await open();
    const secrets = [{ key: 'BOUND', value: 'v', hosts: ['API.Vendor.example', '*.own.example'] }];
    await server.call('PUT', '/v1/secrets', { json: { secrets } });

    assert.equal(await valueFor(server, 'BOUND', 'api.vendor.example'), 'v');
    assert.equal(await valueFor(server, 'BOUND', 'x.own.example'), 'v');
    await assert.rejects(valueFor(server, 'BOUND', 'evil.example'), { code: 'SECRET_HOST_DENIED' });
    await query(server.databaseUrl, `update secrets set value = '\\x02'`);
    await assert.rejects(valueFor(server, 'BOUND', 'x.own.example'), { code: 'SECRET_UNREADABLE' });
  });
});
