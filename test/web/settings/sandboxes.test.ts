import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openTestServer } from '../../api/test-server.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';

const row = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

describe('the page of sandboxes', { skip: NO_BROWSER }, () => {
  test('lists backends with the reason why one cannot be used, and edits configs', async (t) => {
    const server = await openTestServer(t);
    const { address: url } = server;
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, url);

    await t.test('each backend has a state, and only those of this server can change', async () => {
      await page.goto(`${url}/settings/sandboxes`);
      await row(page, 'WebAssembly').getByText('Available').waitFor();
      await untilPasses(async () => {
        assert.match(
          (await row(page, 'WebAssembly').textContent()) ?? '',
          /Python, TypeScript, restricted.*MicroPython/,
        );
        assert.match((await row(page, 'E2B').textContent()) ?? '', /Not available.*WASM only/);
        assert.match((await row(page, 'Deno').textContent()) ?? '', /Not installed/);
        assert.equal(await row(page, 'E2B').getByRole('button').count(), 0);
      });
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('a backend is disabled and enabled by keys', async () => {
      await button(page, 'Disable WebAssembly').focus();
      await page.keyboard.press('Enter');
      await row(page, 'WebAssembly').getByText('An administrator has disabled it.').waitFor();
      const { backends } = { backends: await server.domain.sandboxes.listBackends() };
      assert.equal(backends.find(({ backend }) => backend === 'WASM')?.status, 'DISABLED');
      await button(page, 'Enable WebAssembly').click();
      await row(page, 'WebAssembly').getByText('Available').waitFor();
    });

    await t.test('a config is created, with a time limit within its bounds', async () => {
      await button(page, 'Create config').click();
      await page.getByLabel('Name').fill('quick-checks');
      await page.getByLabel('Language').selectOption('TypeScript');
      await page.getByLabel('Time limit in seconds').fill('301');
      await inDialog(page, 'Save').click();
      await page.getByText('Enter a time limit from 1 to 300 seconds.').waitFor();
      await page.getByLabel('Time limit in seconds').fill('5');
      assert.deepEqual(await seriousViolations(page), []);
      await inDialog(page, 'Save').click();
      await row(page, 'quick-checks').getByText('At most 5 s').waitFor();
      const configs = (await server.domain.sandboxes.findConfigsOf(['WASM'])).get('WASM') ?? [];
      const config = configs.find(({ name }) => name === 'quick-checks');
      assert.deepEqual([config?.language, config?.timeoutSeconds, config?.isEnabled], ['TYPESCRIPT', 5, true]);
    });

    await t.test('an edit changes its limit and whether evaluators may use it', async () => {
      await button(page, 'Edit quick-checks').click();
      assert.equal(await page.getByLabel('Language').isDisabled(), true);
      await page.getByLabel('Time limit in seconds').fill('60');
      await page.getByLabel('Evaluators may use it').uncheck();
      await inDialog(page, 'Save').click();
      await row(page, 'quick-checks').getByText('At most 60 s').waitFor();
      await row(page, 'quick-checks').getByText('Disabled').waitFor();
    });

    await t.test('a config is deleted after a question', async () => {
      await button(page, 'Delete quick-checks').click();
      await inDialog(page, 'Delete').click();
      await row(page, 'quick-checks').waitFor({ state: 'detached' });
      await page.setViewportSize({ width: 420, height: 860 });
      await untilPasses(async () => {
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true);
      });
    });
    assert.deepEqual(pageErrors, []);
  });

  test('a backend that the operator excludes cannot be enabled', async (t) => {
    const server = await openTestServer(t, { settings: { ALLOWED_SANDBOX_PROVIDERS: 'deno' } });
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.address);
    await page.goto(`${server.address}/settings/sandboxes`);
    await row(page, 'WebAssembly').getByText('SERVICE_ALLOWED_SANDBOX_PROVIDERS excludes it.').waitFor();
    assert.equal(await row(page, 'WebAssembly').getByRole('button').count(), 0);
    assert.deepEqual(pageErrors, []);
  });
});
