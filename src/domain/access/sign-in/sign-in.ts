import type { AuditActor } from '../../../model/access/audit-entry.ts';
import type { User } from '../../../model/access/user.ts';
import { DEFAULT_ADMIN, normalizeEmail } from '../../../model/access/user.ts';
import { SpandrelError } from '../../../model/errors.ts';
import {
  LOCK_NOTICE_HOURS,
  PASSWORD_LENGTH_MAX,
  SESSION_DAYS_MAX,
  SIGN_IN_LOCK_SECONDS,
} from '../../../model/limits/access.ts';
import type { AccessPorts, SignInPorts } from '../access-ports.ts';
import { type AuditParts, actorOf, record, signingIn } from '../audit.ts';
import type { TokenPair } from '../credential-repository.ts';
import type { Tokens } from '../tokens.ts';

/** Where a person signs in from. */
export interface SignInOrigin {
  readonly remoteAddress: string | null;
  readonly userAgent: string | null;
  /** True for a connection from this machine that no proxy has forwarded. */
  readonly isLocal: boolean;
}

/** Texts of the tokens of a session, for its cookies. */
export interface IssuedTokens {
  readonly user: { readonly rowId: number };
  readonly access: string;
  readonly refresh: string;
  readonly accessExpiresAt: Date;
  readonly refreshExpiresAt: Date;
}

type Parts = Pick<
  AccessPorts,
  | 'users'
  | 'signInFailures'
  | 'attemptQueue'
  | 'passwords'
  | 'accessPolicy'
  | 'signIn'
  | 'audit'
  | 'mailer'
  | 'reportFailure'
> &
  AuditParts;

export const signInPorts = ({ signIn }: Pick<AccessPorts, 'signIn'>): SignInPorts => {
  if (signIn) return signIn;
  throw new SpandrelError('SIGN_IN_OFF', 'This server has no sign-in');
};

/**
 * Starts a session for the owner of an email and password.
 *
 * @throws {SpandrelError} `SIGN_IN_FAILED`, the same for an unknown account and a wrong password; `SIGN_IN_LOCKED`,
 * `ACCESS_DENIED` when passwords are off, or for the initial password from another machine
 */
export async function signInWithPassword(
  ports: Parts,
  input: { readonly email: string; readonly password: string },
  origin: SignInOrigin,
): Promise<IssuedTokens> {
  const { users, passwords } = ports;
  if (!ports.accessPolicy.allowsPasswords) throw new SpandrelError('ACCESS_DENIED', 'Forbidden');
  const email = normalizeEmail(input.email);
  if (email === '' || input.password === '') throw new SpandrelError('SIGN_IN_FAILED', 'Email and password required');
  const { account, actor } = await ports.attemptQueue.run(email, () =>
    checkPassword(ports, email, input.password, origin),
  );
  if (passwords.isOutdated(account.passwordHash)) {
    await users.rehash(account.user.rowId, account.passwordHash, await passwords.hash(input.password));
  }
  return startSession(ports, account.user, origin, actor);
}

async function checkPassword(ports: Parts, email: string, input: string, origin: SignInOrigin) {
  const { users, passwords, signInFailures } = ports;
  const isLast = await beginAttempt(ports, email);
  const account = await users.findPasswordAccount(email);
  const isCheckable = input.length <= PASSWORD_LENGTH_MAX;
  const password = isCheckable ? input : '';
  const isRight = account
    ? (await passwords.verify(account.passwordHash, password)) && isCheckable
    : await passwords.verifyNothing(password);
  const actor = signingIn({ ...account?.user, username: account?.user.username ?? email }, origin.remoteAddress);
  if (account === undefined || !isRight) {
    await record(ports, { action: 'sign-in', outcome: 'DENIED', target: { kind: 'User', name: email } }, actor);
    // Not awaited, so that the time of the response does not reveal whether the account exists.
    if (account && isLast) {
      void noticeLock(ports, { to: email, username: account.user.username, from: origin.remoteAddress }).catch(
        (error) => ports.reportFailure(error, 'Could not notify a user of the account lock'),
      );
    }
    throw new SpandrelError('SIGN_IN_FAILED', 'Invalid email and/or password');
  }
  if (account.hasDefaultPassword && !origin.isLocal) {
    throw new SpandrelError(
      'ACCESS_DENIED',
      'The initial password is accepted only on the machine of the server. Set SERVICE_DEFAULT_ADMIN_INITIAL_PASSWORD before the first start, or change the password there',
    );
  }
  await signInFailures.clear([email]);
  return { account, actor };
}

