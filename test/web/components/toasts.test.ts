import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { agentTrace } from '../agent-trace.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage } from '../browser.ts';
import { otherClient } from '../other-client.ts';
import { openPageServer } from '../page-server.ts';
import { hexId, projectId, seed } from '../seed.ts';

/** Makes copying fail. The message stays until it is dismissed. */
const NO_CLIPBOARD = `
  Object.defineProperty(navigator, 'clipboard', { value: undefined });
  document.execCommand = () => false;`;

/**
 * Visible controls and rows below a message: the script lists all elements at each point of a grid over the messages.
 * Clipped elements are not among them.
 */
const COVERED = `(() => {
  const CONTROLS = 'a, button, input, select, textarea, [role=tab], [role=menuitem], [role=treeitem], [tabindex="0"], .table-row';
  const covered = new Set();
  for (const toast of document.querySelectorAll('.toast')) {
    const box = toast.getBoundingClientRect();
    if (box.width < 20 || box.top < 0 || box.bottom > innerHeight || box.left < 0 || box.right > innerWidth) covered.add('a message out of sight');
    for (let x = box.left + 1; x < box.right; x += 6) {
      for (let y = box.top + 1; y < box.bottom; y += 4) {
        for (const element of document.elementsFromPoint(x, y)) {
          const control = element.closest(CONTROLS);
          if (control && !control.closest('.toasts')) covered.add(control.tagName + '.' + control.className + ' ' + (control.getAttribute('aria-label') ?? control.textContent.slice(0, 30)));
        }
      }
    }
  }
  return [...covered];
})()`;

/** Resolves when fixed elements know the height of the messages, and what moves for them has its new place. */
const MADE_ROOM = `(async () => {
  const frame = () => new Promise(requestAnimationFrame);
  const strip = document.querySelector('.toasts');
  const known = () => document.documentElement.style.getPropertyValue('--toasts-height');
  while (known() !== strip.offsetHeight + 'px') await frame();
  await frame();
  const moving = document.getAnimations().filter((each) => each.effect.getComputedTiming().iterations !== Infinity);
  await Promise.allSettled(moving.map((each) => each.finished));
})()`;

/** What is covered once the page has made room. */
async function covered(page: Page): Promise<readonly string[]> {
  await page.evaluate(MADE_ROOM);
  return (await page.evaluate(COVERED)) as string[];
}

describe('messages', { skip: NO_BROWSER }, () => {
  test('with the same text appear once with a count, and cover no control', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    await seed(
      server.url,
      'shop',
      Array.from({ length: 60 }, (_, index) => index + 1).flatMap((number) =>
        agentTrace(number, { start: now - number * 20_000, session: `talk-${number}` }),
      ),
    );
    const other = otherClient(server.url);
    for (const name of ['quality', 'tone', 'length']) await other.createConfig(name, 'shop');
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'shop'))}`;
    const session = `${place}/sessions/${encodeURIComponent(await other.sessionNode('talk-1'))}`;
    const browser = await openBrowser(t);
    for (const [width, height, theme] of [
      [1440, 900, 'light'],
      [390, 844, 'dark'],
    ] as const) {
      await t.test(`at ${width} px`, async (t) => {
        const { page, pageErrors } = await openPage(browser, server.url, { width, height, theme });
        await page.addInitScript(NO_CLIPBOARD);
        const messages = page.getByRole('region', { name: 'Messages' });
        const told = messages.getByText('The browser did not allow copying. Select the text and copy it.');

        await t.test('on a trace', async () => {
          await page.goto(`${place}/traces/${hexId(1, 16)}`);
          await page.getByRole('tree').waitFor();
          for (let times = 0; times < 3; times++) await page.getByRole('button', { name: 'Copy link' }).click();
          await told.waitFor();
          assert.equal(await told.count(), 1);
          await messages.getByText('3 times').waitFor();
          assert.deepEqual(await covered(page), []);
          assert.deepEqual(await seriousViolations(page), []);
        });

        await t.test('with the annotation pane', async () => {
          await page.keyboard.press('e');
          await page.getByRole('group', { name: 'quality' }).waitFor();
          assert.deepEqual(await covered(page), []);
          const add = page.getByRole('button', { name: 'Add note' });
          await add.scrollIntoViewIfNeeded();
          assert.deepEqual(await covered(page), []);
          await page.keyboard.press('Escape');
        });

        await t.test('on a table with selected rows, to its last one', async () => {
          await page.keyboard.press('Escape');
          await page.goto(`${place}/spans?timeRangeKey=1h`);
          await page.locator('.table-row').first().click();
          await page.getByRole('tree').waitFor();
          await page.getByRole('button', { name: 'Copy link' }).click();
          await told.waitFor();
          await page.keyboard.press('Escape');
          const table = page.getByRole('table', { name: 'Spans' });
          await page.getByLabel('Select all loaded rows').click();
          const bar = page.getByRole('region', { name: 'Selected rows' });
          await bar.waitFor();
          assert.deepEqual(await covered(page), []);
          await table.focus();
          await page.keyboard.press('End');
          await page.waitForTimeout(300);
          assert.deepEqual(await covered(page), []);
          // The selection bar covers no row either.
          const [ofTable, ofBar] = await Promise.all([table.boundingBox(), bar.boundingBox()]);
          assert(ofTable && ofBar && ofTable.y + ofTable.height <= ofBar.y, 'the table ends above the bar');
        });

        await t.test('in a drawer, with a dialog in it', async () => {
          await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: 'Clear' }).click();
          await page.evaluate(`localStorage.setItem('spandrel.preferences', '{"tracePlace":"drawer"}')`);
          await page.goto(`${place}/spans?timeRangeKey=1h`);
          await page.locator('.table-row').first().click();
          await page.getByRole('tree').waitFor();
          await page.getByRole('complementary', { name: 'Trace' }).getByRole('button', { name: 'Copy link' }).click();
          await told.waitFor();
          assert.deepEqual(await covered(page), []);
          await page.keyboard.press('e');
          await page.getByRole('group', { name: 'quality' }).waitFor();
          assert.deepEqual(await covered(page), []);
          await page.getByRole('button', { name: 'Add config' }).click();
          await page.getByRole('menuitem', { name: /Create config/ }).click();
          await page.getByRole('dialog', { name: 'Create annotation config' }).waitFor();
          assert.deepEqual(await covered(page), []);
          await page.keyboard.press('Escape');
        });

        await t.test('on a session', async () => {
          await page.goto(session);
          await page.getByRole('button', { name: 'Copy link' }).click();
          await told.waitFor();
          assert.deepEqual(await covered(page), []);
          await messages.getByRole('button', { name: 'Dismiss' }).click();
          await told.waitFor({ state: 'detached' });
        });
        assert.deepEqual(pageErrors, []);
      });
    }
  });
});
