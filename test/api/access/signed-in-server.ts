import assert from 'node:assert/strict';
import { openTestServer, type TestServer, type TestServerOptions } from '../test-server.ts';

export const SECRET = `secret-0${'a'.repeat(30)}`;
export const ADMIN_SECRET = `admin-0${'b'.repeat(30)}`;

/** Requests with one credential. */
export interface Client {
  call(method: string, path: string, json?: unknown): Promise<{ status: number; text: string; json: unknown }>;
  /** Data and messages of a GraphQL operation, or the status of a rejection. */
  graphql(query: string, variables?: object): Promise<{ status: number; data: unknown; errors: readonly string[] }>;
}

export interface SignedInServer extends TestServer {
  /** A client with this `Authorization` or cookie, or none. */
  as(credential: Credential): Client;
  readonly admin: Client;
  /** Signs in and returns the cookies. */
  signIn(email: string, password: string): Promise<Session>;
  /** Creates a user with the password `word-1` and signs in. */
  newUser(username: string, role: 'ADMIN' | 'MEMBER' | 'VIEWER'): Promise<Session & { readonly id: string }>;
}

export type Credential = { readonly bearer?: string; readonly cookie?: string };

export interface Session {
  readonly access: string;
  readonly refresh: string;
}

export async function openSignedInServer(
  t: { after(work: () => Promise<void>): void },
  options: TestServerOptions = {},
): Promise<SignedInServer> {
  const settings = { ENABLE_AUTH: 'true', SECRET, ADMIN_SECRET, ...options.settings };
  const server = await openTestServer(t, { ...options, settings });
  const as = (credential: Credential) => toClient(server.address, credential);
  const admin = as({ bearer: ADMIN_SECRET });
  const signIn = async (email: string, password: string) => {
    const response = await postJson(`${server.address}/auth/login`, { email, password });
    assert.equal(response.status, 204, await response.text());
    return sessionOf(response);
  };
  return {
    ...server,
    as,
    admin,
    signIn,
    async newUser(username, role) {
      const email = `${username}@example.com`;
      const user = { auth_method: 'LOCAL', email, username, role, password: 'word-1' };
      const { status, json } = await admin.call('POST', '/v1/users', { user });
      assert.equal(status, 201);
      return { ...(await signIn(email, 'word-1')), id: (json as { data: { id: string } }).data.id };
    },
  };
}

export function toClient(address: string, { bearer, cookie }: Credential): Client {
  const headers: Record<string, string> = {
    ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
    ...(cookie !== undefined && { cookie }),
  };
  return {
    async call(method, path, json) {
      const response = await fetch(address + path, {
        method,
        redirect: 'manual',
        headers: { ...headers, ...(json !== undefined && { 'content-type': 'application/json' }) },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      });
      const text = await response.text();
      return { status: response.status, text, json: parse(text) };
    },
    async graphql(query, variables) {
      const response = await fetch(`${address}/graphql`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ query, variables }),
      });
      const text = await response.text();
      const { data, errors = [] } = (parse(text) ?? {}) as { data?: unknown; errors?: { message: string }[] };
      return { status: response.status, data, errors: errors.map(({ message }) => message) };
    },
  };
}

export const postJson = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

export function sessionOf(response: Response): Session {
  const cookies = response.headers.getSetCookie();
  const cookieValue = (name: string) =>
    new RegExp(`^${name}=([^;]*)`).exec(cookies.find((one) => one.startsWith(name)) ?? '')?.[1];
  const [access, refresh] = [cookieValue('phoenix-access-token'), cookieValue('phoenix-refresh-token')];
  assert.ok(access && refresh, `the response sets both cookies: ${cookies.join(' | ')}`);
  return { access, refresh };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
