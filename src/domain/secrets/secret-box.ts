import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { SpandrelError } from '../../model/errors.ts';

/** Protects secrets in the database and in responses. */
export interface SecretBox {
  /** Encrypts a text for the database. It can be opened only at the same location. */
  seal(text: string, location: string): Buffer;
  /** Undefined for a text that was sealed with another key or for another location, or was changed. */
  open(sealed: Uint8Array, location: string): string | undefined;
  /**
   * Text for users: U+E000, `REDACTED`, U+E000, the last 4 characters of a long secret, U+E000, and the sealed secret, so that
   * a user can send it back without knowing it.
   */
  redact(secret: string): string;
  /**
   * Returns the secret of a redacted text, and any other text as it is.
   *
   * @throws {SpandrelError} `QUERY_INVALID` for a redacted text of another server
   */
  restore(text: string): string;
}

/** @param key 32 bytes. Stored and shown texts have separate keys that are derived from it. */
export function createSecretBox(key: Uint8Array): SecretBox {
  const stored = deriveKey(key, 'stored');
  const shown = deriveKey(key, 'shown');
  return {
    seal: (text, location) => seal(stored, text, location),
    open: (sealed, location) => open(stored, sealed, location),
    redact(secret) {
      const end = secret.length >= SHOWN_END_CHARS_MIN ? secret.slice(-4) : '';
      return [MARK, 'REDACTED', MARK, end, MARK, seal(shown, secret, '').toString('base64url')].join('');
    },
    restore(text) {
      if (!text.startsWith(MARK)) return text;
      const token = REDACTED.exec(text)?.[1];
      const secret = token === undefined ? undefined : open(shown, Buffer.from(token, 'base64url'), '');
      if (secret !== undefined) return secret;
      throw new SpandrelError(
        'QUERY_INVALID',
        'Invalid redacted string. Please fetch the correct redacted value from the server.',
      );
    },
  };
}

const MARK = '\uE000';
const REDACTED = /^\uE000REDACTED\uE000[^\uE000]{0,4}\uE000([\w-]+)$/;
/** Four characters of a shorter secret would reveal too much. */
const SHOWN_END_CHARS_MIN = 32;

const deriveKey = (key: Uint8Array, use: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', use, 32));

/** AES-256-GCM: a byte for the form, the nonce, the text, the tag. */
const FORM = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function seal(key: Buffer, text: string, location: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(location));
  return Buffer.concat([Buffer.of(FORM), nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, sealed: Uint8Array, location: string): string | undefined {
  if (sealed.byteLength < 1 + NONCE_BYTES + TAG_BYTES || sealed[0] !== FORM) return undefined;
  const [nonceEnd, textEnd] = [1 + NONCE_BYTES, sealed.byteLength - TAG_BYTES];
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, nonceEnd), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(location))
    .setAuthTag(sealed.subarray(textEnd));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceEnd, textEnd)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
