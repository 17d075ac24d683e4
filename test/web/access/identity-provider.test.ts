import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  answerForms,
  CLIENT_SECRET,
  claimsOf,
  type OidcServer,
  signRs256,
  startOidcServer,
  writeJwt,
} from '../../identity/oidc/oidc-server.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses, type WatchedPage } from '../browser.ts';
import { type SignInServer, startSignInServer } from './sign-in-server.ts';

const settingsOf = (name: string, { configUrl }: OidcServer, more: Readonly<Record<string, string>> = {}) =>
  Object.fromEntries(
    Object.entries({
      CLIENT_ID: 'spandrel',
      CLIENT_SECRET,
      OIDC_CONFIG_URL: configUrl,
      USE_PKCE: 'true',
      ...more,
    }).map(([field, value]) => [`OAUTH2_${name}_${field}`, value]),
  );

const WITH_ROLES = {
  ROLE_ATTRIBUTE_PATH: 'roles[0]',
  ROLE_MAPPING: 'boss:ADMIN,dev:MEMBER',
  GROUPS_ATTRIBUTE_PATH: 'groups',
  ALLOWED_GROUPS: 'traces',
};

/** Pages of the provider import a font from elsewhere. */
async function openWithoutFonts(browser: Browser, url: string): Promise<WatchedPage> {
  const watched = await openPage(browser, url);
  watched.page.setDefaultTimeout(30_000);
  await watched.page.context().route(/fonts\.(googleapis|gstatic)\.com/, (route) => route.abort());
  return watched;
}

