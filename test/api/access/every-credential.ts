import assert from 'node:assert/strict';
import { giveAccess } from './application.ts';
import { ADMIN_SECRET, type SignedInServer } from './signed-in-server.ts';

/**
 * Bearer tokens of every kind of credential, by name: users of each role, keys of each scope, applications, and what is no
 * credential. Undefined: the request has none.
 */
export async function createEveryCredential(server: SignedInServer): Promise<ReadonlyMap<string, string | undefined>> {
  const [admin, member, viewer] = [
    await server.newUser('admin-1', 'ADMIN'),
    await server.newUser('member-1', 'MEMBER'),
    await server.newUser('viewer-1', 'VIEWER'),
  ];
  const key = async (path: string, by: string, scope?: string) => {
    const { status: code, json } = await server.as({ bearer: by }).call('POST', path, { data: { name: 'key', scope } });
    assert.equal(code, 201);
    return (json as { data: { key: string } }).data.key;
  };
  return new Map<string, string | undefined>([
    ['admin', admin.access],
    ['member', member.access],
    ['viewer', viewer.access],
    ['adminKey', await key('/v1/user/api_keys', admin.access)],
    ['readKey', await key('/v1/user/api_keys', admin.access, 'READ')],
    ['sendKey', await key('/v1/user/api_keys', admin.access, 'SEND')],
    ['systemKey', await key('/v1/system/api_keys', admin.access)],
    ['adminSecret', ADMIN_SECRET],
    ['app', (await giveAccess(server, admin)).access_token],
    ['mcpApp', (await giveAccess(server, admin, { resource: `${server.address}/mcp` })).access_token],
    ['scimKey', await key('/v1/system/api_keys', ADMIN_SECRET, 'SCIM')],
    ['none', undefined],
    ['refresh', member.refresh],
  ]);
}
