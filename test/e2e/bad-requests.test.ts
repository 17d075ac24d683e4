import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { describe, test } from 'node:test';
import { BAD_BODIES, BAD_BODY_PROJECT } from './bad-bodies.ts';
import { badRestBodies } from './bad-rest-bodies.ts';
import { gzipBomb } from './gzip-bomb.ts';
import { span } from './odd-spans.ts';
import { encodeTraceRequest } from './otlp-request.ts';
import { eventually, listSpans, spansOnceThere } from './rest.ts';
import { HTTP_ENGINES, tryServer } from './tried-server.ts';

const MiB = 1024 * 1024;

for (const engine of HTTP_ENGINES)
  describe(`a server that receives bad requests, on ${engine}`, () => {
    const tried = tryServer({}, engine);

    // ---- requests that are bad as a whole: a clear 4xx, and nothing is stored

    for (const { what, body, headers, status } of BAD_BODIES) {
      test(`rejects ${what} with ${status.join(' or ')}, and stores nothing of it`, async () => {
        const result = await tried.http.send(await body(), headers);

        assert.ok(status.includes(result.status), `${result.status} ${result.message.slice(0, 200)}`);
        assert.ok(result.message.length > 0 && result.message.length < 2_000, 'it says why');
        assert.equal(
          (await fetch(`${tried.server.url}/v1/projects/${encodeURIComponent(BAD_BODY_PROJECT)}`)).status,
          404,
        );
      });
    }

    test('rejects large REST bodies with one error or many', async () => {
      for (const { what, path, body, status } of badRestBodies(0.02)) {
        const response = await fetch(tried.server.url + path, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: body(),
        });
        const text = await response.text();
        assert.ok(status.includes(response.status), `${what} → ${response.status} ${text.slice(0, 200)}`);
      }
    });

    test('rejects data that is not protobuf over gRPC, as an error of the client', async () => {
      const result = await tried.grpc.send(randomBytes(1_000));

      assert.equal(result.status, 1_003, result.message);
    });

    test('rejects a gzip bomb over gRPC', async () => {
      const bomb = gzipBomb(256 * MiB);

      const status = await grpcStatusOfGzip(tried.server.grpcAddress, bomb);

      assert.match(status, /^(3|8|11|12|13)$/);
    });

    test('rejects bad queries with 422, not 500', async () => {
      await tried.http.send(encodeTraceRequest({ project: 'questions', spans: [span()] }));
      await spansOnceThere(tried.server.url, 'questions', 1);
      const base = `${tried.server.url}/v1/projects/questions`;
      const queries = [
        'limit=0',
        'limit=1001',
        'limit=x',
        `limit=${'9'.repeat(30)}`,
        'cursor=%00',
        'cursor=U3BhbjpY',
        'start_time=yesterday',
        'span_kind=NOPE',
        'status_code=FINE',
        'attribute=nocolon',
        'attribute=%3A5',
        'attribute=k%3A%5B1%5D',
        'attribute=k%3Anull',
      ];

      for (const query of queries) {
        const response = await fetch(`${base}/spans?${query}`);
        assert.equal(response.status, 422, `${query} → ${response.status} ${await response.text()}`);
      }
      for (const odd of ["'; DROP TABLE spans; --", '%', '\u0000', '🦊', 'a.b.c.__proto__']) {
        const response = await fetch(
          `${base}/spans?${new URLSearchParams({ attribute: `${odd}:${odd}`, name: odd, trace_id: odd })}`,
        );
        assert.ok([200, 422].includes(response.status), `${odd} → ${response.status} ${await response.text()}`);
      }
      assert.equal((await listSpans(tried.server.url, 'questions')).length, 1);
    });

    test('responds to unknown objects with 404 as JSON', async () => {
      for (const path of ['/v1/projects/nope', '/v1/projects/nope/spans', '/v1/no/such/route', '/v1/sessions/nope']) {
        const response = await fetch(tried.server.url + path);
        const type = response.headers.get('content-type') ?? '';
        await response.arrayBuffer();
        assert.equal(response.status, 404, path);
        assert.ok(!type.includes('html'), `${path} → ${type}`);
      }
    });

    test('responds to a wrong method with 405, and lists the allowed ones', async () => {
      for (const [method, path] of [
        ['PUT', '/v1/traces'],
        ['DELETE', '/healthz'],
        ['PATCH', '/v1/projects'],
      ]) {
        const response = await fetch(tried.server.url + path, { method });
        await response.arrayBuffer();
        assert.equal(response.status, 405, `${method} ${path}`);
        assert.match(response.headers.get('allow') ?? '', /GET|POST/);
      }
    });

    test('survives clients that disconnect during a request, and still responds to others', async () => {
      const port = Number(new URL(tried.server.url).port);
      const head =
        'POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-protobuf\r\nContent-Length: 100000\r\n\r\n';
      const cutOffs = Array.from({ length: 50 }, (_, index) =>
        abandon(port, index % 2 === 0 ? head.slice(0, 40) : head + 'x'.repeat(500)),
      );
      await Promise.all(cutOffs);

      const result = await tried.http.send(encodeTraceRequest({ project: 'after the rude ones', spans: [span()] }));

      assert.ok(result.isAcknowledged);
      await spansOnceThere(tried.server.url, 'after the rude ones', 1);
    });

    test('stores spans once when a client sends them twice, even concurrently over both transports', async () => {
      const spans = Array.from({ length: 200 }, () => span());
      const body = encodeTraceRequest({ project: 'twice', spans });

      const results = await Promise.all([
        tried.http.send(body),
        tried.grpc.send(body),
        tried.http.send(body),
        tried.grpc.send(body),
      ]);

      assert.ok(results.every((result) => result.isAcknowledged));
      await eventually(async () => assert.equal((await listSpans(tried.server.url, 'twice')).length, 200));
      const late = await tried.http.send(encodeTraceRequest({ project: 'twice', spans: [span({ name: 'marker' })] }));
      assert.ok(late.isAcknowledged);
      await spansOnceThere(tried.server.url, 'twice', 201);
      assert.equal((await listSpans(tried.server.url, 'twice')).length, 201);
    });
  });

/** The gRPC status of a message with the compressed flag set, as its trailer or header says. */
async function grpcStatusOfGzip(address: string, message: Uint8Array): Promise<string> {
  const session = connectHttp2(`http://${address}`);
  session.on('error', () => {});
  const stream = session.request({
    ':method': 'POST',
    ':path': '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
    'content-type': 'application/grpc',
    te: 'trailers',
    'grpc-encoding': 'gzip',
  });
  const frame = Buffer.alloc(5);
  frame[0] = 1;
  frame.writeUInt32BE(message.length, 1);
  const status = new Promise<string>((resolve, reject) => {
    const note = (headers: Record<string, unknown>) =>
      headers['grpc-status'] !== undefined && resolve(String(headers['grpc-status']));
    stream.on('response', note);
    stream.on('trailers', note);
    stream.on('error', reject);
    stream.on('end', () => reject(new Error('the stream ended without a status')));
  });
  stream.resume();
  stream.end(Buffer.concat([frame, message]));
  try {
    return await status;
  } finally {
    session.destroy();
  }
}

/** Opens a connection, writes, and breaks it. */
function abandon(port: number, text: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(text, () => {
        socket.resetAndDestroy();
        resolve();
      });
    });
    socket.on('error', () => resolve());
  });
}
