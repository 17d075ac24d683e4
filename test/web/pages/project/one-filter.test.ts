import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { hexId, projectId, type SeedSpan, seed } from '../../seed.ts';

const TRACE_COUNT = 6;

/** An agent that calls a model and a tool, which fails in every other trace. Three traces per session. */
function agentTrace(number: number, start: number): SeedSpan[] {
  const span = (part: number, name: string, kind: string, offset: number, latencyMs: number, attributes = {}) => ({
    traceId: hexId(number, 16),
    spanId: hexId(10 * number + part, 8),
    ...(part > 0 && { parentSpanId: hexId(10 * number, 8) }),
    name,
    start: start + offset,
    latencyMs,
    isError: kind === 'TOOL' && number % 2 === 0,
    attributes: { 'openinference.span.kind': kind, 'session.id': number <= 3 ? 'early' : 'late', ...attributes },
  });
  const tokens = { 'llm.token_count.prompt': 100 * number, 'llm.token_count.completion': 10 };
  return [
    span(0, 'agent', 'AGENT', 0, 1_000 * number),
    span(1, 'choose', 'LLM', 10, 400, { 'llm.model_name': 'gpt-4o', ...tokens }),
    span(2, 'search', 'TOOL', 500, 200),
  ];
}

interface Shown {
  readonly figures: Readonly<Record<string, string>>;
  /** Sum of the histogram. Undefined when there is none. */
  readonly chart: number | undefined;
  /** Row count in the panel of values. Undefined when it is closed. */
  readonly values: number | undefined;
  readonly rowCount: number;
}

async function read(page: Page): Promise<Shown> {
  const labels = await page.locator('.figures dt').allTextContents();
  const texts = await page.locator('.figures dd').allTextContents();
  const chart = page.locator('.histogram');
  const label = (await chart.count()) === 0 ? null : await chart.getAttribute('aria-label');
  const values = page.getByRole('complementary', { name: 'Filters' });
  const counted = (await values.count()) === 0 ? null : await values.locator('header .muted').textContent();
  return {
    figures: Object.fromEntries(labels.map((name, index) => [name, texts[index] ?? ''])),
    chart: label === null ? undefined : Number(/: ([\d,]+) in/.exec(label)?.[1]?.replaceAll(',', '')),
    values: counted === null ? undefined : Number(/[\d,]+/.exec(counted)?.[0]),
    rowCount: await page.locator('.table-row').count(),
  };
}

/** Waits until the page shows the expected values, and compares its last state at the deadline. */
async function expectShown(page: Page, expected: object): Promise<void> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const { figures, ...shown } = await read(page);
    const { figures: wanted = {}, ...others } = expected as { figures?: object };
    const found = {
      ...pick(shown, Object.keys(others)),
      figures: pick(figures, Object.keys(wanted)),
    };
    try {
      assert.deepEqual(found, { ...others, figures: wanted });
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

const pick = (from: object, names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, (from as Record<string, unknown>)[name]]));