/** Fills in the forms of the provider. */
async function answerProvider(page: Page, account: string): Promise<void> {
  await page.locator('input[name=login]').fill(account);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

const notice = (page: Page, text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();

describe('identity providers in the interface', { skip: NO_BROWSER }, () => {
  test('a user signs in at a provider, and links and unlinks identities', async (t) => {
    const [acme, other] = [await startOidcServer(), await startOidcServer()];
    t.after(() => Promise.all([acme.stop(), other.stop()]));
    const people = await startSignInServer(t, {
      ...settingsOf('ACME', acme, WITH_ROLES),
      ...settingsOf('OTHER', other),
    });
    const { url } = people;
    acme.allowRedirects(`${url}/oauth2/acme/tokens`);
    other.allowRedirects(`${url}/oauth2/other/tokens`);
    const browser = await openBrowser(t);
    const member = { groups: ['traces'], roles: ['dev'] };
    const clickAcme = (page: Page) => page.getByRole('link', { name: 'Sign in with Acme' }).click();

    await t.test('by its button, with PKCE, group and role, and returns to the page', async () => {
      acme.accounts.set('ada', { email: 'ada@example.com', name: 'Ada L', ...member });
      const { page, pageErrors } = await openWithoutFonts(browser, url);
      const requests: URL[] = [];
      page.on('request', (request) => requests.push(new URL(request.url())));
      await page.goto(`${url}/settings/retention`);
      await clickAcme(page);
      await answerProvider(page, 'ada');
      await page.getByText('Only administrators can change policies.').waitFor();
      await page.getByRole('button', { name: 'Account of Ada L' }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/settings/retention');
      const start = requests.find(({ origin, pathname }) => origin === acme.issuer && pathname === '/auth');
      assert.equal(start?.searchParams.get('code_challenge_method'), 'S256');
      await page.goto(`${url}/profile`);
      await page.getByText('Identity provider', { exact: true }).waitFor();
      await page.getByText('Member', { exact: true }).waitFor();
      assert.deepEqual(
        pageErrors.filter((text) => !text.startsWith('request to') && !/status of 401|ERR_FAILED/.test(text)),
        [],
      );
    });

    await t.test(
      'also after the provider has rotated its keys, but not without the group or with a wrong clock',
      async () => {
        acme.rotateKeys();
        acme.accounts.set('bob', { email: 'bob@example.com', name: 'Bob', groups: ['traces'], roles: ['boss'] });
        const { page } = await openWithoutFonts(browser, url);
        await page.goto(`${url}/login`);
        await clickAcme(page);
        await answerProvider(page, 'bob');
        await page.getByRole('button', { name: 'Account of Bob' }).waitFor();
        await page.goto(`${url}/settings/audit`);
        await page.getByRole('heading', { name: 'Audit log' }).waitFor();

        acme.accounts.set('eve', { email: 'eve@example.com', groups: ['others'], roles: ['boss'] });
        const denied = await openWithoutFonts(browser, url);
        await denied.page.goto(`${url}/login`);
        await clickAcme(denied.page);
        await answerProvider(denied.page, 'eve');
        await notice(denied.page, 'Your account may not sign in to this server.');

        const late = await openWithoutFonts(browser, url);
        acme.tamper = (path, body) => {
          if (path !== '/token') return body;
          const claims = claimsOf(body.id_token);
          const [iat, exp] = [Number(claims.iat) - 7_200, Number(claims.iat) - 3_600];
          const header = { alg: 'RS256', kid: acme.key.kid };
          return { ...body, id_token: writeJwt(header, { ...claims, iat, exp }, signRs256(acme.key.privateKey)) };
        };
        await late.page.goto(`${url}/login`);
        await clickAcme(late.page);
        await answerProvider(late.page, 'ada');
        await notice(late.page, 'The identity provider did not confirm the sign-in.');
        acme.tamper = undefined;
      },
    );

    await t.test('never by the callback of another person or another provider', async () => {
      const started = await fetch(`${url}/oauth2/acme/login`, { redirect: 'manual' });
      const callback = await answerForms(started.headers.get('location') ?? '', 'ada', `${url}/oauth2/acme/tokens`);
      const { page } = await openWithoutFonts(browser, url);
      const response = await page.goto(callback.href);
      assert.equal(response?.status(), 422, 'a browser that began no sign-in');
      await page.goto(`${url}/login`);
      await clickAcme(page);
      await page.locator('input[name=login]').waitFor();
      await page.goto(callback.href);
      await notice(page, 'was started in another window');

      await page.goto(`${url}/login`);
      await clickAcme(page);
      await page.locator('input[name=login]').waitFor();
      const cookies = await page.context().cookies(url);
      const state = cookies.find(({ name }) => name === 'phoenix-oauth2-state')?.value ?? '';
      await page.goto(`${url}/oauth2/other/tokens?code=x&state=${encodeURIComponent(state)}`);
      await notice(page, 'was started in another window');
      await page.goto(`${url}/projects`);
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    await t.test('a linked identity signs in to the local account until it is unlinked', async () => {
      other.accounts.set('max-elsewhere', { email: 'max@elsewhere.example' });
      const max = await people.createPerson('MEMBER', 'max');
      const { page } = await people.openPageAs(browser, max);
      await page.context().route(/fonts\.(googleapis|gstatic)\.com/, (route) => route.abort());
      await page.goto(`${url}/profile`);
      await page.getByText('No linked identities yet.').waitFor();
      await page.getByRole('button', { name: 'Link Other' }).click();
      await answerProvider(page, 'max-elsewhere');
      await page.getByText('Other linked.').waitFor();
      await page.getByText('max@elsewhere.example').waitFor();
      await untilPasses(async () => {
        assert.equal(page.url(), `${url}/profile`, 'the code of the provider leaves the address');
      });
      assert.deepEqual(await seriousViolations(page), []);

      const again = await openWithoutFonts(browser, url);
      await again.page.goto(`${url}/login`);
      await again.page.getByRole('link', { name: 'Sign in with Other' }).click();
      await answerProvider(again.page, 'max-elsewhere');
      await again.page.getByRole('button', { name: 'Account of max' }).waitFor();

      const nora = await people.openPageAs(browser, await people.createPerson('VIEWER', 'nora'));
      await nora.page.context().route(/fonts\.(googleapis|gstatic)\.com/, (route) => route.abort());
      await nora.page.goto(`${url}/profile`);
      await nora.page.getByRole('button', { name: 'Link Other' }).click();
      await answerProvider(nora.page, 'max-elsewhere');
      await notice(nora.page, 'That identity belongs to another account');
      await nora.page.goto(`${url}/profile?linking=other&error=x&error_description=hostile+text`);
      await notice(nora.page, 'Linking took too long or was started in another window.');
      assert.equal(await nora.page.getByText('hostile').count(), 0);

      await page.getByRole('button', { name: /^Unlink Other/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Unlink identity' }).click();
      await page.getByText('No linked identities yet.').waitFor();
    });
  });

  test('a server without passwords goes to its provider at once, and stays where a user signed out', async (t) => {
    const acme = await startOidcServer();
    t.after(() => acme.stop());
    const { url }: SignInServer = await startSignInServer(t, {
      DISABLE_BASIC_AUTH: 'true',
      ...settingsOf('ACME', acme, { AUTO_LOGIN: 'true' }),
    });
    acme.allowRedirects(`${url}/oauth2/acme/tokens`);
    acme.accounts.set('ada', { email: 'ada@example.com', name: 'Ada' });
    const { page } = await openWithoutFonts(await openBrowser(t), url);
    await page.goto(`${url}/settings`);
    await answerProvider(page, 'ada');
    await page.getByRole('region', { name: 'Sign-in' }).getByText('Acme').waitFor();
    assert.equal(new URL(page.url()).pathname, '/settings');
    await page.goto(`${url}/auth/logout`);
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.goto(`${url}/login?error=<b>unknown</b>`);
    await notice(page, 'The sign-in failed. Try again.');
    await page.getByRole('link', { name: 'Sign in with Acme' }).waitFor();
  });
});
