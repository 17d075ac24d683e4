import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { ByteBudget } from '../../../src/base/byte-budget.ts';
import { HeapBudget } from '../../../src/base/memory/heap-budget.ts';
import { SIGN_IN_OFF } from '../../../src/model/access/caller.ts';
import { SpandrelError } from '../../../src/model/errors.ts';
import { createGate } from '../../../src/server/guards/gate.ts';
import { type HttpRequest, type HttpResponse, textResponse } from '../../../src/server/route.ts';
import { AMBIGUOUS_CHUNKS, AMBIGUOUS_HEADS, chunked, RARE_CHUNKS, SMUGGLED } from './framing-cases.ts';
import { eventually, RawConnection } from './raw-connection.ts';
import { type EngineName, echo, get, openTestServer, post } from './server-under-test.ts';

const KiB = 1024;
const MiB = 1024 * KiB;
const HOST = 'Host: x\r\n';

/** Common behavior of all engines of `openHttpServer`. */
export function testHttpServer(engine: EngineName): void {
  describe(`HTTP on ${engine}: requests`, () => {
    test('passes on method, path, query and parameters, which are decoded once', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/v1/projects/:name/spans', echo)]);

      const got = await json(`${address}/v1/projects/a%2525b%2Fc%20%C3%BC/spans?limit=1&x=%20`);

      assert.deepEqual(got.params, { name: 'a%25b/c ü' });
      assert.equal(got.path, '/v1/projects/a%2525b%2Fc%20%C3%BC/spans');
      assert.equal(got.query, 'limit=1&x=%20');
      assert.equal(got.method, 'GET');
      assert.equal(got.remoteAddress, '127.0.0.1');
    });

    test('rejects a parameter with invalid percent-encoding with 400', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/p/:name', echo)]);

      assert.equal((await fetch(`${address}/p/%zz`)).status, 400);
      assert.equal((await fetch(`${address}/p/%c3%28`)).status, 400);
    });

    test('treats a path with a trailing slash as another path', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/v1/projects', echo), get('/v1/projects/:name', echo)]);

      assert.equal((await fetch(`${address}/v1/projects`)).status, 200);
      assert.equal((await fetch(`${address}/v1/projects/`)).status, 404);
    });

    test('responds with and without the root path', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/v1/x', echo)], { rootPath: '/obs' });

      assert.equal((await json(`${address}/obs/v1/x`)).path, '/v1/x');
      assert.equal((await json(`${address}/v1/x`)).path, '/v1/x');
      assert.equal((await fetch(`${address}/observe/v1/x`)).status, 404);
    });

    test('decodes header values as UTF-8 and joins repeated ones', async (t) => {
      const header = (name: string) => get('/', (request) => textResponse(200, request.header(name) ?? 'none'));
      const { port } = await openTestServer(t, engine, [header('x-project-name')]);
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());

      connection.send(`GET / HTTP/1.1\r\n${HOST}X-Project-Name: ${utf8('Grüße')}\r\nx-project-name: b\r\n\r\n`);

      await connection.until(({ text }) => text.includes(utf8('Grüße, b')));
    });

    for (const byteCount of [0, 1, 1000, 70_000, MiB, 3 * MiB + 17]) {
      test(`passes on a body of ${byteCount} bytes in its own buffer, with a stated length or chunked`, async (t) => {
        const sent = randomBytes(byteCount);
        const route = post(
          '/',
          async ({ body }) => {
            const isOwner = body.byteOffset === 0 && body.buffer.byteLength === body.byteLength;
            const moved = structuredClone(body, { transfer: [body.buffer] });
            return textResponse(200, `${isOwner} ${digest(moved)}`);
          },
          8 * MiB,
        );
        const { address } = await openTestServer(t, engine, [route]);

        const whole = await fetch(address, { method: 'POST', body: sent });
        const chunked = await fetch(address, { method: 'POST', body: inPieces(sent), duplex: 'half' } as RequestInit);

        assert.equal(await whole.text(), `true ${digest(sent)}`);
        assert.equal(await chunked.text(), `true ${digest(sent)}`);
      });
    }

    test('reads and drops a body that the route does not accept', async (t) => {
      const { port } = await openTestServer(t, engine, [get('/', echo)]);
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());

      connection.send(`GET / HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\nhello`);
      await connection.until(({ text }) => text.includes('"bodyBytes":0'));
      connection.send(`GET /nowhere HTTP/1.1\r\n${HOST}\r\n`);

      await connection.until(({ text }) => text.includes('404 Not Found'));
    });

    test('sends 100 Continue to a client that expects it', async (t) => {
      const { port } = await openTestServer(t, engine, [post('/', echo)]);
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());

      connection.send(`POST / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 5\r\n\r\n`);
      await connection.until(({ text }) => text.startsWith('HTTP/1.1 100 Continue\r\n\r\n'));
      connection.send('hello');

      await connection.until(({ text }) => text.includes('"bodyText":"hello"'));
    });

    test('keeps a connection for further requests', async (t) => {
      const { port } = await openTestServer(t, engine, [post('/', echo)]);
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());

      for (const word of ['one', 'two', 'three']) {
        connection.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: ${word.length}\r\n\r\n${word}`);
        await connection.until(({ text }) => text.includes(`"bodyText":"${word}"`));
      }
    });

    test('responds to pipelined requests in order when handlers do not wait', async (t) => {
      const { port } = await openTestServer(t, engine, [
        get('/:n', ({ params }) => textResponse(200, `<${params.n}>`)),
      ]);
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());

      connection.send([1, 2, 3].map((n) => `GET /${n} HTTP/1.1\r\n${HOST}\r\n`).join(''));

      const text = await connection.until((c) => c.text.includes('<3>'));
      assert.match(text, /<1>.*<2>.*<3>/s);
    });
  });

  describe(`HTTP on ${engine}: responses`, () => {
    test('puts the common headers on every response', async (t) => {
      const fail = () => {
        throw new Error('boom');
      };
      const routes = [
        get('/ok', echo),
        get('/none', () => ({ status: 204 })),
        get('/boom', fail),
        post('/post', echo, 3),
      ];
      const { address } = await openTestServer(t, engine, routes);

      const responses = await Promise.all([
        fetch(`${address}/ok`),
        fetch(`${address}/none`),
        fetch(`${address}/boom`),
        fetch(`${address}/unknown`),
        fetch(`${address}/ok`, { method: 'DELETE' }),
        fetch(`${address}/ok`, { method: 'HEAD' }),
        fetch(`${address}/post`, { method: 'POST', body: 'too long' }),
        fetch(`${address}/ok`, { headers: { large: 'x'.repeat(61 * KiB) } }),
      ]);

      assert.deepEqual(
        responses.map((r) => r.status),
        [200, 204, 500, 404, 405, 200, 413, 431],
      );
      for (const { headers } of responses) {
        assert.equal(headers.get('x-phoenix-server-version'), '14.17.0');
        assert.equal(headers.get('x-spandrel-version'), '0.1.0');
        assert.equal(headers.get('x-colab-notebook-cache-control'), 'no-cache');
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
      }
    });

    test('responds to an unknown path under /v1 with text, and elsewhere with JSON if the client accepts it', async (t) => {
      const { address } = await openTestServer(t, engine, []);
      const ask = async (path: string, init: RequestInit = {}) => {
        const response = await fetch(address + path, init);
        return [response.status, response.headers.get('content-type'), await response.text()];
      };

      assert.deepEqual(await ask('/v1/nope'), [404, 'text/plain; charset=utf-8', 'Not Found']);
      assert.deepEqual(await ask('/v1/nope', { method: 'POST' }), [404, 'text/plain; charset=utf-8', 'Not Found']);
      assert.deepEqual(await ask('/nope'), [404, 'application/json', '{"detail":"Not Found"}']);
      const browser = { headers: { accept: 'text/html,*/*;q=0.8' } };
      assert.deepEqual(await ask('/nope', browser), [404, 'text/plain; charset=utf-8', 'Not Found']);
    });

    test('responds to a wrong method with 405 and the allowed methods', async (t) => {
      const { address } = await openTestServer(t, engine, [
        get('/v1/a', echo),
        post('/v1/a', echo),
        get('/v1/:x', echo),
      ]);

      for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
        const response = await fetch(`${address}/v1/a`, { method });
        assert.equal(response.status, 405);
        assert.equal(await response.text(), 'Method Not Allowed');
        assert.equal(response.headers.get('allow'), 'GET, HEAD, POST');
      }
    });

    test('responds to HEAD like GET, without the body', async (t) => {
      const { port, address } = await openTestServer(t, engine, [get('/', () => textResponse(200, 'twelve bytes'))]);
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());

      connection.send(`HEAD / HTTP/1.1\r\n${HOST}\r\nGET / HTTP/1.1\r\n${HOST}\r\n`);

      const text = await connection.until((c) => c.text.includes('twelve bytes'));
      assert.match(text, /^HTTP\/1.1 200 OK\r\n/);
      assert.equal(text.match(/content-length: 12/gi)?.length, 2);
      assert.equal(text.match(/twelve bytes/g)?.length, 1);
      assert.equal(connection.isClosed, false);
      assert.equal((await fetch(address, { method: 'HEAD' })).headers.get('content-type'), 'text/plain; charset=utf-8');
    });

    test('sends nothing after the headers of a 204', async (t) => {
      const { port } = await openTestServer(t, engine, [get('/', () => ({ status: 204 }))]);
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());

      connection.send(`GET / HTTP/1.1\r\n${HOST}\r\nGET / HTTP/1.1\r\n${HOST}\r\n`);

      const text = await connection.until((c) => (c.text.match(/204 No Content/g)?.length ?? 0) === 2);
      assert.doesNotMatch(text, /content-length|transfer-encoding/i);
    });

    test('compresses long text only for clients that accept gzip', async (t) => {
      const small = JSON.stringify('x'.repeat(500));
      const middle = JSON.stringify('y'.repeat(5_000));
      const large = JSON.stringify(randomBytes(300 * KiB).toString('hex'));
      const asJson = (body: string) => () => ({ status: 200, headers: { 'content-type': 'application/json' }, body });
      const routes = [
        get('/small', asJson(small)),
        get('/middle', asJson(middle)),
        get('/large', asJson(large)),
        get('/png', () => ({ status: 200, headers: { 'content-type': 'image/png' }, body: middle })),
        get('/stream', () => ({
          status: 200,
          headers: { 'content-type': 'application/json' },
          body: inPieces(Buffer.from(large)),
        })),
      ];
      const { address } = await openTestServer(t, engine, routes);
      const ask = (path: string, headers: Record<string, string>) => rawGet(address + path, headers);

      for (const [path, expected] of [
        ['/middle', middle],
        ['/large', large],
        ['/stream', large],
      ] as const) {
        const zipped = await ask(path, { 'accept-encoding': 'deflate, gzip;q=0.5' });
        assert.equal(zipped.headers['content-encoding'], 'gzip');
        assert.match(zipped.headers.vary ?? '', /Accept-Encoding/);
        assert.equal(gunzipSync(zipped.body).toString(), expected);
        for (const headers of [{}, { 'accept-encoding': 'gzip;q=0' }, { 'accept-encoding': 'br' }]) {
          const plain = await ask(path, headers as Record<string, string>);
          assert.equal(plain.headers['content-encoding'], undefined);
          assert.equal(plain.body.toString(), expected);
        }
      }
      const multipart = { 'accept-encoding': 'gzip', accept: 'multipart/mixed, application/json' };
      assert.equal((await ask('/large', multipart)).headers['content-encoding'], undefined);
      assert.equal((await ask('/small', { 'accept-encoding': 'gzip' })).headers['content-encoding'], undefined);
      assert.equal((await ask('/png', { 'accept-encoding': 'gzip' })).headers['content-encoding'], undefined);
    });

    test('states the compressed length to HEAD', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/', () => textResponse(200, 'z'.repeat(9_000)))]);
      const ask = (method: string) => rawGet(address, { 'accept-encoding': 'gzip' }, method);

      const [head, whole] = [await ask('HEAD'), await ask('GET')];

      assert.equal(head.headers['content-length'], String(whole.body.byteLength));
      assert.equal(head.body.byteLength, 0);
    });

    test('sends a body of many megabytes completely', async (t) => {
      const sent = randomBytes(20 * MiB);
      const { address } = await openTestServer(t, engine, [
        get('/whole', () => ({ status: 200, headers: { 'content-type': 'application/octet-stream' }, body: sent })),
        get('/pieces', () => ({ status: 200, body: inPieces(sent) })),
      ]);

      for (const path of ['/whole', '/pieces']) {
        const got = new Uint8Array(await (await fetch(address + path)).arrayBuffer());
        assert.equal(digest(got), digest(sent));
      }
    });

    test('rejects a header value that would start another header', async (t) => {
      const evil = () => ({ status: 200, headers: { 'x-a': 'b\r\nset-cookie: c=1' }, body: '' });
      const { address, errors } = await openTestServer(t, engine, [get('/', evil)]);

      await assert.rejects(fetch(address));
      assert.equal(errors.length, 1);
    });
  });

  describe(`HTTP on ${engine}: rejections and failures`, () => {
    for (const [what, head] of [
      ['61 KiB of headers', `GET / HTTP/1.1\r\n${HOST}x-large: ${'a'.repeat(61 * KiB)}\r\n\r\n`],
      ['a megabyte of headers', `GET / HTTP/1.1\r\n${HOST}x-large: ${'a'.repeat(MiB)}\r\n\r\n`],
      ['10,000 headers', `GET / HTTP/1.1\r\n${HOST}${'a: b\r\n'.repeat(10_000)}\r\n`],
      ['a long path', `GET /${'p'.repeat(61 * KiB)} HTTP/1.1\r\n${HOST}\r\n`],
    ] as const) {
      test(`responds to ${what} with 431`, async (t) => {
        const { port, address } = await openTestServer(t, engine, [get('/', echo)]);
        const connection = await RawConnection.open(port);
        t.after(() => connection.close());

        connection.send(head);

        assert.equal(await connection.status(), 431);
        assert.equal((await fetch(address)).status, 200);
      });
    }

    for (const [what, text] of [
      ['a TLS hello', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(300, '\x07')],
      ['noise', 'lorem ipsum\r\n\r\n'],
      ['a bad version', `GET / HTTP/9.9\r\n${HOST}\r\n`],
      ['a bad length', `POST / HTTP/1.1\r\n${HOST}Content-Length: 1x\r\n\r\n`],
      ['a negative length', `POST / HTTP/1.1\r\n${HOST}Content-Length: -1\r\n\r\n`],
      ['two lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
      [
        'a length beside chunks',
        `POST / HTTP/1.1\r\n${HOST}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ],
      ['a bad chunk size', `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
      ['no host', 'GET / HTTP/1.1\r\n\r\n'],
      ['a header without colon', `GET / HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
    ] as const) {
      test(`survives ${what}, and does not treat it as a request`, async (t) => {
        let calls = 0;
        const count = (): HttpResponse => {
          calls++;
          return { status: 200 };
        };
        const { port, address } = await openTestServer(t, engine, [get('/', count), post('/', count)]);
        const connection = await RawConnection.open(port);
        t.after(() => connection.close());

        connection.send(text);
        connection.socket.end();

        await connection.until(({ isClosed }) => isClosed);
        assert.doesNotMatch(connection.text, /^HTTP\/1.1 2/);
        assert.equal(calls, 0);
        assert.equal((await fetch(address)).status, 200);
      });
    }

    test('survives randomly damaged requests', async (t) => {
      const { port, address } = await openTestServer(t, engine, [get('/a/:x', echo), post('/', echo, KiB)]);
      const whole = [
        `GET /a/b%20c?d=e HTTP/1.1\r\n${HOST}Accept-Encoding: gzip\r\n\r\n`,
        `POST / HTTP/1.1\r\n${HOST}Content-Length: 11\r\n\r\nhello world`,
        `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
        `POST / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 2\r\n\r\nab`,
      ];
      const damage = fc.record({
        text: fc.constantFrom(...whole),
        at: fc.double({ min: 0, max: 0.999, noNaN: true }),
        cut: fc.integer({ min: 0, max: 8 }),
        insert: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes).toString('latin1')),
      });

      const sendDamaged = fc.asyncProperty(damage, async ({ text, at, cut, insert }) => {
        const index = Math.floor(at * text.length);
        const connection = await RawConnection.open(port);
        connection.send(text.slice(0, index) + insert + text.slice(index + cut));
        connection.socket.end();
        await connection.until(({ isClosed }) => isClosed);
      });
      await fc.assert(sendDamaged, { numRuns: 150 });

      assert.equal((await fetch(`${address}/a/b`)).status, 200);
    });

    test('rejects a body above the limit with 413, with or without a stated length, and the client can read it', async (t) => {
      const { port, address } = await openTestServer(t, engine, [post('/', echo, 10 * KiB)]);
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());
      const tooMuch = Buffer.alloc(3 * MiB);

      const stated = await rawPost(address, tooMuch, { 'content-length': String(tooMuch.byteLength) });
      const chunked = await rawPost(address, tooMuch, { 'transfer-encoding': 'chunked' });
      connection.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 99999999999\r\n\r\n`);

      assert.equal(stated, 413);
      assert.equal(chunked, 413);
      assert.equal(await connection.status(), 413);
      await connection.until(({ isClosed }) => isClosed);
    });

    test('calls admit before the body, with its stated length', async (t) => {
      const refused = {
        ...post('/', echo),
        admit: ({ contentLength }: { contentLength: number | undefined }) =>
          contentLength === 50_000 ? textResponse(503, 'full', { 'retry-after': '1' }) : undefined,
      };
      const { address, port } = await openTestServer(t, engine, [refused]);
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());

      connection.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 50000\r\n\r\n`);

      assert.equal(await connection.status(), 503);
      assert.match(connection.text, /retry-after: 1\r\n/i);
      assert.equal(await rawPost(address, Buffer.alloc(10), {}), 200);
    });

    test('ends a body that holds much memory and arrives slowly, although it makes progress', async (t) => {
      const { port } = await openTestServer(t, engine, [post('/', echo, 2 * MiB)], { limits: { bodyStallMsMax: 200 } });
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());

      connection.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: ${2 * MiB}\r\n\r\n${'x'.repeat(MiB)}`);
      // Enough progress for a short body at every check.
      const drip = setInterval(() => connection.send('x'.repeat(20 * KiB)), 100);
      t.after(() => clearInterval(drip));

      assert.equal(await connection.status(), 408);
    });

    test('releases the heap of a request, and responds with 413 if it needs more than the budget', async (t) => {
      const taking = post('/:count', async ({ params, heap }) => {
        await heap.take(Number(params.count));
        return textResponse(200, 'read');
      });
      const { address } = await openTestServer(t, engine, [taking], { heapBudget: new HeapBudget(100) });

      assert.equal(await rawPost(`${address}/101`, Buffer.alloc(10), {}), 413);
      for (let i = 0; i < 3; i++) assert.equal(await rawPost(`${address}/100`, Buffer.alloc(10), {}), 200);
    });

    test('holds no more bytes of bodies than allowed, over all requests', async (t) => {
      const { port, address, registry } = await openTestServer(t, engine, [post('/', echo)], {
        bodyBudget: new ByteBudget(100_000),
      });
      const holder = await RawConnection.open(port);
      t.after(() => holder.close());
      const inFlight = async () =>
        (await registry.getSingleMetric('spandrel_http_requests_in_flight')!.get()).values[0]!.value;

      holder.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 90000\r\n\r\n${'x'.repeat(80_000)}`);
      while ((await inFlight()) === 0) await sleep(5);
      await sleep(50);
      const refused = await rawPost(address, Buffer.alloc(50_000), {});
      holder.send('x'.repeat(10_000));
      await holder.until(({ text }) => text.includes('"bodyBytes":90000'));

      assert.equal(refused, 503);
      assert.equal(await rawPost(address, Buffer.alloc(90_000), {}), 200);
    });

    test('authenticates a caller before it reads the body, but not on open routes', async (t) => {
      const asked: string[] = [];
      const routes = [get('/open', echo), { ...post('/members', echo), access: 'member' as const }];
      const { address } = await openTestServer(t, engine, routes, {
        gate: createGate({
          isReadOnly: false,
          storageLock: () => undefined,
          async authenticate(presented) {
            asked.push(presented.kind);
            await sleep(10);
            const isGood = presented.kind === 'token' && presented.token === 'good';
            return isGood ? SIGN_IN_OFF : { kind: 'anonymous', reason: 'invalid' };
          },
        }),
      });

      assert.equal((await fetch(`${address}/open`)).status, 200);
      assert.equal(await rawPost(`${address}/members`, Buffer.alloc(70_000), {}), 401);
      assert.equal(await rawPost(`${address}/members`, Buffer.alloc(70_000), { authorization: 'Bearer good' }), 200);
      assert.deepEqual(asked, ['none', 'token']);
    });

    for (const [code, status] of [
      ['QUERY_INVALID', 422],
      ['PROJECT_PROTECTED', 403],
      ['SPAN_NOT_FOUND', 404],
      ['PROJECT_NAME_TAKEN', 409],
      ['BODY_TOO_LARGE', 413],
      ['CONTENT_TYPE_UNSUPPORTED', 415],
      ['INGEST_OVERLOADED', 503],
      ['STORAGE_FULL', 507],
      ['QUERY_TIMED_OUT', 504],
    ] as const) {
      test(`responds to ${code} with ${status} as text`, async (t) => {
        const fail = () => {
          throw new SpandrelError(code, 'the message ü');
        };
        const { address, errors } = await openTestServer(t, engine, [get('/', fail)]);

        const response = await fetch(address);

        assert.equal(response.status, status);
        assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8');
        assert.match(
          await response.text(),
          code === 'QUERY_TIMED_OUT' ? /took too long; select a shorter time range/ : /^the message ü$/,
        );
        assert.equal(response.headers.get('retry-after'), status === 503 ? '1' : null);
        assert.equal(errors.length, 0);
      });
    }

    test('responds to a failing handler with 500, and logs it once with the ID of the response', async (t) => {
      const routes = [
        get('/sync', () => {
          throw new Error('secret detail');
        }),
        get('/async', () => Promise.reject(new Error('secret detail'))),
      ];
      const { address, errors } = await openTestServer(t, engine, routes);

      for (const path of ['/sync', '/async']) {
        const response = await fetch(address + path);
        assert.equal(response.status, 500);
        assert.equal(await response.text(), 'Internal Server Error');
        assert.equal(errors.at(-1)?.fields.requestId, response.headers.get('x-request-id'));
      }
      assert.equal(errors.length, 2);
    });

    test('closes a stream that fails in the middle, so that no client considers it complete', async (t) => {
      async function* broken() {
        yield Buffer.from('the first half');
        throw new Error('disk gone');
      }
      const { address, errors } = await openTestServer(t, engine, [get('/', () => ({ status: 200, body: broken() }))]);

      await assert.rejects(fetch(address).then((response) => response.text()));
      assert.equal(errors.length, 1);
    });
  });

  describe(`HTTP on ${engine}: origins`, () => {
    const origins = { allowedOrigins: ['https://app.example'], csrfTrustedOrigins: [] };

    test('responds to a preflight request of an allowed origin', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/v1/x', echo)], origins);
      const headers = {
        origin: 'https://app.example',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'x-a',
      };

      const response = await fetch(`${address}/v1/x`, { method: 'OPTIONS', headers });

      assert.equal(response.status, 200);
      assert.equal(await response.text(), 'OK');
      assert.equal(response.headers.get('access-control-allow-origin'), 'https://app.example');
      assert.equal(response.headers.get('access-control-allow-credentials'), 'true');
      assert.equal(response.headers.get('access-control-max-age'), '600');
      assert.equal(response.headers.get('access-control-allow-headers'), 'x-a');
      assert.match(response.headers.get('access-control-allow-methods') ?? '', /PUT/);
    });

    test('lets only allowed origins read the response', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/', echo)], origins);
      const allowed = async (origin: string) =>
        (await fetch(address, { headers: { origin } })).headers.get('access-control-allow-origin');

      assert.equal(await allowed('https://app.example'), 'https://app.example');
      assert.equal(await allowed('https://other.example'), null);
    });

    test('rejects requests whose origin is not trusted', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/', echo)], {
        csrfTrustedOrigins: ['https://app.example'],
      });
      const ask = async (headers: Record<string, string>) => {
        const { status, body } = await rawGet(address, headers);
        return status === 200 ? 200 : `${status} ${body}`;
      };

      assert.equal(await ask({}), 200);
      assert.equal(await ask({ origin: 'https://app.example:8443' }), 200);
      assert.equal(await ask({ origin: 'https://evil.example' }), '401 untrusted origin');
      assert.equal(await ask({ referer: 'https://evil.example/page' }), '401 untrusted referer');
      assert.equal(await ask({ origin: 'null' }), '401 untrusted origin');
    });

    test('trusts its own pages in addition to the list, with any port in Host', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/', echo)], {
        csrfTrustedOrigins: ['https://app.example'],
        rootUrl: 'https://traces.example/prefix',
      });
      const ask = async (headers: Record<string, string>) => (await rawGet(address, headers)).status;

      assert.equal(await ask({ origin: address }), 200);
      assert.equal(await ask({ referer: `${address}/projects` }), 200);
      assert.equal(await ask({ origin: 'https://traces.example' }), 200);
      assert.equal(await ask({ origin: 'https://traces.example:8443' }), 401);
    });

    test('trusts pages of the host that a listed proxy names, and of no other proxy', async (t) => {
      const csrfTrustedOrigins = ['https://app.example'];
      const forwarded = { origin: 'https://front.lan', 'x-forwarded-host': 'front.lan' };
      for (const [trustedProxies, status] of [
        [['127.0.0.0/8'], 200],
        [['10.0.0.0/8'], 401],
        [[], 401],
      ] as const) {
        const { address } = await openTestServer(t, engine, [get('/', echo)], { csrfTrustedOrigins, trustedProxies });
        assert.equal((await rawGet(address, forwarded)).status, status, trustedProxies.join());
      }
    });

    test('lets pages of any origin use the authorization server, without cookies', async (t) => {
      const routes = [
        post('/oauth2/token', echo),
        get('/.well-known/oauth-authorization-server', echo),
        get('/', echo),
      ];
      const { address } = await openTestServer(t, engine, routes, { csrfTrustedOrigins: ['https://app.example'] });
      const headers = { origin: 'https://other.example' };
      const preflight = { ...headers, 'access-control-request-method': 'POST' };
      const ask = async (path: string, init: RequestInit) => {
        const response = await fetch(address + path, init);
        const allowed = ['allow-origin', 'allow-credentials'].map((name) =>
          response.headers.get(`access-control-${name}`),
        );
        return [response.status, ...allowed];
      };

      assert.deepEqual(await ask('/oauth2/token', { method: 'POST', headers }), [200, '*', null]);
      assert.deepEqual(await ask('/oauth2/token', { method: 'OPTIONS', headers: preflight }), [200, '*', null]);
      assert.deepEqual(await ask('/.well-known/oauth-authorization-server', { headers }), [200, '*', null]);
      assert.deepEqual(await ask('/', { headers }), [401, null, null]);
      assert.deepEqual(await ask('/oauth2/token/', { method: 'POST', headers }), [401, null, null]);
    });

    test('lets all pages read without cookies when all origins are allowed', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/', echo)], { allowedOrigins: ['*'] });

      const { headers } = await rawGet(address, { origin: 'https://anybody.example' });

      assert.equal(headers['access-control-allow-origin'], '*');
      assert.equal(headers['access-control-allow-credentials'], undefined);
    });

    const own = 'http://traces.lan:6006';
    const senders: [what: string, headers: Record<string, string>, status: number][] = [
      ['a script', {}, 200],
      ['a script of Node', { 'sec-fetch-mode': 'cors', 'accept-language': '*' }, 200],
      ['a page of another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }, 403],
      ['a page of another site in an old browser', { origin: 'https://evil.example' }, 403],
      ['a page that hides its origin', { origin: 'null', 'sec-fetch-site': 'cross-site' }, 403],
      ['a page of another site that names only itself in Referer', { referer: 'https://evil.example/x' }, 403],
      ['another site without any name', { 'sec-fetch-site': 'cross-site' }, 403],
      ['another port of the same host', { origin: 'http://traces.lan:3000', 'sec-fetch-site': 'same-site' }, 403],
      ['an own page', { origin: own, 'sec-fetch-site': 'same-origin' }, 200],
      ['an own page in a browser that says nothing of the site', { origin: own }, 200],
      ['an own page behind a proxy that ends TLS', { origin: 'https://a.b', 'sec-fetch-site': 'same-origin' }, 200],
      ['a person, by the address bar', { 'sec-fetch-site': 'none' }, 200],
      ['an allowed origin', { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' }, 200],
    ];
    for (const [what, headers, status] of senders) {
      test(`responds to a write by ${what} with ${status}`, async (t) => {
        let writeCount = 0;
        const write = post('/', () => {
          writeCount++;
          return { status: 200 };
        });
        const { address } = await openTestServer(t, engine, [write, get('/', echo)], {
          allowedOrigins: ['https://app.example'],
        });

        const written = await rawGet(address, { host: 'traces.lan:6006', ...headers }, 'POST');

        assert.equal(written.status, status, written.body.toString());
        assert.equal(writeCount, status === 200 ? 1 : 0);
        // A read changes nothing, and without CORS headers the page cannot see the response.
        assert.equal((await rawGet(address, { host: 'traces.lan:6006', ...headers })).status, 200);
      });
    }

    test('accepts browsers at names that cannot be registered, and at configured names', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/', echo)], {
        allowedHosts: ['traces.example.com', '*.corp.example'],
        rootUrl: 'https://spans.example.org',
      });
      const ask = async (host: string, headers: Record<string, string> = { 'accept-language': 'en' }) =>
        (await rawGet(address, { host, ...headers })).status;

      const allowed = ['127.0.0.1:6006', '[::1]:6006', '10.1.2.3', 'localhost:6006', 'app.localhost', 'spandrel:6006'];
      allowed.push(
        'spandrel.local',
        'SPANDREL.internal.',
        'nas.home.arpa',
        'traces.example.com:6006',
        'a.corp.example',
      );
      allowed.push('spans.example.org');
      for (const host of allowed) assert.equal(await ask(host), 200, host);
      const rejected = ['evil.example', 'evil.example:6006', '127.0.0.1.evil.example', 'local.example', 'corp.example'];
      for (const host of [...rejected, 'traces.example.com.evil.example']) assert.equal(await ask(host), 403, host);
      const browsers: Record<string, string>[] = [
        { 'accept-language': '' },
        { origin: 'http://evil.example' },
        { referer: 'http://evil.example/' },
      ];
      for (const browser of browsers) assert.equal(await ask('evil.example', browser), 403);
      // Exporters and scripts use any name. Over TLS and on localhost, a browser sends its own headers and rebinding is
      // impossible.
      assert.equal(await ask('traces.company.example', {}), 200);
      assert.equal(await ask('traces.company.example', { 'accept-language': 'en', 'sec-fetch-site': 'none' }), 200);
    });

    test('names the setting that would allow a rejected request', async (t) => {
      const { address } = await openTestServer(t, engine, [get('/', echo), post('/', echo)]);

      const host = await rawGet(address, { host: 'evil.example', 'accept-language': 'en' });
      const origin = await rawGet(address, { origin: 'https://evil.example' }, 'POST');

      assert.match(host.body.toString(), /host name evil\.example\. .*SERVICE_ALLOWED_HOSTS/);
      assert.match(origin.body.toString(), /https:\/\/evil\.example, .*SERVICE_ALLOWED_ORIGINS/);
      assert.equal(origin.headers['content-type'], 'text/plain; charset=utf-8');
    });
  });

  describe(`HTTP on ${engine}: the end of a request`, () => {
    /**
     * Sends bytes in one write. Returns the handlers that ran, and the statuses received until the connection was idle.
     */
    const handledFor = async (t: TestContext, text: string) => {
      const handled: string[] = [];
      const note = ({ path, body }: HttpRequest): HttpResponse => {
        handled.push(`${path} ${Buffer.from(body)}`.trim());
        return { status: 200, body: 'handled' };
      };
      const { port } = await openTestServer(t, engine, [post('/body', note), get('/smuggled', note), get('/', note)], {
        limits: { bodyStallMsMax: 300 },
      });
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());
      connection.send(text);
      await connection.until(({ text: came, isClosed }) => isClosed || came.includes('handled'));
      // Other requests in the same bytes would be handled by now.
      await fetch(`http://127.0.0.1:${port}/none`);
      return { handled, statuses: [...connection.text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status!) };
    };

    for (const { what, text } of AMBIGUOUS_HEADS) {
      test(`runs no handler for ${what}`, async (t) => {
        const { handled, statuses } = await handledFor(t, text + SMUGGLED);

        assert.deepEqual(handled, []);
        assert.ok(statuses.every((status) => status === '400') && statuses.length <= 1, statuses.join());
      });
    }
    for (const { what, text } of AMBIGUOUS_CHUNKS) {
      test(`handles no request after ${what}`, async (t) => {
        const { handled } = await handledFor(t, text + SMUGGLED);

        assert.ok(!handled.includes('/smuggled'), handled.join());
      });
    }
    for (const { what, text } of RARE_CHUNKS) {
      test(`finds the correct end of a body with ${what}, or rejects it`, async (t) => {
        const { handled } = await handledFor(t, text + SMUGGLED);

        assert.ok(['/body abc', '/body abc,/smuggled', ''].includes(handled.toSorted().join()), handled.join());
      });
    }

    for (const { what, text } of [
      ...RARE_CHUNKS.filter(({ isAnswered }) => isAnswered ?? true),
      { what: 'an extension that is a number', text: chunked('3;a=b\r\nabc\r\n0\r\n\r\n') },
    ]) {
      test(`responds to a body with ${what} without waiting for more of it`, async (t) => {
        const { port } = await openTestServer(t, engine, [post('/body', echo)]);
        const connection = await RawConnection.open(port);
        t.after(() => connection.close());

        connection.send(text);

        assert.ok([200, 400].includes((await connection.status()) ?? 0));
      });
    }

    test('handles no request after an early response to a chunked body', async (t) => {
      const unread = 'POST /none HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\nXY';

      const { handled } = await handledFor(t, unread + SMUGGLED);

      assert.deepEqual(handled, []);
    });
  });

  describe(`HTTP on ${engine}: slow and vanishing clients`, () => {
    test('rejects a stalled body with 408, and continues with others', async (t) => {
      const { port, address } = await openTestServer(t, engine, [post('/', echo)], { limits: { bodyStallMsMax: 200 } });
      const slow = await RawConnection.open(port);
      t.after(() => slow.close());

      slow.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 100\r\n\r\nabc`);
      const trickle = setInterval(() => slow.send('x'), 50);
      t.after(() => clearInterval(trickle));

      assert.equal(await slow.status(), 408);
      await slow.until(({ isClosed }) => isClosed);
      assert.equal((await fetch(address, { method: 'POST', body: 'x' })).status, 200);
    });

    test('notifies a waiting handler when its client disconnects', async (t) => {
      let signal: AbortSignal | undefined;
      const wait = async (request: { signal: AbortSignal }): Promise<HttpResponse> => {
        signal = request.signal;
        await new Promise((resolve) => request.signal.addEventListener('abort', resolve));
        throw new Error('stopped');
      };
      const { port, errors, registry } = await openTestServer(t, engine, [get('/', wait), post('/', wait)]);

      for (const head of [`GET / HTTP/1.1\r\n${HOST}\r\n`, `POST / HTTP/1.1\r\n${HOST}Content-Length: 2\r\n\r\nab`]) {
        signal = undefined;
        const connection = await RawConnection.open(port);
        connection.send(head);
        await eventually(() => signal !== undefined, 'the handler runs');
        connection.close();
        await eventually(() => signal?.aborted === true, 'the signal fires');
      }

      await sleep(20);
      assert.equal(errors.length, 0);
      assert.match(await registry.metrics(), /spandrel_http_requests_aborted_total 2/);
      assert.match(await registry.metrics(), /spandrel_http_requests_in_flight 0/);
    });

    test('releases a body whose client disconnects in the middle', async (t) => {
      let calls = 0;
      const count = (): HttpResponse => {
        calls++;
        return { status: 200 };
      };
      const { port, address } = await openTestServer(t, engine, [post('/', count)], {
        bodyBudget: new ByteBudget(100_000),
      });

      for (let i = 0; i < 5; i++) {
        const connection = await RawConnection.open(port);
        connection.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 90000\r\n\r\n${'x'.repeat(80_000)}`);
        await sleep(20);
        connection.close();
        await sleep(20);
      }

      assert.equal(calls, 0);
      assert.equal(await rawPost(address, Buffer.alloc(95_000), {}), 200);
    });

    test('waits for a slow reader instead of buffering a stream of a gigabyte, and stops its source when it disconnects', async (t) => {
      const chunk = Buffer.alloc(256 * KiB, 1);
      let produced = 0;
      let isReturned = false;
      async function* gigabyte() {
        try {
          for (; produced < 1024 * MiB; produced += chunk.byteLength) yield chunk;
        } finally {
          isReturned = true;
        }
      }
      const { port } = await openTestServer(t, engine, [get('/', () => ({ status: 200, body: gigabyte() }))]);
      const reader = await RawConnection.open(port);
      reader.socket.removeAllListeners('data').pause();

      reader.send(`GET / HTTP/1.1\r\n${HOST}\r\n`);
      await eventually(() => produced > 0, 'the stream begins');
      await sleep(500);
      const whilePaused = produced;
      reader.socket.resume();
      await eventually(() => produced >= whilePaused + 50 * MiB, 'the stream goes on');
      reader.close();

      await eventually(() => isReturned, 'the source is returned');
      // What the kernel buffers on both sides of a loopback connection, and a chunk.
      assert.ok(whilePaused < 32 * MiB, `${whilePaused} bytes for a reader that reads none`);
      assert.ok(produced < 1024 * MiB);
    });

    test('closes the connection of a client that reads nothing', async (t) => {
      const body = Buffer.alloc(64 * MiB);
      const { port } = await openTestServer(t, engine, [get('/', () => ({ status: 200, body }))], {
        limits: { responseStallMsMax: 200 },
      });
      const reader = await RawConnection.open(port);
      t.after(() => reader.close());
      reader.socket.removeAllListeners('data').pause();

      reader.send(`GET / HTTP/1.1\r\n${HOST}\r\n`);
      await sleep(1_000);
      let received = 0;
      reader.socket.on('data', (chunk) => {
        received += chunk.byteLength;
      });
      reader.socket.resume();

      await reader.until(({ isClosed }) => isClosed);
      assert.ok(received < body.byteLength);
    });

    test('continues with a body and with a handler that it has watched for a while', async (t) => {
      const wait = async ({ body, signal }: { body: Uint8Array; signal: AbortSignal }) => {
        await sleep(1_300);
        return textResponse(200, `${body.byteLength} ${signal.aborted}`);
      };
      const { port } = await openTestServer(t, engine, [post('/', wait)], { limits: { bodyStallMsMax: 4_000 } });
      const connection = await RawConnection.open(port);
      t.after(() => connection.close());

      connection.send(`POST / HTTP/1.1\r\n${HOST}Content-Length: 6\r\n\r\nabc`);
      await sleep(1_300);
      connection.send('def');

      await connection.until(({ text }) => text.endsWith('6 false'));
    });

    for (const path of ['/whole', '/pieces']) {
      test(`sends the rest of ${path} to a reader that paused for less than is allowed`, async (t) => {
        const body = randomBytes(40 * MiB);
        const routes = [
          get('/whole', () => ({ status: 200, body })),
          get('/pieces', () => ({ status: 200, body: inPieces(body) })),
        ];
        const { address } = await openTestServer(t, engine, routes, { limits: { responseStallMsMax: 4_000 } });
        const received = createHash('sha256');

        await new Promise<void>((resolve, reject) => {
          const sent = request(address + path, { agent: false }, (response) => {
            response.on('error', reject);
            response.on('end', resolve);
            response.pause();
            setTimeout(() => response.on('data', (chunk) => received.update(chunk)).resume(), 2_200);
          });
          sent.on('error', reject);
          sent.end();
        });

        assert.equal(received.digest('hex'), digest(body));
      });
    }

    test('closes connections above the limit at once', async (t) => {
      const { port } = await openTestServer(t, engine, [get('/', echo)], { limits: { connectionCountMax: 5 } });
      const connections = await Promise.all(Array.from({ length: 8 }, () => RawConnection.open(port)));
      t.after(() => {
        for (const connection of connections) connection.close();
      });

      await eventually(() => connections.filter(({ isClosed }) => isClosed).length === 3, 'three are closed');
      const left = connections.find(({ isClosed }) => !isClosed)!;
      left.send(`GET / HTTP/1.1\r\n${HOST}\r\n`);
      assert.equal(await left.status(), 200);
    });
  });

  describe(`HTTP on ${engine}: closing`, () => {
    test('announces the end of a connection that the client closes, and fetch reads a large compressed body whole', async (t) => {
      const numbers = JSON.stringify(Array.from({ length: 20_000 }, Math.random));
      const stream = async function* () {
        yield Buffer.from(numbers);
      };
      const headers = { 'content-type': 'application/json' };
      const routes = [
        get('/whole', async () => ({ status: 200, headers, body: numbers })),
        get('/stream', async () => ({ status: 200, headers, body: stream() })),
        get('/empty', async () => ({ status: 204 })),
      ];
      const { address } = await openTestServer(t, engine, routes);

      for (const path of ['/whole', '/stream', '/empty']) {
        const response = await fetch(address + path, { headers: { connection: 'close' } });

        assert.equal(response.headers.get('connection')?.toLowerCase(), 'close', path);
        assert.equal(await response.text(), path === '/empty' ? '' : numbers);
      }
    });

    test('finishes running requests, announces that the connection ends, and accepts no new connection', async (t) => {
      let release: (() => void) | undefined;
      const wait = async () => {
        await new Promise<void>((resolve) => {
          release = resolve;
        });
        return textResponse(200, 'done in time');
      };
      const server = await openTestServer(t, engine, [get('/', wait)], { limits: { drainMsMax: 5_000 } });
      const connection = await RawConnection.open(server.port);
      connection.send(`GET / HTTP/1.1\r\n${HOST}\r\n`);
      await eventually(() => release !== undefined, 'the handler runs');

      const closed = server.close();
      await assert.rejects(fetch(server.address));
      release?.();

      const text = await connection.until((c) => c.text.includes('done in time'));
      assert.match(text, /connection: close/i);
      await closed;
      await connection.until(({ isClosed }) => isClosed);
    });

    test('cuts what does not end in time', async (t) => {
      let signal: AbortSignal | undefined;
      const wait = (request: { signal: AbortSignal }) => {
        signal = request.signal;
        return new Promise<HttpResponse>(() => {});
      };
      const server = await openTestServer(t, engine, [get('/', wait)], { limits: { drainMsMax: 100 } });
      const connection = await RawConnection.open(server.port);
      connection.send(`GET / HTTP/1.1\r\n${HOST}\r\n`);
      await eventually(() => signal !== undefined, 'the handler runs');

      await server.close();

      await connection.until(({ isClosed }) => isClosed);
      assert.equal(signal?.aborted, true);
    });

    test('rejects a port that is in use', async (t) => {
      const { port } = await openTestServer(t, engine, []);

      await assert.rejects(openTestServer(t, engine, [], { port }), /EADDRINUSE|Cannot listen/);
    });
  });

  describe(`HTTP on ${engine}: metrics`, () => {
    test('counts requests by route pattern and status', async (t) => {
      const { address, registry } = await openTestServer(t, engine, [get('/v1/x/:id', echo), post('/in', echo)]);

      await (await fetch(`${address}/v1/x/1`)).text();
      await (await fetch(`${address}/v1/x/2`)).text();
      await (await fetch(`${address}/nowhere/3`)).text();
      await (await fetch(`${address}/in`, { method: 'POST', body: 'x'.repeat(123) })).text();

      const text = await registry.metrics();
      assert.match(text, /spandrel_http_requests_total\{method="GET",route="\/v1\/x\/:id",status="200"\} 2/);
      assert.match(text, /spandrel_http_requests_total\{method="GET",route="unmatched",status="404"\} 1/);
      assert.match(text, /spandrel_http_request_body_bytes_total 123/);
      assert.match(text, /spandrel_http_request_duration_seconds_count\{method="GET",route="\/v1\/x\/:id"\} 2/);
      assert.match(
        text,
        /starlette_requests_processing_time_seconds_summary_count\{method="GET",path="\/v1\/x\/:id"\} 2/,
      );
    });
  });
}

const utf8 = (text: string) => Buffer.from(text).toString('latin1');

const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let offset = 0; offset < bytes.byteLength; offset += 100_003) yield bytes.subarray(offset, offset + 100_003);
}

const json = async (url: string) => (await (await fetch(url)).json()) as Record<string, unknown>;

interface RawResponse {
  readonly status: number;
  readonly headers: Record<string, string | undefined>;
  readonly body: Buffer;
}

/** Unlike fetch, adds no accept-encoding and decompresses nothing. */
function rawGet(url: string, headers: Record<string, string>, method = 'GET'): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('error', reject);
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          headers: response.headers as Record<string, string | undefined>,
          body: Buffer.concat(parts),
        }),
      );
    });
    sent.on('error', reject);
    sent.end();
  });
}

/** Sends the whole body whatever the response, like simple clients, and then reads the status. */
function rawPost(url: string, body: Buffer, headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, agent: false }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode!));
    });
    sent.on('error', reject);
    for (let offset = 0; offset < body.byteLength; offset += 64 * KiB)
      sent.write(body.subarray(offset, offset + 64 * KiB));
    sent.end();
  });
}
