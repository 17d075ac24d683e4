import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { ModelError, type ModelErrorKind } from '../../../src/llm/contract/model-error.ts';
import { NO_PROXIES } from '../../../src/llm/transport/proxy-settings.ts';
import {
  type CallLimits,
  openVendorTransport,
  type TransportOptions,
  type VendorCall,
} from '../../../src/llm/transport/vendor-transport.ts';

const KEY = 'sk-test-0123456789';

test('reads a response, whole and by events, over one connection', async (t) => {
  const { url, connections } = await openEndpoint(t, (request, response) => {
    request.resume();
    response.setHeader('content-type', request.url === '/whole' ? 'application/json' : 'text/event-stream');
    if (request.url === '/whole') {
      response.end('{"a":1}');
      return;
    }
    response.write('\n\n: comment\n\ndata: 1\n\ndata: ');
    response.end('2\r\n\r\ndata: 3\n');
  });
  const transport = openTransport(t);

  const whole = await transport.call(limits(), async ({ fetch }) => (await fetch(`${url}/whole`)).json());
  await wait(20);
  const events = await transport.call(limits({ form: 'events' }), (call) => readEvents(call, `${url}/events`));

  assert.deepEqual(whole, { a: 1 });
  assert.deepEqual(events, [': comment\n\n', 'data: 1\n\n', 'data: 2\r\n\r\n', 'data: 3\n']);
  assert.equal(connections.size, 1);
});

test('sends the body to the letter, and no header of the connection', async (t) => {
  let sent = '';
  let host: string | undefined;
  const { url } = await openEndpoint(t, async (request, response) => {
    for await (const chunk of request) sent += chunk;
    host = request.headers.host;
    response.end('{}');
  });
  const body = '{"seed":9007199254740993,"a":1.0,"b":-0,"text":"\\u00e9é"}';

  await openTransport(t).call(limits(), async ({ fetch }) => {
    const headers = {
      host: 'other.example',
      'content-length': '3',
      'transfer-encoding': 'chunked',
      connection: 'close',
    };
    await (await fetch(url, { method: 'POST', body, headers })).text();
  });

  assert.equal(sent, body);
  assert.equal(host, new URL(url).host);
});

const STATUSES: readonly (readonly [number, ModelErrorKind, Record<string, string>, number | undefined])[] = [
  [429, 'rateLimited', { 'retry-after': '3' }, 3_000],
  [429, 'rateLimited', { 'retry-after-ms': '250', 'retry-after': '1' }, 250],
  [429, 'rateLimited', {}, undefined],
  [429, 'rateLimited', { 'x-ratelimit-remaining-tokens': '0', 'x-ratelimit-reset-tokens': '1m0.5s' }, 60_500],
  [503, 'unavailable', { 'retry-after': '2' }, 2_000],
  [500, 'unavailable', {}, undefined],
  [401, 'rejected', {}, undefined],
  [408, 'timedOut', {}, undefined],
  [307, 'rejected', { location: 'http://169.254.169.254/latest' }, undefined],
];

for (const [status, kind, headers, waitMs] of STATUSES) {
  test(`status ${status} with ${JSON.stringify(headers)} is ${kind}`, async (t) => {
    let requestCount = 0;
    const { url } = await openEndpoint(t, (_, response) => {
      requestCount++;
      response.writeHead(status, headers);
      response.end(JSON.stringify({ error: { message: `bad key ${KEY}, Bearer ${KEY}` } }));
    });

    const error = await failure(openTransport(t).call(limits(), ({ fetch }) => fetch(url)));

    assert.deepEqual([error.kind, error.status, error.retryAfterMs], [kind, status, waitMs]);
    assert.ok(!error.message.includes(KEY), error.message);
    assert.equal(requestCount, 1);
  });
}

test('an aborted call closes its connection at once', async (t) => {
  for (const path of ['/silent', '/stream']) {
    const { url, connections } = await openEndpoint(t, (request, response) => {
      if (request.url === '/stream') response.write('data: 1\n\n');
    });
    const abort = new AbortController();
    const call = openTransport(t).call(limits({ form: 'events', signal: abort.signal }), (one) =>
      readEvents(one, url + path),
    );
    while (connections.size === 0) await wait(5);
    await wait(20);
    abort.abort();

    assert.equal((await failure(call)).kind, 'stopped');
    const closed = Date.now();
    while (connections.size > 0 && Date.now() - closed < 2_000) await wait(5);
    assert.equal(connections.size, 0);
  }
});

