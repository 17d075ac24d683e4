import { ownValue } from '../../base/own-value.ts';
import { SpandrelError } from '../../model/errors.ts';
import { SIGN_IN_BODY_BYTES_MAX } from '../../model/limits/access.ts';
import type { IssuedTokens, SignInOrigin } from '../../domain/access/sign-in/sign-in.ts';
import type { DirectorySignIn } from '../../domain/access/sign-in/sign-in-external.ts';
import type { SignInOperations } from '../../domain/access/sign-in/sign-in-operations.ts';
import {
  ACCESS_COOKIE,
  presentedCredential,
  REFRESH_COOKIE,
  readCookie,
} from '../../server/guards/presented-credential.ts';
import { isFromThisMachine } from '../../server/guards/trusted-proxies.ts';
import { type HttpRequest, type HttpResponse, type Route, textResponse } from '../../server/route.ts';
import { type CookieOptions, expiredSessionCookies, sessionCookies } from './session-cookies.ts';

/** The directory of the settings. */
export interface Directory {
  readonly signIn: DirectorySignIn;
  readonly policy: { readonly allowsSignUp: boolean };
}

export interface AuthOptions {
  /** Operations for a client with this address. */
  readonly signInFor: (remoteAddress: string) => SignInOperations;
  readonly cookies: CookieOptions;
  /** `/prefix`, or an empty text. */
  readonly rootPath: string;
  /** Undefined when the settings name no directory. */
  readonly directory: Directory | undefined;
}

/** Sign-in by password: the routes under `/auth`, which exist while sign-in is on. */
export function authRoutes({ signInFor, cookies, rootPath, directory }: AuthOptions): Route[] {
  const withCookies = (status: number, issued: IssuedTokens): HttpResponse => ({
    status,
    cookies: sessionCookies(issued, cookies),
  });
  const post = (
    path: string,
    handle: (body: Fields, signIn: SignInOperations, request: HttpRequest) => Promise<HttpResponse>,
  ): Route => ({
    method: 'POST',
    path,
    access: 'open',
    rateLimit: 'signIn',
    bodyBytesMax: SIGN_IN_BODY_BYTES_MAX,
    handle: async (request) => handle(readFields(request), signInFor(request.clientAddress), request),
  });
  return [
    post('/auth/login', async (body, signIn, request) => {
      const input = { email: textOf(body, 'email'), password: textOf(body, 'password') };
      return withCookies(204, await signIn.signInWithPassword(input, originOf(request)));
    }),
    {
      method: 'POST',
      path: '/auth/refresh',
      access: 'open',
      rateLimit: 'signIn',
      bodyBytesMax: SIGN_IN_BODY_BYTES_MAX,
      async handle(request) {
        const token = readCookie(request.header('cookie'), REFRESH_COOKIE);
        return withCookies(204, await signInFor(request.clientAddress).refreshSession(token, originOf(request)));
      },
    },
    {
      method: 'GET',
      path: '/auth/logout',
      access: 'open',
      rateLimit: 'signIn',
      bodyBytesMax: 0,
      async handle(request) {
        const signIn = signInFor(request.clientAddress);
        const cookie = request.header('cookie');
        const presented = presentedCredential((name) => (name === 'authorization' ? request.header(name) : undefined));
        await signIn.signOut({
          access: presented.kind === 'token' ? presented.token : readCookie(cookie, ACCESS_COOKIE),
          refresh: readCookie(cookie, REFRESH_COOKIE),
        });
        const page = signIn.policy.allowsPasswords ? '/login' : '/logout';
        return { status: 302, headers: { location: `${rootPath}${page}` }, cookies: expiredSessionCookies(cookies) };
      },
    },
    ...(directory === undefined
      ? []
      : [
          post('/auth/ldap/login', async (body, signIn, request) => {
            const input = { username: textOf(body, 'username'), password: textOf(body, 'password') };
            const { issued } = await signIn.signInAtDirectory(directory, input, originOf(request));
            return withCookies(204, issued);
          }),
        ]),
    {
      // The address of an assistant, which this server has not. Without a credential its clients expect the 401 of all others.
      method: 'POST',
      path: '/chat',
      access: 'viewer',
      bodyBytesMax: SIGN_IN_BODY_BYTES_MAX,
      handle: () => textResponse(404, 'Not Found'),
    },
    post('/auth/password-reset-email', async (body, signIn) => {
      await signIn.requestPasswordReset({ email: textOf(body, 'email') });
      return { status: 204 };
    }),
    post('/auth/password-reset', async (body, signIn) => {
      await signIn.resetPassword({ token: textOf(body, 'token'), password: textOf(body, 'password') });
      return { status: 204 };
    }),
  ];
}

export type Fields = Readonly<Record<string, unknown>>;

/** @throws {SpandrelError} `REQUEST_INVALID` for a body that is not a JSON object */
export function readFields({ body }: Pick<HttpRequest, 'body'>): Fields {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // Reported below.
  }
  throw new SpandrelError('REQUEST_INVALID', 'The body must be a JSON object');
}

/** An absent field, or one that is no text, is empty. */
export function textOf(fields: Fields, name: string): string {
  const value = ownValue(fields, name);
  return typeof value === 'string' ? value : '';
}

export const originOf = (request: Pick<HttpRequest, 'clientAddress' | 'isForwarded' | 'header'>): SignInOrigin => ({
  remoteAddress: request.clientAddress || null,
  userAgent: request.header('user-agent')?.slice(0, 500) ?? null,
  isLocal: isFromThisMachine(request),
});
