import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { type Crc32c, nativeCrc32c } from '../../native-bindings/crc32c.ts';
import { crc32cInTypeScript } from '../../native-bindings/crc32c-in-typescript.ts';

/** Vectors of RFC 3720, appendix B.4, and the check value of the CRC catalogue. */
const KNOWN = [
  { what: 'nothing', bytes: new Uint8Array(0), crc: 0 },
  { what: 'the nine digits', bytes: Buffer.from('123456789'), crc: 0xe3069283 },
  { what: '32 zeros', bytes: new Uint8Array(32), crc: 0x8a9136aa },
  { what: '32 ones', bytes: new Uint8Array(32).fill(0xff), crc: 0x62a8ab43 },
  { what: '32 rising bytes', bytes: Uint8Array.from({ length: 32 }, (_, index) => index), crc: 0x46dd794e },
  { what: '32 falling bytes', bytes: Uint8Array.from({ length: 32 }, (_, index) => 31 - index), crc: 0x113fdb5c },
];

function testCrc32c(name: string, crc32c: Crc32c | undefined): void {
  describe(name, { skip: crc32c === undefined && 'no native module for this platform' }, () => {
    for (const { what, bytes, crc } of KNOWN) {
      test(`gives the published value for ${what}`, () => {
        assert.equal(crc32c!(bytes), crc);
      });
    }

    test('agrees with bit-by-bit division on any bytes, at any offset', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(8), (bytes, skip) => {
          assert.equal(crc32c!(bytes.subarray(skip)), bitByBit(bytes.subarray(skip)));
        }),
      );
    });

    test('continues from the value of the preceding bytes', () => {
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(300), (bytes, cut) => {
          assert.equal(crc32c!(bytes.subarray(cut), crc32c!(bytes.subarray(0, cut))), crc32c!(bytes));
        }),
      );
    });
  });
}

function bitByBit(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

testCrc32c('native CRC32C', nativeCrc32c());
testCrc32c('CRC32C in TypeScript', crc32cInTypeScript);
