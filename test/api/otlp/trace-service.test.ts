import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SIGN_IN_OFF } from '../../../src/model/access/caller.ts';
import { SpandrelError } from '../../../src/model/errors.ts';
import { toReceipt } from '../../../src/ingest/journaled-ingest.ts';
import { traceServiceMethods } from '../../../src/api/otlp/trace-service.ts';
import { FakeIngest } from './fake-ingest.ts';

const call = (text: string) => ({
  message: new Uint8Array(Buffer.from(text)),
  encoding: 'gzip' as const,
  remoteAddress: '10.1.2.3',
  caller: SIGN_IN_OFF,
  header: (name: string) => (name === 'user-agent' ? 'grpc-exporter' : undefined),
});

test('an export over gRPC reaches ingest as protobuf, and is acknowledged with the response message', async () => {
  const ingest = new FakeIngest();
  const [method] = traceServiceMethods(ingest, () => undefined);

  const whole = await method!.handle(call('spans'));
  ingest.acknowledgement = { spanCount: 2, rejectedSpanCount: 1, message: 'bad', receipt: toReceipt(9) };
  const partial = await method!.handle(call('more'));

  assert.equal(method!.path, '/opentelemetry.proto.collector.trace.v1.TraceService/Export');
  assert.equal(method!.access, 'send');
  assert.equal(whole.byteLength, 0);
  assert.deepEqual([...partial], [0x0a, 7, 0x08, 1, 0x12, 3, ...Buffer.from('bad')]);
  assert.equal(ingest.requests[0]!.format, 'protobuf');
  assert.equal(ingest.requests[0]!.encoding, 'gzip');
  assert.deepEqual(ingest.requests[0]!.from, { source: 'grpc', remoteAddress: '10.1.2.3', userAgent: 'grpc-exporter' });
});

test('an export over gRPC is rejected while the ingest pipeline is full', async () => {
  const ingest = new FakeIngest();
  ingest.rejectionError = new SpandrelError('INGEST_OVERLOADED', 'full');
  const [method] = traceServiceMethods(ingest, () => undefined);

  assert.equal(method!.admit?.(), ingest.rejectionError);
});
