import type { Caller } from '../../model/access/caller.ts';
import { isAdmin, isScimKey } from '../../model/access/caller.ts';
import type { AssignableRole, User } from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import type { AccessPorts } from './access-ports.ts';

/** What a change does to an account. */
interface AccountChange {
  /** The account before the change. Undefined for a new one. */
  readonly before?: User;
  /** The role that the change sets. */
  readonly role?: AssignableRole | undefined;
  readonly hasNewEmail?: boolean;
}

type Parts = Pick<AccessPorts, 'accessPolicy'> & { readonly caller: Caller };

/**
 * The one rule of who changes accounts, roles and passwords of others, whatever the API. Keys and tokens of applications are
 * stored in files and other programs, so they must not become an administrator: only a session or the admin secret changes
 * accounts. A SCIM key manages the accounts that SCIM made, or that an administrator has handed to it by a change over SCIM, and
 * gives no one the role or the email of an administrator, unless a setting lets it manage all users.
 *
 * @throws {SpandrelError} `ACCESS_DENIED`
 */
export function checkAccountChange(
  { caller, accessPolicy }: Parts,
  { before, role, hasNewEmail }: AccountChange,
): void {
  // The gate lets no one in who needs an identity, and the command line has none.
  if (caller.kind === 'signInOff') return;
  if (caller.kind === 'anonymous') throw new SpandrelError('UNAUTHENTICATED', 'Not authenticated');
  if (isScimKey(caller)) {
    if (accessPolicy.scimManagesAllUsers) return;
    if (before?.isProvisioned === false) {
      throw scimDenial('SCIM did not create this user, so a SCIM key cannot change it');
    }
    if (role === 'ADMIN' && before?.role !== 'ADMIN')
      throw scimDenial('A SCIM key cannot make a user an administrator');
    if (hasNewEmail && before?.role === 'ADMIN')
      throw scimDenial('A SCIM key cannot change the email of an administrator');
    return;
  }
  const isPresent = caller.credential === 'session' || caller.credential === 'adminSecret';
  if (!isPresent || !isAdmin(caller)) throw accountDenial();
}

/** Public clients know a denial of GraphQL by `not auth`. */
export const accountDenial = () =>
  new SpandrelError(
    'ACCESS_DENIED',
    'API keys and applications are not authorized to change users. Sign in, or use the admin secret.',
  );

const scimDenial = (text: string) =>
  new SpandrelError('ACCESS_DENIED', `${text}, unless SERVICE_SCIM_MANAGES_ALL_USERS is true.`);
