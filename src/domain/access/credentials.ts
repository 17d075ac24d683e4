import type { Log } from '../../base/log.ts';
import type { CallerUser, SignedInCaller } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import { CREDENTIAL_STALE_MS_MAX } from '../../model/limits/access.ts';
import type { ProjectDirectory } from '../project-access/project-directory.ts';
import type { Account, Credential, CredentialRepository } from './credential-repository.ts';

/**
 * All valid credentials in memory, so that a request is checked without a query. `sync` reads what other servers, or this
 * one, have changed.
 */
export interface Credentials {
  /**
   * The owner of a token. `expired` for a token that was valid. Undefined for an unknown one.
   *
   * @throws {SpandrelError} `STORE_UNAVAILABLE` for an unknown token while Postgres is unavailable, and for every token when
   * changes could not be read for `CREDENTIAL_STALE_MS_MAX`
   */
  find(hash: Buffer): Promise<SignedInCaller | 'expired' | undefined>;
  /** The same without a query. Undefined for a token that is not in memory. */
  findKnown(hash: Buffer): SignedInCaller | 'expired' | undefined;
  /** Reads the changes since the last call. A caller who has revoked something awaits it. */
  sync(): Promise<void>;
  /** Uses of keys since the last call. */
  takeUses(): Map<number, Date>;
  /** Credentials in memory. */
  readonly count: number;
}

export async function openCredentials({
  repository,
  projects,
  log,
  now = Date.now,
}: {
  readonly repository: CredentialRepository;
  /** Follows the changes of the credentials. */
  readonly projects: ProjectDirectory;
  readonly log: Log;
  readonly now?: () => number;
}): Promise<Credentials> {
  const cache = new CredentialCache(repository, projects, log, now);
  await cache.fill();
  return cache;
}

class CredentialCache implements Credentials {
  readonly #repository: CredentialRepository;
  readonly #projects: ProjectDirectory;
  readonly #log: Log;
  readonly #now: () => number;
  /** Keys are hashes, as text of one character a byte. */
  readonly #byHash = new Map<string, CachedCredential>();
  readonly #byRow = { access: new Map<number, CachedCredential>(), key: new Map<number, CachedCredential>() };
  readonly #accounts = new Map<number, CallerUser>();
  readonly #uses = new Map<number, number>();
  #position: string | undefined;
  #syncedAtMs = 0;
  #evictedAtMs = 0;
  #syncing: Promise<void> | undefined;

  constructor(repository: CredentialRepository, projects: ProjectDirectory, log: Log, now: () => number) {
    this.#repository = repository;
    this.#projects = projects;
    this.#log = log;
    this.#now = now;
  }

  get count(): number {
    return this.#byHash.size;
  }

