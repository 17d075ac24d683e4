import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startServer } from '../../e2e/server-process.ts';
import { seriousViolations } from '../axe.ts';
import { closePage, NO_BROWSER, openBrowser, openPage, untilPasses, untilRows } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { hexId, projectId, seed } from '../seed.ts';
import { findInPalette } from './palette.ts';

const START = Date.parse('2026-03-02T12:00:00Z');
const SPAN = {
  traceId: hexId(0xabc, 16),
  spanId: hexId(0xabc, 8),
  name: 'answer',
  start: START,
  latencyMs: 100,
  attributes: { 'input.value': 'hello' },
};
const RANGE = 'timeRangeStart=2026-03-02T00:00:00Z&timeRangeEnd=2026-03-03T00:00:00Z';

describe('the shell of every page', { skip: NO_BROWSER }, () => {
  test('navigates, applies preferences and reports failures', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'around', [SPAN]);
    const id = encodeURIComponent(await projectId(server.url, 'around'));
    const place = `${server.url}/projects/${id}`;
    const browser = await openBrowser(t);

    await t.test('the navigation marks the current page, stays collapsed, and links to both API pages', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/spans?${RANGE}`);
      const nav = page.getByRole('navigation', { name: 'Main' });
      // The content must have something to focus.
      await page.locator('main').getByRole('table').waitFor();
      await page.keyboard.press('Tab');
      assert.equal(await page.locator(':focus').textContent(), 'Skip to content');
      await page.keyboard.press('Enter');
      await page.keyboard.press('Tab');
      await page.locator('main :focus').waitFor();
      assert.equal(await nav.getByRole('link', { name: 'Tracing' }).getAttribute('aria-current'), 'page');
      assert.equal(await nav.getByRole('link', { name: 'Settings' }).getAttribute('aria-current'), null);
      await nav.getByRole('button', { name: 'Collapse navigation' }).click();
      await page.reload();
      await nav.getByRole('button', { name: 'Expand navigation' }).click();
      for (const [name, path] of [
        ['GraphQL', '/graphql'],
        ['REST API', '/docs'],
      ] as const) {
        await page.goto(`${place}/spans?${RANGE}`);
        await nav.getByRole('link', { name }).click();
        await page.waitForURL(`**${path}`);
        await untilPasses(async () => {
          assert(((await page.locator('body').textContent()) ?? '').length > 40);
        });
      }
      await page.goto(`${place}/traces/${SPAN.traceId}`);
      const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' });
      await crumbs.getByRole('link', { name: 'around' }).click();
      await page.getByRole('table').waitFor();
      await crumbs.getByRole('link', { name: 'Projects' }).click();
      await page.getByRole('heading', { name: 'Projects' }).waitFor();
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('the data of a page is requested once, while its code is loading', async () => {
      const { page, pageErrors, operations } = await openPage(browser, server.url);
      for (const [path, asked, row] of [
        [`/spans?${RANGE}`, 'projectSpans', '.table-row'],
        [`/traces/${SPAN.traceId}`, 'traceHead', '.tree-row'],
      ] as const) {
        operations.length = 0;
        const held: (() => void)[] = [];
        await page.route(/(Project|Trace)Page-[^/]*[.]js$/, (route) => void held.push(() => void route.continue()));
        const isAsked = page.waitForRequest((request) => request.postDataJSON()?.operationName === asked);
        const isHeld = page.waitForRequest(/(Project|Trace)Page-[^/]*[.]js$/);
        await page.goto(place + path, { waitUntil: 'commit' });
        await Promise.all([isAsked, isHeld]);
        assert.equal(await page.locator(row).count(), 0);
        for (const release of held) release();
        await page.locator(row).first().waitFor();
        assert.deepEqual(
          operations.filter((name) => name === asked),
          [asked],
        );
        await page.unroute(/(Project|Trace)Page-[^/]*[.]js$/);
      }
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('code that does not load is a failure of its page only, and is requested again', async () => {
      const { page } = await openPage(browser, server.url);
      await page.route(/ProjectPage-[^/]*[.]js$/, (route) => route.abort());
      await page.goto(`${place}/spans?${RANGE}`);
      await page.getByRole('heading', { name: 'This page could not be displayed' }).waitFor();
      await page.getByRole('navigation', { name: 'Main' }).waitFor();
      await page.unroute(/ProjectPage-[^/]*[.]js$/);
      await page.reload();
      await page.locator('.table-row').first().waitFor();
      await closePage(page);
    });

    await t.test('the user chooses the theme, or it follows the system while the page is open', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${server.url}/settings`);
      const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
      const light = await ground();
      await page.emulateMedia({ colorScheme: 'dark' });
      await untilPasses(async () => {
        assert.notEqual(await ground(), light);
      });
      await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'light' }).click();
      await untilPasses(async () => {
        assert.equal(await ground(), light);
      });
      await page.reload();
      await page.getByRole('heading', { name: 'Appearance' }).waitFor();
      assert.equal(await ground(), light);
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('a page that waits moves only for users who want it, without painting its content', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.route('**/graphql', () => undefined);
      await page.goto(`${place}/spans?${RANGE}`);
      await page.locator('.skeleton').first().waitFor();
      /** Properties that are animated forever. */
      const animated = async () =>
        (await page.evaluate(`[...new Set(document.getAnimations()
          .filter(({ effect }) => effect.getComputedTiming().iterations === Infinity)
          .flatMap(({ effect }) => effect.getKeyframes().flatMap(Object.keys)))]
          .filter((key) => !/^(offset|computedOffset|easing|composite)$/.test(key))`)) as string[];
      assert.deepEqual(await animated(), []);
      await page.emulateMedia({ reducedMotion: 'no-preference' });
      await untilPasses(async () => {
        const properties = await animated();
        assert(properties.includes('opacity'));
        assert.deepEqual(
          properties.filter((property) => !/^(opacity|transform)$/.test(property)),
          [],
        );
      });
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('charts, values and the API pages follow the theme', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      const inThemes = async (selector: string, property: 'color' | 'fill' | 'backgroundColor') => {
        await page.locator(selector).first().waitFor();
        const color = `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`;
        await page.emulateMedia({ colorScheme: 'light' });
        const light = await page.evaluate(color);
        await page.emulateMedia({ colorScheme: 'dark' });
        await untilPasses(async () => {
          assert.notEqual(await page.evaluate(color), light, `${selector} on ${page.url()}`);
        });
      };
      await page.goto(`${place}/metrics?${RANGE}`);
      await inThemes('.chart-plot text', 'fill');
      await page.goto(`${place}/spans?${RANGE}`);
      await inThemes('.histogram .bar', 'fill');
      await page.goto(`${place}/traces/${SPAN.traceId}?spanView=attributes`);
      await inThemes('.json', 'color');
      for (const explorer of ['docs', 'graphql']) {
        await page.goto(`${server.url}/${explorer}`);
        await inThemes('body', 'backgroundColor');
      }
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('a change of the time zone changes all times', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${server.url}/settings`);
      await page.getByLabel('Time zone').selectOption('Asia/Tokyo');
      await page.goto(`${place}/spans?${RANGE}`);
      await page.locator('.table-row', { hasText: 'Mar 02, 21:00:00' }).waitFor();
      await page.getByRole('button', { name: /Mar 02, 09:00:00 – Mar 03, 09:00:00/ }).waitFor();
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('the palette finds pages, projects and pasted IDs; ? shows the shortcuts', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/spans?${RANGE}`);
      await page.locator('.table-row').waitFor();
      await findInPalette(page, 'metrics', 'Metrics of this project');
      assert.deepEqual(await seriousViolations(page), []);
      await page.keyboard.press('Enter');
      await page.waitForURL(/metrics/);
      await findInPalette(page, 'ingest', /^Ingest/);
      await page.keyboard.press('Enter');
      await page.waitForURL(/settings\/ingest/);
      await findInPalette(page, 'aroun', /around/);
      await page.getByRole('option', { name: /around/ }).click();
      await page.waitForURL(new RegExp(`projects/${id}`));
      for (const [noun, pasted] of [
        ['trace', SPAN.traceId],
        ['span', SPAN.spanId],
      ] as const) {
        await findInPalette(page, pasted, `Open ${noun} ${pasted}`);
        await page.keyboard.press('Enter');
        await page.waitForURL(new RegExp(`/${SPAN.traceId}`));
        await page.goto(`${server.url}/projects`);
        await page.getByRole('heading', { name: 'Projects' }).waitFor();
      }
      await page.keyboard.press('?');
      await page.getByRole('dialog').getByText('Select a time range').waitFor();
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('the palette offers recently opened pages, up to its maximum', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      const first = page.getByRole('option').first();
      await page.goto(`${place}/spans?${RANGE}`);
      await page.locator('.table-row a').first().click();
      await page.locator('.tree-row').waitFor();
      await page.goto(`${server.url}/projects`);
      await page.getByRole('heading', { name: 'Projects' }).waitFor();
      await page.keyboard.press('Control+k');
      await untilPasses(async () => {
        assert.match((await first.textContent()) ?? '', new RegExp(`^${SPAN.name}recent trace`));
      });
      await page.getByRole('option', { name: /recent project/ }).waitFor();
      await first.and(page.locator('[data-active-item]')).waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(new RegExp(`/traces/${SPAN.traceId}`));

      await page.evaluate(`localStorage.setItem('spandrel.visits', JSON.stringify([7, {kind: 'project', path: 'javascript:0', label: 'x'},
        ...Array.from({ length: 50 }, (_, index) => ({ kind: 'trace', path: '/projects/${id}/traces/' + index, label: 'old ' + index }))]))`);
      await page.goto(`${place}/spans?${RANGE}`);
      await page.locator('.table-row').waitFor();
      await untilPasses(async () => {
        assert.equal(await page.evaluate('JSON.parse(localStorage.getItem("spandrel.visits")).length'), 20);
      });
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: /^old 0/ }).click();
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      await page.keyboard.press('Control+k');
      await page.getByRole('option', { name: /^old 1/ }).waitFor();
      assert.equal(await page.getByRole('option', { name: /^old 0/ }).count(), 0, 'what is gone is not offered again');
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('each kind of failure has its own text and next step', async () => {
      const { page } = await openPage(browser, server.url);
      const answers = {
        'The server cannot be reached': 'abort',
        'The request took too long': {
          errors: [{ message: 'The query timed out', extensions: { code: 'QUERY_TIMED_OUT' } }],
        },
        'The request failed': 500,
      } as const;
      for (const [words, answer] of Object.entries(answers)) {
        await page.route('**/graphql', (route) =>
          answer === 'abort'
            ? route.abort()
            : route.fulfill(typeof answer === 'number' ? { status: answer, body: 'broken' } : { json: answer }),
        );
        await page.goto(`${server.url}/projects`);
        await page.getByRole('heading', { name: words }).waitFor();
        await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Settings' }).waitFor();
        await page.unroute('**/graphql');
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.locator('.project-cards').getByText('around').waitFor();
      }
      await page.goto(`${server.url}/projects/UHJvamVjdDo5OTk5/spans`);
      await page.getByRole('heading', { name: 'Not found' }).waitFor();
      await page.getByRole('link', { name: 'All projects' }).first().click();
      await page.goto(`${server.url}/no/such/page`);
      await page
        .getByRole('link', { name: /projects/i })
        .first()
        .waitFor();
      await closePage(page);
    });

    await t.test(
      'a time range can be a preset, typed, picked, moved and zoomed, and an invalid one is rejected',
      async () => {
        const { page, pageErrors } = await openPage(browser, server.url);
        const params = () => new URL(page.url()).searchParams;
        const untilParam = (name: string, value: string | null) =>
          untilPasses(async () => {
            assert.equal(params().get(name), value);
          });
        const open = () => page.locator('.range button[aria-haspopup]').click();
        await page.goto(`${place}/spans?timeRangeKey=1h`);
        for (const [label, key] of [
          ['Last 15 minutes', '15m'],
          ['Last hour', '1h'],
          ['Last 12 hours', '12h'],
          ['Last day', '1d'],
          ['Last 7 days', '7d'],
          ['Last 30 days', '30d'],
        ] as const) {
          await open();
          await page.locator('.range-presets').getByRole('button', { name: label }).click();
          await untilParam('timeRangeKey', key);
        }
        await open();
        await page.getByLabel('Duration until now').fill('2 hours');
        await page.keyboard.press('Enter');
        await untilParam('timeRangeKey', '2hours');
        await page.getByRole('button', { name: 'Zoom out' }).click();
        await untilParam('timeRangeKey', '4h');
        await page.getByRole('button', { name: 'Earlier' }).click();
        await page.waitForURL(/timeRangeStart=.*timeRangeEnd=/);
        const [start, end] = ['timeRangeStart', 'timeRangeEnd'].map((name) => Date.parse(params().get(name) ?? ''));
        assert.equal(Math.round((end! - start!) / 60_000), 240);
        await page.getByRole('button', { name: 'Zoom in' }).click();
        await page.getByRole('button', { name: 'Later' }).click();

        await open();
        await page.getByLabel('From', { exact: true }).fill('2026-03-02T10:00:00');
        await page.getByLabel('To', { exact: true }).fill('2026-03-02T09:00:00');
        await page.getByText('The end must be after the start.').waitFor();
        assert(await page.getByRole('button', { name: 'Apply' }).isDisabled());
        await page.getByLabel('To', { exact: true }).fill('2026-03-02T13:00:00');
        await page.getByRole('button', { name: 'Apply' }).click();
        await untilRows({ page, pageErrors });
        await untilParam('timeRangeStart', '2026-03-02T10:00:00.000Z');
        await open();
        await page.getByLabel('From', { exact: true }).fill('');
        await page.getByRole('button', { name: 'Apply' }).click();
        await untilParam('timeRangeStart', null);
        await untilParam('timeRangeEnd', '2026-03-02T13:00:00.000Z');
        await open();
        await page.getByLabel('To', { exact: true }).fill('');
        await page.getByLabel('From', { exact: true }).fill('2026-03-02T10:00:00');
        await page.getByRole('button', { name: 'Apply' }).click();
        await untilParam('timeRangeEnd', null);
        await page.reload();
        await page.getByRole('button', { name: 'From Mar 02, 10:00:00' }).waitFor();
        assert.deepEqual(pageErrors, []);
        await closePage(page);
      },
    );
  });

  test('a warning appears while storage is above its limit', async (t) => {
    const server = await startServer({
      env: {
        SERVICE_DATABASE_ALLOCATED_STORAGE_CAPACITY_GIBIBYTES: '0.001',
        SERVICE_DATABASE_USAGE_INSERTION_BLOCKING_THRESHOLD_PERCENTAGE: '1',
      },
    });
    t.after(() => server.stop());
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(`${server.url}/projects`);
    await page
      .getByRole('alert')
      .getByText(/Storage is full/)
      .waitFor();
    assert.deepEqual(await seriousViolations(page), []);
    await page.goto(`${server.url}/settings/about`);
    await page.getByText(/The storage is full\. The server rejects/).waitFor();
    assert.deepEqual(pageErrors, []);
  });
});
