import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { AuditFields } from '../../model/access/audit-entry.ts';
import { type Caller, isAdmin } from '../../model/access/caller.ts';
import {
  ASSIGNABLE_ROLES,
  type AssignableRole,
  type AuthMethod,
  DEFAULT_ADMIN,
  isEmail,
  normalizeEmail,
  SYSTEM_USER,
  type User,
} from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import { ACCOUNT_TEXT_LENGTH_MAX } from '../../model/limits/access.ts';
import { WELCOME_MAIL_WAIT_MS_MAX } from '../../model/limits/mail.ts';
import type { AccessPorts } from './access-ports.ts';
import { accountDenial, checkAccountChange } from './account-rights.ts';
import { type AuditParts, recorded, userFields } from './audit.ts';
import { checkPassword } from './password-rules.ts';
import type { ProvisionedFields } from './user-repository.ts';

type Parts = AccessPorts & AuditParts;

export interface UserInput {
  readonly email: string;
  readonly username: string;
  readonly role: string;
  readonly authMethod: AuthMethod;
  /** Undefined: a random one, if the account has a password of ours. */
  readonly password?: string | undefined;
  readonly oauth2ClientId?: string | null | undefined;
  readonly oauth2UserId?: string | null | undefined;
  readonly sendsWelcomeMail: boolean;
  /** Given for an account that SCIM creates. Its name must be free without case, too. */
  readonly provisioned?: ProvisionedFields | undefined;
}

/** @throws {SpandrelError} `ACCESS_DENIED`, `USER_INVALID`, `EMAIL_INVALID`, `PASSWORD_INVALID`, `USERNAME_TAKEN`, `EMAIL_TAKEN` */
export async function createUser(ports: Parts, input: UserInput): Promise<User> {
  const { passwords, accessPolicy, mailer } = ports;
  const role = toAssignableRole(input.role);
  checkAccountChange(ports, { role });
  const username = toUsername(input.username);
  const email = normalizeEmail(input.email);
  if (!isEmail(email)) throw new SpandrelError('EMAIL_INVALID', 'Invalid email address');
  const isLocal = input.authMethod === 'LOCAL';
  if (isLocal && input.password !== undefined) checkPassword(input.password, accessPolicy.passwords);
  const fields = {
    role,
    username,
    email,
    authMethod: input.authMethod,
    passwordHash: isLocal ? await passwords.hash(input.password ?? randomPassword()) : null,
    passwordNeedsReset: isLocal,
    oauth2ClientId: input.oauth2ClientId ?? null,
    oauth2UserId: input.oauth2UserId ?? null,
    provisioned: input.provisioned,
  };
  const user = await recorded(ports, async ({ users }) => {
    if (input.provisioned !== undefined) await rejectSimilarName(users, username, undefined);
    const created = await users.create(fields);
    return {
      result: created,
      entry: { action: 'user.create', outcome: 'DONE', target: targetOf(created), after: fieldsOf(created) },
    };
  });
  if (!input.sendsWelcomeMail || mailer === undefined) return user;
  const sent = mailer.sendWelcome({ to: email, username });
  // An administrator learns that the user is notified. An identity provider creates many, and must not wait for each.
  if (input.provisioned === undefined)
    await Promise.race([sent, delay(WELCOME_MAIL_WAIT_MS_MAX, undefined, { ref: false })]);
  return user;
}

/** A password that no one knows: the owner resets it, or an administrator sets another. */
export const randomPassword = (): string => randomBytes(32).toString('base64url');

/**
 * Changes another user, as an administrator.
 *
 * @throws {SpandrelError} `USER_NOT_FOUND`, `USER_INVALID`, `ACCESS_DENIED`, `PASSWORD_INVALID`, `USERNAME_TAKEN`
 */