  async fill(): Promise<void> {
    // The position comes first: a change while the rows are read is then read again.
    this.#position = (await this.#repository.readChanges(undefined)).position;
    for await (const accounts of this.#repository.listAccounts())
      for (const account of accounts) this.#keepAccount(account);
    await this.#projects.fill();
    for await (const rows of this.#repository.listCredentials()) {
      for (const row of rows) this.#keep(row);
      await this.#projects.addNames(rows.flatMap(({ projects }) => projects ?? []));
    }
    this.#syncedAtMs = this.#now();
  }

  findKnown(hash: Buffer): SignedInCaller | 'expired' | undefined {
    const nowMs = this.#now();
    if (nowMs - this.#syncedAtMs > CREDENTIAL_STALE_MS_MAX) {
      throw new SpandrelError(
        'STORE_UNAVAILABLE',
        'The metadata database has been unavailable for too long to check credentials',
      );
    }
    const known = this.#byHash.get(hash.toString('latin1'));
    return known && this.#use(known, nowMs);
  }

  async find(hash: Buffer): Promise<SignedInCaller | 'expired' | undefined> {
    return this.findKnown(hash) ?? (await this.#read(hash));
  }

  async #read(hash: Buffer): Promise<SignedInCaller | 'expired' | undefined> {
    const row = await this.#repository.findCredential(hash);
    if (row === undefined) return undefined;
    if (!this.#accounts.has(row.userRowId)) await this.#readAccounts([row.userRowId]);
    if (row.projects !== null) await this.#projects.addNames(row.projects);
    const known = this.#byHash.get(hash.toString('latin1')) ?? this.#keep(row);
    return known && this.#use(known, this.#now());
  }

  #use(credential: CachedCredential, nowMs: number): SignedInCaller | 'expired' {
    if (credential.expiresAtMs <= nowMs) return 'expired';
    if (credential.row.kind === 'key') this.#uses.set(credential.row.rowId, nowMs);
    return credential;
  }

  takeUses(): Map<number, Date> {
    const uses = new Map([...this.#uses].map(([rowId, atMs]) => [rowId, new Date(atMs)]));
    this.#uses.clear();
    return uses;
  }

  async sync(): Promise<void> {
    // A sync that is running may have read before the change of this caller, so the caller waits for the next one.
    const running = this.#syncing;
    const next = (running ?? Promise.resolve()).catch(() => {}).then(() => this.#syncOnce());
    this.#syncing = next;
    await next.finally(() => {
      if (this.#syncing === next) this.#syncing = undefined;
    });
  }

  async #syncOnce(): Promise<void> {
    const startedAtMs = this.#now();
    const changes = await this.#repository.readChanges(this.#position);
    for (const rowId of changes.accessRowIds) this.#drop(this.#byRow.access.get(rowId));
    for (const rowId of changes.keyRowIds) this.#drop(this.#byRow.key.get(rowId));
    if (changes.userRowIds.length > 0) await this.#readAccounts(changes.userRowIds);
    await this.#projects.reload(changes.projectRowIds);
    if (changes.userRowIds.length > 0) this.#projects.notify();
    if (startedAtMs - this.#evictedAtMs > EXPIRED_RETENTION_MS / 10) this.#evictExpired(startedAtMs);
    this.#position = changes.position;
    this.#syncedAtMs = startedAtMs;
  }

  async #readAccounts(rowIds: readonly number[]): Promise<void> {
    const accounts = new Map((await this.#repository.findAccounts(rowIds)).map((account) => [account.rowId, account]));
    const ended = new Set<number>();
    for (const rowId of rowIds) {
      const account = accounts.get(rowId);
      if (account?.isActive) this.#keepAccount(account);
      else if (this.#accounts.delete(rowId)) ended.add(rowId);
    }
    if (ended.size === 0) return;
    for (const credential of this.#byHash.values()) if (ended.has(credential.row.userRowId)) this.#drop(credential);
    this.#log.info({ userCount: ended.size }, 'Ended the credentials of users who were deleted or deactivated');
  }

  #evictExpired(nowMs: number): void {
    this.#evictedAtMs = nowMs;
    for (const credential of this.#byHash.values()) {
      if (credential.expiresAtMs <= nowMs - EXPIRED_RETENTION_MS) this.#drop(credential);
    }
  }

  #keepAccount({ rowId, role, username, email, groups, isActive }: Account): void {
    if (isActive) this.#accounts.set(rowId, { rowId, role, username, email, groups });
  }

  /** Undefined when the owner has been deleted. */
  #keep(row: Credential): CachedCredential | undefined {
    if (!this.#accounts.has(row.userRowId)) return undefined;
    const credential = new CachedCredential(row, this.#accounts);
    this.#byHash.set(row.hash.toString('latin1'), credential);
    this.#byRow[row.kind].set(row.rowId, credential);
    return credential;
  }

  #drop(credential: CachedCredential | undefined): void {
    if (credential === undefined) return;
    this.#byHash.delete(credential.row.hash.toString('latin1'));
    this.#byRow[credential.row.kind].delete(credential.row.rowId);
    credential.end();
  }
}

/** Time for which an expired credential is reported as expired, and then as unknown. */
const EXPIRED_RETENTION_MS = 60 * 60_000;

class CachedCredential implements SignedInCaller {
  readonly kind = 'signedIn';
  readonly row: Credential;
  readonly expiresAtMs: number;
  readonly projects: ReadonlySet<string> | null;
  readonly #accounts: ReadonlyMap<number, CallerUser>;
  #user: CallerUser | undefined;
  #ending: AbortController | undefined;
  #isEnded = false;

  constructor(row: Credential, accounts: ReadonlyMap<number, CallerUser>) {
    this.row = row;
    this.expiresAtMs = row.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY;
    this.projects = row.projects && new Set(row.projects);
    this.#accounts = accounts;
  }

  get credential() {
    if (this.row.kind === 'access') return this.row.resource === null ? ('session' as const) : ('app' as const);
    return this.user.role === 'SYSTEM' ? ('systemKey' as const) : ('userKey' as const);
  }

  get credentialRowId(): number {
    return this.row.sessionRowId ?? this.row.rowId;
  }

  /** After the end of the credential it is the last known owner, for a request that is still running. */
  get user(): CallerUser {
    const user = this.#accounts.get(this.row.userRowId) ?? this.#user;
    if (user === undefined) throw new Error(`The credential ${this.row.rowId} has no owner`);
    this.#user = user;
    return user;
  }

  get app() {
    const { resource, isFirstParty } = this.row;
    return resource === null ? undefined : { resource, isFirstParty: isFirstParty === true };
  }

  get scope() {
    return this.row.scope;
  }

  get signal(): AbortSignal {
    if (this.#ending === undefined) {
      const ending = new AbortController();
      this.#ending = ending;
      if (this.#isEnded) ending.abort();
      else if (Number.isFinite(this.expiresAtMs)) this.#endAtExpiry();
    }
    return this.#ending.signal;
  }

  end(): void {
    this.#isEnded = true;
    this.#ending?.abort();
  }

  #endAtExpiry(): void {
    // Timers count at most 2^31 ms.
    const waitMs = Math.min(this.expiresAtMs - Date.now(), 2 ** 31 - 1);
    const timer = setTimeout(() => {
      if (this.expiresAtMs <= Date.now()) this.#ending?.abort();
      else this.#endAtExpiry();
    }, waitMs);
    timer.unref();
  }
}
