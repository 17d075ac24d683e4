import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { agentTrace } from '../agent-trace.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { otherClient } from '../other-client.ts';
import { openPageServer } from '../page-server.ts';
import { hexId, projectId, seed } from '../seed.ts';

/** More stops than any of the screens has with so little data. */
const STOP_COUNT_MAX = 250;

interface Stop {
  readonly name: string;
  /** Whether it can be told from what has no focus. */
  readonly isMarked: boolean;
  readonly isInSight: boolean;
}

/** Tells how a page shows that an element has the focus. */
const DESCRIBE = `(element) => {
  const row = element.querySelector(':scope [aria-selected=true], :scope [data-current=true]');
  const around = [element, element.parentElement, element.closest('.filter-box, .config-annotated'), row];
  const isMarked = around.some((each) => {
    const style = each && getComputedStyle(each);
    return style && ((style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0) || style.boxShadow !== 'none');
  }) || Array.from(element.querySelectorAll('rect, .graph-line')).some((each) => getComputedStyle(each).strokeWidth === '2px');
  const box = (element.closest('label') ?? element).getBoundingClientRect();
  const isInSight = box.width > 0 && box.height > 0 && box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth;
  const name = element.getAttribute('aria-label') ?? element.textContent.trim().slice(0, 40);
  return { name: element.tagName + ' ' + name, isMarked, isInSight };
}`;

/** Describes the element that has the focus and appends it to `walked`; null when no element has it. */
const WHERE = `(() => {
  const element = document.activeElement;
  if (!element || element === document.body) return null;
  (globalThis.walked ??= []).push(element);
  return (${DESCRIBE})(element);
})()`;

const where = async (page: Page): Promise<Stop | null> => (await page.evaluate(WHERE)) as Stop | null;

/** Tabs through a page until the focus leaves it. */
async function walk(page: Page): Promise<readonly Stop[]> {
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press('Tab');
    const stop = await where(page);
    if (!stop) return stops;
    stops.push(stop);
    assert(stops.length < STOP_COUNT_MAX, `the focus stays on ${stop.name}`);
  }
}

/** Focuses the elements of the walk once more. The order does not depend on the theme, but the mark does. */
const walkAgain = async (page: Page): Promise<readonly Stop[]> =>
  (await page.evaluate(`walked.filter((each) => each.isConnected).map((each) => {
    each.focus();
    return (${DESCRIBE})(each);
  })`)) as Stop[];

/** Popovers, which are not modal. */
const LEFT_BY_TAB = new Set(['Last 7 days', 'Columns', 'Views']);

