import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { expectPresent } from '../../base/expect-present.ts';
import { ownValue } from '../../base/own-value.ts';
import { TOKEN_LENGTH_MAX } from '../../model/limits/access.ts';

/** Kind of a token in its `jti`, which public tools read. */
export const TOKEN_KINDS = ['AccessToken', 'RefreshToken', 'PasswordResetToken', 'ApiKey'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

export interface MintedToken {
  readonly text: string;
  /** SHA-256 of the text, the only thing that is stored. */
  readonly hash: Buffer;
}

/** Makes and verifies the texts of tokens and keys: JWTs (HS256) with the kind, the row id and 256 random bits. */
export interface Tokens {
  mint(kind: TokenKind, rowId: number): MintedToken;
  /**
   * Kind and hash of a text that this server, or another with its secret, has signed. Undefined for any other text. Whether
   * the token is still valid, only its row shows.
   */
  read(text: string): { readonly kind: TokenKind; readonly hash: Buffer } | undefined;
  /** Signs a short text, such as the state of a sign-in at an identity provider. */
  sign(text: string): string;
}

const HEADER = Buffer.from('{"typ":"JWT","alg":"HS256"}').toString('base64url');
const SALT = 'spandrel tokens';

/**
 * @param secret `SERVICE_SECRET`
 * @param formerSecrets Tokens that one of these has signed are still read.
 */
export function createTokens(secret: string, formerSecrets: readonly string[] = []): Tokens {
  const signers = [secret, ...formerSecrets].map((one) => {
    const key = Buffer.from(hkdfSync('sha256', one, SALT, 'jwt', 32));
    return (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  });
  const sign = expectPresent(signers[0], 'the first signer is that of the secret');
  return {
    sign,
    mint(kind, rowId) {
      const payload = JSON.stringify({ jti: `${kind}:${rowId}`, rnd: randomBytes(32).toString('base64url') });
      const unsigned = `${HEADER}.${Buffer.from(payload).toString('base64url')}`;
      const text = `${unsigned}.${sign(unsigned)}`;
      return { text, hash: hashToken(text) };
    },
    read(text) {
      if (text.length > TOKEN_LENGTH_MAX || !text.startsWith(`${HEADER}.`)) return undefined;
      const end = text.lastIndexOf('.');
      if (!signers.some((one) => isSame(text.slice(end + 1), one(text.slice(0, end))))) return undefined;
      const kind = readKind(text.slice(HEADER.length + 1, end));
      return kind && { kind, hash: hashToken(text) };
    },
  };
}

export const hashToken = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares two texts in a time that depends only on their lengths. */
export function isSame(left: string, right: string): boolean {
  const [leftHash, rightHash] = [hashToken(left), hashToken(right)];
  return timingSafeEqual(leftHash, rightHash);
}

function readKind(payload: string): TokenKind | undefined {
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
  const jti =
    typeof value === 'object' && value !== null ? ownValue(value as Record<string, unknown>, 'jti') : undefined;
  if (typeof jti !== 'string') return undefined;
  return TOKEN_KINDS.find((kind) => jti.startsWith(`${kind}:`));
}
