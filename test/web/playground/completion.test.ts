import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { openPageServer } from '../page-server.ts';

describe('the JSON editor of tools', { skip: NO_BROWSER }, () => {
  test('suggests names and values, which are taken and undone by keys', async (t) => {
    const { url } = await openPageServer(t);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, url);
    const text = page.locator('textarea[aria-label^="JSON of"]');
    const list = page.getByRole('listbox', { name: 'Suggestions' });
    const option = (name: string) => list.getByRole('option', { name });
    await page.goto(`${url}/playground`);
    await page.getByRole('button', { name: 'Tools' }).click();
    await page.getByRole('button', { name: 'Add tool' }).click();
    await page.locator('.tool-card').getByRole('button', { name: 'JSON' }).click();
    await text.fill('');
    await text.focus();

    await t.test('while the user types a name', async () => {
      await page.keyboard.type('{"fu');
      await option('function').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.keyboard.press('Enter');
      await list.waitFor({ state: 'detached' });
      await untilPasses(async () => {
        assert.equal(await text.inputValue(), '{"function": ');
      });
    });

    await t.test('of the schema that the caret is in, by the arrow keys', async () => {
      await page.keyboard.type('{"parameters": {"pro');
      await page.keyboard.press('Enter');
      await page.keyboard.type('{"city": {"t');
      await option('title').waitFor();
      await untilPasses(async () => {
        assert.equal(await option('type').getAttribute('aria-selected'), 'true');
      });
      await page.keyboard.press('ArrowDown');
      await untilPasses(async () => {
        assert.equal(await option('title').getAttribute('aria-selected'), 'true');
      });
      await page.keyboard.press('ArrowUp');
      await untilPasses(async () => {
        assert.equal(await option('type').getAttribute('aria-selected'), 'true');
      });
      await page.keyboard.press('Enter');
      await page.keyboard.press('Control+Space');
      await option('"integer"').click();
      await untilPasses(async () => {
        assert.match(await text.inputValue(), /"properties": \{"city": \{"type": "integer"$/);
      });
    });

    await t.test('and Escape closes the list alone', async () => {
      await page.keyboard.type(', "desc');
      await option('description').waitFor();
      await page.keyboard.press('Escape');
      await list.waitFor({ state: 'detached' });
      await untilPasses(async () => {
        assert.equal(await text.and(page.locator(':focus')).count(), 1);
      });
      await page.keyboard.type('r');
      await page.keyboard.press('Enter');
      await untilPasses(async () => {
        assert.match(await text.inputValue(), /"type": "integer", "description": $/);
      });
      await page.keyboard.press('Control+z');
      await untilPasses(async () => {
        assert.match(await text.inputValue(), /"desc?r?$/);
      });
    });
    assert.deepEqual(pageErrors, []);
  });
});
