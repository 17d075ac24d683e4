import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { closePage, NO_BROWSER, openBrowser, openPage, untilPasses } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { graphql, hexId, projectId, seed } from './seed.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** A page of a user who chose another range last. */
async function openAs(browser: Browser, origin: string, preferences: object) {
  const watched = await openPage(browser, origin);
  const stored = JSON.stringify(JSON.stringify(preferences));
  await watched.page.addInitScript(
    `localStorage.getItem('spandrel.preferences') ?? localStorage.setItem('spandrel.preferences', ${stored})`,
  );
  return watched;
}

const shownRange = (page: Page) => page.locator('.range button[aria-haspopup]');
const bounds = (url: string) =>
  ['timeRangeStart', 'timeRangeEnd'].map((name) => Date.parse(new URL(url).searchParams.get(name) ?? ''));

async function copyLink(page: Page): Promise<string> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await page.getByRole('button', { name: 'Copy link to this view' }).first().click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  return (await page.evaluate('navigator.clipboard.readText()')) as string;
}

describe('a link', { skip: NO_BROWSER }, () => {
  test('shows the same to every user', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    const span = (number: number, ageMs: number) => ({
      traceId: hexId(number, 16),
      spanId: hexId(number, 8),
      name: `span ${number}`,
      start: now - ageMs,
      latencyMs: number,
      isError: number === 2,
      attributes: { 'session.id': `talk ${number}` },
    });
    await seed(server.url, 'linked', [
      span(1, 60_000),
      span(2, 2 * HOUR_MS),
      span(3, 3 * DAY_MS),
      span(4, 20 * DAY_MS),
    ]);
    const project = await projectId(server.url, 'linked');
    const place = `${server.url}/projects/${encodeURIComponent(project)}`;
    const browser = await openBrowser(t);
    const rowCount = (page: Page, count: number) =>
      page.locator(`[role=table][aria-rowcount="${count + 1}"][aria-busy=false]`).waitFor();

    await t.test('a link without a range means the last 7 days, whatever range the user chose last', async () => {
      for (const tab of ['', '/spans', '/traces', '/sessions', '/metrics']) {
        const { page, pageErrors } = await openAs(browser, server.url, { timeRangeKey: '30d' });
        await page.goto(place + tab);
        await shownRange(page).getByText('Last 7 days').waitFor();
        if (tab !== '/metrics') await rowCount(page, 3);
        // The address bar contains the range.
        await page.waitForURL(/timeRangeKey=7d/);
        assert.equal(await page.evaluate('history.length'), 2, 'which is no step');
        assert.deepEqual(pageErrors, []);
        await closePage(page);
      }
      const { page } = await openAs(browser, server.url, { timeRangeKey: '30d' });
      for (const path of ['/projects', '/redirects/projects/linked']) {
        await page.goto(server.url + path);
        await shownRange(page).getByText('Last 7 days').waitFor();
      }
      await closePage(page);
    });

    await t.test('a link with a range shows that range, which does not become a preference of the user', async () => {
      const { page } = await openAs(browser, server.url, { timeRangeKey: '30d' });
      await page.goto(`${place}/spans?timeRangeKey=1h`);
      await shownRange(page).getByText('Last hour').waitFor();
      await rowCount(page, 1);
      await page.goto(server.url);
      await shownRange(page).getByText('Last 30 days').waitFor();
      await closePage(page);
    });

    await t.test('the start page opens with the range that the user chose last, and links keep it', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${server.url}/projects?timeRangeKey=7d`);
      await shownRange(page).click();
      await page.locator('.range-presets').getByRole('button', { name: 'Last 30 days' }).click();
      await page.goto(server.url);
      await shownRange(page).getByText('Last 30 days').waitFor();
      await untilPasses(async () => {
        assert.match(page.url(), /timeRangeKey=30d/);
      });
      const link = page.getByRole('link', { name: 'linked' });
      await untilPasses(async () => {
        assert.match((await link.getAttribute('href')) ?? '', /timeRangeKey=30d/);
      });
      await link.click();
      await rowCount(page, 4);
      assert.match(page.url(), /timeRangeKey=30d/);
      for (const tab of ['Traces', 'Sessions', 'Metrics', 'Spans']) {
        await page.getByRole('navigation', { name: 'Views of the project' }).getByRole('link', { name: tab }).click();
        await page.waitForURL(new RegExp(`${tab.toLowerCase()}.*timeRangeKey=30d`));
      }
      await page.goto(`${server.url}/settings`);
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Tracing' }).click();
      await page.waitForURL(/timeRangeKey=30d/);
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('links keep the range of the address within its project, and not to other projects', async () => {
      const { page } = await openPage(browser, server.url);
      const range = `timeRangeStart=${new Date(now - DAY_MS).toISOString()}&timeRangeEnd=${new Date(now).toISOString()}`;
      await page.goto(`${place}/spans?${range}`);
      await rowCount(page, 2);
      await page.keyboard.press('Control+k');
      await page.getByRole('combobox', { name: 'Search' }).fill('Traces of this');
      await page.getByRole('option', { name: 'Traces of this project' }).click();
      await page.getByRole('table', { name: 'Traces' }).waitFor();
      await rowCount(page, 2);
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'Projects' }).click();
      await shownRange(page).getByText('Last 7 days').waitFor();
      await closePage(page);
    });

    await t.test('is copied with an absolute range', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/spans?timeRangeKey=1d&sort=latencyMs:asc&spans=all`);
      await rowCount(page, 2);
      const before = Date.now();
      const link = await copyLink(page);
      const [start, end] = bounds(link);
      assert.equal(end! - start!, DAY_MS);
      assert(end! >= before - 1_000 && end! <= Date.now());
      assert.doesNotMatch(link, /timeRangeKey/);
      assert.match(link, /sort=latencyMs/);
      assert.match(page.url(), /timeRangeKey=1d/, 'the page itself goes on');

      const other = await openAs(browser, server.url, { timeRangeKey: '15m' });
      await other.page.goto(link);
      await rowCount(other.page, 2);
      await untilPasses(async () => {
        assert.match((await other.page.locator('.table-row').first().textContent()) ?? '', /span 1/);
      });
      assert.deepEqual(pageErrors, []);
      for (const each of [page, other.page]) await closePage(each);
    });

    await t.test('a copied link has a fixed end, also on the other tabs', async () => {
      const { page } = await openPage(browser, server.url);
      const start = new Date(now - DAY_MS).toISOString();
      for (const tab of ['traces', 'sessions', 'metrics']) {
        await page.goto(`${place}/${tab}?timeRangeStart=${start}`);
        const [from, to] = bounds(await copyLink(page));
        assert.equal(from, now - DAY_MS);
        assert(to! > now - 1_000 && to! <= Date.now());
      }
      await page.goto(`${server.url}/projects?timeRangeKey=1h&search=link`);
      assert.match(await copyLink(page), /projects[?].*search=link.*timeRangeEnd=/);
      await closePage(page);
    });

    await t.test('a link to a trace keeps the list that it was opened from, or has none', async () => {
      const { page } = await openPage(browser, server.url);
      await page.goto(`${place}/traces?timeRangeKey=7d&sort=traceLatencyMs:asc`);
      await page.getByRole('link', { name: 'span 2' }).click();
      await page.getByRole('tree').waitFor();
      const link = await copyLink(page);
      const [start, end] = bounds(link);
      assert.equal(end! - start!, 7 * DAY_MS);
      const other = await openAs(browser, server.url, { timeRangeKey: '30d' });
      await other.page.goto(link);
      await other.page.getByRole('button', { name: 'Next' }).waitFor();
      await other.page.keyboard.press('j');
      await other.page.waitForURL(new RegExp(hexId(3, 16)));
      await other.page.keyboard.press('Escape');
      await rowCount(other.page, 3);
      await closePage(other.page);

      await page.goto(`${place}/traces/${hexId(1, 16)}`);
      await page.getByRole('tree').waitFor();
      assert.equal(await copyLink(page), page.url());
      await closePage(page);
    });

    await t.test('a link to a saved view opens with the range of the view', async () => {
      for (const [name, search] of [
        ['A month', 'timeRangeKey=30d'],
        ['Slow', 'sort=latencyMs%3Adesc'],
      ] as const) {
        const input = { projectId: project, tab: 'spans', name, search, layout: '{}' };
        const { saveView } = await graphql<{ saveView: { id: string } }>(server.url, SAVE_VIEW, { input });
        const { page } = await openAs(browser, server.url, { timeRangeKey: '15m' });
        await page.goto(`${place}/spans?view=${encodeURIComponent(saveView.id)}`);
        await page.waitForURL(name === 'Slow' ? /sort=/ : /30d/);
        await shownRange(page)
          .getByText(name === 'Slow' ? 'Last 7 days' : 'Last 30 days')
          .waitFor();
        await rowCount(page, name === 'Slow' ? 3 : 4);
        await closePage(page);
      }
    });

    await t.test('ranges are described in words, after any number of zooms', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/spans?timeRangeKey=7d`);
      const zoom = async (name: string, label: string, key: string) => {
        await page.getByRole('button', { name }).click();
        await shownRange(page).getByText(label, { exact: true }).waitFor();
        assert.equal(new URL(page.url()).searchParams.get('timeRangeKey'), key);
      };
      await zoom('Zoom out', 'Last 14 days', '14d');
      await zoom('Zoom out', 'Last 28 days', '28d');
      await zoom('Zoom in', 'Last 14 days', '14d');
      await zoom('Zoom in', 'Last 7 days', '7d');
      await page.goto(`${place}/spans?timeRangeKey=1h`);
      await zoom('Zoom in', 'Last 30 minutes', '30m');
      await zoom('Zoom in', 'Last 15 minutes', '15m');
      await zoom('Zoom in', 'Last 8 minutes', '8m');
      for (const [key, label] of [
        ['20160m', 'Last 14 days'],
        ['36h', 'Last 36 hours'],
        ['1h', 'Last hour'],
        ['24h', 'Last day'],
        ['2hours', 'Last 2 hours'],
        ['1.5h', 'Last 90 minutes'],
        ['1m', 'Last minute'],
        ['90s', 'Last 90 seconds'],
        ['1w', 'Last 7 days'],
        ['nonsense', 'Last 7 days'],
        ['99999d', 'Last 7 days'],
      ]) {
        await page.goto(`${place}/spans?timeRangeKey=${key}`);
        await shownRange(page).getByText(label!, { exact: true }).waitFor();
      }
      // Zooming out stops before the range becomes invalid.
      await page.goto(`${place}/spans?timeRangeKey=30d`);
      for (let times = 0; times < 12; times++) await page.getByRole('button', { name: 'Zoom out' }).click();
      await shownRange(page).getByText('Last 3650 days', { exact: true }).waitFor();
      await rowCount(page, 4);
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });
  });
});

const SAVE_VIEW = 'mutation ($input: SaveViewInput!) { saveView(input: $input) { id } }';
