import { createRequire } from 'node:module';
import { crc32cInTypeScript } from './crc32c-in-typescript.ts';

/**
 * CRC32C (Castagnoli) of these bytes as an unsigned 32-bit number. `initial` is the CRC of preceding bytes: `crc32c(b,
 * crc32c(a)) === crc32c(ab)`.
 */
export type Crc32c = (bytes: Uint8Array, initial?: number) => number;

/**
 * The native module with the CPU's own instruction (about 6 GB/s) if it loads, otherwise the fallback (about 1 GB/s).
 */
export const crc32c: Crc32c = nativeCrc32c() ?? crc32cInTypeScript;

/** Undefined if no binary supports this platform. */
export function nativeCrc32c(): Crc32c | undefined {
  try {
    const native: { crc32c: Crc32c } = createRequire(import.meta.url)('@node-rs/crc32');
    return (bytes, initial = 0) => native.crc32c(bytes, initial);
  } catch {
    return undefined;
  }
}
