import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { agentTrace, roundsTrace } from '../../agent-trace.ts';
import { seriousViolations } from '../../axe.ts';
import { closePage, NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { hexId, projectId, seed } from '../../seed.ts';

const TRACE = hexId(1, 16);
const OTHER_ANSWER = 'Fly on Saturday for 189 euros.';

const prefer = (page: Page, preferences: object) =>
  page.addInitScript(`localStorage.setItem('spandrel.preferences', '${JSON.stringify(preferences)}')`);
const texts = (page: Page, selector: string) => page.locator(selector).allTextContents();

describe('views of a trace', { skip: NO_BROWSER }, () => {
  test('include page, drawer, conversation, graph, critical path and comparison', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    await seed(server.url, 'planner', [
      ...agentTrace(1, { start: now - 60_000 }),
      ...agentTrace(2, { start: now - 120_000, answer: OTHER_ANSWER, isWeatherUp: true }),
      ...agentTrace(3, { start: now - 180_000 }),
      ...roundsTrace(50, { start: now - 240_000, rounds: 100, searches: 99 }),
    ]);
    const browser = await openBrowser(t);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'planner'))}`;
    const trace = `${place}/traces/${TRACE}`;

    await t.test('a drawer is shown over the table, steps with it, keeps its width, and closes', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await prefer(page, { tracePlace: 'drawer' });
      await page.goto(`${place}/traces?timeRangeKey=1d&sort=startTime:desc`);
      await page.locator('.table-row').first().click();
      const drawer = page.getByRole('complementary', { name: 'Trace' });
      await drawer.getByRole('heading', { name: 'Input' }).waitFor();
      assert.match(page.url(), new RegExp(`/traces/${TRACE}\\?.*timeRangeKey=1d`));
      assert.equal(await page.getByRole('table', { name: 'Traces' }).count(), 1);
      assert.deepEqual(await seriousViolations(page), []);

      const content = await page.locator('.span-panel').boundingBox();
      assert(content && content.width >= 480, `the span has ${content?.width} px`);
      const cut = await page.evaluate(
        `[...document.querySelectorAll('.trace-drawer button, .trace-drawer .segments')].filter((each) => {
          const box = each.getBoundingClientRect(); return box.right > innerWidth + 0.5 && box.width > 0; }).length`,
      );
      assert.equal(cut, 0, 'no control is clipped');

      await seed(server.url, 'planner', [
        { traceId: hexId(60, 16), spanId: hexId(60, 8), name: 'came_later', start: now - 300_000, latencyMs: 5 },
      ]);
      await page.locator('.table-row', { hasText: 'came_later' }).waitFor();
      await drawer.getByRole('heading', { name: 'Input' }).waitFor();
      assert.match(page.url(), new RegExp(TRACE));

      await page.keyboard.press('j');
      await page.waitForURL(new RegExp(hexId(2, 16)));
      await drawer.getByText(OTHER_ANSWER).waitFor();
      await page.locator('.table-row[data-current=true]').waitFor();
      await page.keyboard.press('k');
      await page.waitForURL(new RegExp(TRACE));

      await page.getByRole('button', { name: 'Width of the drawer' }).focus();
      for (let times = 0; times < 3; times++) await page.keyboard.press('ArrowRight');
      const narrowed = (await drawer.boundingBox())!.width;
      await page.reload();
      await drawer.getByRole('heading', { name: 'Input' }).waitFor();
      assert.equal((await drawer.boundingBox())!.width, narrowed);

      await page.getByRole('tree').focus();
      await page.keyboard.press('Escape');
      await drawer.waitFor({ state: 'detached' });
      assert.match(page.url(), /\/traces\?timeRangeKey=1d/);
      await page.locator('.table-row').nth(1).click();
      await drawer.waitFor();
      await page.getByRole('button', { name: 'Show traces on a full page' }).click();
      await drawer.waitFor({ state: 'detached' });
      await page.getByRole('tree', { name: 'Spans' }).waitFor();
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('the conversation shows inputs, steps and outputs, and calls with their results', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${trace}?traceView=conversation`);
      await page.locator('.end.asked', { hasText: 'Plan a weekend' }).waitFor();
      await page.locator('.end.answered', { hasText: 'stay in Alfama' }).waitFor();
      const calls = page.getByRole('list', { name: 'Tool calls' }).first();
      await calls.waitFor();

      const weather = calls.locator(':scope > .step', { hasText: 'get_weather' });
      assert.match((await weather.textContent()) ?? '', /"Saturday"\} → \{"sky":"clear"/);
      assert.match((await calls.textContent()) ?? '', /flight_agent.*search_flights/);
      assert.equal(await page.locator('.steps > .step', { hasText: 'render_prompt' }).count(), 0);
      await weather
        .getByRole('button', { name: /get_weather/ })
        .first()
        .click();
      await weather.getByText('Output').waitFor();
      await weather.getByRole('button', { name: 'Open the span get_weather' }).click();
      await page.locator('.span-title', { hasText: 'get_weather' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('a long run of steps is one line until it is expanded', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/traces/${hexId(50, 16)}?traceView=conversation`);
      await page.locator('.step', { hasText: 'search× 9,900' }).getByRole('button').click();
      await page.getByRole('button', { name: '9,860 more' }).waitFor();
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('the graph groups spans by name, also 10,000, and links to them', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${trace}?traceView=graph`);
      const edge = page.getByRole('button', { name: 'flight_agent calls search_flights, 3× 3.3s' });
      await edge.locator('text').click();
      const spans = page.getByRole('region', { name: 'Spans of flight_agent → search_flights' });
      await untilPasses(async () => {
        assert.deepEqual(await spans.locator('.graph-latency').allTextContents(), ['1.4s', '1.1s', '800ms']);
      });
      await spans.locator('.graph-row').first().click();
      await page.locator('.span-title', { hasText: 'search_flights' }).waitFor();
      await page.getByText('easyJet').first().waitFor();
      await page.getByRole('button', { name: /^decide, LLM/ }).press('Enter');
      await page.locator('.span-title', { hasText: 'decide' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);

      await page.goto(`${place}/traces/${hexId(50, 16)}?traceView=graph`);
      await page.getByRole('button', { name: /round calls search, 9,900×/ }).waitFor();
      assert.equal(await page.locator('.graph-node').count(), 3);
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('the critical path marks the spans that the root waited for', async () => {
      const { page } = await openPage(browser, server.url);
      await page.goto(trace);
      const line = (name: string) => page.locator('.tree-row', { hasText: name });
      await line('decide').locator('.tree-waited').waitFor();
      const searches: number[] = [];
      for (const at of [0, 1, 2]) {
        searches.push(await line('search_flights').nth(at).locator('.tree-waited').count());
      }

      assert.deepEqual(searches, [0, 0, 1], 'the slowest of those that ran beside each other');
      assert.equal(await line('search_guide').locator('.tree-waited').count(), 0, 'something else took longer');
      await page.getByRole('button', { name: 'Critical path' }).click();
      await untilPasses(async () => {
        assert.equal(await page.locator('.tree-waited').count(), 0);
      });
      await closePage(page);
    });

    await t.test('one kind or all spans can be collapsed', async () => {
      const { page } = await openPage(browser, server.url);
      await page.goto(trace);
      await page.locator('.tree-row', { hasText: 'embed' }).waitFor();
      await page.getByRole('button', { name: 'Collapse', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Collapse retriever' }).click();
      await page.locator('.tree-row', { hasText: 'embed' }).waitFor({ state: 'detached' });
      assert.equal(await page.locator('.tree-row', { hasText: 'choose_flight' }).count(), 1);
      await page.getByRole('button', { name: 'Collapse', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Collapse all', exact: true }).click();
      await page.locator('.tree-row', { hasText: 'choose_flight' }).waitFor({ state: 'detached' });
      await closePage(page);
    });

    await t.test('keys move through the tree, and the link to the selected span can be copied', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.goto(trace);
      await page.getByRole('tree').focus();
      const selected = (name: string) => page.locator('.tree-row[aria-selected=true]', { hasText: name }).waitFor();
      for (let times = 0; times < 4; times++) await page.keyboard.press('ArrowDown');
      await selected('search_guide');
      await page.keyboard.press('ArrowRight');
      await selected('embed');
      await page.keyboard.press('ArrowLeft');
      await selected('search_guide');
      await page.keyboard.press('ArrowLeft');
      await page.locator('.tree-row', { hasText: 'embed' }).waitFor({ state: 'detached' });
      await page.keyboard.press('End');
      await selected('rate_answer');
      await page.getByRole('button', { name: 'Copy link' }).click();
      const link = page.url();
      await untilPasses(async () => {
        assert.equal(await page.evaluate('navigator.clipboard.readText()'), link);
      });
      await page.goto(link);
      await selected('rate_answer');
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('two selected traces are compared, and differences are marked', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/traces?timeRangeKey=1d`);
      const boxes = page.getByLabel('Select row');
      await boxes.nth(0).click();
      await boxes.nth(1).click();
      await page.getByRole('link', { name: 'Compare' }).click();
      await page.getByText('2 of 16 differ · 0 only in A · 1 only in B').waitFor();

      await page.locator('.span-diff ins', { hasText: 'Friday' }).first().waitFor();
      await untilPasses(async () => {
        assert.deepEqual(await texts(page, '.pair-row[data-of=right] .tree-name .clip'), ['get_weather']);
      });
      await page.getByRole('button', { name: 'Differences only' }).click();
      await untilPasses(async () => {
        assert.equal(await page.locator('button.pair-row').count(), 2);
      });
      await page.locator('button.pair-row').first().click();
      await page.getByText('only in').or(page.getByText('none')).first().waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.getByRole('button', { name: 'Swap sides' }).click();
      await page.getByText('1 only in A · 0 only in B').waitFor();
      const changes = (await page.locator('.compare-heads').textContent()) ?? '';
      assert.doesNotMatch(changes, /[+−]<\$/, 'a small change of cost is told whole');
      await page.setViewportSize({ width: 390, height: 844 });
      const endsOfRows = () =>
        page
          .locator('.pair-row > :last-child')
          .evaluateAll((all) =>
            all.map((each) =>
              Math.round(
                (each as unknown as { getBoundingClientRect(): { right: number } }).getBoundingClientRect().right,
              ),
            ),
          );
      // React still replaces rows after the swap, and a row that it has removed ends at 0.
      let ends = await endsOfRows();
      for (let attempt = 0; attempt < 100 && (ends.length < 2 || ends.includes(0)); attempt++) {
        await page.waitForTimeout(50);
        ends = await endsOfRows();
      }
      assert.equal(new Set(ends).size, 1, `the head ends where its rows do: ${ends}`);
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('a trace and a span are compared with one of the same name, or by ID', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(trace);
      await page.getByRole('button', { name: 'Compare the trace' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: /189 euros/ }).click();
      await page.getByRole('region', { name: 'Trace B' }).waitFor();

      await page.goto(trace);
      await page.locator('.tree-row', { hasText: 'decide' }).click();
      await page.getByRole('button', { name: 'Compare the span' }).click();
      await dialog.getByLabel('ID of a span').fill(hexId(2_005, 8));
      await dialog.getByRole('button', { name: 'Compare' }).click();
      await page.getByText('Input (unchanged)').waitFor();
      await page.getByText(/Attributes, 0 of \d+ differ/).waitFor();
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('the views fit narrow windows in both themes', async () => {
      for (const [theme, width] of [
        ['light', 420],
        ['dark', 1024],
      ] as const) {
        for (const view of ['waterfall', 'conversation', 'graph']) {
          const { page, pageErrors } = await openPage(browser, server.url, { theme, width, height: 800 });
          await page.goto(`${trace}?traceView=${view}`);
          await page.locator('.tree-row, .end.answered, .graph-node').first().waitFor();
          await page.getByRole('heading', { name: 'Input' }).waitFor();
          assert.deepEqual(await seriousViolations(page), [], `${view} ${width}`);
          assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, `${view} ${width}`);
          assert.deepEqual(pageErrors, []);
          await closePage(page);
        }
      }
    });
  });
});
