import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { until } from '../../metadata-store/fixtures.ts';
import { openMailServer } from '../../mail/mail-server.ts';
import { NO_OPENSSL, openCertificateDirectory } from '../../server/tls/certificates.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage } from '../browser.ts';
import { startSignInServer } from './sign-in-server.ts';

describe('ways to sign in', { skip: NO_BROWSER || NO_OPENSSL }, () => {
  test('are set up by administrators, and a lost password is replaced by the link of a mail', async (t) => {
    const files = openCertificateDirectory();
    t.after(() => files.remove());
    files.makeAuthority('authority');
    files.make('server', { authority: 'authority' });
    const mailServer = await openMailServer(t, { key: files.read('server.key'), cert: files.read('server.pem') });
    const people = await startSignInServer(t, {
      SMTP_HOSTNAME: 'localhost',
      SMTP_PORT: String(mailServer.port),
      SMTP_USERNAME: 'spandrel',
      SMTP_PASSWORD: 'mail-password',
      SMTP_CA_FILE: files.path('authority.pem'),
      // Neither is asked: accounts are made in advance.
      OAUTH2_ACME_CLIENT_ID: 'spandrel',
      OAUTH2_ACME_CLIENT_SECRET: 'secret',
      OAUTH2_ACME_OIDC_CONFIG_URL: 'http://127.0.0.1:1/.well-known/openid-configuration',
      LDAP_HOST: '127.0.0.1',
      LDAP_USER_SEARCH_BASE_DNS: '["dc=example,dc=com"]',
      LDAP_GROUP_ROLE_MAPPINGS: '[{"group_dn":"*","role":"MEMBER"}]',
    });
    const { url } = people;
    const alice = await people.createPerson('ADMIN', 'alice');
    const browser = await openBrowser(t);

    await t.test('an administrator creates a user for each of them, and sets a new password', async () => {
      const { page, pageErrors } = await people.openPageAs(browser, alice);
      const dialog = page.getByRole('dialog');
      await page.goto(`${url}/settings/users`);
      for (const [name, method] of [
        ['Pat', 'Password'],
        ['Ida', 'Identity provider'],
        ['Dora', 'Directory'],
      ] as const) {
        await page.getByRole('button', { name: 'Create user' }).click();
        await dialog.getByLabel('Email').fill(`${name.toLowerCase()}@example.com`);
        await dialog.getByLabel('Name').fill(name);
        await dialog.getByLabel('Signs in by').selectOption(method);
        if (method === 'Password') await dialog.getByLabel('First password').fill('first-password');
        else assert.equal(await dialog.getByLabel('First password').count(), 0);
        await dialog.getByRole('button', { name: 'Create user' }).click();
        const row = page.locator('.settings-rows > li', { hasText: `${name.toLowerCase()}@example.com` });
        await row.getByText(method, { exact: true }).waitFor();
      }
      await page.getByRole('button', { name: 'Edit Pat' }).click();
      await dialog.getByLabel('New password').fill('second-password');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.deepEqual(pageErrors, []);
    });

    await t.test('a system key is shown once, works, and can be deleted', async () => {
      const { page, pageErrors } = await people.openPageAs(browser, alice);
      const dialog = page.getByRole('dialog');
      await page.goto(`${url}/settings/api-keys`);
      await page.getByRole('button', { name: 'Create system key' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('exporter');
      await dialog.getByRole('button', { name: 'Create key' }).click();
      const key = (await dialog.getByRole('region', { name: 'Key' }).textContent()) ?? '';
      const status = async () =>
        (await fetch(`${url}/v1/projects`, { headers: { authorization: `Bearer ${key}` } })).status;
      assert.equal(await status(), 200);
      await dialog.getByRole('button', { name: 'I have copied the key' }).click();
      await page.getByRole('button', { name: 'Delete exporter' }).waitFor();
      assert.ok(!((await page.locator('main').textContent()) ?? '').includes(key));
      await page.getByRole('button', { name: 'Delete exporter' }).click();
      await dialog.getByRole('button', { name: 'Delete key' }).click();
      await page.getByText('No system keys yet.').waitFor();
      assert.equal(await status(), 401);
      assert.deepEqual(pageErrors, []);
    });

    await t.test('a lost password is replaced by the link of a mail, which works once', async () => {
      const { page, pageErrors } = await openPage(browser, url);
      const fill = (label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);
      await page.goto(`${url}/login`);
      await page.getByRole('link', { name: 'Reset a lost password' }).click();
      await page.getByRole('heading', { name: 'Reset a lost password' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await fill('Email', 'pat@example.com');
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: 'If an account has this email' }).waitFor();
      const resets = () => mailServer.mails.filter(({ html }) => html.includes('reset-url'));
      await until('the mail has arrived', () => resets().length === 1);
      const link = /href="([^"]+)"/.exec(resets()[0]?.html ?? '')?.[1] ?? assert.fail(resets()[0]?.html);

      await page.goto(link);
      await page.getByRole('heading', { name: 'Set a new password' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await fill('New password', 'third-password');
      await fill('Confirm new password', 'third-password');
      await page.keyboard.press('Enter');
      await page.getByText('Your password has been changed.').waitFor();
      await fill('Email', 'pat@example.com');
      await fill('Password', 'third-password');
      await page.getByRole('button', { name: 'Sign in', exact: true }).first().click();
      await page.getByRole('button', { name: 'Account of Pat' }).waitFor();

      await page.goto(link);
      await fill('New password', 'fourth-password');
      await fill('Confirm new password', 'fourth-password');
      await page.keyboard.press('Enter');
      await page.getByText('The link is invalid, was already used or has expired.').waitFor();
      assert.deepEqual(
        pageErrors.filter((text) => !/status of 401/.test(text)),
        [],
      );
    });
  });
});
