import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import * as zlib from 'node:zlib';
import { SpandrelError } from '../../../src/model/errors.ts';
import { toReceipt } from '../../../src/ingest/journaled-ingest.ts';
import { openTestServer } from '../../server/http/server-under-test.ts';
import { otlpRoutes, TRACE_PATHS } from '../../../src/api/otlp/trace-routes.ts';
import { FakeIngest } from './fake-ingest.ts';

const PROTOBUF = { 'content-type': 'application/x-protobuf' };
const BODY = Buffer.from('some span bytes');

async function openOtlp(t: TestContext) {
  const ingest = new FakeIngest();
  const { address } = await openTestServer(
    t,
    'node',
    otlpRoutes(ingest, () => undefined),
  );
  const post = async (headers: Record<string, string>, body: Buffer = BODY) => {
    const response = await fetch(`${address}/v1/traces`, { method: 'POST', headers, body });
    const bytes = Buffer.from(await response.arrayBuffer());
    return { status: response.status, headers: response.headers, bytes, text: bytes.toString() };
  };
  return { ingest, address, post };
}

describe('OTLP over HTTP', () => {
  test('acknowledges an export with an empty message', async (t) => {
    const { ingest, post } = await openOtlp(t);

    const response = await post({ ...PROTOBUF, 'x-project-name': 'a%20b', 'user-agent': 'exporter/1' });

    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/x-protobuf');
    assert.equal(response.bytes.byteLength, 0);
    const [request] = ingest.requests;
    assert.deepEqual(Buffer.from(request!.body), BODY);
    assert.equal(request!.format, 'protobuf');
    assert.equal(request!.encoding, 'identity');
    assert.equal(request!.projectName, 'a%20b');
    assert.deepEqual(request!.from, { source: 'http', remoteAddress: '127.0.0.1', userAgent: 'exporter/1' });
  });

  test('takes exports at the paths of exporters for other servers', async (t) => {
    const { ingest, address } = await openOtlp(t);

    for (const path of TRACE_PATHS) {
      const response = await fetch(address + path, { method: 'POST', headers: PROTOBUF, body: BODY });
      assert.equal(response.status, 200, path);
    }
    assert.equal(ingest.requests.length, TRACE_PATHS.length);
    assert.ok((TRACE_PATHS as readonly string[]).includes('/api/public/otel/v1/traces'));
  });

  test('takes an empty body, and an empty project name for none', async (t) => {
    const { ingest, post } = await openOtlp(t);

    assert.equal((await post({ ...PROTOBUF, 'x-project-name': '' }, Buffer.alloc(0))).status, 200);
    assert.equal(ingest.requests[0]!.body.byteLength, 0);
    assert.equal('projectName' in ingest.requests[0]!, false);
  });

  test('passes compressed bodies on as they came', async (t) => {
    const { ingest, post } = await openOtlp(t);

    for (const encoding of ['gzip', 'deflate', 'GZip', 'identity', 'Identity'])
      await post({ ...PROTOBUF, 'content-encoding': encoding });

    assert.deepEqual(
      ingest.requests.map((request) => request.encoding),
      ['gzip', 'deflate', 'gzip', 'identity', 'identity'],
    );
    assert.deepEqual(Buffer.from(ingest.requests[0]!.body), BODY);
  });

  test('takes zstd where Node can read it', async (t) => {
    const { post } = await openOtlp(t);

    const response = await post({ ...PROTOBUF, 'content-encoding': 'zstd' });

    if ('zstdDecompress' in zlib) assert.equal(response.status, 200);
    else assert.equal(response.text, 'Unsupported content encoding: zstd');
  });

  for (const [headers, text] of [
    [{}, 'Unsupported content type: None'],
    [{ 'content-type': 'text/plain' }, 'Unsupported content type: text/plain'],
    [
      { 'content-type': 'application/x-protobuf; charset=utf-8' },
      'Unsupported content type: application/x-protobuf; charset=utf-8',
    ],
    [{ ...PROTOBUF, 'content-encoding': 'br' }, 'Unsupported content encoding: br'],
    [{ 'content-type': 'text/csv', 'content-encoding': 'br' }, 'Unsupported content type: text/csv'],
  ] as const) {
    test(`responds with 415: ${text}`, async (t) => {
      const { ingest, post } = await openOtlp(t);

      const response = await post(headers as Record<string, string>);

      assert.equal(response.status, 415);
      assert.equal(response.text, text);
      assert.equal(ingest.requests.length, 0);
    });
  }

  test('reports that it is full before it reads the content type', async (t) => {
    const { ingest, post } = await openOtlp(t);

    ingest.rejectionError = new SpandrelError('INGEST_OVERLOADED', 'queue is full');
    const overloaded = await post({ 'content-type': 'text/plain' });
    ingest.rejectionError = new SpandrelError('STORAGE_FULL', 'the disk is full');
    const full = await post({ 'content-type': 'text/plain' });

    assert.equal(overloaded.status, 503);
    assert.equal(overloaded.text, 'Server is at capacity and cannot process more requests');
    assert.equal(overloaded.headers.get('retry-after'), '1');
    assert.equal(full.status, 507);
    assert.equal(full.text, 'the disk is full');
  });

  for (const [code, status, text] of [
    ['OTLP_MALFORMED', 422, 'Request body is invalid ExportTraceServiceRequest'],
    ['BODY_UNREADABLE', 422, 'Request body is invalid ExportTraceServiceRequest'],
    ['BODY_TOO_LARGE', 413, 'why'],
    ['INGEST_OVERLOADED', 503, 'Server is at capacity and cannot process more requests'],
    ['STORAGE_FULL', 507, 'why'],
    ['DISK_FULL', 503, 'why'],
  ] as const) {
    test(`maps ${code} of ingest to ${status}`, async (t) => {
      const { ingest, post } = await openOtlp(t);
      ingest.submitError = new SpandrelError(code, 'why');

      const response = await post(PROTOBUF);

      assert.equal(response.status, status);
      assert.equal(response.text, text);
      assert.equal(response.headers.get('retry-after'), status === 503 ? '1' : null);
    });
  }

  test('reports rejected spans as partial success', async (t) => {
    const { ingest, post } = await openOtlp(t);
    ingest.acknowledgement = {
      spanCount: 300,
      rejectedSpanCount: 300,
      message: 'no trace id ü',
      receipt: toReceipt(1),
    };

    const protobuf = await post(PROTOBUF);
    const json = await post({ 'content-type': 'application/json; charset=utf-8' });

    const message = Buffer.from('no trace id ü');
    const partial = Buffer.concat([Buffer.from([0x08, 0xac, 0x02, 0x12, message.byteLength]), message]);
    assert.deepEqual(protobuf.bytes, Buffer.concat([Buffer.from([0x0a, partial.byteLength]), partial]));
    assert.equal(json.headers.get('content-type'), 'application/json');
    assert.deepEqual(JSON.parse(json.text), {
      partialSuccess: { rejectedSpans: '300', errorMessage: 'no trace id ü' },
    });
  });

  test('acknowledges the JSON form in JSON', async (t) => {
    const { ingest, post } = await openOtlp(t);

    const response = await post({ 'content-type': 'application/json' }, Buffer.from('{"resourceSpans":[]}'));

    assert.equal(response.status, 200);
    assert.equal(response.text, '{}');
    assert.equal(ingest.requests[0]!.format, 'json');
  });

  test('lists what was rejected lately', async (t) => {
    const { ingest, address } = await openOtlp(t);
    const at = new Date('2026-01-02T03:04:05.678Z');
    ingest.errors = [
      { at, source: 'grpc', remoteAddress: '10.0.0.1', reason: 'truncated', rejectedSpanCount: 0, bodyBytes: 12 },
    ];

    const response = await fetch(`${address}/v1/ingest/errors`);

    assert.deepEqual(await response.json(), {
      data: [
        {
          at: '2026-01-02T03:04:05.678000+00:00',
          source: 'grpc',
          remote_address: '10.0.0.1',
          reason: 'truncated',
          rejected_span_count: 0,
          body_bytes: 12,
        },
      ],
    });
  });
});
