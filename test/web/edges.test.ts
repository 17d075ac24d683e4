import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from './browser.ts';
import { otherClient } from './other-client.ts';
import { openPageServer } from './page-server.ts';
import { hexId, projectId, type SeedSpan, seed } from './seed.ts';

const NOW = Date.now();
const span = (number: number, trace: number, more: Partial<SeedSpan> = {}): SeedSpan => ({
  traceId: hexId(trace, 16),
  spanId: hexId(number, 8),
  name: `span ${number}`,
  start: NOW - 1_000 * number,
  latencyMs: 5,
  ...more,
});

/** One that runs beside itself: two roots, a span below each. */
const TWO_ROOTS = [
  span(1, 1, { name: 'left' }),
  span(2, 1, { name: 'below left', parentSpanId: hexId(1, 8) }),
  span(3, 1, { name: 'right' }),
  span(4, 1, { name: 'below right', parentSpanId: hexId(3, 8) }),
];

describe('rare data and rare actions', { skip: NO_BROWSER }, () => {
  test('are handled correctly', async (t) => {
    const server = await openPageServer(t);
    const many = Array.from({ length: 120 }, (_, index) => span(100 + index, 100 + index));
    const tokens = { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': 3_000_000_000 };
    await seed(server.url, 'rare', [...TWO_ROOTS, span(50, 50, { name: 'greedy', attributes: tokens }), ...many]);
    const other = otherClient(server.url);
    await other.createConfig('quality', 'rare');
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'rare'))}`;
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    const names = () => page.locator('.table-row a').allTextContents();

    await t.test('a trace with two roots expands into all of its spans, each once', async () => {
      await page.goto(`${place}/traces?timeRangeKey=1h`);
      await page.getByRole('button', { name: 'Spans of right' }).click();
      await page.getByRole('link', { name: 'below left' }).waitFor();
      const expanded = await names();
      assert.deepEqual(expanded.slice(0, expanded.indexOf('greedy')), ['right', 'below right', 'below left', 'left']);
    });

    await t.test('the header of a table stays visible, and is checked only if all rows are selected', async () => {
      await page.evaluate("document.querySelector('.table').scrollTo(0, 900)");
      await page.getByRole('link', { name: 'span 140' }).waitFor();
      const [head, table] = await Promise.all([
        page.getByRole('columnheader', { name: 'Latency' }).boundingBox(),
        page.locator('.table').boundingBox(),
      ]);
      assert.equal(head?.y, table?.y);
      const all = page.getByLabel('Select all loaded rows');
      await page.goto(`${place}/spans?timeRangeKey=1h`);
      await all.click();
      await page.getByRole('combobox', { name: 'Filter' }).fill("name == 'greedy'");
      await page.locator('.table-row').nth(1).waitFor({ state: 'detached' });
      assert(await all.isChecked());
      await page.getByRole('combobox', { name: 'Filter' }).fill("name == 'below left'");
      await page.getByRole('button', { name: 'All spans' }).click();
      await page.getByRole('link', { name: 'below left' }).waitFor();
      assert(!(await all.isChecked()));
    });

    await t.test('a token count above the maximum of Int is omitted, and the rest is shown', async () => {
      await page.goto(
        `${place}/spans?timeRangeKey=1h&spans=all&spanFilterCondition=${encodeURIComponent("name == 'greedy'")}`,
      );
      await page.locator('.table-row', { hasText: 'LLM' }).click();
      await page.locator('.span-head', { hasText: 'greedy' }).waitFor();
      await page.locator('.span-body', { hasText: 'no input and no output' }).waitFor();
      await untilPasses(async () => {
        assert.match((await page.locator('.trace-facts').textContent()) ?? '', /Tokens3B/);
      });
    });

    await t.test('Escape closes the element that was opened last, not the pane below it', async () => {
      await page.keyboard.press('e');
      await page.getByRole('button', { name: 'Add config' }).click();
      const item = page.getByRole('menuitem', { name: /Create config/ });
      await item.waitFor();
      await page.keyboard.press('Escape');
      await item.waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'Add config' }).click();
      await item.click();
      await page.getByRole('dialog', { name: 'Create annotation config' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByRole('group', { name: 'quality' }).waitFor();
    });

    await t.test(
      'a user who leaves before an annotation is saved receives a message that it was not saved',
      async () => {
        await page.route('**/graphql', (route) =>
          route.request().postDataJSON().operationName === 'addSpanAnnotation' ? route.abort() : route.continue(),
        );
        await page.getByRole('group', { name: 'quality' }).getByRole('button', { name: 'good' }).click();
        await page.getByRole('button', { name: 'Close annotations' }).click();
        await page.getByText('quality was not saved: The server does not respond.').waitFor();
        await page.unrouteAll();
      },
    );

    assert.deepEqual(
      pageErrors.filter((pageError) => !pageError.includes('net::ERR_FAILED')),
      [],
    );
  });
});
