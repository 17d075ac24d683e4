import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { hexId, projectId, type SeedSpan, seed } from '../../seed.ts';

const SPAN_COUNT = 100_000;
const STEP_COUNT = 1_000;

/** A run of 1,000 steps with 99 searches each; the last search fails. */
function bigTrace(now: number): SeedSpan[] {
  const traceId = hexId(1, 16);
  const start = now - 600_000;
  const root: SeedSpan = { traceId, spanId: hexId(1, 8), name: 'run', start, latencyMs: 500_000 };
  const spans = [root];
  for (let step = 0; spans.length < SPAN_COUNT; step++) {
    const stepId = hexId(10_000_000 + step, 8);
    const at = start + step * 500;
    spans.push({ traceId, spanId: stepId, parentSpanId: root.spanId, name: 'step', start: at, latencyMs: 490 });
    for (let search = 0; search < SPAN_COUNT / STEP_COUNT - 1 && spans.length < SPAN_COUNT; search++) {
      spans.push({
        traceId,
        spanId: hexId(spans.length + 100, 8),
        parentSpanId: stepId,
        name: 'search',
        start: at + search * 4,
        latencyMs: 3,
        isError: spans.length === SPAN_COUNT - 1,
      });
    }
  }
  return spans;
}

describe('a trace of 100,000 spans', { skip: NO_BROWSER }, () => {
  test('opens completely with its root first, keeps the page small, and leads to its error', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'big', bigTrace(Date.now()));
    const id = encodeURIComponent(await projectId(server.url, 'big'));
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);

    await page.goto(`${server.url}/projects/${id}/traces/${hexId(1, 16)}`);
    await page.locator('.tree-row', { hasText: 'run' }).waitFor();
    const steps = await page.locator('.tree-row', { hasText: 'step' }).first().textContent();
    await page.keyboard.press(']');
    await page.locator('.tree-row[aria-selected=true]', { hasText: 'search' }).waitFor();
    const elementCount = (await page.evaluate('document.querySelectorAll("*").length')) as number;

    assert.match(steps ?? '', /× 1,0\d\d|× 1,000/);
    assert(elementCount < 3_000, `${elementCount} elements`);
    await untilPasses(async () => {
      assert.match((await page.locator('.trace-facts').textContent()) ?? '', /Spans100,000/);
    });
    assert.deepEqual(pageErrors, []);
  });
});
