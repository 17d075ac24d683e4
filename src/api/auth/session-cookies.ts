import type { IssuedTokens } from '../../domain/access/sign-in/sign-in.ts';
import { ACCESS_COOKIE, REFRESH_COOKIE } from '../../server/guards/presented-credential.ts';

export interface CookieOptions {
  /** True to send cookies only over TLS. */
  readonly isSecure: boolean;
  readonly path: string;
}

/** `Set-Cookie` values for the tokens of a session. No script can read them, and no other site can send them. */
export const sessionCookies = (issued: IssuedTokens, options: CookieOptions): string[] => [
  setCookie(ACCESS_COOKIE, issued.access, secondsUntil(issued.accessExpiresAt), options),
  setCookie(REFRESH_COOKIE, issued.refresh, secondsUntil(issued.refreshExpiresAt), options),
];

export const STATE_COOKIE = 'phoenix-oauth2-state';
export const NONCE_COOKIE = 'phoenix-oauth2-nonce';
export const VERIFIER_COOKIE = 'phoenix-oauth2-code-verifier';

/** Deletes what a sign-out ends: the session, and a sign-in at a provider that has begun. */
export const expiredSessionCookies = (options: CookieOptions): string[] => [
  expireCookie(ACCESS_COOKIE, options),
  expireCookie(REFRESH_COOKIE, options),
  ...expiredProviderCookies(options),
];

/** Deletes the cookies that bind a sign-in at a provider to the browser. */
export const expiredProviderCookies = (options: CookieOptions): string[] =>
  [STATE_COOKIE, NONCE_COOKIE, VERIFIER_COOKIE].map((name) => expireCookie(name, { ...options, sameSite: 'Lax' }));

/**
 * Browsers remove a cookie only if its path and attributes are those with which it was set. The empty value is quoted, as clients
 * of other servers with these cookies expect it.
 */
const expireCookie = (name: string, options: SetCookieOptions): string => setCookie(name, '""', 0, options);

type SetCookieOptions = CookieOptions & { readonly sameSite?: 'Strict' | 'Lax' };

export function setCookie(
  name: string,
  value: string,
  maxAgeSeconds: number,
  { isSecure, path, sameSite = 'Strict' }: SetCookieOptions,
): string {
  const attributes = [
    `${name}=${value}`,
    `Max-Age=${maxAgeSeconds}`,
    `Path=${path}`,
    'HttpOnly',
    `SameSite=${sameSite}`,
  ];
  return [...attributes, ...(isSecure ? ['Secure'] : [])].join('; ');
}

const secondsUntil = (at: Date): number => Math.max(0, Math.round((at.getTime() - Date.now()) / 1_000));
