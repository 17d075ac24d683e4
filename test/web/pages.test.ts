import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_BROWSER, openBrowser, openPage } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { type View, walkPages } from './walk-pages.ts';

const VIEWS: readonly View[] = [
  { theme: 'light', width: 1440, height: 900 },
  { theme: 'dark', width: 1024, height: 768 },
  { theme: 'light', width: 420, height: 860 },
];

describe('the pages of the interface', { skip: NO_BROWSER }, () => {
  test('load in both themes and at all widths without an error', async (t) => {
    const { url, id, browser } = await walkPages(t, VIEWS);

    await t.test(
      'load at most 300 kB of scripts at the first visit of a table, which fits a window of 1024 px',
      async () => {
        const { page } = await openPage(browser, url, { width: 1024, height: 768 });
        for (const tab of ['spans', 'traces', 'sessions']) {
          await page.goto(`${url}/projects/${id}/${tab}?timeRangeKey=1d`);
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