export async function patchUser(
  ports: Parts,
  rowId: number,
  changes: {
    readonly role?: string | undefined;
    readonly username?: string | undefined;
    readonly password?: string | undefined;
    /** Given by SCIM. The email is in normal form. */
    readonly provisioned?: ProvisionedFields | undefined;
  },
): Promise<User> {
  const { users, passwords, accessPolicy, caller, signInFailures } = ports;
  const user = (await users.findByRowIds([rowId])).get(rowId);
  if (user === undefined || user.role === 'SYSTEM') throw new SpandrelError('USER_NOT_FOUND', 'User not found');
  const role = changes.role === undefined ? undefined : toAssignableRole(changes.role);
  const isNewRole = role !== undefined && role !== user.role;
  if (role !== undefined && caller.kind === 'signedIn' && caller.user.rowId === rowId) {
    throw new SpandrelError('ACCESS_DENIED', 'Cannot modify own role');
  }
  if (role !== undefined && user.email === DEFAULT_ADMIN.email) {
    throw new SpandrelError('USER_PROTECTED', 'Cannot modify role for the default admin user');
  }
  const { provisioned } = changes;
  const isDeactivated = user.isActive && provisioned?.isActive === false;
  const hasNewEmail = provisioned?.email !== undefined && provisioned.email !== user.email;
  checkAccountChange(ports, { before: user, role, hasNewEmail });
  if ((isDeactivated || hasNewEmail) && isProtected(user)) {
    throw new SpandrelError('USER_PROTECTED', 'Cannot deactivate the default admin user or change its email');
  }
  const username = changes.username === undefined ? undefined : toUsername(changes.username);
  if (changes.password !== undefined) {
    if (user.authMethod !== 'LOCAL')
      throw new SpandrelError('USER_INVALID', 'Cannot modify password for non-local user');
    checkPassword(changes.password, accessPolicy.passwords);
  }
  const hash = changes.password === undefined ? undefined : await passwords.hash(changes.password);
  const updated = await recorded(ports, async (changed) => {
    if ((isNewRole || isDeactivated) && user.role === 'ADMIN' && user.isActive) await keepAnAdmin(changed.users, 1);
    if (provisioned !== undefined && username !== undefined) await rejectSimilarName(changed.users, username, rowId);
    const result = await changed.users.update(rowId, {
      ...(username !== undefined && { username }),
      ...(role !== undefined && { role }),
      ...(provisioned !== undefined && { provisioned }),
    });
    if (result === undefined) throw new SpandrelError('USER_NOT_FOUND', 'User not found');
    if (hash !== undefined) await changed.users.setPassword(rowId, { hash, needsReset: true });
    if (isNewRole || isDeactivated || hash !== undefined) await changed.userSessions.endAll([rowId]);
    if (isDeactivated || hash !== undefined) await changed.oauth2Grants.revokeOfUsers([rowId]);
    const before = fieldsOf(user);
    const after = { ...fieldsOf(result), ...(hash !== undefined && { hasNewPassword: true }) };
    return { result, entry: { action: 'user.update', outcome: 'DONE', target: targetOf(result), before, after } };
  });
  if (hash !== undefined && user.email !== null) await signInFailures.clear([user.email]);
  await ports.signIn?.credentials.sync();
  return (await users.findByRowIds([rowId])).get(rowId) ?? updated;
}

/**
 * Changes the account of the caller.
 *
 * @returns the user, and whether the password has changed, so that all sessions have ended
 * @throws {SpandrelError} `UNAUTHENTICATED`, `ACCESS_DENIED` without a session, `USER_INVALID`, `SIGN_IN_FAILED`,
 *   `PASSWORD_INVALID`, `USERNAME_TAKEN`
 */
export async function patchViewer(
  ports: Parts,
  changes: {
    readonly username?: string | undefined;
    readonly password?: string | undefined;
    readonly currentPassword?: string | undefined;
  },
): Promise<{ readonly user: User; readonly hasNewPassword: boolean }> {
  const { users, passwords, accessPolicy, caller } = ports;
  if (caller.kind !== 'signedIn') throw new SpandrelError('UNAUTHENTICATED', 'Not authenticated');
  if (caller.credential !== 'session') throw accountDenial();
  const { rowId } = caller.user;
  const user = (await users.findByRowIds([rowId])).get(rowId);
  if (user === undefined) throw new SpandrelError('USER_NOT_FOUND', 'User not found');
  const username = changes.username === undefined ? undefined : toUsername(changes.username);
  if (changes.password !== undefined) {
    const hash = await users.findPasswordHash(rowId);
    if (user.authMethod !== 'LOCAL' || hash === undefined) {
      throw new SpandrelError('USER_INVALID', 'Cannot modify password for non-local user');
    }
    const isRight = changes.currentPassword ? await passwords.verify(hash, changes.currentPassword) : false;
    if (!isRight) throw new SpandrelError('USER_INVALID', 'Valid current password is required to modify password');
    checkPassword(changes.password, accessPolicy.passwords);
  }
  const hash = changes.password === undefined ? undefined : await passwords.hash(changes.password);
  const updated = await recorded(ports, async (changed) => {
    const result = username === undefined ? user : await changed.users.update(rowId, { username });
    if (result === undefined) throw new SpandrelError('USER_NOT_FOUND', 'User not found');
    if (hash !== undefined) {
      await changed.users.setPassword(rowId, { hash, needsReset: false });
      await changed.userSessions.endAll([rowId]);
      await changed.oauth2Grants.revokeOfUsers([rowId]);
    }
    const before = userFields(user);
    const after = { ...userFields(result), ...(hash !== undefined && { hasNewPassword: true }) };
    return { result, entry: { action: 'user.update', outcome: 'DONE', target: targetOf(result), before, after } };
  });
  if (hash === undefined) return { user: updated, hasNewPassword: false };
  await ports.signIn?.credentials.sync();
  return { user: (await users.findByRowIds([rowId])).get(rowId) ?? updated, hasNewPassword: true };
}

