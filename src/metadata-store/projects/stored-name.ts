import { createHash } from 'node:crypto';
import { PROJECT_NAME_BYTES_MAX } from '../../model/limits/datasets.ts';
import { toPostgresText } from '../database/postgres-text.ts';

/**
 * The stored form of a name, which keeps case and blanks. Postgres cannot store U+0000, and UTF-8 has no lone surrogates: each
 * becomes U+FFFD. A name of more than `PROJECT_NAME_BYTES_MAX` bytes, which only telemetry can have, becomes its beginning
 * with its SHA-256, so that long names stay different.
 */
export function toStoredName(name: string): string {
  const text = toPostgresText(name);
  const utf8 = Buffer.from(text);
  if (utf8.length <= PROJECT_NAME_BYTES_MAX) return text;
  const tail = `…${createHash('sha256').update(utf8).digest('hex')}`;
  const head = utf8.subarray(0, PROJECT_NAME_BYTES_MAX - Buffer.byteLength(tail)).toString();
  // The cut may have split a character.
  return head.replace(/\uFFFD$/, '') + tail;
}