test('a call that ends before its response closes the connection', async (t) => {
  const { url, connections } = await openEndpoint(t, (_, response) => void response.write('data: 1\n\n'));

  await openTransport(t).call(limits({ form: 'events' }), async ({ fetch }) => void (await fetch(url)));

  const ended = Date.now();
  while (connections.size > 0 && Date.now() - ended < 2_000) await wait(5);
  assert.equal(connections.size, 0);
});

const SILENCE: readonly (readonly [string, TransportOptions['times']])[] = [
  ['/silent', { firstByteMs: 50 }],
  ['/stream', { idleMs: 50 }],
  ['/endless', { totalMs: 200, idleMs: 1_000 }],
];

for (const [path, times] of SILENCE) {
  test(`${path} times out by ${JSON.stringify(times)}`, async (t) => {
    const { url } = await openEndpoint(t, (request, response) => {
      if (request.url === '/silent') return;
      response.write('data: 1\n\n');
      if (request.url !== '/endless') return;
      const timer = setInterval(() => response.write(': ping\n\n'), 10);
      response.on('close', () => clearInterval(timer));
    });
    const transport = openTransport(t, { times });

    const error = await failure(transport.call(limits({ form: 'events' }), (call) => readEvents(call, url + path)));

    assert.equal(error.kind, 'timedOut');
  });
}

test('endless responses end with an error, whatever their form', async (t) => {
  const { url } = await openEndpoint(t, (request, response) => {
    if (request.url === '/stream') response.setHeader('content-type', 'text/event-stream');
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    const send = () => {
      while (!response.destroyed && response.write(chunk));
    };
    response.on('drain', send);
    send();
  });
  for (const form of ['whole', 'events'] as const) {
    const path = form === 'whole' ? '/whole' : '/stream';
    const error = await failure(
      openTransport(t).call(limits({ form }), async ({ fetch }) => (await fetch(url + path)).text()),
    );
    assert.deepEqual([error.kind, error.message], ['unreadable', 'The response of the model endpoint is too large.']);
  }
});

test('all calls together hold a bounded number of bytes, until they end', async (t) => {
  const { url } = await openEndpoint(t, (_, response) => void response.end('x'.repeat(8 * 1024 * 1024)));
  const transport = openTransport(t);
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const read = (until: Promise<void>) =>
    transport.call(limits(), async ({ fetch }) => {
      await (await fetch(url)).text();
      await until;
    });

  const calls = Array.from({ length: 40 }, () => read(released));
  const failures = calls.map((call) =>
    call.then(
      () => undefined,
      (error: ModelError) => error,
    ),
  );
  const first = await Promise.any(failures.map(async (call) => (await call) ?? Promise.reject()));
  release();

  assert.equal(first.kind, 'unavailable');
  const errors = (await Promise.all(failures)).filter((error) => error !== undefined);
  assert.ok(errors.length < 40);
  await read(released);
});

const UNREADABLE: readonly (readonly [string, RequestListener, ModelErrorKind])[] = [
  [
    'a page',
    (_, response) => response.setHeader('content-type', 'text/html').end('<title>Sign in</title>'),
    'unreadable',
  ],
  ['gzip', (_, response) => response.setHeader('content-encoding', 'gzip').end('x'), 'unreadable'],
  [
    'JSON for a stream',
    (_, response) => response.setHeader('content-type', 'application/json').end('{"a":1}'),
    'unreadable',
  ],
  [
    'an error for a stream',
    (_, response) =>
      response.setHeader('content-type', 'application/json').end('{"error":{"type":"rate_limit_error"}}'),
    'rateLimited',
  ],
  ['a reset', (_, response) => response.socket?.resetAndDestroy(), 'unreachable'],
  [
    'a cut body',
    (_, response) => response.writeHead(200, { 'content-length': '9' }).end('x', () => response.socket?.destroy()),
    'unreachable',
  ],
  ['no HTTP', (_, response) => response.socket?.end('SSH-2.0-OpenSSH\r\n'), 'unreadable'],
];

for (const [what, listener, kind] of UNREADABLE) {
  test(`${what} is ${kind}`, async (t) => {
    const { url } = await openEndpoint(t, listener);

    const error = await failure(openTransport(t).call(limits({ form: 'events' }), (call) => readEvents(call, url)));

    assert.equal(error.kind, kind, error.message);
  });
}

