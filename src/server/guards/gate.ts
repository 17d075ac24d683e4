import { type Caller, SIGN_IN_OFF } from '../../model/access/caller.ts';
import type { ProtectedResource } from '../../model/access/oauth2.ts';
import { type Access, type Denial, findDenial } from '../../model/access/rights.ts';
import { type ErrorCode, SpandrelError } from '../../model/errors.ts';
import type { HttpResponse, RequestHead, Route } from '../route.ts';
import { findBaseUrl, type PublicAddress } from './base-url.ts';
import { exporterCredential, type PresentedCredential, presentedCredential } from './presented-credential.ts';
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
  /**
   * Checks a request that the server makes to itself for a caller who has passed. What the caller's token is meant for was
   * checked then.
   *
   * @throws {SpandrelError} the rejection
   */
  enterAs(caller: Caller, request: Pick<RequestHead, 'method' | 'path'>, route: Guarded): Caller;
  /** Value of `WWW-Authenticate` for a request without a valid credential. */
  challenge(request: Pick<RequestHead, 'header' | 'path' | 'isSecure'>): string;
}

export interface GateOptions {
  /** True to close REST and OTLP. A read-only server has no gRPC listener. */
  readonly isReadOnly: boolean;
  readonly storageLock: StorageLock;
  /** Undefined: no limits. */
  readonly rateLimiter?: RateLimiter;
  /** Undefined while sign-in is off. */
  readonly authenticate?: Authenticate | undefined;
  /** Where applications find out how to get access. Undefined: they get none. */
  readonly authorizationAt?: PublicAddress | undefined;
}

/** Lets everyone in. For listeners whose routes are all open. */
export const OPEN_GATE: Gate = {
  enter: () => SIGN_IN_OFF,
  enterMethod: () => SIGN_IN_OFF,
  enterAs: (caller) => caller,
  challenge: () => CHALLENGE,
};

export function createGate(options: GateOptions): Gate {
  const { isReadOnly, storageLock, rateLimiter, authenticate, authorizationAt } = options;
  /** The caller of an open route need not be known. */
  const identify = (header: RequestHead['header'], access: Access): Caller | Promise<Caller> => {
    if (authenticate === undefined) return SIGN_IN_OFF;
    if (access === 'open') return { kind: 'anonymous', reason: 'missing' };
    return authenticate(access === 'send' ? exporterCredential(header) : presentedCredential(header));
  };
  const check = (
    caller: Caller,
    { access, blockedWhenStorageFull: isBlocked }: Guarded,
    { isWrite, resource }: { readonly isWrite: boolean; readonly resource?: ProtectedResource },
  ): Caller => {
    if (access !== 'open' && resource !== undefined) checkResource(caller, resource);
    const denial = findDenial(caller, access, isWrite);
    if (denial) throw denialError(denial);
    const full = isBlocked ? storageFullError(storageLock) : undefined;
    if (full) throw full;
    return caller;
  };
  const checkReadOnly = (path: string, access: Access) => {
    if (isReadOnly && (access === 'send' || path.startsWith('/v1/') || path.startsWith('/scim/'))) {
      throw new SpandrelError('READ_ONLY', 'The REST API is disabled in read-only mode.');
    }
  };
  return {
    enter({ method, header, path, clientAddress }, route) {
      const { access, rateLimit } = route;
      checkReadOnly(path, access);
      if (rateLimit !== undefined) rateLimiter?.count(rateLimit, { path, clientAddress });
      const caller = identify(header, access);
      const use = { isWrite: changes(method), resource: resourceOf(path) };
      if (!(caller instanceof Promise)) return check(caller, route, use);
      return caller.then((known) => check(known, route, use));
    },
    enterMethod(header, method) {
      const caller = identify(header, method.access);
      const use = { isWrite: true, resource: 'SERVER' } as const;
      if (!(caller instanceof Promise)) return check(caller, method, use);
      return caller.then((known) => check(known, method, use));
    },
    enterAs(caller, { method, path }, route) {
      checkReadOnly(path, route.access);
      return check(caller, route, { isWrite: changes(method) });
    },
    challenge(request) {
      if (authorizationAt === undefined) return CHALLENGE;
      const document = `${RESOURCE_METADATA}${resourceOf(request.path) === 'MCP' ? '/mcp' : ''}`;
      const base = findBaseUrl(authorizationAt, request);
      return base === undefined ? CHALLENGE : `${CHALLENGE}, resource_metadata="${base}${document}"`;
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

const CHALLENGE = 'Bearer realm="Spandrel"';
/** Path of the document from which an application learns where it gets access (RFC 9728). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource';

const changes = (method: string): boolean => method !== 'GET' && method !== 'HEAD';

/** What a token must be meant for. */
const resourceOf = (path: string): ProtectedResource => (/^\/mcp(\/|$)/.test(path) ? 'MCP' : 'SERVER');

/** @throws {SpandrelError} `TOKEN_RESOURCE_INVALID` */
function checkResource(caller: Caller, resource: ProtectedResource): void {
  if (caller.kind !== 'signedIn' || caller.app === undefined || caller.app.resource === resource) return;
  throw new SpandrelError('TOKEN_RESOURCE_INVALID', 'Token is not valid for this resource');
}

/** A 401 names the scheme, as HTTP demands. */
export const withChallenge = (response: HttpResponse, challenge: () => string): HttpResponse =>
  response.status === 401
    ? { ...response, headers: { ...response.headers, 'www-authenticate': challenge() } }
    : response;
