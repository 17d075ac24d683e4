import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cleanUpAfter, query } from '../../metadata-store/fixtures.ts';
import { type Client, openSignedInServer, type SignedInServer } from './signed-in-server.ts';

const CHANGE = `mutation ($input: UpsertOrDeleteSecretsMutationInput!) {
  upsertOrDeleteSecrets(input: $input) { upsertedSecrets { key user { username } } } }`;
const VALUES = '{ secrets { edges { node { key value { __typename } } } } }';

describe('secrets with sign-in', () => {
  const cleanUp = cleanUpAfter(after);
  let server: SignedInServer;
  const clients: Record<string, Client> = {};

  before(async () => {
    server = await openSignedInServer({ after: cleanUp });
    for (const role of ['ADMIN', 'MEMBER', 'VIEWER'] as const) {
      const { access } = await server.newUser(`one_${role.toLowerCase()}`, role);
      clients[role] = server.as({ bearer: access });
    }
    await server.admin.call('PUT', '/v1/secrets', { secrets: [{ key: 'STORED', value: 'value' }] });
  });

  const input = { secrets: [{ key: 'CHANGED', value: 'x' }] };

  test('are stored by administrators, who are their authors', async () => {
    const changed = await clients.ADMIN!.graphql(CHANGE, { input });
    const { status } = await clients.ADMIN!.call('PUT', '/v1/secrets', { secrets: [{ key: 'REST', value: 'x' }] });

    assert.deepEqual(changed.data, {
      upsertOrDeleteSecrets: { upsertedSecrets: [{ key: 'CHANGED', user: { username: 'one_admin' } }] },
    });
    assert.equal(status, 200);
    const rows = await query(
      server.databaseUrl,
      'select key, username from secrets join users on users.id = user_id order by key',
    );
    assert.deepEqual(rows, [
      { key: 'CHANGED', username: 'one_admin' },
      { key: 'REST', username: 'one_admin' },
      { key: 'STORED', username: 'system' },
    ]);
  });

  test('leave an entry in the audit log, with keys and hosts and without values', async () => {
    const secrets = [
      { key: 'AUDITED', value: 'hunter2', hosts: ['api.example'] },
      { key: 'OLD', value: null },
    ];

    await clients.ADMIN!.call('PUT', '/v1/secrets', { secrets });
    await clients.ADMIN!.call('PUT', '/v1/secrets', { secrets: [{ key: 'AUDITED', value: null }] });

    const rows = await query(
      server.databaseUrl,
      `select action, username, target_id, target_name, after from audit_log where action like 'secret.%' order by id desc limit 2`,
    );
    assert.deepEqual(rows, [
      {
        action: 'secret.delete',
        username: 'one_admin',
        target_id: 'AUDITED',
        target_name: 'AUDITED',
        after: { storedKeys: [], deletedKeys: ['AUDITED'], hosts: [] },
      },
      {
        action: 'secret.set',
        username: 'one_admin',
        target_id: null,
        target_name: 'AUDITED, OLD',
        after: { storedKeys: ['AUDITED'], deletedKeys: ['OLD'], hosts: ['AUDITED: api.example'] },
      },
    ]);
  });

  for (const [role, text] of [
    ['MEMBER', 'Only admin can perform this action'],
    ['VIEWER', 'Viewers cannot perform this action'],
  ] as const) {
    test(`are changed by no ${role.toLowerCase()}`, async () => {
      const { errors } = await clients[role]!.graphql(CHANGE, { input: { secrets: [{ key: 'STORED', value: null }] } });
      const rest = await clients[role]!.call('PUT', '/v1/secrets', { secrets: [{ key: 'STORED', value: null }] });

      assert.deepEqual(errors, [text]);
      assert.equal(rest.status, 403);
      const rows = await query(server.databaseUrl, `select from secrets where key = 'STORED'`);
      assert.equal(rows.length, 1);
    });

    test(`show a ${role.toLowerCase()} keys and no values, also as a node and through an alias`, async () => {
      const client = clients[role]!;
      const id = Buffer.from('Secret:STORED').toString('base64');

      assert.deepEqual((await client.graphql('{ secrets(keys: ["STORED"]) { edges { node { key } } } }')).data, {
        secrets: { edges: [{ node: { key: 'STORED' } }] },
      });
      for (const document of [
        VALUES,
        '{ secrets { edges { node { keyId } } } }',
        `{ node(id: "${id}") { ... on Secret { v: value { ... on DecryptedSecret { value } } } } }`,
      ]) {
        const { data, errors } = await client.graphql(document);
        assert.equal(errors[0], 'Only admin can perform this action');
        assert.doesNotMatch(JSON.stringify(data), /REDACTED|DecryptedSecret/);
      }
    });
  }
});
