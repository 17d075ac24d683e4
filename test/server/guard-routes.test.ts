import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guardRoutes } from '../../src/server/guard-routes.ts';
import { createRateLimiter } from '../../src/server/guards/rate-limit.ts';
import { type RequestHead, type Route, textResponse } from '../../src/server/route.ts';

const NO_RATE_LIMITS = createRateLimiter({ isEnabled: false });

const route = (over: Partial<Route> = {}): Route => ({
  method: 'POST',
  path: '/v1/things',
  access: 'member',
  bodyBytesMax: 0,
  handle: () => textResponse(200, 'OK'),
  ...over,
});
const head: RequestHead = {
  ...{
    method: 'POST',
    path: '/v1/things',
    params: {},
    query: '',
    contentLength: undefined,
    remoteAddress: '127.0.0.1',
    clientAddress: '127.0.0.1',
    isForwarded: false,
    isSecure: false,
  },
  header: () => undefined,
};
const admit = (one: Route, isReadOnly: boolean, lock?: string) =>
  guardRoutes([one], { isReadOnly, storageLock: () => lock, rateLimiter: NO_RATE_LIMITS })[0]!.admit?.(head)?.status;

test('a read-only server rejects all routes under /v1, including reads, and no others', () => {
  assert.equal(admit(route({ method: 'GET' }), true), 403);
  assert.equal(admit(route({ path: '/healthz' }), true), undefined);
});

test('a full storage rejects only writes that add data', () => {
  assert.equal(admit(route({ blockedWhenStorageFull: true }), false, 'full'), 507);
  assert.equal(admit(route(), false, 'full'), undefined);
  assert.equal(admit(route({ blockedWhenStorageFull: true }), false), undefined);
});

test('the admission of a route runs after the guards', () => {
  const own = route({ blockedWhenStorageFull: true, admit: () => textResponse(503, 'busy') });
  assert.equal(admit(own, false), 503);
  assert.equal(admit(own, false, 'full'), 507);
});

test('a request over its limit is rejected before the storage guard and the admission of the route', () => {
  const rateLimiter = createRateLimiter({ isEnabled: true });
  const own = route({ rateLimit: 'identityProviderStart', blockedWhenStorageFull: true });
  const [guarded] = guardRoutes([own], { isReadOnly: false, storageLock: () => 'full', rateLimiter });
  const statuses = Array.from({ length: 7 }, () => guarded?.admit?.(head)?.status);

  assert.deepEqual(statuses, [507, 507, 507, 507, 507, 507, 429]);
});
