import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { KeyScope } from '../../src/model/access/api-key.ts';
import type { SignedInCaller } from '../../src/model/access/caller.ts';
import type { Role } from '../../src/model/access/user.ts';
import { SpandrelError } from '../../src/model/errors.ts';
import { createGate, type GateOptions } from '../../src/server/guards/gate.ts';
import { createRateLimiter } from '../../src/server/guards/rate-limit.ts';
import { type Route, textResponse } from '../../src/server/route.ts';

const route = (over: Partial<Route> = {}): Route => ({
  method: 'POST',
  path: '/v1/things',
  access: 'member',
  bodyBytesMax: 0,
  handle: () => textResponse(200, 'OK'),
  ...over,
});

/** Code of the rejection. Undefined when the request may pass. */
async function enter(entered: Route, options: Partial<GateOptions> = {}, method = entered.method) {
  const gate = createGate({ isReadOnly: false, storageLock: () => undefined, ...options });
  try {
    await gate.enter({ method, path: entered.path, clientAddress: '192.0.2.1', header: () => undefined }, entered);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof SpandrelError);
    return error.code;
  }
}

const caller = (role: Role, scope: KeyScope = 'ALL'): SignedInCaller => ({
  kind: 'signedIn',
  credential: 'session',
  credentialRowId: 1,
  user: { rowId: 1, role, username: 'ada', email: 'ada@example.com', groups: [] },
  scope,
  projects: null,
  signal: new AbortController().signal,
});

test('a read-only server rejects all routes under /v1 and /scim, including reads, and no others', async () => {
  assert.equal(await enter(route({ method: 'GET' }), { isReadOnly: true }), 'READ_ONLY');
  assert.equal(await enter(route({ method: 'PATCH', path: '/scim/v2/Users/1' }), { isReadOnly: true }), 'READ_ONLY');
  assert.equal(await enter(route({ path: '/healthz' }), { isReadOnly: true }), undefined);
});

test('a full storage rejects only writes that add data', async () => {
  const full = { storageLock: () => 'full' };
  assert.equal(await enter(route({ blockedWhenStorageFull: true }), full), 'STORAGE_FULL');
  assert.equal(await enter(route(), full), undefined);
  assert.equal(await enter(route({ blockedWhenStorageFull: true })), undefined);
});

test('a request over its limit is rejected before its credential is checked', async () => {
  const rateLimiter = createRateLimiter({ isEnabled: true });
  let checkCount = 0;
  const authenticate = () => {
    checkCount++;
    return caller('VIEWER');
  };
  const limited = route({ rateLimit: 'identityProviderStart' });
  const codes = [];
  for (let count = 0; count < 8; count++) codes.push(await enter(limited, { rateLimiter, authenticate }));

  assert.deepEqual(codes.slice(5), ['ACCESS_DENIED', 'RATE_LIMIT_EXCEEDED', 'RATE_LIMIT_EXCEEDED']);
  assert.equal(checkCount, 6);
});

describe('rights', () => {
  const cases: readonly (readonly [SignedInCaller, Partial<Route>, string | undefined])[] = [
    [caller('VIEWER'), { access: 'viewer', method: 'GET' }, undefined],
    [caller('VIEWER'), { access: 'member' }, 'ACCESS_DENIED'],
    [caller('VIEWER'), { access: 'query' }, 'ACCESS_DENIED'],
    [caller('MEMBER'), { access: 'member' }, undefined],
    [caller('MEMBER'), { access: 'admin' }, 'ACCESS_DENIED'],
    [caller('SYSTEM'), { access: 'member' }, undefined],
    [caller('SYSTEM'), { access: 'admin' }, 'ACCESS_DENIED'],
    [{ ...caller('SYSTEM'), credential: 'adminSecret' }, { access: 'admin' }, undefined],
    [caller('ADMIN'), { access: 'admin' }, undefined],
    [caller('ADMIN', 'READ'), { access: 'admin' }, 'ACCESS_DENIED'],
    [caller('MEMBER', 'READ'), { access: 'query' }, undefined],
    [caller('MEMBER', 'READ'), { access: 'send' }, 'ACCESS_DENIED'],
    [caller('MEMBER', 'SEND'), { access: 'send' }, undefined],
    [caller('MEMBER', 'SEND'), { access: 'viewer', method: 'GET' }, 'ACCESS_DENIED'],
    [caller('VIEWER', 'SEND'), { access: 'send' }, 'ACCESS_DENIED'],
  ];
  for (const [who, of, expected] of cases) {
    test(`${who.user.role} ${who.credential} ${who.scope} on ${of.access}: ${expected ?? 'passes'}`, async () => {
      assert.equal(await enter(route(of), { authenticate: () => who }), expected);
    });
  }

  test('a request without a credential is unauthenticated, except on open routes', async () => {
    const authenticate = async () => ({ kind: 'anonymous', reason: 'missing' }) as const;
    assert.equal(await enter(route(), { authenticate }), 'UNAUTHENTICATED');
    assert.equal(await enter(route({ access: 'open' }), { authenticate }), undefined);
  });

  test('an expired credential has a code of its own', async () => {
    const authenticate = () => ({ kind: 'anonymous', reason: 'expired' }) as const;
    assert.equal(await enter(route(), { authenticate }), 'CREDENTIAL_EXPIRED');
  });

  test('while sign-in is off, only what needs an identity is denied', async () => {
    assert.equal(await enter(route({ access: 'admin' })), undefined);
    assert.equal(await enter(route({ access: 'strictAdmin' })), 'ACCESS_DENIED');
    assert.equal(await enter(route({ access: 'person' })), 'SIGN_IN_OFF');
  });
});

test('a request that the server makes for a caller is checked like any other, except for the resource of the token', () => {
  const app = { ...caller('VIEWER'), app: { resource: 'MCP' as const, isFirstParty: false } };
  const enterAs = (entered: Route, options: Partial<GateOptions> = {}) => {
    const gate = createGate({ isReadOnly: false, storageLock: () => undefined, authenticate: () => app, ...options });
    gate.enterAs(app, entered, entered);
  };
  enterAs(route({ access: 'viewer' }));
  assert.throws(() => enterAs(route()), /Viewers cannot perform this action/);
  assert.throws(() => enterAs(route({ access: 'viewer' }), { isReadOnly: true }), /read-only mode/);
  const full = { storageLock: () => 'The storage is full' };
  assert.throws(() => enterAs(route({ access: 'viewer', blockedWhenStorageFull: true }), full), /storage is full/);
});
