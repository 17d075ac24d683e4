import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { startSignInServer } from './sign-in-server.ts';

/** Browsers log a response with an error status, and a failed request. */
const unexpected = (pageErrors: readonly string[]) =>
  pageErrors.filter((text) => !/status of 4\d\d|ERR_FAILED/.test(text));

describe('the sign-in page', { skip: NO_BROWSER }, () => {
  test('signs in, replaces a password and returns, and loads less than 60 kB', async (t) => {
    const { url } = await startSignInServer(t);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, url);
    const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
    const signIn = async (password: string) => {
      await fill('Email', 'admin@localhost');
      await fill('Password', password);
      await page.keyboard.press('Enter');
    };
    const problem = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();

    await t.test('with everything that it loads it is smaller than 60 kB', async () => {
      await page.goto(`${url}/login?returnUrl=%2Fsettings%2Fmodels`);
      await page.getByRole('button', { name: 'Sign in' }).waitFor();

      const sizes = (await page.evaluate(
        "[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')].map((each) => each.encodedBodySize)",
      )) as number[];

      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      assert(bytes > 3_000 && bytes < 60_000, `${bytes} bytes`);
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('a wrong password is reported beside the form', async () => {
      await untilPasses(async () => {
        assert.equal(await page.locator(':focus').getAttribute('name'), 'email');
      });
      await signIn('wrong');
      await problem('The email or the password is wrong.');
      await untilPasses(async () => {
        assert.equal(await page.locator(':focus').getAttribute('name'), 'password');
      });
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('a server that does not respond is reported', async () => {
      await page.route('**/auth/login', (route) => route.abort());
      await signIn('admin');
      await problem('The server does not respond.');
      await page.unroute('**/auth/login');
    });

    await t.test('a first password is replaced before any other page opens', async () => {
      await signIn('admin');
      await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
      await fill('Current password', 'admin');
      await fill('New password', 'admin-2');
      await fill('Confirm new password', 'admin-3');
      await page.keyboard.press('Enter');
      await problem('The two new passwords differ.');
      await fill('Confirm new password', 'admin-2');
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: 'Your password has been changed.' }).waitFor();

      await signIn('admin-2');

      await page.getByRole('heading', { name: 'Models', exact: true }).waitFor();
      assert.equal(new URL(page.url()).pathname, '/settings/models');
    });

    await t.test('five failures lock the account, also for the right password', async () => {
      await page.goto(`${url}/login`);
      const button = page.getByRole('button', { name: 'Sign in', exact: true });
      for (let attempt = 0; attempt < 6; attempt++) {
        await signIn(attempt < 5 ? 'wrong' : 'admin-2');
        await button.and(page.locator(':enabled')).waitFor();
      }
      await problem('This account is locked after too many failed sign-ins.');
    });

    assert.deepEqual(unexpected(pageErrors), []);
  });

  test('shows only texts of its own, and leads only to this server', async (t) => {
    const { url } = await startSignInServer(t);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, url);
    const heading = (name: string) => page.getByRole('heading', { name }).waitFor();
    const withConfig = async (changes: object, path: string) => {
      await page.route('**/login*', async (route) => {
        const response = await route.fetch();
        const html = (await response.text()).replace(/name="page-config" content="[^"]*"/, () => {
          const config = JSON.stringify({ authenticationEnabled: true, ...changes }).replaceAll('"', '&quot;');
          return `name="page-config" content="${config}"`;
        });
        await route.fulfill({ response, body: html });
      });
      await page.goto(url + path);
      await heading('Sign in');
    };
    const shown = async (page: Page) => (await page.locator('main').textContent()) ?? '';

    for (const code of ['email_in_use', 'sign_in_not_allowed', '<img src=x onerror=alert(1)>', 'Call 555-1234']) {
      await page.goto(`${url}/login?error=${encodeURIComponent(code)}`);
      await page.locator('.sign-in-notice').waitFor();
      assert(!(await shown(page)).includes(code), code);
    }
    await page.goto(`${url}/login?message=${encodeURIComponent('Call 555-1234')}`);
    await heading('Sign in');
    assert(!(await shown(page)).includes('555'));
    assert.equal(await page.getByRole('link', { name: 'Reset a lost password' }).count(), 0);
    await page.goto(`${url}/logout`);
    await heading('You are signed out');
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await heading('Sign in');
    await page.goto(`${url}/forgot-password`);
    await page.getByText('This server cannot send emails').waitFor();
    await page.goto(`${url}/reset-password-with-token?token=x.y.z`);
    await page.getByLabel('New password', { exact: true }).fill('password');
    await page.getByLabel('Confirm new password').fill('password');
    await page.keyboard.press('Enter');
    await page.getByText('The link is invalid, was already used or has expired.').waitFor();

    const idps = [{ name: 'acme_sso', displayName: 'Acme <b>SSO</b>' }];
    await withConfig({ oAuth2Idps: idps, ldapEnabled: true }, '/login?returnUrl=%2Fsettings');
    await page.getByRole('form', { name: 'Sign in by directory' }).waitFor();
    const link = page.getByRole('link', { name: 'Sign in with Acme <b>SSO</b>' });
    assert.equal(await link.getAttribute('href'), '/oauth2/acme_sso/login?returnUrl=%2Fsettings');
    assert.deepEqual(await seriousViolations(page), []);
    // A link may name the provider, and leads to no other address.
    await page.route('**/oauth2/**', (route) => route.fulfill({ body: 'at the provider' }));
    for (const [trigger, path] of [
      ['acme_sso', '/oauth2/acme_sso/login?returnUrl=%2Fsettings'],
      ['..%2F..%2Fevil', '/login?trigger=..%2F..%2Fevil&returnUrl=%2Fsettings'],
    ] as const) {
      await page.goto(`${url}/login?trigger=${trigger}&returnUrl=%2Fsettings`);
      await page.getByText(trigger === 'acme_sso' ? 'at the provider' : 'Acme').waitFor();
      assert.equal(page.url(), url + path);
    }
    await page.unroute('**/oauth2/**');
    await page.unroute('**/login*');
    await withConfig({ basicAuthDisabled: true, oAuth2Idps: idps }, '/login?returnUrl=%2F%2Fevil.example');
    assert.equal(await link.getAttribute('href'), '/oauth2/acme_sso/login');
    assert.equal(await page.getByLabel('Password').count(), 0);

    assert.deepEqual(unexpected(pageErrors), []);
  });
});
