import assert from 'node:assert/strict';
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { SpandrelError } from '../../model/errors.ts';

/** Protects secrets in the database and in responses. */
export interface SecretBox {
  /** ID of the key that seals. */
  readonly keyId: string;
  /** IDs of the keys that only open. */
  readonly formerKeyIds: readonly string[];
  /** Encrypts a text for the database. It can be opened only at the same location. */
  seal(text: string, location: string): Buffer;
  /** Undefined for a text that was sealed with an unknown key or for another location, or was changed. */
  open(sealed: Uint8Array, location: string): string | undefined;
  /** Whether a text was sealed with the key that seals now, and in the current form. */
  isCurrent(sealed: Uint8Array): boolean;
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

/**
 * @param key 32 bytes. Stored and shown texts have separate keys that are derived from it.
 * @param formerKeys keys that open texts and never seal
 */
export function createSecretBox(key: Uint8Array, formerKeys: readonly Uint8Array[] = []): SecretBox {
  const current = deriveKeys(key);
  const former = formerKeys.map(deriveKeys).filter(({ id }) => !id.equals(current.id));
  const all = [current, ...former];
  const openAny = (use: 'stored' | 'shown', sealed: Uint8Array, location: string): string | undefined => {
    const id = idOf(sealed);
    for (const keys of all) {
      if (id && !keys.id.equals(id)) continue;
      const text = open(keys[use], sealed, location);
      if (text !== undefined) return text;
    }
    return undefined;
  };
  return {
    keyId: current.id.toString('hex'),
    formerKeyIds: former.map(({ id }) => id.toString('hex')),
    seal: (text, location) => seal(current.id, current.stored, text, location),
    open: (sealed, location) => openAny('stored', sealed, location),
    isCurrent: (sealed) => idOf(sealed)?.equals(current.id) === true,
    redact(secret) {
      const end = secret.length >= SHOWN_END_CHARS_MIN ? secret.slice(-4) : '';
      return [
        MARK,
        'REDACTED',
        MARK,
        end,
        MARK,
        seal(current.id, current.shown, secret, '').toString('base64url'),
      ].join('');
    },
    restore(text) {
      if (!text.startsWith(MARK)) return text;
      const token = REDACTED.exec(text)?.[1];
      const secret = token === undefined ? undefined : openAny('shown', Buffer.from(token, 'base64url'), '');
      if (secret !== undefined) return secret;
      throw new SpandrelError(
        'QUERY_INVALID',
        'Invalid redacted string. Please fetch the correct redacted value from the server.',
      );
    },
  };
}

/** ID of the key that sealed a text, in hexadecimal digits. Undefined for a text of the first form, which has none. */
export const keyIdOf = (sealed: Uint8Array): string | undefined => idOf(sealed)?.toString('hex');

const MARK = '\uE000';
const REDACTED = /^\uE000REDACTED\uE000[^\uE000]{0,4}\uE000([\w-]+)$/;
/** Four characters of a shorter secret would reveal too much. */
const SHOWN_END_CHARS_MIN = 32;

interface Keys {
  readonly id: Buffer;
  readonly stored: Buffer;
  readonly shown: Buffer;
}

/** A key that anybody could know, such as that of an empty secret, would only hide texts, so it seals nothing. */
function deriveKeys(key: Uint8Array): Keys {
  assert(key.byteLength === KEY_BYTES && key.some((byte) => byte !== 0), 'a key has 32 bytes, not all of them zero');
  const derive = (use: string, byteCount: number) => Buffer.from(hkdfSync('sha256', key, '', use, byteCount));
  return {
    id: derive('key id', KEY_ID_BYTES),
    stored: derive('stored', KEY_BYTES),
    shown: derive('shown', KEY_BYTES),
  };
}

/** AES-256-GCM. The first form is a byte for the form, the nonce, the text and the tag; the second adds the key ID. */
const FORM_WITHOUT_KEY_ID = 1;
const FORM = 2;
const KEY_BYTES = 32;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const idOf = (sealed: Uint8Array): Buffer | undefined =>
  sealed[0] === FORM ? Buffer.from(sealed.subarray(1, 1 + KEY_ID_BYTES)) : undefined;

function seal(keyId: Buffer, key: Buffer, text: string, location: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(location));
  return Buffer.concat([
    Buffer.of(FORM),
    keyId,
    nonce,
    cipher.update(text, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]);
}

function open(key: Buffer, sealed: Uint8Array, location: string): string | undefined {
  if (sealed[0] !== FORM && sealed[0] !== FORM_WITHOUT_KEY_ID) return undefined;
  const nonceStart = sealed[0] === FORM ? 1 + KEY_ID_BYTES : 1;
  if (sealed.byteLength < nonceStart + NONCE_BYTES + TAG_BYTES) return undefined;
  const [nonceEnd, textEnd] = [nonceStart + NONCE_BYTES, sealed.byteLength - TAG_BYTES];
  const nonce = sealed.subarray(nonceStart, nonceEnd);
  const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(location))
    .setAuthTag(sealed.subarray(textEnd));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceEnd, textEnd)), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
