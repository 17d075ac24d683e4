import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { SpandrelError } from '../../model/errors.ts';

/** Keeps secrets from who reads the database, and from who reads answers. */
export interface SecretBox {
  /** For the database. `place` says where it is kept: moved to another, it does not open. */
  seal(text: string, place: string): Buffer;
  /** Undefined for what was sealed with another key, for another place, or was changed since. */
  open(sealed: Uint8Array, place: string): string | undefined;
  /**
   * For people: U+E000, `REDACTED`, U+E000, the last 4 characters of a long secret, U+E000, and the secret sealed, so that
   * who sends it back need not know it.
   */
  redact(secret: string): string;
  /**
   * The secret of a redacted text; of another text itself.
   *
   * @throws {SpandrelError} `QUERY_INVALID` for a redacted text that is not ours
   */
  restore(text: string): string;
}

/** @param key 32 bytes; what is stored and what is shown have keys of their own, made of it */
export function createSecretBox(key: Uint8Array): SecretBox {
  const stored = deriveKey(key, 'stored');
  const shown = deriveKey(key, 'shown');
  return {
    seal: (text, place) => seal(stored, text, place),
    open: (sealed, place) => open(stored, sealed, place),
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
/** Of a shorter one, four characters would be too much of it. */
const SHOWN_END_CHARS_MIN = 32;

const deriveKey = (key: Uint8Array, use: string): Buffer => Buffer.from(hkdfSync('sha256', key, '', use, 32));

/** AES-256-GCM: a byte for the form, the nonce, the text, the tag. */
const FORM = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function seal(key: Buffer, text: string, place: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(place));
  return Buffer.concat([Buffer.of(FORM), nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
}

function open(key: Buffer, sealed: Uint8Array, place: string): string | undefined {
  if (sealed.byteLength < 1 + NONCE_BYTES + TAG_BYTES || sealed[0] !== FORM) return undefined;
  const [nonceEnd, textEnd] = [1 + NONCE_BYTES, sealed.byteLength - TAG_BYTES];
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, nonceEnd), { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(place))
    .setAuthTag(sealed.subarray(textEnd));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceEnd, textEnd)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
