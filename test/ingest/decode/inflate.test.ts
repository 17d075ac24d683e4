import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import * as zlib from 'node:zlib';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { canInflate, inflate } from '../../../src/ingest/decode/inflate.ts';

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
    test(`inflates ${what}`, () => {
      assert.deepEqual(Buffer.from(inflate(body, encoding)), TEXT);
    });

    test(`rejects ${what} above the limit, and accepts it at the limit`, () => {
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
    test(`rejects ${what} as unreadable`, () => {
      assert.throws(() => inflate(body, encoding), { code: 'BODY_UNREADABLE' });
    });
  }

  describe('of zstd', { skip: !zstd && 'this Node has no zstd' }, () => {
    const skippable = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);

    for (const { what, bytes } of [
      { what: 'nothing', bytes: Buffer.alloc(0) },
      { what: 'one byte', bytes: Buffer.from('x') },
      { what: 'equal bytes', bytes: Buffer.alloc(300_000, 7) },
      { what: 'noise', bytes: randomBytes(300_000) },
      { what: 'words', bytes: TEXT },
    ]) {
      test(`inflates ${what}, in one frame and in several`, () => {
        const body = zstd!(bytes);
        const half = bytes.length >> 1;
        const several = [zstd!(bytes.subarray(0, half)), skippable, zstd!(bytes.subarray(half))];

        assert.deepEqual(Buffer.from(inflate(body, 'zstd')), bytes);
        assert.deepEqual(Buffer.from(inflate(Buffer.concat(several), 'zstd')), bytes);
      });
    }

    test('reports BODY_UNREADABLE for a prefix of any length', () => {
      const body = Buffer.concat([zstd!(TEXT.subarray(0, 20_000)), zstd!(TEXT.subarray(20_000))]);
      const firstFrameEnd = zstd!(TEXT.subarray(0, 20_000)).length;
      for (let cut = 0; cut < body.length; cut++) {
        if (cut === firstFrameEnd) continue;
        assert.throws(() => inflate(body.subarray(0, cut), 'zstd'), { code: 'BODY_UNREADABLE' }, `cut at ${cut}`);
      }
    });

    test('rejects bodies above the limit, and bodies without frames', () => {
      assert.throws(() => inflate(zstd!(TEXT), 'zstd', TEXT.length - 1), { code: 'BODY_TOO_LARGE' });
      const twice = Buffer.concat([zstd!(TEXT), zstd!(TEXT)]);
      assert.throws(() => inflate(twice, 'zstd', TEXT.length), { code: 'BODY_TOO_LARGE' });
      assert.throws(() => inflate(TEXT, 'zstd'), { code: 'BODY_UNREADABLE' });
    });
  });

  test('reports that this version of Node does not support zstd', { skip: zstd && 'this Node has zstd' }, () => {
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
