import type { KeyScope } from './api-key.ts';
import type { ProtectedResource } from './oauth2.ts';
import type { Role } from './user.ts';

/** Who calls. Every request has one; the rights of each kind are in `rights.ts`. */
export type Caller = typeof SIGN_IN_OFF | Anonymous | SignedInCaller;

/** The server has no sign-in: everyone may do everything that needs no identity. */
export const SIGN_IN_OFF = { kind: 'signInOff' } as const;

/** Sign-in is on, and the request has no valid credential. */
export interface Anonymous {
  readonly kind: 'anonymous';
  readonly reason: 'missing' | 'invalid' | 'expired';
}

export interface SignedInCaller {
  readonly kind: 'signedIn';
  /** `app`: an application to which the user gave access. */
  readonly credential: 'session' | 'app' | 'userKey' | 'systemKey' | 'adminSecret';
  /** Row id of the session or key. Null for the admin secret. */
  readonly credentialRowId: number | null;
  /** The owner with the current role, which a change reaches at once. */
  readonly user: CallerUser;
  readonly scope: KeyScope;
  /** The application of the credential `app`. Undefined for other credentials. */
  readonly app?: { readonly resource: ProtectedResource; readonly isFirstParty: boolean } | undefined;
  /** Stored names of the only projects that a key reaches. Null for all of its owner. */
  readonly projects: ReadonlySet<string> | null;
  /** Fires when the credential is revoked or expires. Streams end then. */
  readonly signal: AbortSignal;
}

export interface CallerUser {
  readonly rowId: number;
  readonly role: Role;
  readonly username: string;
  readonly email: string | null;
  /** Names of the groups of the identity provider, from the last sign-in and from SCIM. */
  readonly groups: readonly string[];
}

/** Row id of the user who is the author of what the caller writes. Null without sign-in. */
export const authorOf = (caller: Caller): number | null => (caller.kind === 'signedIn' ? caller.user.rowId : null);

/** The admin secret and administrators, but not by a key of few rights. The owner of system keys is not one. */
export const isAdmin = (caller: SignedInCaller): boolean =>
  caller.credential === 'adminSecret' || (caller.user.role === 'ADMIN' && hasFullScope(caller));

/** Whether the credential is a system key that only provisions users and groups. */
export const isScimKey = ({ credential, scope }: Pick<SignedInCaller, 'credential' | 'scope'>): boolean =>
  credential === 'systemKey' && scope === 'SCIM';

/** Whether the credential has all rights of its owner. */
export const hasFullScope = ({ scope, projects }: Pick<SignedInCaller, 'scope' | 'projects'>): boolean =>
  scope === 'ALL' && projects === null;
