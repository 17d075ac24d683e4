import type { IssuedTokens } from '../../domain/access/sign-in.ts';
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

/** Browsers remove a cookie only if its path and attributes are those with which it was set. */
export const expiredSessionCookies = (options: CookieOptions): string[] => [
  setCookie(ACCESS_COOKIE, '', 0, options),
  setCookie(REFRESH_COOKIE, '', 0, options),
];

export function setCookie(
  name: string,
  value: string,
  maxAgeSeconds: number,
  { isSecure, path, sameSite = 'Strict' }: CookieOptions & { readonly sameSite?: 'Strict' | 'Lax' },
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
