import { randomInt } from 'node:crypto';
import { normalizeEmail, type User } from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { AccessPorts } from './access-ports.ts';
import { type AuditParts, record, recorded } from './audit.ts';
import { createUser, patchUser } from './change-users.ts';
import { findPasswordProblem } from './password-rules.ts';

type Parts = AccessPorts & AuditParts;

/** Creates an administrator with a random password, which must be changed at the first sign-in. */
export async function createAdmin(
  ports: Parts,
  { email, username }: { readonly email: string; readonly username: string },
): Promise<{ readonly user: User; readonly password: string }> {
  const password = generatePassword();
  const input = { email, username, password, role: 'ADMIN', authMethod: 'LOCAL', sendsWelcomeMail: false } as const;
  return { user: await createUser(ports, input), password };
}

/** Sets a random password, which must be changed at the next sign-in. Ends all sessions and the lock of the account. */
export async function replacePassword(ports: Parts, email: string): Promise<string> {
  const user = await getUser(ports, email);
  const password = generatePassword();
  await patchUser(ports, user.rowId, { password });
  return password;
}

/** Ends the lock after failed sign-ins. The account need not exist, because a name of a directory is locked, too. */
export async function unlock(ports: Parts, account: string): Promise<void> {
  const name = normalizeEmail(account);
  await ports.signInFailures.clear([name]);
  await record(ports, { action: 'user.unlock', outcome: 'DONE', target: { kind: 'User', name } });
}

/** Ends all sessions and applications of a user. Keys stay. */
export async function endSessions(ports: Parts, email: string): Promise<number> {
  const user = await getUser(ports, email);
  const sessions = await ports.userSessions.list(user.rowId);
  await recorded(ports, async ({ userSessions, oauth2Grants }) => {
    await userSessions.endAll([user.rowId]);
    await oauth2Grants.revokeOfUsers([user.rowId]);
    const target = { kind: 'User', id: String(user.rowId), name: user.username };
    return { result: undefined, entry: { action: 'session.end', outcome: 'DONE', target } };
  });
  return sessions.length;
}

/** @throws {SpandrelError} `USER_NOT_FOUND` */
async function getUser({ users }: Parts, email: string): Promise<User> {
  const user = await users.findByEmail(normalizeEmail(email));
  if (user) return user;
  throw new SpandrelError('USER_NOT_FOUND', `There is no user with the email ${email}`);
}

/** No characters that look alike, because people type it. */
const PASSWORD_CHARACTERS = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!@#$%^&*_+';
const PASSWORD_LENGTH = 20;

/** A random password of 120 bits that every policy accepts. */
function generatePassword(): string {
  for (;;) {
    const characters = Array.from(
      { length: PASSWORD_LENGTH },
      () => PASSWORD_CHARACTERS[randomInt(PASSWORD_CHARACTERS.length)],
    );
    const password = characters.join('');
    if (findPasswordProblem(password, { isStrong: true }) === undefined) return password;
  }
}
