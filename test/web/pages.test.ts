import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { seriousViolations } from './axe.ts';
import { closePage, NO_BROWSER, openBrowser, openPage } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { projectId } from './seed.ts';

const VIEWS = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1024, height: 768 },
  { theme: 'light', width: 420, height: 860 },
] as const;

async function settled(page: Page): Promise<void> {
  await page.locator('h1').waitFor();
  // Not `waitForFunction`, which evaluates in the page, where its policy forbids that.
  while ((await page.locator('[aria-busy=true]').count()) > 0) await page.waitForTimeout(50);
}

describe('the pages of the interface', { skip: NO_BROWSER }, () => {
  test('load in both themes and at all widths without an error', async (t) => {
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
      const views = VIEWS.map((_, index) => VIEWS[(opened + index) % VIEWS.length]!);
      opened++;
      const { page, pageErrors } = await openPage(browser, server.url, views[0]);
      await page.goto(server.url + path);
      for (const { theme, width, height } of views) {
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

    await t.test(
      'load at most 300 kB of scripts at the first visit of a table, which fits a window of 1024 px',
      async () => {
        const { page } = await openPage(browser, server.url, { width: 1024, height: 768 });
        for (const tab of ['spans', 'traces', 'sessions']) {
          await page.goto(`${server.url}/projects/${id}/${tab}?timeRangeKey=1d`);
          await page.locator('.table-row').first().waitFor();
          if (tab === 'spans') {
            const sizes = (await page.evaluate(
              "performance.getEntriesByType('resource').filter((each) => each.name.endsWith('.js')).map((each) => each.encodedBodySize)",
            )) as number[];
            const bytes = sizes.reduce((sum, size) => sum + size, 0);
            assert(bytes > 20_000 && bytes <= 300_000, `${bytes} bytes of scripts`);
          }
          const wider = await page
            .locator('.table')
            .evaluate((table: { scrollWidth: number; clientWidth: number }) => table.scrollWidth - table.clientWidth);
          assert(wider <= 0, `the table of ${tab} is wider by ${wider} px`);
        }
      },
    );
  });

  test('can be reached below a path prefix, including reloads', async (t) => {
    const server = await openPageServer(t, { HOST_ROOT_PATH: '/deep/spandrel' });
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);

    await page.goto(`${server.url}/deep/spandrel/settings`);
    await page.getByRole('link', { name: 'Tracing' }).click();
    await page.getByRole('link', { name: 'default', exact: true }).click();
    await page.getByText('Waiting for the first trace').waitFor();
    await page.reload();
    await page.getByText('Waiting for the first trace').waitFor();

    assert.match(new URL(page.url()).pathname, /^\/deep\/spandrel\/projects\//);
    assert.deepEqual(pageErrors, []);
  });
});
