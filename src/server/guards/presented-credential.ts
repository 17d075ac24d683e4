/** Cookies of a session. Public clients know the names. */
export const ACCESS_COOKIE = 'phoenix-access-token';
export const REFRESH_COOKIE = 'phoenix-refresh-token';

/** What a request presents to prove who sends it. `malformed`: an Authorization header that is no bearer token. */
export type PresentedCredential =
  | { readonly kind: 'none' | 'malformed' }
  | { readonly kind: 'token'; readonly token: string };

/** A present Authorization header wins over the cookie, even if it is malformed. */
export function presentedCredential(header: (name: string) => string | undefined): PresentedCredential {
  const authorization = header('authorization');
  if (authorization !== undefined) {
    const token = /^bearer +([^\s]+)\s*$/i.exec(authorization)?.[1];
    return token === undefined ? { kind: 'malformed' } : { kind: 'token', token };
  }
  const cookie = readCookie(header('cookie'), ACCESS_COOKIE);
  return cookie === undefined ? { kind: 'none' } : { kind: 'token', token: cookie };
}

/**
 * Like `presentedCredential`, for requests of exporters: libraries for other servers send a key as `x-api-key`, or as the password of
 * Basic, whose user name is then a public key.
 */
export function exporterCredential(header: (name: string) => string | undefined): PresentedCredential {
  const presented = presentedCredential(header);
  if (presented.kind === 'token') return presented;
  const key = header('x-api-key')?.trim() || passwordOf(header('authorization'));
  return key ? { kind: 'token', token: key } : presented;
}

function passwordOf(authorization: string | undefined): string | undefined {
  const encoded = /^basic +([^\s]+)\s*$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return undefined;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(encoded, 'base64').toString()) ?? [];
  return password;
}

/** Value of the first cookie with a name. Undefined when there is none, or it is empty. */
export function readCookie(cookies: string | undefined, name: string): string | undefined {
  if (cookies === undefined) return undefined;
  for (const part of cookies.split(';')) {
    const at = part.indexOf('=');
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim() || undefined;
  }
  return undefined;
}
