import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { gzipBomb } from './gzip-bomb.ts';
import { span } from './odd-spans.ts';
import { encodeTraceRequest } from './otlp-request.ts';

/** A request that is bad as a whole: it is refused, and nothing of it is kept. */
export interface BadBody {
  readonly what: string;
  readonly body: () => Uint8Array | Promise<Uint8Array>;
  /** Default: protobuf, not compressed. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Answers that are right. */
  readonly status: readonly number[];
}

const MiB = 1024 * 1024;
const GZIP = { 'content-encoding': 'gzip' };
const JSON_TYPE = { 'content-type': 'application/json' };
/** The project of the good spans that bad requests hold. */
export const BAD_BODY_PROJECT = 'never made by a bad request';
const project = BAD_BODY_PROJECT;
const good = () => encodeTraceRequest({ project, spans: [span()] });
const jsonOfSpan = (span: unknown) =>
  Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }));

export const BAD_BODIES: readonly BadBody[] = [
  { what: 'bytes that are no protobuf', body: () => randomBytes(1_000), status: [400, 422] },
  { what: 'a request cut off in the middle', body: () => good().subarray(0, 60), status: [400, 422] },
  {
    what: 'a length that points past the end',
    body: () => Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]),
    status: [400, 422],
  },
  { what: 'an endless varint', body: () => Buffer.alloc(64, 0xff), status: [400, 422] },
  {
    what: 'text that is not UTF-8',
    body: () => encodeTraceRequest({ project, spans: [span(), span({ name: Buffer.from([0xc3, 0x28, 0xff]) })] }),
    status: [400, 422],
  },
  {
    what: 'an attribute that is not UTF-8',
    body: () =>
      encodeTraceRequest({
        project,
        spans: [span({ attributes: { text: { utf8: Buffer.from([0xed, 0xa0, 0x80]) } } })],
      }),
    status: [400, 422],
  },
  { what: 'gzip that is none', body: () => good(), headers: GZIP, status: [400, 422] },
  {
    what: 'gzip cut off in the middle',
    body: () => gzipSync(good()).subarray(0, 40),
    headers: GZIP,
    status: [400, 422],
  },
  { what: 'an unknown encoding', body: () => good(), headers: { 'content-encoding': 'rot13' }, status: [415] },
  { what: 'an unknown content type', body: () => good(), headers: { 'content-type': 'text/csv' }, status: [415] },
  {
    what: 'JSON that is none',
    body: () => Buffer.from('{"resourceSpans": [{'),
    headers: JSON_TYPE,
    status: [400, 422],
  },
  {
    what: 'JSON nested 100,000 deep',
    body: () => Buffer.from(`{"resourceSpans":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
    headers: JSON_TYPE,
    status: [400, 413, 422],
  },
  { what: 'a body over 64 MiB', body: () => Buffer.alloc(65 * MiB), status: [413] },
  {
    what: 'JSON with a list where an object belongs',
    body: () => Buffer.from('{"resourceSpans": {"scopeSpans": []}}'),
    headers: JSON_TYPE,
    status: [400, 422],
  },
  {
    what: 'JSON with a number for a name',
    body: () => jsonOfSpan({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 7 }),
    headers: JSON_TYPE,
    status: [400, 422],
  },
  {
    what: 'JSON with words for a time',
    body: () => jsonOfSpan({ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), startTimeUnixNano: 'yesterday' }),
    headers: JSON_TYPE,
    status: [400, 422],
  },
  {
    what: 'JSON with a value of two kinds',
    body: () => jsonOfSpan({ attributes: [{ key: 'k', value: { stringValue: {}, intValue: [] } }] }),
    headers: JSON_TYPE,
    status: [400, 422],
  },
  { what: '1 GB that comes as 1 MB of gzip', body: () => gzipBomb(1024 * MiB), headers: GZIP, status: [413] },
];