/**
 * Deletes accounts with their sessions and keys. What they wrote stays.
 *
 * @param texts Messages for accounts that do not exist, and for the default administrator, which differ by API
 * @throws {SpandrelError} `USER_NOT_FOUND`, `ACCESS_DENIED`, `USER_PROTECTED`
 */
export async function deleteUsers(
  ports: Parts,
  rowIds: readonly number[],
  texts: { readonly unknown: string; readonly defaultAdmin: string } = DELETE_TEXTS,
): Promise<void> {
  const { users, signIn } = ports;
  const found = await users.findByRowIds(rowIds);
  const missing = rowIds.filter((rowId) => !found.has(rowId));
  if (missing.length > 0) throw new SpandrelError('USER_NOT_FOUND', texts.unknown);
  for (const before of found.values()) checkAccountChange(ports, { before });
  const retained = [...found.values()].find(isProtected);
  if (retained) {
    throw new SpandrelError(
      'USER_PROTECTED',
      retained.role === 'SYSTEM' ? DELETE_TEXTS.defaultAdmin : texts.defaultAdmin,
    );
  }
  const adminCount = [...found.values()].filter(({ role, isActive }) => role === 'ADMIN' && isActive).length;
  if (adminCount > 0) await keepAnAdmin(users, adminCount);
  for (const user of found.values()) {
    await recorded(ports, async (changed) => {
      if (user.role === 'ADMIN' && user.isActive) await keepAnAdmin(changed.users, 1);
      await changed.users.delete([user.rowId]);
      const entry = {
        action: 'user.delete',
        outcome: 'DONE',
        target: targetOf(user),
        before: userFields(user),
      } as const;
      return { result: undefined, entry };
    });
  }
  await signIn?.credentials.sync();
}

const DELETE_TEXTS = { unknown: 'User not found', defaultAdmin: 'Cannot delete the default admin or system user' };

const isProtected = ({ role, email, username }: User): boolean =>
  role === 'SYSTEM' ||
  email === DEFAULT_ADMIN.email ||
  email === SYSTEM_USER.email ||
  username === DEFAULT_ADMIN.username ||
  username === SYSTEM_USER.username;

/** @throws {SpandrelError} `USER_PROTECTED` if no administrator would be left */
async function keepAnAdmin(users: AccessPorts['users'], removedCount: number): Promise<void> {
  if ((await users.countAdmins()) <= removedCount) {
    throw new SpandrelError('USER_PROTECTED', 'At least one administrator must remain');
  }
}

/** @throws {SpandrelError} `USERNAME_TAKEN` if another name differs in case alone, which an identity provider ignores */
async function rejectSimilarName(
  users: AccessPorts['users'],
  username: string,
  rowId: number | undefined,
): Promise<void> {
  if (await users.hasUsername(username, rowId)) throw new SpandrelError('USERNAME_TAKEN', 'Username already exists');
}

/** Fields of an entry, with those of SCIM for an account that it manages. */
const fieldsOf = (user: User): AuditFields => {
  const { isProvisioned, isActive, scimExternalId: externalId } = user;
  return { ...userFields(user), ...(isProvisioned && { isActive, externalId }) };
};

const targetOf = ({ rowId, username }: User) => ({ kind: 'User', id: String(rowId), name: username });

/** Whether the caller may see what belongs to this user: the user, and administrators. */
export const mayManage = (caller: Caller, userRowId: number): boolean =>
  caller.kind === 'signedIn' && (caller.user.rowId === userRowId || isAdmin(caller));

function toAssignableRole(role: string): AssignableRole {
  if (role === 'SYSTEM') invalid('Cannot create users with SYSTEM role');
  return ASSIGNABLE_ROLES.find((name) => name === role) ?? invalid(`Role '${role}' not found`);
}

function toUsername(text: string): string {
  const username = text.trim();
  if (username === '') invalid('Username must not be empty');
  if (username.length > ACCOUNT_TEXT_LENGTH_MAX) {
    invalid(`A username has at most ${ACCOUNT_TEXT_LENGTH_MAX} characters`);
  }
  return username;
}

function invalid(message: string): never {
  throw new SpandrelError('USER_INVALID', message);
}
