import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { closePage, NO_BROWSER, openBrowser, openPage } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql, hexId, projectId, type SeedSpan, seed } from '../../seed.ts';
import { findInPalette } from '../../shell/palette.ts';

const COUNT = 400;

/** Trace `n` is `n` minutes old and takes `n` ms. Even ones are slow, and every trace has three spans. */
function traces(now: number): SeedSpan[] {
  return Array.from({ length: COUNT }, (_, index): SeedSpan[] => {
    const number = index + 1;
    const ids = { traceId: hexId(number, 16), start: now - number * 60_000, latencyMs: number };
    const attributes = { 'session.id': `talk ${number}`, 'user.id': number % 2 === 0 ? 'even' : 'odd' };
    const root = { ...ids, spanId: hexId(3 * number, 8), name: `ask ${number}`, attributes };
    const below = { ...ids, parentSpanId: root.spanId };
    return [
      root,
      { ...below, spanId: hexId(3 * number + 1, 8), name: `look ${number}` },
      { ...below, spanId: hexId(3 * number + 2, 8), name: `dig ${number}` },
    ];
  }).flat();
}

const trace = (number: number) => new RegExp(`/${hexId(number, 16)}`);
const row = (page: Page, name: string) => page.locator('.table-row', { hasText: new RegExp(`${name}(?!\\d)`) });

/** The two ways to open a row. */
const WAYS: Readonly<Record<string, (row: Locator, name: string) => Promise<void>>> = {
  'the link of its name': (at, name) => at.getByRole('link', { name, exact: true }).click(),
  'a click on the row': (at) => at.getByRole('cell').last().click(),
};

