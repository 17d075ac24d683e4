import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as zlib from 'node:zlib';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { canInflate, inflate } from '../../src/ingest/inflate.ts';

const TEXT = Buffer.from('The same words, the same words, the same words. '.repeat(1000));
const zstd = (zlib as { zstdCompressSync?: (bytes: Uint8Array) => Buffer }).zstdCompressSync;

describe('inflate', () => {
  for (const { what, encoding, body } of [
    { what: 'an identity body', encoding: 'identity', body: TEXT },
    { what: 'gzip', encoding: 'gzip', body: gzipSync(TEXT) },
    {
      what: 'gzip of several members',
      encoding: 'gzip',
      body: Buffer.concat([gzipSync(TEXT.subarray(0, 700)), gzipSync(TEXT.subarray(700))]),
    },
    { what: 'deflate with its zlib frame', encoding: 'deflate', body: deflateSync(TEXT) },
  ] as const) {
    test(`gives back ${what}`, () => {
      assert.deepEqual(Buffer.from(inflate(body, encoding)), TEXT);
    });

    test(`refuses ${what} beyond the limit, and takes it at the limit`, () => {
      assert.throws(() => inflate(body, encoding, TEXT.length - 1), { code: 'BODY_TOO_LARGE' });
      assert.equal(inflate(body, encoding, TEXT.length).length, TEXT.length);
    });
  }

  for (const { what, encoding, body } of [
    { what: 'gzip that is none', encoding: 'gzip', body: TEXT },
    { what: 'gzip cut short', encoding: 'gzip', body: gzipSync(TEXT).subarray(0, -9) },
    { what: 'gzip without its checksum', encoding: 'gzip', body: gzipSync(TEXT).subarray(0, -8) },
    { what: 'gzip with a wrong checksum', encoding: 'gzip', body: flipped(gzipSync(TEXT), -6) },
    { what: 'an empty gzip body', encoding: 'gzip', body: new Uint8Array(0) },
    { what: 'deflate without a zlib frame', encoding: 'deflate', body: deflateRawSync(TEXT) },
    { what: 'deflate cut short', encoding: 'deflate', body: deflateSync(TEXT).subarray(0, -5) },
  ] as const) {
    test(`calls ${what} unreadable`, () => {
      assert.throws(() => inflate(body, encoding), { code: 'BODY_UNREADABLE' });
    });
  }

  test('gives back zstd, refuses it cut short or beyond the limit', { skip: !zstd && 'this Node has no zstd' }, () => {
    const body = zstd!(TEXT);

    assert.deepEqual(Buffer.from(inflate(body, 'zstd')), TEXT);
    assert.throws(() => inflate(body, 'zstd', TEXT.length - 1), { code: 'BODY_TOO_LARGE' });
    assert.throws(() => inflate(body.subarray(0, -3), 'zstd'), { code: 'BODY_UNREADABLE' });
    assert.throws(() => inflate(TEXT, 'zstd'), { code: 'BODY_UNREADABLE' });
  });

  test('says that zstd is not supported where Node has none', { skip: zstd && 'this Node has zstd' }, () => {
    assert.equal(canInflate('zstd'), false);
    assert.throws(() => inflate(TEXT, 'zstd'), {
      code: 'CONTENT_ENCODING_UNSUPPORTED',
      message: 'Unsupported content encoding: zstd',
    });
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  bytes[bytes.length + at]! ^= 1;
  return bytes;
}
