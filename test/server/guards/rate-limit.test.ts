import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadUWebSockets } from '../../../native-bindings/uwebsockets.ts';
import { PARSER_HEADER_BYTES_MAX } from '../../../src/model/limits/requests.ts';
import { errorResponse } from '../../../src/server/error-response.ts';
import { createGate } from '../../../src/server/guards/gate.ts';
import { createRateLimiter, RATE_LIMITS } from '../../../src/server/guards/rate-limit.ts';
import type { RateLimitName } from '../../../src/server/route.ts';
import { type EngineName, echo, openTestServer, post } from '../http/server-under-test.ts';

const engines: EngineName[] = loadUWebSockets(PARSER_HEADER_BYTES_MAX).state === 'loaded' ? ['uws', 'node'] : ['node'];

function openLimiter(options: { readonly isEnabled?: boolean; readonly bucketCountMax?: number } = {}) {
  const clock = { ms: 0 };
  const limiter = createRateLimiter({ isEnabled: true, now: () => clock.ms, ...options });
  const ask = (name: RateLimitName, clientAddress: string, path = '/x') => {
    try {
      return limiter.count(name, { path, clientAddress });
    } catch (error) {
      return errorResponse(error);
    }
  };
  /** Number of requests that pass until one is rejected. */
  const passed = (name: RateLimitName, clientAddress: string, path?: string) => {
    for (let count = 0; count < 1_000; count++) if (ask(name, clientAddress, path) !== undefined) return count;
    return 1_000;
  };
  return { clock, ask, passed };
}

describe('rate limits', () => {
  for (const [name, { capacity, refillPerSecond }] of Object.entries(RATE_LIMITS)) {
    test(`${name} allows ${capacity} requests at once, then one each time a token is refilled`, () => {
      const { clock, ask, passed } = openLimiter();
      const limit = name as RateLimitName;

      assert.equal(passed(limit, '192.0.2.1'), capacity);
      const rejection = ask(limit, '192.0.2.1');
      assert.equal(rejection?.status, 429);
      assert.equal(rejection?.body, 'Too Many Requests');
      assert.equal(rejection?.headers?.['retry-after'], String(Math.ceil(1 / refillPerSecond)));

      clock.ms += 1_000 / refillPerSecond + 1;
      assert.equal(passed(limit, '192.0.2.1'), 1);
      clock.ms += 1e9;
      assert.equal(passed(limit, '192.0.2.1'), capacity, 'a bucket never holds more than its capacity');
    });
  }

  test('count each address by itself, and an IPv6 network of 64 bits as one', () => {
    const { passed } = openLimiter();

    assert.equal(passed('signIn', '192.0.2.1'), 12);
    assert.equal(passed('signIn', '192.0.2.2'), 12);
    assert.equal(passed('signIn', '2001:db8::1'), 12);
    assert.equal(passed('signIn', '2001:db8::ffff:1:2:3'), 0);
    assert.equal(passed('signIn', '2001:db8:0:1::1'), 12);
    assert.equal(passed('signIn', '::1'), 12);
    assert.equal(passed('signIn', '1:2:3:4:5:6:7:8'), 12);
    assert.equal(passed('signIn', '1:2:3:4::'), 0);
  });

  test('of a callback count all clients of a path together', () => {
    const { passed } = openLimiter();

    assert.equal(passed('identityProviderCallback', '192.0.2.1', '/oauth2/a/tokens'), 15);
    assert.equal(passed('identityProviderCallback', '192.0.2.2', '/oauth2/a/tokens'), 0);
    assert.equal(passed('identityProviderCallback', '192.0.2.2', '/oauth2/b/tokens'), 15);
  });

  test('do not count a client without an address, nor anything when they are off', () => {
    assert.equal(openLimiter().passed('signIn', ''), 1_000);
    assert.equal(openLimiter({ isEnabled: false }).passed('signIn', '192.0.2.1'), 1_000);
  });

  test('keep a bounded number of addresses, and evict the least recently used one', () => {
    const { ask, passed } = openLimiter({ bucketCountMax: 3 });

    assert.equal(passed('signIn', '192.0.2.1'), 12);
    for (const address of ['192.0.2.2', '192.0.2.3']) ask('signIn', address);
    assert.equal(passed('signIn', '192.0.2.1'), 0, 'it was used more recently than 192.0.2.2');
    ask('signIn', '192.0.2.4');
    assert.equal(passed('signIn', '192.0.2.1'), 0);
    for (const address of ['192.0.2.5', '192.0.2.6', '192.0.2.7']) ask('signIn', address);
    assert.equal(passed('signIn', '192.0.2.1'), 12);
  });
});

for (const engine of engines) {
  test(`routes with one name share a limit on ${engine}, with and without the root path`, async (t) => {
    const rateLimiter = createRateLimiter({ isEnabled: true });
    const routes = ['/auth/login', '/auth/refresh'].map((path) => ({
      ...post(path, echo),
      rateLimit: 'signIn' as const,
    }));
    const gate = createGate({ isReadOnly: false, storageLock: () => undefined, rateLimiter });
    const { address } = await openTestServer(t, engine, routes, { rootPath: '/prefix', gate });
    const ask = async (path: string) => {
      const response = await fetch(address + path, { method: 'POST' });
      return [
        response.status,
        response.status === 429 ? await response.text() : await response.arrayBuffer().then(() => ''),
      ];
    };

    for (let count = 0; count < 4; count++) {
      for (const path of ['/prefix/auth/login', '/auth/login', '/auth/refresh']) {
        assert.deepEqual(await ask(path), [200, '']);
      }
    }
    for (const path of ['/prefix/auth/login', '/auth/login', '/prefix/auth/refresh']) {
      assert.deepEqual(await ask(path), [429, 'Too Many Requests']);
    }
  });
}
