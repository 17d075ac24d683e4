import { randomBytes } from 'node:crypto';
import type { Log } from '../../base/log.ts';
import { ownValue } from '../../base/own-value.ts';
import type { Caller } from '../../model/access/caller.ts';
import type { OidcIdentity, SignInFailure } from '../../model/access/external-identity.ts';
import { OAUTH2_COOKIE_SECONDS } from '../../model/limits/access.ts';
import type { SignInOperations } from '../../domain/access/sign-in/sign-in-operations.ts';
import type { UserOperations } from '../../domain/access/user-operations.ts';
import { baseUrlOf, type PublicAddress } from '../../server/guards/base-url.ts';
import { readCookie } from '../../server/guards/presented-credential.ts';
import type { HttpRequest } from '../../server/route.ts';
import { type CookieOptions, NONCE_COOKIE, STATE_COOKIE, setCookie, VERIFIER_COOKIE } from './session-cookies.ts';

/** A provider as these routes use it. */
export interface SignInProvider {
  readonly name: string;
  readonly policy: { readonly allowsSignUp: boolean; readonly updatesRole: boolean };
  start(request: {
    readonly redirectUri: string;
    readonly state: string;
  }): Promise<
    { readonly url: string; readonly nonce: string; readonly codeVerifier: string | undefined } | SignInFailure
  >;
  finish(callback: {
    readonly parameters: URLSearchParams;
    readonly redirectUri: string;
    readonly state: string;
    readonly nonce: string;
    readonly codeVerifier: string | undefined;
  }): Promise<OidcIdentity | SignInFailure>;
}

/** What linking an identity needs. */
type Linking = Pick<UserOperations, 'linkIdentity'>;

export interface OAuth2Options extends PublicAddress {
  readonly providers: ReadonlyMap<string, SignInProvider>;
  readonly signInFor: (remoteAddress: string) => SignInOperations;
  readonly usersFor: (caller: Caller, remoteAddress: string) => Linking;
  readonly cookies: CookieOptions;
  readonly log: Log;
}

/** Address at the provider, and the cookies that bind the way to this browser. */
export async function startAt(options: OAuth2Options, request: HttpRequest, provider: SignInProvider, bound: State) {
  const state = signState(options, request, bound);
  const started = await provider.start({ redirectUri: redirectUriOf(options, request, provider), state });
  if ('error' in started) return started;
  const keep = (name: string, value: string) => setCookie(name, value, OAUTH2_COOKIE_SECONDS, cookieOptions(options));
  const { url, nonce, codeVerifier } = started;
  const cookies = [
    keep(STATE_COOKIE, state),
    keep(NONCE_COOKIE, nonce),
    ...(codeVerifier === undefined ? [] : [keep(VERIFIER_COOKIE, codeVerifier)]),
  ];
  return { url, cookies };
}

export const identityOf = (
  options: OAuth2Options,
  request: HttpRequest,
  provider: SignInProvider,
  callback: { readonly parameters: URLSearchParams; readonly state: string; readonly nonce: string },
) =>
  provider.finish({
    ...callback,
    redirectUri: redirectUriOf(options, request, provider),
    codeVerifier: readCookie(request.header('cookie'), VERIFIER_COOKIE),
  });

export const findProvider = ({ providers }: OAuth2Options, { params }: HttpRequest): SignInProvider | undefined =>
  providers.get(params.idp ?? '');

const redirectUriOf = (options: OAuth2Options, request: HttpRequest, { name }: SignInProvider): string =>
  `${baseUrlOf(options, request)}/oauth2/${name}/tokens`;

export interface State {
  readonly idp: string;
  readonly returnUrl: string;
  /** Session that links an identity. Undefined for a sign-in. */
  readonly sessionRowId?: number | undefined;
}

/** The state is signed, and bound to the browser by its cookie. */
function signState({ signInFor }: OAuth2Options, { clientAddress }: HttpRequest, state: State): string {
  const payload = JSON.stringify({ ...state, rnd: randomBytes(16).toString('base64url') });
  const text = Buffer.from(payload).toString('base64url');
  return `${text}.${signInFor(clientAddress).sign(text)}`;
}

export function readState(
  { signInFor }: OAuth2Options,
  { clientAddress }: HttpRequest,
  state: string,
): State | undefined {
  const [text = '', signature = ''] = state.split('.');
  if (!signInFor(clientAddress).isSigned(text, signature)) return undefined;
  const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Record<string, unknown>;
  const [idp, returnUrl, session] = ['idp', 'returnUrl', 'sessionRowId'].map((name) => ownValue(value, name));
  if (typeof idp !== 'string' || typeof returnUrl !== 'string') return undefined;
  return { idp, returnUrl, ...(typeof session === 'number' && { sessionRowId: session }) };
}

/** Browsers send `Lax` cookies with the redirect from another site. */
const cookieOptions = ({ cookies }: OAuth2Options) => ({ ...cookies, sameSite: 'Lax' }) as const;
