import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ATTACKS } from '../../attacks.ts';
import { seriousViolations } from '../../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql, hexId, projectId, type SeedSpan, seed } from '../../seed.ts';

describe('facets beside the table of spans', { skip: NO_BROWSER }, () => {
  test('are counted in one request after the rows, and a click includes or excludes a value', async (t) => {
    const server = await openPageServer(t);
    const spans = Array.from({ length: 30 }, (_, index) => ({
      traceId: hexId(index + 1, 16),
      spanId: hexId(index + 1, 8),
      name: index % 3 === 0 ? 'triage' : "it's an answer",
      start: Date.now() - 1_000 * (index + 1),
      latencyMs: 5,
      attributes: {
        'user.id': `user-${index % 2}`,
        metadata: JSON.stringify({ topic: index % 5 === 0 ? 'refund' : 'order' }),
      },
    }));
    await seed(server.url, 'values', spans);
    const browser = await openBrowser(t);
    const { page, pageErrors, operations } = await openPage(browser, server.url);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'values'))}`;
    // A range with an end: the page does not follow the project, so only the test causes requests.
    const [start, end] = [Date.now() - 3_600_000, Date.now()].map((at) => new Date(at).toISOString());
    await page.goto(`${place}/spans?timeRangeStart=${start}&timeRangeEnd=${end}`);
    const panel = page.getByRole('complementary', { name: 'Filters' });
    await panel.getByText('of 30').waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    for (const name of ['Error', 'User', 'Metadata', 'Notes', 'Trace annotations']) {
      await page.getByRole('checkbox', { name, exact: true }).click();
    }
    await page.keyboard.press('Escape');
    await page
      .locator('.table-row', { hasText: /user-0.*{"topic":"refund"}/ })
      .first()
      .waitFor();
    assert(operations.indexOf('projectFacets') > operations.indexOf('projectSpans'));
    assert.equal(operations.filter((name) => name === 'projectFacets').length, 1);
    // Whether there is anything at all is plain from the rows.
    assert(!operations.includes('projectExtent'));

    await panel.getByRole('button', { name: /it's an answer 20/ }).click();
    await panel.getByText('of 20').waitFor();
    await panel.getByRole('button', { name: 'Exclude refund' }).click();
    await panel.getByText('of 16').waitFor();

    const field = page.getByRole('combobox', { name: 'Filter' });
    await untilPasses(async () => {
      assert.equal(await field.inputValue(), "name == 'it\\'s an answer' and metadata['topic'] != 'refund'");
    });
    assert.deepEqual(await seriousViolations(page), []);
    await panel.getByRole('button', { name: /it's an answer 16/ }).click();
    await panel.getByText('of 24').waitFor();
    await untilPasses(async () => {
      assert.equal(await field.inputValue(), "metadata['topic'] != 'refund'");
    });

    await page.goto(`${place}/traces/${hexId(2, 16)}?spanView=attributes`);
    const id = page.locator('.json-row', { hasText: 'user-1' }).first();
    await id.hover();
    await id.getByRole('button', { name: 'Filter by id' }).click();
    await panel.getByText('of 15').waitFor();
    await untilPasses(async () => {
      assert.equal(await field.inputValue(), "attributes['user']['id'] == 'user-1'");
    });
    assert.deepEqual(pageErrors, []);
  });

  test('distinguish spans with errors from traces in which another span failed, as rows, filter and histogram do', async (t) => {
    const server = await openPageServer(t);
    const trace = (number: number, failed: 'root' | 'child' | undefined): SeedSpan[] => {
      const root = { traceId: hexId(number, 16), spanId: hexId(number * 2, 8), start: Date.now() - 1_000 * number };
      const statusOf = (name: 'root' | 'child') => ({
        name,
        latencyMs: 5,
        isError: failed === name,
      });
      return [
        { ...root, ...statusOf('root') },
        { ...root, ...statusOf('child'), spanId: hexId(number * 2 + 1, 8), parentSpanId: root.spanId },
      ];
    };
    const failed = ['root', 'child', 'child', undefined, undefined] as const;
    await seed(
      server.url,
      'errors',
      failed.flatMap((each, index) => trace(index + 1, each)),
    );
    const { page, pageErrors } = await openPage(await openBrowser(t), server.url);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'errors'))}`;
    const panel = page.getByRole('complementary', { name: 'Filters' });
    const field = page.getByRole('combobox', { name: 'Filter' });
    const rows = page.locator('.table-row');
    const own = rows.locator('.status-error');
    const inTrace = rows.locator('.error-in-trace');
    const open = async (search: string, count: number) => {
      await page.goto(`${place}/spans?timeRangeKey=1h${search}`);
      await panel.getByText(`of ${count}`, { exact: true }).waitFor();
    };

    await open('', 5);
    await untilPasses(async () => assert.deepEqual([await own.count(), await inTrace.count()], [1, 2]));
    assert.deepEqual(await seriousViolations(page), []);
    await panel.getByRole('button', { name: /^ERROR 1$/ }).waitFor();
    await panel.getByRole('button', { name: /^Error in trace 3$/ }).click();
    await panel.getByText('of 3', { exact: true }).waitFor();
    assert.equal(await field.inputValue(), 'error_in_trace == True');
    await untilPasses(async () => assert.equal(await rows.count(), 3));
    await panel.getByRole('button', { name: 'Exclude Error in trace' }).click();
    await panel.getByText('of 2', { exact: true }).waitFor();
    await untilPasses(async () => assert.deepEqual([await own.count(), await inTrace.count()], [0, 0]));

    // The filter finds exactly the rows with the mark, and the histogram has as many errors.
    for (const [scope, count] of [
      ['', 1],
      ['&spans=all', 3],
    ] as const) {
      await open(`&spanFilterCondition=${encodeURIComponent("status_code == 'ERROR'")}${scope}`, count);
      await untilPasses(async () => assert.deepEqual([await own.count(), await rows.count()], [count, count]));
      const { data } = await graphql<{ data: { rowCountTimeSeries: { data: { errorCount: number }[] } } }>(
        server.url,
        `query ($id: ID!, $grain: RowGrain!, $timeRange: TimeRange!) { data: node(id: $id) { ... on Project {
          rowCountTimeSeries(grain: $grain, timeRange: $timeRange, timeBinConfig: { scale: HOUR }) {
            data { errorCount } } } } }`,
        {
          id: await projectId(server.url, 'errors'),
          grain: scope === '' ? 'rootSpans' : 'spans',
          timeRange: { start: new Date(Date.now() - 3_600_000).toISOString(), end: new Date().toISOString() },
        },
      );
      const errorCount = data.rowCountTimeSeries.data.reduce((sum, point) => sum + point.errorCount, 0);
      assert.equal(errorCount, count);
    }
    await page.goto(`${place}/metrics?timeRangeKey=1h`);
    await page.getByRole('heading', { name: 'Traces with errors' }).waitFor();
    await page
      .getByRole('button', { name: /Error in trace/ })
      .first()
      .waitFor();
    assert.deepEqual(pageErrors, []);
  });

  test('may be any text: it is found again by its own filter', async (t) => {
    const server = await openPageServer(t);
    const texts = ATTACKS.map((attack) => attack.replaceAll('\u0000', ''));
    const spans = texts.map((text, index) => ({
      traceId: hexId(index + 1, 16),
      spanId: hexId(index + 1, 8),
      name: text,
      start: Date.now() - 1_000 * (index + 1),
      latencyMs: 5,
      attributes: { 'user.id': text, metadata: JSON.stringify({ [text]: text }) },
    }));
    await seed(server.url, 'odd values', spans);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'odd values'))}`;
    await page.goto(`${place}/spans?timeRangeKey=1h`);
    const panel = page.getByRole('complementary', { name: 'Filters' });

    for (const heading of ['Name', 'User', /metadata$/]) {
      await panel.getByText(`of ${texts.length}`).waitFor();
      const section = panel.locator('.facet', { has: page.getByRole('heading', { name: heading }) }).first();
      await section.locator('.facet-value').last().click();
      await panel.getByText('of 1', { exact: true }).waitFor();
      await page.getByRole('button', { name: 'Clear filter' }).click();
    }
    assert.deepEqual(pageErrors, []);
  });
});
