import { type Caller, SIGN_IN_OFF } from '../../model/access/caller.ts';
import { type Access, type Denial, findDenial } from '../../model/access/rights.ts';
import { type ErrorCode, SpandrelError } from '../../model/errors.ts';
import type { HttpResponse, RequestHead, Route } from '../route.ts';
import { type PresentedCredential, presentedCredential } from './presented-credential.ts';
import type { RateLimiter } from './rate-limit.ts';
import { type StorageLock, storageFullError } from './storage-guard.ts';

/** Finds out who presents a credential. Throws `STORE_UNAVAILABLE` when it cannot be checked. */
export type Authenticate = (presented: PresentedCredential) => Caller | Promise<Caller>;

/** What a route or method declares. */
type Guarded = Pick<Route, 'access' | 'blockedWhenStorageFull' | 'rateLimit'>;

/** Checks what a route or method declares. It runs before the body is read and before the route's own `admit`. */
export interface Gate {
  /** @throws {SpandrelError} the rejection */
  enter(
    request: Pick<RequestHead, 'method' | 'header' | 'path' | 'clientAddress'>,
    route: Guarded,
  ): Caller | Promise<Caller>;
  /** @throws {SpandrelError} the rejection */
  enterMethod(header: RequestHead['header'], method: Guarded): Caller | Promise<Caller>;
}

export interface GateOptions {
  /** True to close REST and OTLP. A read-only server has no gRPC listener. */
  readonly isReadOnly: boolean;
  readonly storageLock: StorageLock;
  /** Undefined: no limits. */
  readonly rateLimiter?: RateLimiter;
  /** Undefined while sign-in is off. */
  readonly authenticate?: Authenticate | undefined;
}

/** Lets everyone in. For listeners whose routes are all open. */
export const OPEN_GATE: Gate = { enter: () => SIGN_IN_OFF, enterMethod: () => SIGN_IN_OFF };

export function createGate({ isReadOnly, storageLock, rateLimiter, authenticate }: GateOptions): Gate {
  /** The caller of an open route need not be known. */
  const identify = (header: RequestHead['header'], access: Access): Caller | Promise<Caller> => {
    if (authenticate === undefined) return SIGN_IN_OFF;
    return access === 'open' ? { kind: 'anonymous', reason: 'missing' } : authenticate(presentedCredential(header));
  };
  const check = (caller: Caller, access: Access, isWrite: boolean, isBlocked: boolean | undefined): Caller => {
    const denial = findDenial(caller, access, isWrite);
    if (denial) throw denialError(denial);
    const full = isBlocked ? storageFullError(storageLock) : undefined;
    if (full) throw full;
    return caller;
  };
  return {
    enter({ method, header, path, clientAddress }, { access, blockedWhenStorageFull, rateLimit }) {
      if (isReadOnly && (path.startsWith('/v1/') || path.startsWith('/scim/'))) {
        throw new SpandrelError('READ_ONLY', 'The REST API is disabled in read-only mode.');
      }
      if (rateLimit !== undefined) rateLimiter?.count(rateLimit, { path, clientAddress });
      const isWrite = method !== 'GET' && method !== 'HEAD';
      const caller = identify(header, access);
      if (!(caller instanceof Promise)) return check(caller, access, isWrite, blockedWhenStorageFull);
      return caller.then((known) => check(known, access, isWrite, blockedWhenStorageFull));
    },
    enterMethod(header, { access, blockedWhenStorageFull }) {
      const caller = identify(header, access);
      if (!(caller instanceof Promise)) return check(caller, access, true, blockedWhenStorageFull);
      return caller.then((known) => check(known, access, true, blockedWhenStorageFull));
    },
  };
}

/** Codes and texts of REST and gRPC. Public clients know the texts. */
const ERROR_OF_DENIAL: Readonly<Record<Denial, readonly [ErrorCode, string]>> = {
  unauthenticated: ['UNAUTHENTICATED', 'Invalid token'],
  expired: ['CREDENTIAL_EXPIRED', 'Expired token'],
  viewer: ['ACCESS_DENIED', 'Viewers cannot perform this action.'],
  admin: ['ACCESS_DENIED', 'Only admin or system users can perform this action.'],
  signInOff: [
    'SIGN_IN_OFF',
    'This action requires authentication to be enabled. Set the SERVICE_ENABLE_AUTH environment variable to true.',
  ],
  scope: ['ACCESS_DENIED', 'The scope of this API key does not allow this action.'],
};

export function denialError(denial: Denial): SpandrelError {
  const [code, text] = ERROR_OF_DENIAL[denial];
  return new SpandrelError(code, text);
}

/** A 401 names the scheme, as HTTP demands. */
export const withChallenge = (response: HttpResponse): HttpResponse =>
  response.status === 401
    ? { ...response, headers: { ...response.headers, 'www-authenticate': 'Bearer realm="Spandrel"' } }
    : response;
