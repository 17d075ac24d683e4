import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startSignInServer } from '../access/sign-in-server.ts';
import { NO_BROWSER, openBrowser } from '../browser.ts';

describe('the pages of providers and sandboxes, by role', { skip: NO_BROWSER }, () => {
  test('viewers read them and learn who may change them; members test and keep keys', async (t) => {
    const server = await startSignInServer(t);
    const browser = await openBrowser(t);
    const people = {
      viewer: await server.createPerson('VIEWER', 'vera'),
      member: await server.createPerson('MEMBER', 'max'),
      admin: await server.createPerson('ADMIN', 'ada'),
    };

    await t.test('a viewer has no buttons', async () => {
      const { page, pageErrors } = await server.openPageAs(browser, people.viewer);
      await page.goto(`${server.url}/settings/providers`);
      await page.getByRole('listitem', { name: 'Anthropic', exact: true }).getByText('Key missing').waitFor();
      await page.getByText('Your role can read this page. Members test providers').waitFor();
      await page.getByText('No custom providers. Administrators add them.').waitFor();
      assert.equal(await page.locator('.providers').getByRole('button').count(), 0);
      await page.goto(`${server.url}/settings/sandboxes`);
      await page.getByText('Administrators enable backends and change configs.').waitFor();
      assert.equal(await page.locator('.providers').getByRole('button').count(), 0);
      assert.deepEqual(pageErrors, []);
    });

    await t.test('a member keeps a key in the browser alone', async () => {
      const { page, pageErrors, operations } = await server.openPageAs(browser, people.member);
      await page.goto(`${server.url}/settings/providers`);
      await page.getByText('You can test providers and keep keys in this browser.').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Add provider' }).count(), 0);
      await page.getByRole('button', { name: 'Keys of Anthropic' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Administrators can store one for all users.').waitFor();
      assert.equal(await dialog.getByLabel('Hosts').count(), 0);
      await dialog.locator('input[type=password]').fill('sk-mine');
      await dialog.getByRole('button', { name: 'Keep in this browser' }).click();
      await page.getByRole('listitem', { name: 'Anthropic', exact: true }).getByText('Ready for you').waitFor();
      assert.ok(!operations.includes('settingsSecrets') && !operations.includes('changeSecrets'));
      assert.deepEqual(pageErrors, []);
    });

    await t.test('an administrator sees who stored a key', async () => {
      const { page, pageErrors } = await server.openPageAs(browser, people.admin);
      await page.goto(`${server.url}/settings/providers`);
      await page.getByRole('button', { name: 'Keys of Anthropic' }).click();
      await page.getByRole('dialog').locator('input[type=password]').fill('sk-shared');
      await page.getByRole('button', { name: 'Store on the server' }).click();
      await page.getByRole('listitem', { name: 'Anthropic', exact: true }).getByText('Ready').waitFor();
      await page.getByRole('button', { name: 'Keys of Anthropic' }).click();
      await page.getByText(/Stored just now by ada, not bound to a host/).waitFor();
      assert.deepEqual(pageErrors, []);
    });
  });
});
