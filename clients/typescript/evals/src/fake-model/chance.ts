import { createHash } from 'node:crypto';

/** A number from 0 up to 1 that depends on the parts alone. */
export function chance(...parts: readonly (string | number)[]): number {
  return createHash('sha256').update(parts.join('\0')).digest().readUIntBE(0, 6) / 2 ** 48;
}
