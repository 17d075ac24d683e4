import assert from 'node:assert/strict';
import { answerForms } from '../../identity/oidc/oidc-server.ts';

export interface ProviderSignIn {
  /** As in the path of its addresses. */
  readonly provider: string;
  readonly account: string;
  readonly query?: string;
  /** Called before the callback, with the cookies of the browser and the address of the callback. */
  readonly change?: (cookies: Map<string, string>, url: URL) => void;
}

export const startSignIn = (address: string, provider: string, query = ''): Promise<Response> =>
  fetch(`${address}/oauth2/${provider}/login${query}`, { redirect: 'manual' });

/** Goes the whole way of a browser. Returns the response of the callback. */
export async function signInAtProvider(
  address: string,
  { provider, account, query = '', change = () => {} }: ProviderSignIn,
): Promise<Response> {
  const started = await startSignIn(address, provider, query);
  assert.equal(started.status, 302, await started.text());
  const cookies = cookiesOf(started);
  const redirectUri = `http://127.0.0.1:6006/oauth2/${provider}/tokens`;
  const callback = await answerForms(started.headers.get('location') ?? '', account, redirectUri);
  change(cookies, callback);
  const url = `${address}${callback.pathname}${callback.search}`;
  return fetch(url, { redirect: 'manual', headers: { cookie: toHeader(cookies) } });
}

/** Value of each cookie that a response sets. */
export const cookiesOf = (response: Response): Map<string, string> =>
  new Map(
    response.headers.getSetCookie().map((cookie) => {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      return [name, value];
    }),
  );

export const toHeader = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
