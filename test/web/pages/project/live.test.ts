import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { seriousViolations } from '../../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilQuiet } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { hexId, projectId, type SeedSpan, seed } from '../../seed.ts';

const spans = (from: number, count: number): SeedSpan[] =>
  Array.from({ length: count }, (_, index) => ({
    traceId: hexId(from + index, 16),
    spanId: hexId(from + index, 8),
    name: `span ${from + index}`,
    start: Date.now() - 60_000 + (from + index) * 10,
    latencyMs: 5,
  }));

const row = (page: Page, name: string) => page.locator('.table-row', { has: page.getByText(name, { exact: true }) });
const scrollTop = (page: Page) => page.locator('.table').evaluate(({ scrollTop: top }: { scrollTop: number }) => top);

describe('a table of a project that receives data', { skip: NO_BROWSER }, () => {
  test('follows it by server-sent events, and removes no rows that the user reads', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'tail', spans(1, 200));
    const browser = await openBrowser(t);
    const { page, pageErrors, operations } = await openPage(browser, server.url);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'tail'))}`;

    await t.test('new rows appear on top automatically, without polling', async () => {
      await page.goto(`${place}/spans?timeRangeKey=1h`);
      await row(page, 'span 200').waitFor();
      await untilQuiet(page, operations);
      await seed(server.url, 'tail', spans(201, 1));
      await row(page, 'span 201').waitFor();
    });

    await t.test('a user who reads further down keeps the position, and sees the number of rows above', async () => {
      await page.getByLabel('Select row').nth(1).click();
      await page.locator('.table').evaluate((table: { scrollTop: number }) => {
        table.scrollTop = 1_000;
      });
      await row(page, 'span 150').waitFor();
      const box = (await row(page, 'span 150').boundingBox())!;
      await seed(server.url, 'tail', spans(202, 3));
      await page.getByRole('button', { name: '3 new' }).waitFor();
      const after = (await row(page, 'span 150').boundingBox())!;
      assert(Math.abs(after.y - box.y) < 2, `moved by ${after.y - box.y}`);
      await page.getByRole('region', { name: 'Selected rows' }).getByText('1 span selected').waitFor();
    });

    await t.test('more than a page of new rows does not push away the visible rows', async () => {
      const before = await scrollTop(page);
      await seed(server.url, 'tail', spans(205, 150));
      await page.getByRole('button', { name: 'Many new rows' }).waitFor();
      await row(page, 'span 150').waitFor();
      assert.equal(await scrollTop(page), before);
      assert.deepEqual(await seriousViolations(page), []);
      await page.getByRole('button', { name: 'Many new rows' }).click();
      await row(page, 'span 354').waitFor();
      assert.equal(await scrollTop(page), 0);
    });

    await t.test('a table stays unchanged without live updates until the user reloads it', async () => {
      await page.getByRole('button', { name: 'Clear', exact: true }).click();
      await page.getByRole('button', { name: 'Live' }).click();
      await seed(server.url, 'tail', spans(355, 1));
      await page.getByRole('button', { name: 'New rows available' }).waitFor();
      assert.equal(await row(page, 'span 355').count(), 0);
      await page.getByRole('button', { name: 'New rows available' }).click();
      await row(page, 'span 355').waitFor();
      await seed(server.url, 'tail', spans(356, 1));
      await page.getByRole('button', { name: 'New rows available' }).waitFor();
      await page.getByRole('button', { name: 'Live' }).click();
      await row(page, 'span 356').waitFor();
    });

    await t.test('the statistics are read after a change, and not again while there is none', async () => {
      const reads = () => operations.filter((name) => name === 'projectFigures').length;
      const reread = () => page.waitForRequest((request) => request.postData()?.includes('projectFigures') ?? false);
      const [before] = [reads(), await Promise.all([reread(), seed(server.url, 'tail', spans(357, 1))])];
      await page.waitForTimeout(6_000);
      // The change may come in two events: one for the span, and one for its trace.
      assert(reads() > before && reads() <= before + 2, `${reads() - before} reads`);
      const after = reads();
      await page.waitForTimeout(6_000);
      assert.equal(reads(), after);
    });

    await t.test('a range that has ended is not followed', async () => {
      const streams: string[] = [];
      page.on('request', (request) => streams.push(...(request.url().includes('/events') ? [request.url()] : [])));
      const until = new Date(Date.now() + 3_600_000).toISOString();
      await page.goto(`${place}/spans?timeRangeStart=2026-01-01T00:00:00Z&timeRangeEnd=${until}`);
      await row(page, 'span 357').waitFor();
      assert(await page.getByRole('button', { name: 'Live' }).isDisabled());
      await seed(server.url, 'tail', spans(358, 1));
      await page.waitForTimeout(2_500);
      assert.equal(await row(page, 'span 358').count(), 0);
      assert.deepEqual(streams, []);
    });

    assert.deepEqual(pageErrors, []);
  });
});