/** Mails the owner that an account is locked. Once a day, so that an attacker cannot fill a mailbox. */
async function noticeLock(
  { signInFailures, mailer }: Pick<AccessPorts, 'signInFailures' | 'mailer'>,
  mail: { readonly to: string; readonly username: string; readonly from: string | null },
): Promise<void> {
  if (mailer && mail.to !== DEFAULT_ADMIN.email && (await signInFailures.claimLockNotice(mail.to, LOCK_NOTICE_HOURS))) {
    mailer.sendLockNotice({ ...mail, lockSeconds: SIGN_IN_LOCK_SECONDS });
  }
}

/**
 * Counts an attempt before its proof is checked.
 *
 * @returns whether a failure of this attempt locks the account
 * @throws {SpandrelError} `SIGN_IN_LOCKED`
 */
export async function beginAttempt(
  { signInFailures, accessPolicy: { attemptCountMax } }: Pick<AccessPorts, 'signInFailures' | 'accessPolicy'>,
  account: string,
): Promise<boolean> {
  if (attemptCountMax === undefined) return false;
  const state = await signInFailures.beginAttempt(account, { attemptCountMax, lockSeconds: SIGN_IN_LOCK_SECONDS });
  if (state === 'locked') {
    throw new SpandrelError('SIGN_IN_LOCKED', 'Too many failed login attempts. Please try again later.');
  }
  return state === 'last';
}

/** Starts a session for a person whose identity is proven. */
export async function startSession(
  ports: Pick<AccessPorts, 'accessPolicy' | 'signIn' | 'audit'>,
  user: Pick<User, 'rowId' | 'username'>,
  { remoteAddress, userAgent }: Omit<SignInOrigin, 'isLocal'>,
  actor: AuditActor,
): Promise<IssuedTokens> {
  const { tokens } = signInPorts(ports);
  const expiresAt = new Date(Date.now() + SESSION_DAYS_MAX * 86_400_000);
  return ports.audit.inTransaction(actor, async ({ userSessions }) => {
    const pair = mintPair(tokens, await userSessions.allocateTokenRowIds(), ports.accessPolicy, expiresAt);
    const rowId = await userSessions.create(
      { userRowId: user.rowId, expiresAt, remoteAddress, userAgent },
      pair.stored,
    );
    const target = { kind: 'UserSession', id: String(rowId), name: user.username };
    return { result: { user, ...pair.issued }, entry: { action: 'sign-in', outcome: 'DONE', target } };
  });
}

/**
 * Exchanges a refresh token for a new pair. A token that is used again after a few seconds was stolen: its session ends.
 *
 * @throws {SpandrelError} `SIGN_IN_FAILED` with the texts that the contract fixes
 */