describe('the neighbors of the open row', { skip: NO_BROWSER }, () => {
  test('belong to the table that the address names', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    await seed(server.url, 'rows', traces(now));
    const browser = await openBrowser(t);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'rows'))}`;
    /** A query as the interface writes it, over the last day. */
    const query = (params: Readonly<Record<string, string>>) =>
      `${new URLSearchParams({
        timeRangeStart: new Date(now - 86_400_000).toISOString(),
        timeRangeEnd: new Date(now).toISOString(),
        ...params,
      })}`;
    const even = { spanFilterCondition: "user.id == 'even'" };
    const prefer = (page: Page, preferences: object) =>
      page.addInitScript(
        `localStorage.getItem('spandrel.preferences') ?? localStorage.setItem('spandrel.preferences', '${JSON.stringify(preferences)}')`,
      );

    for (const tracePlace of ['page', 'drawer']) {
      for (const [way, open] of Object.entries(WAYS)) {
        await t.test(
          `${way} opens a trace with its neighbors, on a ${tracePlace}, and Escape leads back to the table`,
          async () => {
            const { page, pageErrors } = await openPage(browser, server.url);
            await prefer(page, { tracePlace });
            for (const tab of ['traces', 'spans']) {
              await page.goto(`${place}/${tab}?${query({ ...even, sort: 'latencyMs:asc' })}`);
              const table = page.url();
              await open(row(page, 'ask 4'), 'ask 4');
              await page.getByRole('tree').waitFor();
              await page.getByRole('button', { name: 'Next' }).waitFor();
              await page.keyboard.press('j');
              await page.waitForURL(trace(6));
              await page.keyboard.press('k');
              await page.waitForURL(trace(4));
              await page.keyboard.press('k');
              await page.waitForURL(trace(2));
              assert.equal(await page.getByRole('button', { name: 'Previous' }).count(), 0);
              await page.keyboard.press('Escape');
              await page.getByRole('tree').waitFor({ state: 'detached' });
              await row(page, 'ask 2').waitFor();
              assert.equal(new URL(page.url()).search, new URL(table).search);
              assert.equal(await row(page, 'ask 3').count(), 0);
            }
            assert.deepEqual(pageErrors, []);
            await closePage(page);
          },
        );
      }
    }

    await t.test('the link of a session has neighbors, too', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(
        `${place}/sessions?${query({ sort: 'startTime:asc', sessionFilterCondition: 'any(t.latency_ms > 300 for t in traces)' })}`,
      );
      const table = page.url();
      const name = `talk ${COUNT - 2}`;
      await row(page, name).getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await page.keyboard.press('j');
      await page.getByRole('heading', { name: `talk ${COUNT - 3}`, exact: true }).waitFor();
      await page.keyboard.press('k');
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await page.keyboard.press('k');
      await page.getByRole('heading', { name: `talk ${COUNT - 1}`, exact: true }).waitFor();
      // Also after a reload, and when the link was opened in another tab.
      await page.reload();
      await page.getByRole('button', { name: 'Next' }).waitFor();
      await page.keyboard.press('j');
      await page.getByRole('heading', { name, exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await row(page, name).waitFor();
      assert.equal(new URL(page.url()).search, new URL(table).search);
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('another tab has the same neighbors, whether a link or a row was opened in it', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(
        `${place}/spans?${query({ spanFilterCondition: "'look' in name and latency_ms < 399", spans: 'all', sort: 'latencyMs:desc' })}`,
      );
      const table = page.url();
      const opened = row(page, `look ${COUNT - 4}`);
      for (const at of [opened.getByRole('link'), opened.getByRole('cell').last()]) {
        const [other] = await Promise.all([
          page.context().waitForEvent('page'),
          at.click({ modifiers: ['ControlOrMeta'] }),
        ]);
        await other.locator('.tree-row[aria-selected=true]', { hasText: `look ${COUNT - 4}` }).waitFor();
        await other.getByRole('button', { name: 'Next' }).waitFor();
        const from = other.url();
        await other.keyboard.press('j');
        await other.waitForURL((url) => url.href !== from);
        for (const less of [5, 6, 7]) {
          const selected = other.locator('.tree-row[aria-selected=true]');
          await selected.getByText(`look ${COUNT - less}`, { exact: true }).waitFor();
          const before = other.url();
          await other.keyboard.press('j');
          await other.waitForURL((url) => url.href !== before);
        }
        await other.locator('.tree-row[aria-selected=true]').waitFor();
        await other.keyboard.press('Escape');
        await other.locator('.table-row').first().waitFor();
        assert.equal(new URL(other.url()).search, new URL(table).search);
        await other.close();
      }
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('the neighbors continue beyond the rows that the table had loaded', async () => {
      const { page, pageErrors, operations } = await openPage(browser, server.url);
      await page.goto(`${place}/traces?${query({ sort: 'traceLatencyMs:asc' })}`);
      await row(page, 'ask 20').getByRole('cell').last().click();
      await page.getByRole('tree').waitFor();
      // The table reads 60 rows at first.
      for (let number = 21; number <= 63; number++) {
        await page.getByRole('button', { name: 'Next' }).waitFor();
        await page.keyboard.press('j');
        await page.waitForURL(trace(number));
      }
      // Back in the table, the row is the current one if the table had loaded it.
      for (let number = 62; number >= 57; number--) {
        await page.getByRole('button', { name: 'Previous' }).waitFor();
        await page.keyboard.press('k');
        await page.waitForURL(trace(number));
      }
      await page.keyboard.press('Escape');
      await page.locator('.table-row[data-current=true]', { hasText: 'ask 57' }).waitFor();
      const box = (await row(page, 'ask 57').boundingBox())!;
      assert(box.y > 0 && box.y + box.height <= 900, 'the row is in sight');
      await page.locator('.table').focus();
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await page.waitForURL(trace(58));
      // Far down, in a tab that has loaded no rows yet.
      const far = page.url().replace(hexId(58, 16), hexId(300, 16));
      operations.length = 0;
      await page.goto(far);
      await page.getByRole('button', { name: 'Next' }).waitFor();
      await page.keyboard.press('j');
      await page.waitForURL(trace(301));
      const asked = operations.slice(operations.indexOf('traceHead'));
      assert(asked.includes('projectSpans'), `the trace comes first: ${operations.join()}`);
      await page.getByRole('button', { name: 'Show traces beside the table' }).click();
      await page.goto(far);
      await page.locator('.table-row[data-current=true]', { hasText: 'ask 300' }).waitFor();
      await page.keyboard.press('j');
      await page.waitForURL(trace(301));
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test(
      'the last row has no next row, and a trace without a table has no neighbors',

      async () => {
        const { page, pageErrors, operations } = await openPage(browser, server.url);
        await page.goto(`${place}/traces?${query({ sort: 'traceLatencyMs:desc' })}`);
        await row(page, `ask ${COUNT}`)
          .getByRole('link', { name: `ask ${COUNT}` })
          .click();
        await page.getByRole('tree').waitFor();
        await page.getByRole('button', { name: 'Next' }).waitFor();
        // A trace that is opened by its ID belongs to no table, even if a table contained it.
        await findInPalette(page, hexId(390, 16), /^Open trace/);
        await page.keyboard.press('Enter');
        await page.waitForURL((url) => url.pathname.endsWith(`/traces/${hexId(390, 16)}`));
        await page.getByRole('tree').waitFor();
        assert.equal(await page.getByRole('button', { name: /^(Next|Previous)$/ }).count(), 0);
        const { href } = new URL(page.url());
        await page.keyboard.press('j');
        await page.waitForTimeout(300);
        assert.equal(page.url(), href);
        await page.keyboard.press('q');
        await page.getByText('This page was not opened from a table.').waitFor();
        operations.length = 0;
        await page.reload();
        await page.getByRole('tree').waitFor();
        assert(!operations.includes('projectSpans'), 'and none is read for it');

        // A trace that the table does not contain has no neighbours.
        const table = page.waitForResponse(
          (response) => response.request().postDataJSON()?.operationName === 'projectSpans',
        );
        await page.goto(`${place}/traces/${hexId(3, 16)}?${query(even)}`);
        await page.getByRole('tree').waitFor();
        await table;
        await page.waitForTimeout(300);
        assert.equal(await page.getByRole('button', { name: /^(Next|Previous)$/ }).count(), 0);
        assert.deepEqual(pageErrors, []);
        await closePage(page);
      },
    );

    await t.test('another table that was open before does not change the neighbors', async () => {
      const { page } = await openPage(browser, server.url);
      await page.goto(`${place}/traces?${query({ sort: 'traceLatencyMs:asc' })}`);
      await row(page, 'ask 5').getByRole('link', { name: 'ask 5' }).click();
      await page.getByRole('tree').waitFor();
      await page.goBack();
      await page.getByRole('button', { name: 'Latency' }).click();
      await row(page, `ask ${COUNT}`).waitFor();
      await page.goBack();
      await page.goForward();
      await row(page, `ask ${COUNT}`).waitFor();
      await page.goBack();
      await page.waitForURL((url) => /asc/.test(url.search) && /traces$/.test(url.pathname));
      await row(page, 'ask 5').getByRole('link', { name: 'ask 5' }).click();
      await page.getByRole('tree').waitFor();
      await page.keyboard.press('j');
      await page.waitForURL(trace(6));
      await closePage(page);
    });

    await t.test('J continues from the opened row, whatever the user selected in its trace', async () => {
      const { page } = await openPage(browser, server.url);
      const spanFilterCondition = "'ask' not in name";
      await page.goto(`${place}/spans?${query({ spanFilterCondition, spans: 'all', sort: 'startTime:asc' })}`);
      await page.locator('.table-row').nth(2).waitFor();
      await page.locator('.table-row').nth(1).getByRole('link').click();
      await page.getByRole('button', { name: 'Previous' }).waitFor();
      const opened = new URL(page.url()).pathname;
      await page.locator('.tree-row', { hasText: 'ask' }).click();
      await page.locator('.tree-row[aria-selected=true]', { hasText: 'ask' }).waitFor();
      await page.locator('.tree-row[aria-selected=true]').press('j');
      await page.waitForURL(({ pathname }) => pathname !== opened);
      await closePage(page);
    });

    await t.test('the drawer and the page have the same address, and each leads back to the same table', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/traces?${query({ ...even, sort: 'traceLatencyMs:asc' })}`);
      const table = page.url();
      await row(page, 'ask 6').getByRole('link', { name: 'ask 6' }).click();
      await page.getByRole('tree').waitFor();
      const address = page.url();
      await page.getByRole('button', { name: 'Show traces beside the table' }).click();
      await page.getByRole('complementary', { name: 'Trace', exact: true }).waitFor();
      await row(page, 'ask 6').waitFor();
      await page.locator('.table-row[data-current=true]', { hasText: 'ask 6' }).waitFor();
      assert.equal(await row(page, 'ask 7').count(), 0);
      assert.equal(page.url(), address);
      await page.keyboard.press('j');
      await page.waitForURL(trace(8));
      await page.getByRole('button', { name: 'Show traces on a full page' }).click();
      await page.getByRole('complementary', { name: 'Trace', exact: true }).waitFor({ state: 'detached' });
      await page.keyboard.press('j');
      await page.waitForURL(trace(10));
      await page.getByRole('navigation', { name: 'Breadcrumb' }).getByRole('link', { name: 'rows' }).click();
      await row(page, 'ask 6').waitFor();
      assert.equal(new URL(page.url()).search, new URL(table).search);
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('the queue continues from a link as from a row', async () => {
      const annotate =
        'mutation ($input: CreateSpanAnnotationInput!) { createSpanAnnotations(input: [$input]) { __typename } }';
      const { getSpanByOtelId: span } = await graphql<{ getSpanByOtelId: { id: string } }>(
        server.url,
        `{ getSpanByOtelId(spanId: "${hexId(3 * 10, 8)}") { id } }`,
      );
      await graphql(server.url, annotate, {
        input: {
          spanId: span.id,
          name: 'tone',
          label: 'fine',
          annotatorKind: 'HUMAN',
          source: 'APP',
          metadata: {},
          identifier: 'interface',
        },
      });
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/spans?${query({ ...even, sort: 'latencyMs:asc' })}`);
      await row(page, 'ask 8').getByRole('link', { name: 'ask 8' }).click();
      await page.getByRole('tree').waitFor();
      await page.keyboard.press('q');
      await page.waitForURL(trace(12));
      assert.equal(await page.getByText('last row').count(), 0);
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('Escape closes a comparison and returns to its origin', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/traces?${query({ ...even, sort: 'traceLatencyMs:asc' })}`);
      const table = page.url();
      for (const leave of [
        () => page.keyboard.press('Escape'),
        () => page.getByRole('button', { name: 'Close the comparison' }).click(),
      ]) {
        await row(page, 'ask 2').getByLabel('Select row').click();
        await row(page, 'ask 4').getByLabel('Select row').click();
        await page.getByRole('link', { name: 'Compare' }).click();
        await page.getByText(/of [0-9]+ differ ·/).waitFor();
        await page.getByRole('button', { name: 'Swap sides' }).click();
        await leave();
        await row(page, 'ask 2').waitFor();
        assert.equal(page.url(), table);
      }
      // A page in its own tab has no previous page.
      await row(page, 'ask 2').getByLabel('Select row').click();
      await row(page, 'ask 4').getByLabel('Select row').click();
      const [other] = await Promise.all([
        page.context().waitForEvent('page'),
        page.getByRole('link', { name: 'Compare' }).click({ modifiers: ['ControlOrMeta'] }),
      ]);
      await other.getByText(/of [0-9]+ differ ·/).waitFor();
      await other.keyboard.press('Escape');
      await other.getByRole('table', { name: 'Traces' }).waitFor();
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });
  });
});
