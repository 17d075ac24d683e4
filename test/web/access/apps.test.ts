import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, type TestContext, test } from 'node:test';
import { authorizationCodeGrant, fetchProtectedResource, refreshTokenGrant } from 'openid-client';
import type { Page } from 'playwright-core';
import { discover, newRequest } from '../../api/access/application.ts';
import { postJson } from '../../api/access/signed-in-server.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage } from '../browser.ts';
import { startSignInServer } from './sign-in-server.ts';

const HOSTILE_NAME = '<img src=x onerror="document.title=1"> & a name that does not fit into one line of the card';

/** A site that links to an address, and receives what an app receives. */
async function openSite(t: Pick<TestContext, 'after'>) {
  let link = '';
  const site = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<title>site</title><a href="${link.replaceAll('&', '&amp;')}">Connect</a>`);
  });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  t.after(() => new Promise<void>((resolve) => site.close(() => resolve())));
  const { port } = site.address() as AddressInfo;
  return {
    port,
    linkTo(url: URL) {
      link = url.href;
    },
  };
}

describe('apps in the interface', { skip: NO_BROWSER }, () => {
  test('get access by the consent of a user, who can revoke it', async (t) => {
    const people = await startSignInServer(t);
    const { url: address } = people;
    const site = await openSite(t);
    // Another site for the browser than that of the server.
    const redirect_uri = `http://localhost:${site.port}/back`;
    const response = await postJson(`${address}/oauth2/register`, {
      client_name: HOSTILE_NAME,
      redirect_uris: [redirect_uri],
    });
    const { client_id: clientId } = (await response.json()) as { client_id: string };
    const config = await discover({ address }, clientId);
    const [max, ada] = [await people.createPerson('MEMBER', 'max'), await people.createPerson('ADMIN', 'ada')];
    const browser = await openBrowser(t);
    const { page } = await openPage(browser, address);
    const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    const back = async (of: Page = page) => {
      await of.waitForURL(`${redirect_uri}?*`);
      return new URL(of.url());
    };

    await t.test('a user signs in first, sees the requested access, and allows it', async () => {
      const { url, verifier, state } = await newRequest(config, { redirect_uri, scope: 'traces:read' });
      await page.goto(url.href);
      await heading('Sign in');
      await page.getByLabel('Email', { exact: true }).fill(max.email);
      await page.getByLabel('Password', { exact: true }).fill(max.password);
      await page.keyboard.press('Enter');
      await heading('Allow access?');
      for (const text of [
        HOSTILE_NAME,
        'max (max@example.com)',
        'This app chose its name itself.',
        'read and change all data',
        `An app on this device (localhost:${site.port})`,
        'traces:read',
        'In 90 days',
      ]) {
        assert.ok((await page.locator('#card').textContent())?.includes(text), text);
      }
      assert.equal(await page.locator('#card img').count(), 0);
      assert.deepEqual(await seriousViolations(page), []);
      const sizes = (await page.evaluate(
        "[...performance.getEntriesByType('resource'), ...performance.getEntriesByType('navigation')].map((each) => each.encodedBodySize)",
      )) as number[];
      const bytes = sizes.reduce((sum, size) => sum + size, 0);
      assert.ok(bytes > 3_000 && bytes < 60_000, `${bytes} bytes`);
      await press('Allow access');
      const tokens = await authorizationCodeGrant(config, await back(), {
        pkceCodeVerifier: verifier,
        expectedState: state,
      });
      const next = await refreshTokenGrant(config, tokens.refresh_token!);
      const me = await fetchProtectedResource(config, next.access_token, new URL(`${address}/v1/user`), 'GET');
      assert.equal(((await me.json()) as { data: { username: string } }).data.username, 'max');
    });

    await t.test('a link of another site leads to the question without another sign-in', async () => {
      const { url } = await newRequest(config, { redirect_uri });
      site.linkTo(url);
      await page.goto(redirect_uri);
      await page.getByRole('link', { name: 'Connect' }).click();
      await heading('Allow access?');
    });

    await t.test('a session whose access token has expired is refreshed', async () => {
      await page.context().clearCookies({ name: 'phoenix-access-token' });
      const { url, state } = await newRequest(config, { redirect_uri });
      await page.goto(url.href);
      await heading('Allow access?');
      await page.context().clearCookies({ name: 'phoenix-access-token' });
      await page.reload();
      await heading('Allow access?');
      await press('Deny');
      const { searchParams } = await back();
      assert.deepEqual([searchParams.get('error'), searchParams.get('state')], ['access_denied', state]);
    });

    await t.test('an unknown app, another address and an old request are explained, and lead nowhere', async () => {
      const problem = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();
      await page.goto((await newRequest(config, { redirect_uri: 'https://evil.example/' })).url.href);
      await problem('has not registered');
      await page.goto((await newRequest(config, { client_id: 'unknown' })).url.href);
      await problem('does not know the app');
      await page.goto(`${address}/oauth2/consent?error=%3Cimg%3E`);
      await problem('does not accept');
      await page.goto(`${address}/oauth2/consent?request=forged`);
      await problem('invalid, has expired');
      assert.deepEqual(await seriousViolations(page), []);
      assert.equal(new URL(page.url()).origin, address);
    });

    const row = (of: Page, name: string) => of.locator('.app-row', { hasText: name });
    await t.test('the profile lists apps, and ends their access', async () => {
      await page.goto(`${address}/profile`);
      await row(page, 'Whole server').waitFor();
      const shown = await row(page, 'Whole server').textContent();
      for (const text of ['traces:read', clientId, 'Used', 'Expires'])
        assert.ok(shown?.includes(text), `${text}: ${shown}`);
      assert.deepEqual(await seriousViolations(page), []);
      await page.getByRole('button', { name: /^Revoke access of/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Revoke access' }).click();
      await row(page, 'Whole server').waitFor({ state: 'detached' });
      await page.getByText('No app has access to your account.').waitFor();
    });

    await t.test('administrators see the apps of all users', async () => {
      const { verifier, state, url } = await newRequest(config, { redirect_uri, resource: `${address}/mcp` });
      await page.goto(url.href);
      await heading('Allow access?');
      await press('Allow access');
      await authorizationCodeGrant(config, await back(), { pkceCodeVerifier: verifier, expectedState: state });
      const admin = await people.openPageAs(browser, ada);
      await admin.page.goto(`${address}/settings/apps`);
      await row(admin.page, 'max@example.com').filter({ hasText: 'MCP only' }).waitFor();
      assert.deepEqual(await seriousViolations(admin.page), []);
      await admin.page.goto(`${address}/settings/users`);
      await admin.page.locator('.user-row', { hasText: 'max@example.com' }).getByText('1 app').waitFor();
      assert.deepEqual(admin.pageErrors, []);
    });
  });
});
