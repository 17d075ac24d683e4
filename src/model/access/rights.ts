import type { KeyScope } from './api-key.ts';
import { type Caller, hasFullScope, isAdmin, isScimKey } from './caller.ts';

/**
 * The right that a route, field or method demands. Each names one, and there is no default, so that none is omitted.
 * `docs/access.md` is printed from this table.
 */
export const RIGHTS = {
  open: 'Anyone, without a credential.',
  viewer: 'Every signed-in user, and keys that may read.',
  query: 'Every signed-in user but viewers, and keys that may read.',
  member: 'Every signed-in user but viewers, and system keys.',
  send: 'Every signed-in user but viewers, system keys, and keys that may only send spans.',
  admin: 'Administrators and the admin secret; anyone while sign-in is off.',
  strictAdmin: 'Administrators and the admin secret; no one while sign-in is off.',
  scim: 'Administrators, the admin secret, and system keys of the scope SCIM; no one while sign-in is off.',
  person: 'Every signed-in user with a credential of full scope; no one while sign-in is off.',
} as const;

export type Access = keyof typeof RIGHTS;

/** Why a caller lacks a right. API layers have a text for each. */
export type Denial = 'unauthenticated' | 'expired' | 'viewer' | 'admin' | 'signInOff' | 'scope';

/**
 * Returns why the caller may not use what demands the right. Undefined when the caller may.
 *
 * @param isWrite A viewer is denied a write as a viewer, and a read as one who is not an administrator.
 */
export function findDenial(caller: Caller, access: Access, isWrite: boolean): Denial | undefined {
  if (access === 'open') return undefined;
  if (caller.kind === 'anonymous') {
    return caller.reason === 'expired' ? 'expired' : 'unauthenticated';
  }
  if (caller.kind === 'signInOff') {
    if (access === 'strictAdmin') return 'admin';
    return access === 'person' || access === 'scim' ? 'signInOff' : undefined;
  }
  const { scope, user } = caller;
  const isViewer = user.role === 'VIEWER';
  switch (access) {
    case 'viewer':
      return mayRead(scope) ? undefined : 'scope';
    case 'query':
      return isViewer ? 'viewer' : mayRead(scope) ? undefined : 'scope';
    case 'member':
      return isViewer ? 'viewer' : scope === 'ALL' ? undefined : 'scope';
    case 'send':
      return isViewer ? 'viewer' : scope === 'ALL' || scope === 'SEND' ? undefined : 'scope';
    case 'person':
      return hasFullScope(caller) ? undefined : 'scope';
    case 'scim':
      if (isScimKey(caller)) return undefined;
      if (isViewer && isWrite) return 'viewer';
      return isAdmin(caller) ? undefined : 'admin';
    case 'admin':
    case 'strictAdmin':
      if (isViewer && isWrite) return 'viewer';
      return isAdmin(caller) ? undefined : 'admin';
  }
}

const mayRead = (scope: KeyScope): boolean => scope === 'ALL' || scope === 'READ';
