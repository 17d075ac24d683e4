import { ASSIGNABLE_ROLES, type AssignableRole, isEmail, normalizeEmail, type User } from '../../model/access/user.ts';
import { type MultiValue, patchMultiValues, preferredValue, readMultiValues } from './multi-values.ts';
import type { Operation } from './patch-operations.ts';
import { ScimError } from './scim-error.ts';
import { type Attributes, isObject, toAttributes, toFlag, toText } from './scim-values.ts';

/** The attributes of a user that are stored. An undefined one was not sent. */
export interface UserResource {
  readonly userName?: string | undefined;
  readonly externalId?: string | null | undefined;
  readonly active?: boolean | undefined;
  readonly displayName?: string | null | undefined;
  readonly givenName?: string | null | undefined;
  readonly familyName?: string | null | undefined;
  readonly emails?: readonly MultiValue[] | undefined;
  readonly roles?: readonly MultiValue[] | undefined;
}

/** Fields of an account that a resource sets. */
export interface UserFields {
  readonly username?: string;
  readonly externalId?: string | null;
  readonly isActive?: boolean;
  readonly displayName?: string | null;
  readonly givenName?: string | null;
  readonly familyName?: string | null;
  readonly email?: string;
  readonly role?: AssignableRole;
}

/** The body of a POST or PUT. Attributes that are not stored are ignored. */
export function readUser(attributes: Attributes): UserResource {
  let user: UserResource = {};
  for (const [path, value] of attributes) {
    if (/^[a-z$][\w$-]*$/.test(path)) user = setAttribute(user, { op: 'replace', path, sub: undefined, value });
  }
  return user;
}

/** @throws {ScimError} `mutability`, `invalidPath`, `invalidValue`, `invalidFilter` */
export const patchUser = (current: UserResource, operations: readonly Operation[]): UserResource =>
  operations.reduce(applyOperation, current);

function applyOperation(user: UserResource, operation: Operation): UserResource {
  const { op, target, value, isNamed } = operation;
  const { path, filter, sub } = target;
  if (READ_ONLY.has(path)) {
    if (!isNamed) return user;
    throw new ScimError('mutability', `${path} cannot be changed`);
  }
  if (path === 'emails') return { ...user, emails: patchMultiValues(path, user.emails ?? [], operation) };
  if (path === 'roles') return { ...user, roles: patchMultiValues(path, user.roles ?? [], operation) };
  if (filter !== undefined) {
    if (!STORED.has(path)) return user;
    throw new ScimError('invalidPath', `${path} has one value`);
  }
  if (op === 'remove' && (path === 'username' || path === 'active')) {
    throw new ScimError('invalidValue', `${path} cannot be removed`);
  }
  return setAttribute(user, { op, path, sub, value: op === 'remove' ? null : value });
}

const READ_ONLY: ReadonlySet<string> = new Set(['id', 'meta', 'groups']);
const STORED: ReadonlySet<string> = new Set(['username', 'externalid', 'active', 'displayname', 'name']);

function setAttribute(
  user: UserResource,
  {
    op,
    path,
    sub,
    value,
  }: Pick<Operation, 'op' | 'value'> & { readonly path: string; readonly sub: string | undefined },
): UserResource {
  if (path === 'name') return setName(user, sub, op, value);
  if (sub !== undefined && STORED.has(path)) throw new ScimError('invalidPath', `${path} has no ${sub}`);
  switch (path) {
    case 'username': {
      const userName = toText('userName', value);
      if (userName === null) throw new ScimError('invalidValue', 'A user needs a userName');
      return { ...user, userName };
    }
    case 'externalid':
      return { ...user, externalId: toText('externalId', value) };
    case 'active':
      return { ...user, active: toFlag('active', value) };
    case 'displayname':
      return { ...user, displayName: toText('displayName', value) };
    case 'emails':
      return { ...user, emails: readMultiValues('emails', value) };
    case 'roles':
      return { ...user, roles: readMultiValues('roles', value) };
    default:
      return user;
  }
}

function setName(user: UserResource, sub: string | undefined, op: Operation['op'], value: unknown): UserResource {
  if (sub === 'givenname') return { ...user, givenName: toText('name.givenName', value) };
  if (sub === 'familyname') return { ...user, familyName: toText('name.familyName', value) };
  if (sub !== undefined) return user;
  if (value === null || op === 'remove') return { ...user, givenName: null, familyName: null };
  if (!isObject(value)) throw new ScimError('invalidValue', 'name must be an object');
  return [...toAttributes(value)].reduce((named, [part, text]) => setName(named, part, op, text), user);
}

/** The resource of an account, as a PATCH starts from it. */
export const toResource = (user: User): UserResource => ({
  userName: user.username,
  externalId: user.scimExternalId,
  active: user.isActive,
  displayName: user.displayName,
  givenName: user.givenName,
  familyName: user.familyName,
  emails: user.email === null ? [] : [{ value: user.email, type: 'work', isPrimary: true }],
  // Not primary, so that a role that is added replaces it.
  roles: [{ value: user.role, type: undefined, isPrimary: false }],
});

/** @throws {ScimError} `invalidValue` for a role that does not exist */
export function toUserFields({ userName, emails, roles, active, ...texts }: UserResource): UserFields {
  const given = emails && preferredValue(emails, 'work');
  // Without an email, the name is one if it has its form, as at most providers.
  const email = given ?? (emails !== undefined && userName !== undefined && isEmail(userName) ? userName : undefined);
  const { externalId, displayName, givenName, familyName } = texts;
  return {
    ...(userName !== undefined && { username: userName }),
    ...(email !== undefined && { email: normalizeEmail(email) }),
    ...(active !== undefined && { isActive: active }),
    ...(roles !== undefined && { role: toRole(preferredValue(roles)) }),
    ...(externalId !== undefined && { externalId }),
    ...(displayName !== undefined && { displayName }),
    ...(givenName !== undefined && { givenName }),
    ...(familyName !== undefined && { familyName }),
  };
}

function toRole(text: string | undefined): AssignableRole {
  if (text === undefined) return 'VIEWER';
  const role = ASSIGNABLE_ROLES.find((one) => one === text.toUpperCase());
  if (role) return role;
  throw new ScimError('invalidValue', `A role is one of ${ASSIGNABLE_ROLES.join(', ')}, and not ${text.slice(0, 100)}`);
}

/** Only the fields that differ, so that a PATCH of another field at the same time is not undone. */
export function differenceOf(before: UserFields, after: UserFields): UserFields {
  const changed = Object.entries(after).filter(([name, value]) => before[name as keyof UserFields] !== value);
  return Object.fromEntries(changed);
}
