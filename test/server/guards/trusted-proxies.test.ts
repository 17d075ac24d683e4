import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadUWebSockets } from '../../../native-bindings/uwebsockets.ts';
import { PARSER_HEADER_BYTES_MAX } from '../../../src/model/limits/requests.ts';
import { createTrustedProxies, toAddress } from '../../../src/server/guards/trusted-proxies.ts';
import { type EngineName, echo, get, openTestServer } from '../http/server-under-test.ts';

const engines: EngineName[] = loadUWebSockets(PARSER_HEADER_BYTES_MAX).state === 'loaded' ? ['uws', 'node'] : ['node'];

const headerOf = (headers: Readonly<Record<string, string>>) => {
  const values = new Map(Object.entries(headers));
  return (name: string) => values.get(name);
};
const clientOf = (networks: readonly string[], peer: string, headers: Readonly<Record<string, string>>) =>
  createTrustedProxies(networks, false).clientOf(peer, headerOf(headers));
const PROXIES = ['10.0.0.0/8', '2001:db8:1::/48', '192.0.2.7'];

describe('forwarding headers', () => {
  test('count only from a listed peer', () => {
    const forged = {
      'x-forwarded-for': '203.0.113.9',
      forwarded: 'for=203.0.113.9;proto=https',
      'x-forwarded-proto': 'https',
    };
    const trusted = { address: '203.0.113.9', isForwarded: true, isSecure: true };

    for (const peer of ['198.51.100.1', '192.0.2.8', '2001:db8:2::1', '127.0.0.1']) {
      assert.deepEqual(clientOf(PROXIES, peer, forged), { address: peer, isForwarded: true, isSecure: false });
      assert.equal(
        createTrustedProxies(PROXIES, false).forwardedHost(peer, headerOf({ 'x-forwarded-host': 'x' })),
        undefined,
      );
    }
    for (const peer of ['10.1.2.3', '192.0.2.7', '2001:db8:1::5', '::ffff:10.1.2.3']) {
      assert.deepEqual(clientOf(PROXIES, peer, forged), trusted, peer);
    }
  });

  test('name the last address that is no listed proxy, because a client invents the ones before it', () => {
    const of = (list: string) => clientOf(PROXIES, '10.0.0.1', { 'x-forwarded-for': list }).address;

    assert.equal(of('203.0.113.9'), '203.0.113.9');
    assert.equal(of('127.0.0.1, 203.0.113.9'), '203.0.113.9');
    assert.equal(of('127.0.0.1, 203.0.113.9, 10.9.9.9, 192.0.2.7'), '203.0.113.9');
    assert.equal(of('10.7.7.7'), '10.7.7.7');
    assert.equal(of('203.0.113.9, unknown'), '10.0.0.1');
    assert.equal(of('203.0.113.9, unknown, 10.4.4.4'), '10.4.4.4');
    assert.equal(of(''), '10.0.0.1');
    assert.equal(of(`${'203.0.113.9,'.repeat(5_000)}10.2.2.2`), '203.0.113.9');
    assert.equal(of(`203.0.113.9${',10.2.2.2'.repeat(5_000)}`), '10.2.2.2');
  });

  test('are read in the form of RFC 7239, and an open quote hides nothing', () => {
    const of = (forwarded: string) => clientOf(PROXIES, '10.0.0.1', { forwarded }).address;

    assert.equal(of('for=203.0.113.9;proto=http;by=10.0.0.1'), '203.0.113.9');
    assert.equal(of('By=10.0.0.1; For="203.0.113.9:4711"'), '203.0.113.9');
    assert.equal(of('for="[2001:DB8::9]:4711"'), '2001:db8::9');
    assert.equal(of('for="127.0.0.1, for=203.0.113.9'), '203.0.113.9');
    assert.equal(of('for=_hidden'), '10.0.0.1');
    assert.equal(of('proto=https'), '10.0.0.1');
  });

  test('that contradict each other do not count, because a proxy may pass on the one that it does not write', () => {
    const of = (headers: Record<string, string>) => clientOf(PROXIES, '10.0.0.1', headers).address;

    assert.equal(of({ 'x-forwarded-for': '203.0.113.9', forwarded: 'for=127.0.0.1' }), '10.0.0.1');
    assert.equal(of({ 'x-forwarded-for': '203.0.113.9', forwarded: 'for=203.0.113.9' }), '203.0.113.9');
  });

  test('of any kind mark a request as forwarded, trusted or not', () => {
    for (const name of ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via']) {
      assert.equal(clientOf([], '127.0.0.1', { [name]: '' }).isForwarded, true, name);
    }
    assert.deepEqual(clientOf([], '127.0.0.1', { host: 'x' }), {
      ...{ address: '127.0.0.1', isForwarded: false, isSecure: false },
    });
  });

  test('state whether the client uses TLS, and a listener with TLS needs no header', () => {
    const isSecure = (headers: Record<string, string>) => clientOf(PROXIES, '10.0.0.1', headers).isSecure;

    assert.equal(isSecure({ 'x-forwarded-proto': 'https' }), true);
    assert.equal(isSecure({ 'x-forwarded-proto': 'https, http' }), false);
    assert.equal(isSecure({ forwarded: 'for=1.2.3.4;proto=https' }), true);
    assert.equal(createTrustedProxies([], true).clientOf('1.2.3.4', headerOf({})).isSecure, true);
  });
});

test('an address has one form, and other texts have none', () => {
  const FORMS = {
    '127.0.0.1': ['127.0.0.1', ' 127.0.0.1 ', '127.0.0.1:80', '::ffff:127.0.0.1', '[::ffff:7f00:1]:80'].concat(
      '0000:0000:0000:0000:0000:ffff:7f00:0001',
    ),
    '2001:db8::1': ['2001:db8::1', '2001:0DB8:0:0:0:0:0:1', '[2001:db8::1]', '[2001:db8::1]:443'],
    'fe80::1': ['fe80::1%eth0', '[fe80::1%eth0]:80'],
  };
  for (const [address, texts] of Object.entries(FORMS)) {
    for (const text of texts) assert.equal(toAddress(text), address, text);
  }
  for (const text of ['', 'localhost', '1.2.3', '1.2.3.4.5', '1.2.3.4:', '[1.2.3.4', '::1]', 'x'.repeat(1_000_000)]) {
    assert.equal(toAddress(text), undefined, text.slice(0, 20));
  }
});

for (const engine of engines) {
  test(`a handler on ${engine} gets the address of the client`, async (t) => {
    const { address } = await openTestServer(t, engine, [get('/', echo)], { trustedProxies: ['127.0.0.1'] });
    const ask = async (headers: Record<string, string>) => {
      const { remoteAddress, clientAddress, isForwarded } = (await (
        await fetch(address, { headers })
      ).json()) as Record<string, unknown>;
      return [remoteAddress, clientAddress, isForwarded];
    };

    assert.deepEqual(await ask({}), ['127.0.0.1', '127.0.0.1', false]);
    assert.deepEqual(await ask({ 'x-forwarded-for': '203.0.113.9' }), ['127.0.0.1', '203.0.113.9', true]);
  });
}
