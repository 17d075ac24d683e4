import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { failRequests, openBrowser, openPage } from '../browser.ts';

/** A change that a user makes, and that the server rejects or never receives. */
export interface Rejection {
  /** Name of the operation in a `.graphql` file of the interface. */
  readonly mutation: string;
  /** Path below the address of the server. */
  readonly at: string | (() => Promise<string>);
  /** Everything before the last click. */
  readonly open: (page: Page) => Promise<unknown>;
  /** Action of another client that makes the server reject the mutation. `offline`: the network fails instead. */
  readonly beforeSubmit: (() => Promise<unknown>) | 'offline' | 'nothing';
  readonly submit: (page: Page) => Promise<unknown>;
  /** Text that the page shows in place of an alert, if the change is only a part of what the user has done. */
  readonly shows?: string;
}

const OFFLINE = 'The server does not respond.';
const ALERT_MS_MAX = 15_000;

/** Resources that the page may ask for in vain: the browser reports their status on the console. */
const EXPECTED_ERRORS = /net::ERR_FAILED|status of 404/;

/**
 * Makes each change in a browser. The page shows the words of the server, or that the server does not respond, in an
 * alert, and continues to work. The page does not receive changes of other clients.
 */
export async function checkRejections(t: TestContext, url: string, rejections: readonly Rejection[]): Promise<void> {
  const browser = await openBrowser(t);
  const { page, pageErrors } = await openPage(browser, url, { isSingleUse: true });
  await failRequests(page, '*/events?*');
  page.setDefaultTimeout(15_000);
  // A page with unsaved changes asks before it is left.
  page.removeAllListeners('dialog').on('dialog', (dialog) => {
    if (dialog.type() !== 'beforeunload') pageErrors.push(`dialog: ${dialog.message()}`);
    void dialog.accept();
  });
  let tried = '';
  let words: string | undefined;
  page.on('response', async (response) => {
    const { operationName } = response.url().endsWith('/graphql') ? response.request().postDataJSON() : {};
    if (operationName !== tried || response.headers()['content-type']?.startsWith('multipart/')) return;
    words = ((await response.json()) as { errors?: { message: string }[] }).errors?.[0]?.message;
  });
  await page.goto(`${url}/settings`);
  await page.evaluate(`localStorage.setItem('spandrel.preferences', '{"isLive":false,"timeRangeKey":"1h"}')`);
  for (const { mutation, at, open, beforeSubmit, submit, shows } of rejections) {
    await t.test(mutation, async () => {
      tried = mutation;
      words = undefined;
      await page.goto(url + (typeof at === 'string' ? at : await at()));
      await open(page);
      const isOffline = beforeSubmit === 'offline';
      if (isOffline) {
        await page.route('**/graphql', (route) =>
          route.request().postDataJSON().operationName === mutation ? route.abort() : route.continue(),
        );
      } else if (beforeSubmit !== 'nothing') await beforeSubmit();
      await submit(page);
      const shown = shows === undefined ? page.getByRole('alert').filter({ hasText: /\S/ }) : page.getByText(shows);
      await shown.first().waitFor();
      // Another part of the page may report the same cause in an alert of its own, and before this one.
      const expected = () => shows ?? (isOffline ? OFFLINE : words);
      const told = async () => (await shown.allTextContents()).join('; ');
      const isTold = async () => (await told()).includes(expected() ?? '\0');
      for (const giveUpAt = Date.now() + ALERT_MS_MAX; Date.now() < giveUpAt && !(await isTold()); ) {
        await page.waitForTimeout(50);
      }
      await page.unrouteAll();
      assert(isOffline || words !== undefined, `the server rejected ${mutation}`);
      assert(await isTold(), `${await told()} has the words ${expected()}`);

      const discard = page.getByRole('button', { name: 'Discard', exact: true });
      for (let times = 0; times < 3; times++) {
        await page.keyboard.press('Escape');
        if ((await discard.count()) > 0) await discard.click();
      }
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).click();
      const [leave, dark] = [
        page.getByRole('dialog').getByRole('button', { name: 'Leave' }),
        page.getByRole('button', { name: 'dark' }),
      ];
      await leave.or(dark).first().waitFor();
      if ((await leave.count()) > 0) await leave.click();
      await dark.waitFor();
      assert.equal(await page.getByText('could not be displayed').count(), 0);
    });
  }
  assert.deepEqual(
    pageErrors.filter((error) => !EXPECTED_ERRORS.test(error)),
    [],
  );
}
