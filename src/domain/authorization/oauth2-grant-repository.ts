import type { OAuth2Grant, ProtectedResource } from '../../model/access/oauth2.ts';
import type { TokenPair } from '../access/credential-repository.ts';

/** What a user has agreed to, until the application redeems its code. */
export interface AuthorizationCode {
  /** SHA-256 of the text. */
  readonly hash: Buffer;
  readonly userRowId: number;
  readonly clientRowId: number;
  readonly redirectUri: string;
  /** SHA-256 of the verifier that only the application knows, as base64url. */
  readonly codeChallenge: string;
  readonly scopes: readonly string[];
  readonly resource: ProtectedResource;
  readonly expiresAt: Date;
}

export interface AuthorizationCodeRepository {
  /** Returns false, and stores nothing, if there was such a code. */
  create(code: AuthorizationCode): Promise<boolean>;
  /** In a transaction, the code is locked until its end. `grantRowId` is null until the code is exchanged. */
  find(hash: Buffer): Promise<(AuthorizationCode & { readonly grantRowId: number | null }) | undefined>;
  setGrant(hash: Buffer, grantRowId: number): Promise<void>;
  /** Makes a code worthless. It stays known, so that the consent behind it gives no other one. */
  expire(hash: Buffer): Promise<void>;
}

export interface NewOAuth2Grant extends Pick<AuthorizationCode, 'userRowId' | 'clientRowId' | 'scopes' | 'resource'> {
  readonly expiresAt: Date;
  readonly remoteAddress: string | null;
  readonly userAgent: string | null;
}

export type GrantRefreshOutcome =
  | { readonly kind: 'exchanged'; readonly resource: ProtectedResource; readonly scopes: readonly string[] }
  /** Unknown, of another application, or of a browser session. */
  | { readonly kind: 'unknown' | 'expired' }
  /** Exchanged before, so it was stolen. The grant has been revoked. */
  | { readonly kind: 'replayed'; readonly grantRowId: number; readonly userRowId: number };

export interface OAuth2GrantRepository {
  /** Stores a grant with its session and first tokens. */
  create(grant: NewOAuth2Grant, tokens: TokenPair): Promise<number>;
  refresh(
    token: { readonly hash: Buffer; readonly clientId: string },
    makePair: (grantExpiresAt: Date) => TokenPair,
    remoteAddress: string | null,
  ): Promise<GrantRefreshOutcome>;
  /** The grant of an access or refresh token. Undefined for the token of a browser session. */
  findByToken(hash: Buffer): Promise<OAuth2Grant | undefined>;
  /** Ends grants with their tokens. */
  revoke(rowIds: readonly number[]): Promise<void>;
  /** Ends all grants of users, and the codes that could become grants. */
  revokeOfUsers(userRowIds: readonly number[]): Promise<void>;
  /** All live grants, most recently used first. */
  list(): Promise<OAuth2Grant[]>;
  /** Live grants. */
  findByRowIds(rowIds: readonly number[]): Promise<Map<number, OAuth2Grant>>;
  /** Live grants by the row id of their user, most recently used first. */
  findOfUsers(userRowIds: readonly number[]): Promise<Map<number, OAuth2Grant[]>>;
}
