import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { seriousViolations } from './axe.ts';
import { closePage, openBrowser, openPage } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { projectId } from './seed.ts';

export interface View {
  readonly theme: 'light' | 'dark';
  readonly width: number;
  readonly height: number;
}

async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  // Not `waitForFunction`, which evaluates in the page, where its policy forbids that.
  while ((await page.locator('[aria-busy=true]').count()) > 0) await page.waitForTimeout(50);
}

/**
 * Opens each page of a server with the sample project, and shows it in all views, in subtests: without an error, without a violation of
 * accessibility, and no wider than the window.
 *
 * @returns the server's address, and the ID of the sample project for an address
 */
export async function walkPages(
  t: TestContext,
  views: readonly View[],
): Promise<{ readonly url: string; readonly id: string; readonly browser: Browser }> {
  const server = await openPageServer(t);
  const browser = await openBrowser(t);
  const first = await openPage(browser, server.url);
  await first.page.goto(`${server.url}/`);
  await first.page.getByRole('button', { name: 'Load sample project' }).click();
  await first.page.locator('.table-row').first().waitFor();
  const id = encodeURIComponent(await projectId(server.url, 'sample-support-assistant'));
  const empty = encodeURIComponent(await projectId(server.url, 'default'));
  const traceLink = (await first.page.locator('.table-row a').first().getAttribute('href')) ?? '';
  await first.page.getByRole('link', { name: 'Sessions' }).click();
  await first.page.getByRole('table', { name: 'Sessions' }).locator('.table-row a').first().waitFor();
  const sessionLink = (await first.page.locator('.table-row a').first().getAttribute('href')) ?? '';
  assert.deepEqual(first.pageErrors, []);

  let opened = 0;
  for (const path of [
    '/projects',
    `/projects/${empty}`,
    `/projects/${id}/spans?timeRangeKey=1d`,
    `/projects/${id}/spans?timeRangeKey=1d&spans=all`,
    `/projects/${id}/traces?timeRangeKey=1d`,
    `/projects/${id}/sessions?timeRangeKey=1d`,
    `/projects/${id}/metrics?timeRangeKey=1d`,
    `/projects/${id}/config`,
    `/projects/${id}/spans?timeRangeStart=2020-01-01T00:00:00Z&timeRangeEnd=2020-01-02T00:00:00Z`,
    traceLink,
    `${traceLink.split('?')[0]}?spanView=attributes`,
    `${traceLink.split('?')[0]}?traceView=conversation`,
    `${traceLink.split('?')[0]}?traceView=graph&spanView=raw`,
    `${traceLink.split('?')[0]}?aside=annotations`,
    sessionLink,
    `${sessionLink.split('?')[0]}?sessionView=traces`,
    `${sessionLink.split('?')[0]}?aside=annotations`,
    `/projects/${id}/compare?left=nothing&right=`,
    `/dashboards/projects/${id}/overview?timeRangeKey=1d`,
    '/prompts',
    '/playground',
    '/settings',
    '/settings/models',
    '/datasets',
    '/evaluators',
    '/settings/datasets',
    '/settings/prompts',
    '/settings/annotations',
    '/settings/retention',
    '/settings/ingest',
    '/settings/about',
    '/nothing/is/here',
    '/redirects/traces/0123456789abcdef0123456789abcdef',
  ]) {
    // Each page is opened in another of the views, and then shown in the others.
    const ordered = views.map((_, index) => views[(opened + index) % views.length]!);
    opened++;
    const { page, pageErrors } = await openPage(browser, server.url, ordered[0]);
    await page.goto(server.url + path);
    for (const { theme, width, height } of ordered) {
      await t.test(`${path.replace(id, 'id')} ${theme} ${width}`, async () => {
        await page.setViewportSize({ width, height });
        await page.emulateMedia({ colorScheme: theme });
        await settled(page);

        const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');

        assert.deepEqual(await seriousViolations(page), []);
        assert.deepEqual(pageErrors, []);
        assert.equal(overflow, 0, 'the page itself does not scroll sideways');
      });
    }
    await closePage(page);
  }
  return { url: server.url, id, browser };
}
