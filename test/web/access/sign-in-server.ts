import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Browser } from 'playwright-core';
import { openPage, type PageOptions, type WatchedPage } from '../browser.ts';
import { openPageServer } from '../page-server.ts';

const ADMIN_SECRET = 'admin-secret-of-the-tests-0123456789';

export interface SignInServer {
  readonly url: string;
  /** Header with the admin secret. */
  readonly authorization: string;
  /** Sends a document with the admin secret. */
  graphql<Data>(query: string, variables?: object): Promise<Data>;
  /** Creates an account that has chosen its own password. */
  createPerson(role: 'ADMIN' | 'MEMBER' | 'VIEWER', name: string): Promise<Person>;
  /** Opens a page with a new session of the person. */
  openPageAs(browser: Browser, person: Person, options?: PageOptions): Promise<WatchedPage>;
}

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** A server with sign-in. */
export async function startSignInServer(
  t: Pick<TestContext, 'after'>,
  settings: Readonly<Record<string, string>> = {},
): Promise<SignInServer> {
  const { url } = await openPageServer(t, {
    ENABLE_AUTH: 'true',
    SECRET: 'secret-of-the-tests-0123456789-0123456789',
    ADMIN_SECRET,
    ...settings,
  });
  const authorization = `Bearer ${ADMIN_SECRET}`;
  const graphql = <Data>(query: string, variables: object = {}) =>
    sendDocument<Data>(url, { authorization }, query, variables);
  return {
    url,
    authorization,
    graphql,
    async createPerson(role, name) {
      const [email, first, password] = [`${name}@example.com`, 'first-password', 'own-password'];
      await graphql('mutation ($input: CreateUserInput!) { createUser(input: $input) { __typename } }', {
        input: { email, username: name, password: first, role },
      });
      const cookie = (await signIn(url, { email, password: first })).map(({ name, value }) => `${name}=${value}`);
      await sendDocument(
        url,
        { cookie: cookie.join('; ') },
        'mutation ($input: PatchViewerInput!) { patchViewer(input: $input) { __typename } }',
        { input: { currentPassword: first, newPassword: password } },
      );
      return { email, password };
    },
    async openPageAs(browser, person, options) {
      const watched = await openPage(browser, url, options);
      const cookies = await signIn(url, person);
      await watched.page.context().addCookies(cookies.map((cookie) => ({ ...cookie, url, httpOnly: true })));
      return watched;
    },
  };
}

/** Cookies of a new session. */
async function signIn(url: string, { email, password }: Person) {
  const response = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  assert.equal(response.status, 204, await response.text());
  return response.headers.getSetCookie().map((text) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? [];
    return { name, value };
  });
}

async function sendDocument<Data>(url: string, headers: Record<string, string>, query: string, variables: object) {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  const body = text.startsWith('{') ? (JSON.parse(text) as { data: Data; errors?: unknown }) : undefined;
  assert(body && body.errors === undefined, text);
  return body.data;
}