describe('one filter and one grain', { skip: NO_BROWSER }, () => {
  test('apply to header, histogram, facets, charts and rows of every tab', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    const numbers = Array.from({ length: TRACE_COUNT }, (_, index) => index + 1);
    await seed(
      server.url,
      'shop',
      numbers.flatMap((number) => agentTrace(number, now - 60_000 * number)),
    );
    const browser = await openBrowser(t);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'shop'))}`;
    const { page, pageErrors } = await openPage(browser, server.url);
    const open = (tab: string, search: Readonly<Record<string, string>> = {}) =>
      page.goto(`${place}/${tab}?${new URLSearchParams({ timeRangeKey: '1h', ...search })}`);
    const none = { Tokens: '0', P50: '--' };

    await t.test('root spans', async () => {
      await open('spans');
      const all = { Traces: '6', Spans: '18', Tokens: '2,160', P50: '3.5s' };
      await expectShown(page, { figures: all, chart: 6, values: 6, rowCount: 6 });
      await open('spans', { spanFilterCondition: 'latency_ms > 4500' });
      await expectShown(page, {
        figures: { Traces: '2', Spans: '6', Tokens: '1,120', P50: '5.5s', Cost: '<$0.01' },
        chart: 2,
        values: 2,
        rowCount: 2,
      });
      // Matching spans exist, but no matching root spans.
      await open('spans', { spanFilterCondition: "name == 'search'" });
      await page.getByText('No root spans in this range match the filter').waitFor();
      await expectShown(page, {
        figures: { ...none, Traces: '0', Spans: '0', Cost: '$0' },
        chart: 0,
        values: 0,
        rowCount: 0,
      });
    });

    await t.test('all spans', async () => {
      await open('spans', { spans: 'all' });
      await expectShown(page, {
        figures: { Spans: '18', Tokens: '2,160', P50: '400ms' },
        chart: 18,
        values: 18,
        rowCount: 18,
      });
      await open('spans', { spans: 'all', spanFilterCondition: "name == 'search'" });
      await expectShown(page, {
        figures: { Spans: '6', Tokens: '0', P50: '200ms', P99: '200ms', Cost: '$0' },
        chart: 6,
        values: 6,
        rowCount: 6,
      });
    });

    await t.test('traces', async () => {
      await open('traces');
      await expectShown(page, { figures: { Traces: '6', Spans: '18', Tokens: '2,160' }, chart: 6, rowCount: 6 });
      const filter = "name == 'search' and status_code == 'ERROR'";
      await open('traces', { spanFilterCondition: filter });
      await page.getByRole('button', { name: 'Filters', exact: true }).waitFor();
      if ((await page.getByRole('complementary', { name: 'Filters' }).count()) === 0) {
        await page.getByRole('button', { name: 'Filters', exact: true }).click();
      }
      await expectShown(page, {
        figures: { Traces: '3', Spans: '9', Tokens: '1,230', P50: '4s' },
        chart: 3,
        values: 3,
        rowCount: 3,
      });
    });

    await t.test('sessions', async () => {
      await open('sessions');
      await expectShown(page, {
        figures: { Sessions: '2', Traces: '6', Tokens: '2,160', P50: '3.5s' },
        chart: 2,
        rowCount: 2,
      });
      await open('sessions', { sessionFilterCondition: "session_id == 'late'" });
      await expectShown(page, {
        figures: { Sessions: '1', Traces: '3', Tokens: '1,530', P50: '5s', Cost: '<$0.01' },
        chart: 1,
        rowCount: 1,
      });
    });

    await t.test('metrics', async () => {
      await open('metrics', { spanFilterCondition: "span_kind == 'LLM' and latency_ms < 500" });
      await expectShown(page, {
        figures: { Traces: '6', 'Matching spans': '6', 'Span tokens': '2,160', 'Trace P50': '3.5s' },
      });
      await open('metrics', { spanFilterCondition: "status_code == 'ERROR'" });
      // The strip says which figures are of traces, and which are of the spans that the filter selects.
      await expectShown(page, {
        figures: { Traces: '3', 'Matching spans': '3', 'Span tokens': '0', 'Trace P50': '4s', 'Span cost': '$0' },
      });
      const total = (title: string) => page.getByRole('region', { name: title, exact: true });
      await total('Traces').getByText('3', { exact: true }).waitFor();
      for (let at = 0; (await total('Spans').count()) === 0; at++) {
        assert(at < 50, 'the charts of spans come when they are scrolled to');
        await page.locator('.chart-card').last().scrollIntoViewIfNeeded();
        await page.waitForTimeout(200);
      }
      await total('Spans').getByText('3', { exact: true }).first().waitFor();
      await untilPasses(async () => {
        assert.equal(await page.getByRole('link', { name: /gpt-4o/ }).count(), 0);
      });
      const field = page.getByRole('combobox', { name: 'Filter' });
      await untilPasses(async () => {
        assert.equal(await field.inputValue(), "status_code == 'ERROR'");
      });
      await page.getByRole('button', { name: 'Clear filter' }).click();
      await expectShown(page, { figures: { Traces: '6', Spans: '18', Tokens: '2,160' } });
    });
    assert.deepEqual(pageErrors, []);
  });
});
