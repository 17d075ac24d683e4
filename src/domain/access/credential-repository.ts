import type { ApiKey, KeyScope } from '../../model/access/api-key.ts';
import type { CallerUser } from '../../model/access/caller.ts';
import type { ProtectedResource } from '../../model/access/oauth2.ts';
import type { Session } from '../../model/access/session.ts';
import type { Page } from '../../model/page.ts';

/** An access token or key as it is checked. */
export interface Credential {
  readonly kind: 'access' | 'key';
  /** Row id of the token or key. */
  readonly rowId: number;
  /** SHA-256 of the text. */
  readonly hash: Buffer;
  readonly userRowId: number;
  /** Null for a key. */
  readonly sessionRowId: number | null;
  readonly scope: KeyScope;
  /** Stored names of projects. Null: not restricted to some. */
  readonly projects: readonly string[] | null;
  readonly expiresAt: Date | null;
  /** What the access token of an application is for. Null for other credentials. */
  readonly resource: ProtectedResource | null;
  readonly isFirstParty: boolean | null;
}

/** A user as credentials need it. */
export interface Account extends CallerUser {
  readonly isActive: boolean;
}

/** Changes of credentials since the last call, by any server. A change may be reported again. */
export interface CredentialChanges {
  /** Pass it to the next call. */
  readonly position: string;
  readonly userRowIds: readonly number[];
  readonly accessRowIds: readonly number[];
  readonly keyRowIds: readonly number[];
  readonly projectRowIds: readonly number[];
}

/** What the cache of credentials reads. */
export interface CredentialRepository {
  /** Yields every credential that has not expired, in batches. */
  listCredentials(): AsyncIterable<readonly Credential[]>;
  findCredential(hash: Buffer): Promise<Credential | undefined>;
  listAccounts(): AsyncIterable<readonly Account[]>;
  findAccounts(rowIds: readonly number[]): Promise<Account[]>;
  /** Without a position it returns the present one and no changes. */
  readChanges(position: string | undefined): Promise<CredentialChanges>;
  /** Stores when keys were last used. */
  recordUse(uses: ReadonlyMap<number, Date>): Promise<void>;
  /** Deletes expired tokens, sessions and old changes. */
  sweep(now: Date): Promise<void>;
}

/** A token that is about to be stored. */
export interface NewToken {
  readonly rowId: number;
  readonly hash: Buffer;
  readonly expiresAt: Date;
}

export interface TokenPair {
  readonly access: NewToken;
  readonly refresh: NewToken;
}

export interface NewSession {
  readonly userRowId: number;
  readonly expiresAt: Date;
  readonly remoteAddress: string | null;
  readonly userAgent: string | null;
}

/** Outcome of the exchange of a refresh token. */
export type RefreshOutcome =
  | { readonly kind: 'exchanged'; readonly userRowId: number; readonly sessionExpiresAt: Date }
  | { readonly kind: 'unknown' | 'expired' }
  /** Used before, a moment ago: two tabs sent it, or a client retried. */
  | { readonly kind: 'replayed' }
  /** Used before, long ago: it was stolen. The session was ended. */
  | { readonly kind: 'stolen'; readonly userRowId: number };

export interface SessionRepository {
  /** Allocates row ids, which the texts of the tokens contain. */
  allocateTokenRowIds(): Promise<{ readonly access: number; readonly refresh: number }>;
  create(session: NewSession, tokens: TokenPair): Promise<number>;
  /**
   * Replaces a refresh token and the access tokens of its session in one transaction. `makePair` gets the latest time at
   * which the new tokens may expire.
   */
  refresh(
    hash: Buffer,
    makePair: (sessionExpiresAt: Date) => TokenPair,
    remoteAddress: string | null,
  ): Promise<RefreshOutcome>;
  /** The owner of a browser session. */
  findUserByRefreshToken(hash: Buffer): Promise<number | undefined>;
  /** Browser sessions of a user, latest use first. */
  list(userRowId: number): Promise<Session[]>;
  /** False when the user has no such session. */
  end(userRowId: number, sessionRowId: number): Promise<boolean>;
  /** Ends all browser sessions. Applications and keys go on. */
  endAll(userRowIds: readonly number[]): Promise<void>;
  allocateResetTokenRowId(): Promise<number>;
  /** Replaces the former token of the user. */
  createResetToken(userRowId: number, token: NewToken): Promise<void>;
  /** Deletes the token. Undefined when it is unknown or has expired. */
  takeResetToken(hash: Buffer, now: Date): Promise<number | undefined>;
}

export interface NewApiKey {
  readonly rowId: number;
  readonly userRowId: number;
  readonly hash: Buffer;
  readonly name: string;
  readonly description: string | null;
  readonly lastCharacters: string;
  readonly scope: KeyScope;
  readonly projects: readonly string[] | null;
  readonly expiresAtUnixNano: bigint | null;
}

/** Whose keys: of a user, of the internal account, or of all users but that. */
export type KeyOwners = { readonly userRowId: number } | 'system' | 'users';

export interface ApiKeyRepository {
  allocateRowId(): Promise<number>;
  create(key: NewApiKey): Promise<ApiKey>;
  /** Highest row id first. */
  list(owners: KeyOwners, query: { readonly limit: number; readonly fromRowId?: number }): Promise<Page<ApiKey>>;
  findByRowIds(rowIds: readonly number[]): Promise<Map<number, ApiKey>>;
  /** All keys of users by the row id of the user. */
  findOfUsers(userRowIds: readonly number[]): Promise<Map<number, ApiKey[]>>;
  delete(rowId: number): Promise<void>;
}

export interface SignInFailureRepository {
  /**
   * Counts an attempt before its password is checked, so that attempts at the same time count, too.
   *
   * @returns `locked` while the account is locked, and `last` if a failure of this attempt locks it
   */
  beginAttempt(
    account: string,
    lock: { readonly attemptCountMax: number; readonly lockSeconds: number },
  ): Promise<'locked' | 'last' | 'more'>;
  /** Takes back an attempt that the directory could not decide. */
  undoAttempt(account: string): Promise<void>;
  /** Deletes the failures of the accounts. */
  clear(accounts: readonly string[]): Promise<void>;
  /** Whether to notify the owner of an email of a lock: once in the given hours, on one server. */
  claimLockNotice(email: string, intervalHours: number): Promise<boolean>;
}