test('a name is rejected when one of its addresses is forbidden, and the checked address is the one connected to', async (t) => {
  const { url } = await openEndpoint(t, (_, response) => response.end('{}'));
  let lookups = 0;
  const resolve = ((_name: string, _options: object, callback: (error: null, all: object[]) => void) => {
    lookups++;
    callback(null, lookups === 1 ? [address('127.0.0.1')] : [address('127.0.0.1'), address('169.254.169.254')]);
  }) as unknown as NonNullable<TransportOptions['resolve']>;
  const transport = openTransport(t, { resolve });
  const target = url.replace('127.0.0.1', 'rebinding.example');
  const read = () => transport.call(limits(), async ({ fetch }) => (await fetch(target, { method: 'POST' })).text());

  assert.equal(await read(), '{}');
  // The open connection leads to the checked address; a new one asks again.
  const both = await Promise.allSettled([read(), read(), read()]);
  const errors = both.flatMap((one) => (one.status === 'rejected' ? [one.reason as ModelError] : []));
  assert.ok(errors.length > 0);
  for (const error of errors) assert.equal(error.kind, 'blocked');
});

for (const target of [
  'http://169.254.169.254/',
  'http://[::ffff:169.254.169.254]/',
  'http://0xa9fea9fe/',
  'http://0.0.0.0:1/',
]) {
  test(`${target} is blocked`, async (t) => {
    const error = await failure(openTransport(t).call(limits(), ({ fetch }) => fetch(target)));

    assert.equal(error.kind, 'blocked');
  });
}

for (const target of ['ftp://example.org/', 'http://user:pass@127.0.0.1/', 'no url', 'file:///etc/passwd']) {
  test(`${target} is rejected`, async (t) => {
    const error = await failure(openTransport(t).call(limits(), ({ fetch }) => fetch(target)));

    assert.equal(error.kind, 'rejected');
  });
}

test('loopback needs the permission', async (t) => {
  const { url } = await openEndpoint(t, (_, response) => response.end('{}'));

  const error = await failure(openTransport(t, { allowsPrivate: false }).call(limits(), ({ fetch }) => fetch(url)));

  assert.equal(error.kind, 'blocked');
});

test('a proxy gets the request, except for loopback and hosts without one', async (t) => {
  const seen: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, socket) => {
    seen.push(request.url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  t.after(() => void proxy.close());
  const http = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const { url } = await openEndpoint(t, (_, response) => response.end('{}'));
  const transport = openTransport(t, { proxies: { http, https: http, noProxy: ['.internal.example'] } });
  const read = (target: string) => transport.call(limits(), async ({ fetch }) => (await fetch(target)).text());

  assert.equal(await read(url), '{}');
  await assert.rejects(read('http://model.example/v1'), { kind: 'unreachable' });
  await assert.rejects(read('http://169.254.169.254/'), { kind: 'blocked' });
  await assert.rejects(read('http://x.internal.example:1/'));

  assert.deepEqual(seen, ['model.example:80']);
});

test('closing stops the calls in flight, and later calls', async (t) => {
  const { url } = await openEndpoint(t, () => {});
  const transport = openTransport(t);
  const call = failure(transport.call(limits(), ({ fetch }) => fetch(url)));
  await wait(50);

  await transport.close();

  assert.equal((await call).kind, 'stopped');
  assert.equal((await failure(transport.call(limits(), ({ fetch }) => fetch(url)))).kind, 'stopped');
});

test('no error repeats a header that cannot be sent', async (t) => {
  const error = await failure(
    openTransport(t).call(limits(), ({ fetch }) =>
      fetch('http://127.0.0.1:1', { headers: { 'x-key': `${KEY}\r\nhost: x` } }),
    ),
  );

  assert.ok(!`${error.message} ${error.stack} ${String(error.cause)}`.includes(KEY));
});

const address = (text: string) => ({ address: text, family: 4 });
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const limits = (part: Partial<CallLimits> = {}): CallLimits => ({
  ...{ signal: new AbortController().signal, secrets: [KEY], form: 'whole' },
  ...part,
});

function openTransport(t: TestContext, options: Partial<TransportOptions> = {}) {
  const transport = openVendorTransport({ proxies: NO_PROXIES, allowsPrivate: true, ...options });
  t.after(() => transport.close());
  return transport;
}

async function readEvents({ fetch }: VendorCall, url: string): Promise<string[]> {
  const events: string[] = [];
  const { body } = await fetch(url, { method: 'POST', body: '{}' });
  for await (const event of body as unknown as AsyncIterable<Buffer>) events.push(event.toString());
  return events;
}

async function failure(call: Promise<unknown>): Promise<ModelError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof ModelError, String(error));
    return error;
  }
  assert.fail('the call succeeded');
}

async function openEndpoint(t: TestContext, listener: RequestListener) {
  const connections = new Set<Socket>();
  const server = createServer(listener);
  server.on('connection', (socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, connections };
}
