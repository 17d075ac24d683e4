import { DEFAULT_ADMIN, SYSTEM_USER } from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { AccessPorts } from './access-ports.ts';
import { randomPassword } from './change-users.ts';
import type { NewUser } from './user-repository.ts';

export interface FirstUsers {
  /** Password of the first administrator. Undefined: `admin`, which counts only from loopback. */
  readonly initialPassword: string | undefined;
  /** Further administrators. */
  readonly admins: readonly { readonly username: string; readonly email: string }[];
  /** How administrators of the settings sign in. */
  readonly adminAuthMethod: NewUser['authMethod'];
}

/** Creates at each start the accounts that are missing: the internal one, an administrator, and those of the settings. */
export async function createFirstUsers(
  { users, passwords }: Pick<AccessPorts, 'users' | 'passwords'>,
  { initialPassword, admins, adminAuthMethod }: FirstUsers,
): Promise<void> {
  if ((await users.findSystemUser()) === undefined) {
    await createIfFree(users, {
      ...SYSTEM_USER,
      role: 'SYSTEM',
      authMethod: 'LOCAL',
      passwordHash: await passwords.hash(randomPassword()),
    });
  }
  if ((await users.countAdmins()) === 0) {
    await createIfFree(users, {
      ...DEFAULT_ADMIN,
      role: 'ADMIN',
      authMethod: 'LOCAL',
      passwordHash: await passwords.hash(initialPassword ?? DOCUMENTED_PASSWORD),
      passwordNeedsReset: true,
      hasDefaultPassword: initialPassword === undefined || initialPassword === DOCUMENTED_PASSWORD,
    });
  }
  for (const { username, email } of admins) {
    const isLocal = adminAuthMethod === 'LOCAL';
    await createIfFree(users, {
      username,
      email,
      role: 'ADMIN',
      authMethod: adminAuthMethod,
      passwordHash: isLocal ? await passwords.hash(randomPassword()) : null,
      passwordNeedsReset: isLocal,
    });
  }
}

/** Anyone can look it up. */
const DOCUMENTED_PASSWORD = 'admin';

/** An existing name or email is left alone: another server may have created the account at the same time. */
async function createIfFree(users: AccessPorts['users'], user: NewUser): Promise<void> {
  if (user.email !== null && (await users.findByEmail(user.email)) !== undefined) return;
  try {
    await users.create(user);
  } catch (error) {
    const isTaken = error instanceof SpandrelError && (error.code === 'USERNAME_TAKEN' || error.code === 'EMAIL_TAKEN');
    if (!isTaken) throw error;
  }
}
