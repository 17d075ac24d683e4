import { constants, deflateRawSync } from 'node:zlib';
import { crc32 } from '@node-rs/crc32';

const MiB = 1024 * 1024;
/** Magic number, deflate, no flags, no time, best compression, unknown system. */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255]);
/** The last block of a stream, without content. */
const LAST_BLOCK = Buffer.from([3, 0]);

/**
 * Zeros that inflate to `byteCount`, a multiple of 4 MiB. Compresses 4 MiB once: after a full flush the next bytes refer to
 * nothing before them, so the compressed bytes may be repeated.
 */
export function gzipBomb(byteCount: number): Buffer {
  const zeros = Buffer.alloc(4 * MiB);
  const repeatCount = byteCount / zeros.length;
  const blocks = deflateRawSync(zeros, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  const trailer = Buffer.alloc(8);
  let checksum = 0;
  for (let done = 0; done < repeatCount; done++) checksum = crc32(zeros, checksum);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(byteCount, 4);
  return Buffer.concat([HEADER, ...Array.from({ length: repeatCount }, () => blocks), LAST_BLOCK, trailer]);
}
