import { createRequire } from 'node:module';
import { crc32cInTypeScript } from './crc32c-in-typescript.ts';

/**
 * CRC32C (Castagnoli) of these bytes as an unsigned 32-bit number. With the CRC of what came before as
 * `initial`, the CRC of both together: `crc32c(b, crc32c(a)) === crc32c(ab)`.
 */
export type Crc32c = (bytes: Uint8Array, initial?: number) => number;

/** The CPU's own instruction where the native module loads (some 6 GB/s), else the twin (some 1 GB/s). */
export const crc32c: Crc32c = nativeCrc32c() ?? crc32cInTypeScript;

/** Undefined where no binary fits this platform. */
export function nativeCrc32c(): Crc32c | undefined {
  try {
    const native: { crc32c: Crc32c } = createRequire(import.meta.url)('@node-rs/crc32');
    return (bytes, initial = 0) => native.crc32c(bytes, initial);
  } catch {
    return undefined;
  }
}