describe('the interface by keyboard', { skip: NO_BROWSER }, () => {
  test('reaches every page, shows the focus, and closes every element that it opened', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    await seed(
      server.url,
      'shop',
      [1, 2].flatMap((number) => agentTrace(number, { start: now - number * 20_000, session: `talk-${number}` })),
    );
    const other = otherClient(server.url);
    await other.createConfig('quality', 'shop');
    await other.createPolicy('A month');
    await other.createModel('house-model');
    await other.saveView('shop', 'Ours');
    await other.annotateSpan(hexId(1_000, 8), 'tone');
    const shop = `/projects/${encodeURIComponent(await projectId(server.url, 'shop'))}`;
    const session = `${shop}/sessions/${encodeURIComponent(await other.sessionNode('talk-1'))}`;
    const trace = `${shop}/traces/${hexId(1, 16)}`;
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    const settled = async () => {
      await page.locator('h1').waitFor();
      while ((await page.locator('[aria-busy=true]').count()) > 0) await page.waitForTimeout(30);
    };
    for (const path of [
      '/projects',
      `/projects/${encodeURIComponent(await projectId(server.url, 'default'))}`,
      `${shop}/spans?timeRangeKey=1h`,
      `${shop}/traces?timeRangeKey=1h`,
      `${shop}/sessions?timeRangeKey=1h`,
      `${shop}/metrics?timeRangeKey=1h`,
      `/dashboards${shop}/overview?timeRangeKey=1h`,
      `${shop}/config`,
      trace,
      `${trace}?traceView=conversation&spanView=attributes`,
      `${trace}?traceView=graph&spanView=raw`,
      `${trace}?aside=annotations`,
      `${trace}?aside=trace`,
      session,
      `${session}?aside=annotations`,
      `${session}?sessionView=traces`,
      `${shop}/compare?left=nothing&right=`,
      '/settings',
      '/settings/annotations',
      '/settings/retention',
      '/settings/ingest',
      '/settings/about',
      '/nothing/is/here',
    ]) {
      await t.test(path.replace(shop, '/shop').replace(session, '/session'), async () => {
        await page.emulateMedia({ colorScheme: 'light' });
        await page.goto(server.url + path);
        await settled();
        let stops: readonly Stop[] = [];
        // A part of the page that loads late may replace the element with the focus, which ends the walk.
        await untilPasses(async () => {
          await page.evaluate(
            'document.body.tabIndex = -1, document.body.focus(), document.body.removeAttribute("tabindex")',
          );
          stops = await walk(page);
          assert(stops.length > 8, `${stops.length} stops`);
        });
        assert.deepEqual(
          stops.filter(({ isMarked, isInSight }) => !isMarked || !isInSight),
          [],
        );
        await page.emulateMedia({ colorScheme: 'dark' });
        const stopsInDark = await walkAgain(page);
        assert(stopsInDark.length > stops.length * 0.8, `${stopsInDark.length} of ${stops.length} stops are left`);
        assert.deepEqual(
          stopsInDark.filter(({ isMarked }) => !isMarked),
          [],
        );
      });
    }
    for (const [at, opener, what] of [
      ['/projects', 'Create project', 'dialog'],
      ['/projects', 'Actions for shop', 'menu'],
      ['/projects', 'Last 7 days', 'dialog'],
      [`${shop}/spans`, 'Columns', 'dialog'],
      [`${shop}/spans`, 'Views', 'dialog'],
      [`${shop}/spans`, 'Export', 'dialog'],
      [`${shop}/config`, 'Create config', 'dialog'],
      [`${shop}/config`, 'Delete tone of spans', 'dialog'],
      [trace, 'Compare the span', 'dialog'],
      ['/settings/annotations', 'Edit quality', 'dialog'],
      ['/settings/annotations', 'Delete quality', 'dialog'],
      ['/settings/retention', 'Create policy', 'dialog'],
      ['/settings/models', 'Create model', 'dialog'],
      ['/settings', 'Search', 'dialog'],
      ['/settings', 'Keyboard', 'dialog'],
    ] as const) {
      await t.test(`${opener} on ${at.replace(shop, '/shop')}`, async () => {
        await page.goto(server.url + at);
        await settled();
        const button = page.getByRole('button', { name: opener }).first();
        await button.focus();
        await page.keyboard.press('Enter');
        const opened = page.getByRole(what).first();
        await opened.waitFor();
        // What is not modal may be left by Tab.
        const isModal = what === 'dialog' && !LEFT_BY_TAB.has(opener);
        if (isModal) await page.locator('[role=dialog]:focus, [role=dialog] :focus').first().waitFor();
        for (let times = 0; isModal && times < 12; times++) {
          await page.keyboard.press('Tab');
          // From its last stop the browser's own controls come next, for which the page says its body.
          const isInside = await page.evaluate(
            'document.activeElement.matches("body, [role=dialog], [role=dialog] *")',
          );
          assert(isInside, 'nothing behind it gets the focus');
        }
        await page.keyboard.press('Escape');
        await opened.waitFor({ state: 'detached' });
        await untilPasses(async () => {
          assert((await where(page)) !== null, 'the focus is not lost');
        });
      });
    }
    assert.deepEqual(pageErrors, []);
  });

  test('works in a table and on its page after a click on a checkbox or a header', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    await seed(
      server.url,
      'shop',
      [1, 2, 3, 4, 5, 6].flatMap((number) => agentTrace(number, { start: now - number * 20_000 })),
    );
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'shop'))}`;
    const { page, pageErrors } = await openPage(await openBrowser(t), server.url);
    await page.goto(`${place}/spans?timeRangeKey=1h`);
    const bar = page.getByRole('region', { name: 'Selected rows' });
    await page.locator('.table-row').nth(5).waitFor();

    // Nothing has the focus on a page that was just opened.
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await bar.getByText('1 span selected').waitFor();
    await page.keyboard.press('Enter');
    await page.locator('.tree-row').first().waitFor();
    await page.keyboard.press('Escape');
    await page.locator('.table-row').nth(5).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('.table-row').nth(2).and(page.locator('[data-current=true]')).waitFor();
    await page.evaluate(`localStorage.setItem('spandrel.preferences', '{"tracePlace":"drawer"}')`);
    await page.reload();
    await page.locator('.table-row').nth(5).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.locator('.trace-drawer .tree-row').first().waitFor();
    const opened = page.url();
    await page.evaluate('document.activeElement.blur()');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('x');
    assert.equal(await bar.count(), 0, 'keys are not for a table with a trace over it');
    assert.equal(page.url(), opened);
    await page.keyboard.press('Escape');
    await page.locator('.trace-drawer').waitFor({ state: 'detached' });

    await page.getByLabel('Select row').nth(1).click();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('x');
    await bar.getByText('2 spans selected').waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Shift+X');
    await bar.getByText('4 spans selected').waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor({ state: 'detached' });

    await page.getByRole('columnheader', { name: 'Latency' }).getByRole('button').first().click();
    await page.waitForURL(/sort=/);
    await page.locator('.table-row').nth(5).waitFor();
    await page.keyboard.press('Home');
    await page.keyboard.press('x');
    await bar.getByText(/^[35] spans selected/).waitFor();
    assert.deepEqual(pageErrors, []);
  });
});
