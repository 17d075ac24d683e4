import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { loadUWebSockets } from '../../../native-bindings/uwebsockets.ts';
import { PARSER_HEADER_BYTES_MAX } from '../../../src/model/limits/requests.ts';
import { createSecurityHeaders } from '../../../src/server/http/security-headers.ts';
import { htmlResponse } from '../../../src/server/pages/html-page.ts';
import { jsonTextResponse, textResponse } from '../../../src/server/route.ts';
import { RawConnection } from './raw-connection.ts';
import { type EngineName, get, openTestServer } from './server-under-test.ts';

const engines: EngineName[] = loadUWebSockets(PARSER_HEADER_BYTES_MAX).state === 'loaded' ? ['uws', 'node'] : ['node'];

const routes = [
  get('/json', () => jsonTextResponse(200, '{}')),
  get('/text', () => textResponse(200, 'OK')),
  get('/failure', () => {
    throw new Error('broken');
  }),
  get('/page', () => htmlResponse({ title: 'Page', style: 'a{}', script: '1', body: '' })),
  get('/traces', () => ({ status: 200, headers: { 'content-type': 'application/x-protobuf' }, body: '' })),
];

const DISPLAYED = {
  'content-security-policy': /default-src 'none'.*frame-ancestors 'none'/,
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'permissions-policy': /camera=\(\)/,
  'cross-origin-opener-policy': /^same-origin$/,
};

for (const engine of engines) {
  describe(`security headers on ${engine}`, () => {
    test('every response that a browser may display denies framing, loading and abilities', async (t) => {
      const { port } = await openTestServer(t, engine, routes);

      for (const path of ['/json', '/text', '/failure', '/page', '/missing']) {
        const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
        assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
        for (const [name, value] of Object.entries(DISPLAYED)) {
          assert.match(headers.get(name) ?? '', value, `${name} of ${path}`);
        }
      }
    });

    test('a page keeps its own content policy', async (t) => {
      const { port } = await openTestServer(t, engine, routes);

      const { headers } = await fetch(`http://127.0.0.1:${port}/page`);

      assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; style-src 'sha256-[^,]+$/);
    });

    test('the response to an exporter has only the headers that matter to it', async (t) => {
      const { port } = await openTestServer(t, engine, routes);

      const { headers } = await fetch(`http://127.0.0.1:${port}/traces`);

      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      for (const name of Object.keys(DISPLAYED)) assert.equal(headers.get(name), null, name);
    });

    test('browsers must use TLS only where users reach the server over TLS', async (t) => {
      const plain = await openTestServer(t, engine, routes, { rootUrl: 'http://traces.internal' });
      const behindProxy = await openTestServer(t, engine, routes, { rootUrl: 'https://traces.example.com' });
      const hsts = async (port: number) =>
        (await fetch(`http://127.0.0.1:${port}/traces`)).headers.get('strict-transport-security');

      assert.equal(await hsts(plain.port), null);
      assert.equal(await hsts(behindProxy.port), 'max-age=31536000');
    });
  });
}

test('the response of node:http to data that is not HTTP has them too', async (t) => {
  const { port } = await openTestServer(t, 'node', routes);
  const connection = await RawConnection.open(port);
  t.after(() => connection.close());

  connection.send('NONSENSE\r\n\r\n');

  assert.equal(await connection.status(), 400);
  assert.match(connection.text, /content-security-policy: default-src 'none'.*frame-ancestors 'none'\r\n/);
});

test('a listener with TLS requires browsers to use TLS', () => {
  assert.match(createSecurityHeaders(true, undefined).always['strict-transport-security'] ?? '', /^max-age=\d+$/);
});
