import { type AssignableRole, isEmail, normalizeEmail, type User } from '../../model/access/user.ts';
import { SpandrelError } from '../../model/errors.ts';
import { CLAIM_LENGTH_MAX } from '../../model/limits/identity-providers.ts';
import type { AccessPorts } from './access-ports.ts';
import type { AuditParts } from './audit.ts';
import { createUser, patchUser } from './change-users.ts';
import type { ProvisionedFields } from './user-repository.ts';

type Parts = AccessPorts & AuditParts;

/** An account as an identity provider sends it over SCIM. */
export interface ProvisionedUser extends ProvisionedFields {
  readonly username: string;
  readonly email: string;
  /** Undefined: a viewer. */
  readonly role?: AssignableRole | undefined;
}

/**
 * Creates an account whose owner signs in at the identity provider or directory of the settings, which is linked by the email.
 *
 * @throws {SpandrelError} `USER_INVALID`, `USERNAME_TAKEN`, `EMAIL_TAKEN`, `EXTERNAL_ID_TAKEN`
 */
export async function provisionUser(
  ports: Parts,
  { username, email, role = 'VIEWER', ...fields }: ProvisionedUser,
): Promise<User> {
  const authMethod = ports.accessPolicy.provisionedAuthMethod;
  const provisioned = checkFields(fields);
  // Its owner must set a password, so the mail links to the page.
  const sendsWelcomeMail = authMethod === 'LOCAL';
  return createUser(ports, { username, email, role, authMethod, sendsWelcomeMail, provisioned });
}

/**
 * Changes an account, as the identity provider. The sessions of one that it deactivates end, and its keys count for nothing.
 *
 * @throws {SpandrelError} `USER_NOT_FOUND`, `USER_INVALID`, `USER_PROTECTED`, `USERNAME_TAKEN`, `EMAIL_TAKEN`,
 *   `EXTERNAL_ID_TAKEN`
 */
export async function patchProvisionedUser(
  ports: Parts,
  user: User,
  { username, role, ...fields }: Partial<ProvisionedUser>,
): Promise<User> {
  const isChanged = username !== undefined || role !== undefined || Object.keys(fields).length > 0;
  if (user.isProvisioned && !isChanged) return user;
  const provisioned = checkFields(fields);
  const { email } = provisioned;
  if (email !== undefined && email !== user.email && user.authMethod === 'LOCAL') {
    // The owner of the email can reset the password.
    throw new SpandrelError('USER_PROTECTED', 'The email of an account with a password cannot be changed over SCIM');
  }
  return patchUser(ports, user.rowId, { username, role, provisioned });
}

/** @throws {SpandrelError} `USER_INVALID` */
function checkFields({ email: givenEmail, ...fields }: ProvisionedFields): ProvisionedFields {
  const email = givenEmail === undefined ? undefined : normalizeEmail(givenEmail);
  if (email !== undefined && !isEmail(email)) throw new SpandrelError('USER_INVALID', 'Invalid email address');
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'string' && value.length > CLAIM_LENGTH_MAX) {
      throw new SpandrelError('USER_INVALID', `The ${name} has at most ${CLAIM_LENGTH_MAX} characters`);
    }
  }
  return { ...fields, ...(email !== undefined && { email }) };
}
