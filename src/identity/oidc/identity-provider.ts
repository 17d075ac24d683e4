import type { OidcIdentity, SignInFailure } from '../../model/access/external-identity.ts';

/** An OpenID Connect provider. Nothing throws: every failure has a code for the sign-in page and a reason for the log. */
export interface IdentityProvider {
  readonly name: string;
  readonly displayName: string;
  /** The sign-in page goes to this provider without a click. */
  readonly signsInAutomatically: boolean;
  readonly policy: OidcPolicy;
  /** Begins a sign-in. Fetches the metadata of the provider if they are not known. */
  start(request: StartRequest): Promise<StartedSignIn | SignInFailure>;
  /** Ends a sign-in with the parameters with which the provider called back. */
  finish(callback: SignInCallback): Promise<OidcIdentity | SignInFailure>;
}

/** Rules of a provider about accounts. */
export interface OidcPolicy {
  readonly allowsSignUp: boolean;
  /** Applies the role to a known user too. */
  readonly updatesRole: boolean;
}

export interface StartRequest {
  /** Absolute URL of `/oauth2/<name>/tokens`. */
  readonly redirectUri: string;
  /** A value that the caller can verify at the callback. Default: a random one. */
  readonly state?: string;
}

/** The caller keeps all but `url` in the browser of the person, and passes them to `finish`. */
export interface StartedSignIn {
  /** Address at the provider to which the browser is sent. */
  readonly url: string;
  readonly state: string;
  readonly nonce: string;
  /** Undefined without PKCE. */
  readonly codeVerifier: string | undefined;
}

export interface SignInCallback {
  /** Query of the callback. */
  readonly parameters: URLSearchParams;
  /** The same as at the start. */
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string | undefined;
}

export const isFailure = (result: object): result is SignInFailure => 'error' in result;
