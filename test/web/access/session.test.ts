import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser } from '../browser.ts';
import { startSignInServer } from './sign-in-server.ts';

/** As long as a token is valid in this test. */
const TOKEN_MS = 3_000;

describe('the session of a browser', { skip: NO_BROWSER }, () => {
  test('is refreshed once for all tabs, and a sign-in leads back to the page and its input', async (t) => {
    const people = await startSignInServer(t, {
      ACCESS_TOKEN_EXPIRY_MINUTES: String(TOKEN_MS / 60_000),
    });
    const { url } = people;
    const person = await people.createPerson('MEMBER', 'mia');
    const browser = await openBrowser(t);
    const { page: first, pageErrors } = await people.openPageAs(browser, person, { isSingleUse: true });
    const tabs = [first, await first.context().newPage(), await first.context().newPage()];
    const refreshedAt: number[] = [];
    first.context().on('request', (request) => {
      if (request.url().endsWith('/auth/refresh')) refreshedAt.push(Date.now());
    });

    await t.test('tabs share one refresh, whether or not the browser has locks', async () => {
      for (const hasLocks of [true, false]) {
        if (!hasLocks) {
          await first.context().addInitScript('Object.defineProperty(navigator, "locks", { value: undefined })');
        }
        await Promise.all(tabs.map((tab) => tab.goto(`${url}/settings/retention`)));
        await Promise.all(tabs.map((tab) => tab.getByText('Keeps everything').waitFor()));
        const before = refreshedAt.length;
        await first.waitForTimeout(TOKEN_MS + 500);

        await Promise.all(tabs.map((tab) => tab.getByRole('link', { name: 'Annotations' }).click()));
        await Promise.all(tabs.map((tab) => tab.getByRole('heading', { name: 'Annotation configs' }).waitFor()));
        await Promise.all(tabs.map((tab) => tab.locator('.settings-rows:not([aria-busy])').waitFor()));

        // A page may refresh while it waits, and on a slow machine the new token may expire, too: shared refreshes are far apart.
        const times = refreshedAt.slice(before);
        assert(times.length >= 1, `no refresh, locks: ${hasLocks}`);
        const intervals = times.slice(1).map((time, index) => time - times[index]!);
        assert(Math.min(...intervals, TOKEN_MS) >= TOKEN_MS / 2, `refreshed after ${intervals} ms, locks: ${hasLocks}`);
        for (const tab of tabs) assert.equal(new URL(tab.url()).pathname, '/settings/annotations');
      }
    });

    await t.test('the event stream continues after its token has expired, and the page stays live', async () => {
      const [tab] = tabs as [Page];
      await tab.goto(`${url}/projects`);
      await tab.getByRole('link', { name: 'default', exact: true }).click();
      await tab.getByText('Waiting for the first trace').waitFor();
      await tab.waitForTimeout(TOKEN_MS + 1_000);
      const answered = tab.waitForResponse(
        (response) => response.url().includes('/events?') && response.status() === 200,
      );
      await answered;
      assert.equal(await tab.getByText('Offline').count(), 0);
      assert.equal(await tab.locator('.banner').count(), 0);
    });

    await t.test('a half-written form stays while the user signs in again', async () => {
      const [tab, ...others] = tabs as [Page, ...Page[]];
      // A refresh in another tab would set the cookies again that the test removes.
      await Promise.all(others.map((other) => other.close()));
      await tab.goto(`${url}/projects`);
      await tab.getByRole('button', { name: 'Create project' }).click();
      const form = tab.getByRole('dialog', { name: 'New project' });
      await form.getByRole('textbox', { name: /^Name/ }).fill('half-written');
      await tab.context().clearCookies();

      await form.getByRole('button', { name: 'Create' }).click();
      const dialog = tab.getByRole('dialog', { name: 'Your session has ended' });
      await dialog.getByLabel('Email').fill(person.email);
      await dialog.getByLabel('Password', { exact: true }).fill(person.password);
      assert.deepEqual(await seriousViolations(tab), []);
      await tab.keyboard.press('Enter');

      await tab.getByText('Waiting for the first trace').waitFor();
      assert.match(new URL(tab.url()).pathname, /^\/projects\//);
    });

    await t.test('a page without input leads to the sign-in page and back to its address', async () => {
      const [tab] = tabs as [Page];
      await tab.goto('about:blank');
      await tab.context().clearCookies();
      await tab.goto(`${url}/settings/models?a=b`);
      await tab.getByRole('heading', { name: 'Sign in' }).waitFor();
      await tab.getByLabel('Email').fill(person.email);
      await tab.getByLabel('Password', { exact: true }).fill(person.password);
      await tab.keyboard.press('Enter');

      await tab.getByRole('heading', { name: 'Models', exact: true }).waitFor();
      assert.match(tab.url(), /\/settings\/models\?a=b$/);
    });

    assert.deepEqual(
      pageErrors.filter((text) => !/status of 401/.test(text)),
      [],
    );
  });
});