export async function refreshSession(
  ports: Pick<AccessPorts, 'users' | 'userSessions' | 'accessPolicy' | 'signIn' | 'audit'> & AuditParts,
  text: string | undefined,
  { remoteAddress }: Pick<SignInOrigin, 'remoteAddress'>,
): Promise<IssuedTokens> {
  const { tokens, credentials } = signInPorts(ports);
  if (!text) throw new SpandrelError('SIGN_IN_FAILED', 'Missing refresh token');
  const token = tokens.read(text);
  if (token?.kind !== 'RefreshToken') throw new SpandrelError('SIGN_IN_FAILED', 'Invalid refresh token');
  const rowIds = await ports.userSessions.allocateTokenRowIds();
  let issued: Omit<IssuedTokens, 'user'> | undefined;
  const outcome = await ports.userSessions.refresh(
    token.hash,
    (sessionExpiresAt) => {
      const pair = mintPair(tokens, rowIds, ports.accessPolicy, sessionExpiresAt);
      issued = pair.issued;
      return pair.stored;
    },
    remoteAddress,
  );
  await credentials.sync();
  if (outcome.kind === 'stolen') {
    const user = (await ports.users.findByRowIds([outcome.userRowId])).get(outcome.userRowId);
    const target = { kind: 'User', id: String(outcome.userRowId), name: user?.username };
    await record(ports, { action: 'session.stolen', outcome: 'DENIED', target });
  }
  if (outcome.kind === 'exchanged' && issued) return { user: { rowId: outcome.userRowId }, ...issued };
  throw new SpandrelError(
    'SIGN_IN_FAILED',
    outcome.kind === 'expired' ? 'Expired refresh token' : 'Invalid refresh token',
  );
}

/**
 * Signs out the owner of the token of a session, with all other sessions. Any other text has no effect.
 *
 * @returns the row id of the user, if there is one
 */
export async function signOut(
  ports: Pick<AccessPorts, 'users' | 'userSessions' | 'signIn' | 'audit'> & AuditParts,
  { access, refresh }: { readonly access: string | undefined; readonly refresh: string | undefined },
): Promise<number | undefined> {
  const { tokens, credentials } = signInPorts(ports);
  const accessToken = access === undefined ? undefined : tokens.read(access);
  const found = accessToken?.kind === 'AccessToken' ? await credentials.find(accessToken.hash) : undefined;
  let userRowId = typeof found === 'object' && found.credential === 'session' ? found.user.rowId : undefined;
  if (userRowId === undefined && refresh !== undefined) {
    const refreshToken = tokens.read(refresh);
    if (refreshToken?.kind === 'RefreshToken') {
      userRowId = await ports.userSessions.findUserByRefreshToken(refreshToken.hash);
    }
  }
  if (userRowId === undefined) return undefined;
  const user = (await ports.users.findByRowIds([userRowId])).get(userRowId);
  const target = { kind: 'User', id: String(userRowId), name: user?.username };
  const actor = { ...actorOf(ports.caller, ports.remoteAddress), userRowId, username: user?.username ?? null };
  await ports.audit.inTransaction({ ...actor, credential: 'session' }, async ({ userSessions }) => {
    await userSessions.endAll([userRowId]);
    return { result: undefined, entry: { action: 'sign-out', outcome: 'DONE', target } };
  });
  await credentials.sync();
  return userRowId;
}

/** Makes an access and a refresh token. Neither outlives `latest`. */
export function mintPair(
  tokens: Tokens,
  rowIds: { readonly access: number; readonly refresh: number },
  { accessTokenMs, refreshTokenMs }: Pick<AccessPorts['accessPolicy'], 'accessTokenMs' | 'refreshTokenMs'>,
  latest: Date,
): { readonly stored: TokenPair; readonly issued: Omit<IssuedTokens, 'user'> } {
  const until = (ms: number) => new Date(Math.min(Date.now() + ms, latest.getTime()));
  const access = tokens.mint('AccessToken', rowIds.access);
  const refresh = tokens.mint('RefreshToken', rowIds.refresh);
  const accessExpiresAt = until(accessTokenMs);
  const refreshExpiresAt = until(refreshTokenMs);
  return {
    stored: {
      access: { rowId: rowIds.access, hash: access.hash, expiresAt: accessExpiresAt },
      refresh: { rowId: rowIds.refresh, hash: refresh.hash, expiresAt: refreshExpiresAt },
    },
    issued: { access: access.text, refresh: refresh.text, accessExpiresAt, refreshExpiresAt },
  };
}
