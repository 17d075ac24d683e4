import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Locator } from 'playwright-core';
import { seriousViolations } from './axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { graphql, hexId, projectId, type SeedSpan, seed } from './seed.ts';

const DAY = Date.parse('2026-03-02T00:00:00Z');
const HOUR_MS = 3_600_000;

/** A trace at each of the given hours of a day: a model that answers, and a tool that fails at hour 5. */
const tracesAt = (hours: readonly number[]): SeedSpan[] =>
  hours.flatMap((hour, index): SeedSpan[] => {
    const ids = { traceId: hexId(index + 1, 16), start: DAY + hour * HOUR_MS + 60_000 };
    return [
      {
        ...ids,
        spanId: hexId(index * 2 + 1, 8),
        name: 'answer',
        latencyMs: 1_000 * (index + 1),
        attributes: {
          'openinference.span.kind': 'LLM',
          'llm.model_name': 'gpt-4o-mini-2024-07-18',
          'llm.token_count.prompt': 1_000,
          'llm.token_count.completion': 200,
          'llm.token_count.prompt_details.cache_read': 400,
        },
      },
      {
        ...ids,
        spanId: hexId(index * 2 + 2, 8),
        parentSpanId: hexId(index * 2 + 1, 8),
        name: 'find_order',
        latencyMs: 10,
        isError: hour === 5,
        attributes: { 'openinference.span.kind': 'TOOL' },
      },
    ];
  });

describe('metrics of a project', { skip: NO_BROWSER }, () => {
  test('are charts with a shared cursor that narrow the range and link to the spans', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'charts', tracesAt([1, 5, 5, 9]));
    await graphql(
      server.url,
      `mutation ($input: [CreateSpanAnnotationInput!]!) { createSpanAnnotations(input: $input) { __typename } }`,
      {
        input: [
          {
            spanId: await firstSpan(server.url, 'charts'),
            name: 'helpful',
            annotatorKind: 'HUMAN',
            metadata: {},
            score: 0.5,
            source: 'APP',
          },
        ],
      },
    );
    const browser = await openBrowser(t);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'charts'))}`;
    const range = `timeRangeStart=2026-03-02T00:00:00Z&timeRangeEnd=2026-03-03T00:00:00Z`;
    const { page, pageErrors, operations } = await openPage(browser, server.url, { height: 2_000 });
    const panel = (name: string): Locator => page.getByRole('region', { name, exact: true });
    const plot = (name: string): Locator => panel(name).locator('.chart-plot');
    const marks = (name: string): Locator => plot(name).locator('path');
    const pointAt = async (name: string, hour: number) => {
      const box = (await plot(name).boundingBox())!;
      // To the right of the axis, a day of 24 hours in bins of half an hour.
      const x = box.x + 54 + ((box.width - 54) * (hour + 0.25)) / 24;
      await page.mouse.move(x, box.y + 40);
    };

    await t.test('charts of traces, spans, costs, tokens, models, tools and scores are shown', async () => {
      await page.goto(`${place}/metrics?${range}`);
      for (const name of [
        'Traces',
        'Latency',
        'Traces with errors',
        'Cost',
        'Tokens',
        'Prompt tokens',
        'Completion tokens',
      ]) {
        await marks(name).first().waitFor({ state: 'attached' });
      }
      for (const name of ['Spans', 'Spans with errors', 'LLM spans', 'Tool spans', 'Span annotations']) {
        await marks(name).first().waitFor({ state: 'attached' });
      }
      await untilPasses(async () => {
        assert.match((await panel('Traces').textContent()) ?? '', /Error in trace2.*No error2/);
        assert.match((await panel('Tokens').textContent()) ?? '', /Prompt4,000.*Completion800/);
        assert.match((await panel('Prompt tokens').textContent()) ?? '', /cache read1,600.*input2,400/);
        assert.match((await panel('Spans with errors').textContent()) ?? '', /LLM0.*Tool2.*Other0/);
      });
      await panel('Top models')
        .first()
        .getByRole('link', { name: /gpt-4o-mini/ })
        .waitFor();
      await panel('Top tools')
        .getByRole('link', { name: /find_order\s*2 errors\s*4/ })
        .waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('all charts show the time under the pointer, and the chart below it shows all series', async () => {
      await pointAt('Latency', 5);
      const tip = page.locator('.chart-tip');
      await untilPasses(async () => {
        assert.match((await tip.textContent()) ?? '', /Mar 02, 05:00 – Mar 02, 05:30P502.5s.*P992.99s/);
        assert.match((await panel('Traces').textContent()) ?? '', /Error in trace2.*No error0/);
        assert.equal(await page.locator('.chart-plot .cursor').count(), await page.locator('.chart-plot').count());
      });
      // Each text of the tooltip is inside of its box.
      const box = (await tip.boundingBox())!;
      for (const text of await tip.locator('dd, .muted').all()) {
        const { x, y, width, height } = (await text.boundingBox())!;
        assert.ok(x >= box.x && x + width <= box.x + box.width, (await text.textContent())!);
        assert.ok(y + height <= box.y + box.height, (await text.textContent())!);
      }
    });

    await t.test('the legend hides series', async () => {
      await untilPasses(async () => {
        assert.equal(await marks('Latency').count(), 3);
      });
      await panel('Latency').getByRole('button', { name: 'Max' }).click();
      await panel('Latency').getByRole('button', { name: /^P50/ }).click();
      await panel('Latency').getByRole('button', { name: /^P90/ }).click();
      await untilPasses(async () => {
        assert.equal(await marks('Latency').count(), 2);
      });
    });

    await t.test('a click on a bin or on a list entry opens its spans', async () => {
      await pointAt('Spans with errors', 5);
      await page.mouse.down();
      await page.mouse.up();
      await page.locator('.table-row').first().waitFor();
      await untilPasses(async () => {
        assert.equal(await page.locator('.table-row').count(), 2);
      });
      const { pathname, searchParams } = new URL(page.url());
      assert.match(pathname, /spans$/);
      assert.equal(searchParams.get('spanFilterCondition'), "status_code == 'ERROR'");
      assert.equal(searchParams.get('timeRangeStart'), '2026-03-02T05:00:00.000Z');
      await page.goBack();
      await panel('Top models')
        .first()
        .getByRole('link', { name: /gpt-4o-mini/ })
        .click();
      await page.locator('.table-row').nth(3).waitFor();
    });

    await t.test('a click on the latency chart opens its traces in the order of the table', async () => {
      await page.goto(`${place}/metrics?${range}`);
      await marks('Latency').first().waitFor({ state: 'attached' });
      await pointAt('Latency', 5);
      await page.locator('.chart-tip').getByText('Click to open the traces').waitFor();
      await page.mouse.down();
      await page.mouse.up();
      await page.getByRole('table', { name: 'Traces' }).locator('.table-row').nth(1).waitFor();
      const latency = page.getByRole('columnheader', { name: 'Latency' });
      await untilPasses(async () => {
        assert.equal(await latency.getAttribute('aria-sort'), 'descending');
      });
    });

    await t.test('a time without errors has an error rate', async () => {
      await page.goto(`${place}/metrics?timeRangeStart=2026-03-02T08:00:00Z&timeRangeEnd=2026-03-02T10:00:00Z`);
      await marks('Latency').first().waitFor({ state: 'attached' });
      await plot('Traces with errors').waitFor();
      await panel('Cost').locator('.chart-plot').waitFor();
      await panel('Spans with errors').getByText('No data in this range').waitFor();
    });

    await t.test('dragging narrows the range, by pointer and by keyboard', async () => {
      await page.goto(`${place}/metrics?${range}`);
      await marks('Cost').first().waitFor();
      await pointAt('Cost', 1);
      await page.mouse.down();
      await pointAt('Cost', 6);
      // The values of one bin are not those of the range that is drawn.
      await untilPasses(async () => {
        assert.match((await page.locator('.chart-tip').textContent()) ?? '', /01:00 – Mar 02, 06:30Release/);
      });
      // Keys go from bin to bin of what is shown.
      const narrowed = page.waitForResponse((response) =>
        /metricsOfCosts.*2026-03-02T06:30/s.test(response.request().postData() ?? ''),
      );
      await page.mouse.up();
      await page.waitForURL(/timeRangeEnd=2026-03-02T06%3A30/);
      assert.equal(new URL(page.url()).searchParams.get('timeRangeStart'), '2026-03-02T01:00:00.000Z');
      await (await narrowed).finished();

      await page.mouse.move(0, 0);
      // A key before the chart shows the response would go to a bin of the range before.
      await untilPasses(async () => {
        await plot('Cost').blur();
        await plot('Cost').focus();
        await page.keyboard.press('ArrowRight');
        assert.match((await page.locator('.chart-tip').textContent()) ?? '', /01:00 – Mar 02, 01:10/);
      });
      await page.keyboard.press('Shift+ArrowRight');
      await page.keyboard.press('Enter');
      await page.waitForURL(/timeRangeEnd=2026-03-02T01%3A20/);
      assert.equal(new URL(page.url()).searchParams.get('timeRangeStart'), '2026-03-02T01:00:00.000Z');
    });

    await t.test('each panel states that a range has no data', async () => {
      await page.goto(`${place}/metrics?timeRangeStart=2026-01-01T00:00:00Z&timeRangeEnd=2026-01-02T00:00:00Z`);
      for (const name of ['Traces', 'Latency', 'Cost', 'Tool spans', 'Top tools', 'Span annotations']) {
        await panel(name).getByText('No data in this range').waitFor();
      }
    });

    await t.test('each panel states that no data matches the filter', async () => {
      await page.goto(`${place}/metrics?${range}&spanFilterCondition=name == 'nobody'`);
      for (const name of ['Traces', 'Latency', 'Cost', 'Tool spans', 'Top tools', 'Span annotations']) {
        await panel(name).getByText('No data in this range matches the filter').waitFor();
      }
    });

    await t.test('bins start at midnight of the chosen time zone', async () => {
      await page.evaluate(`localStorage.setItem('spandrel.preferences', '{"timeZone":"Asia/Kolkata"}')`);
      await page.goto(`${place}/metrics?timeRangeStart=2026-02-20T00:00:00Z&timeRangeEnd=2026-03-20T00:00:00Z`);
      await marks('Traces').first().waitFor();
      await plot('Traces').focus();
      await page.keyboard.press('ArrowRight');
      // A month in bins of a day; the range begins at half past five there.
      await untilPasses(async () => {
        assert.match((await page.locator('.chart-tip').textContent()) ?? '', /Feb 20, 00:00 – Feb 21, 00:00/);
      });
    });

    assert(operations.filter((name) => name === 'metricsOfTraces').length > 0);
    assert.deepEqual(pageErrors, []);
  });
});

async function firstSpan(url: string, project: string): Promise<string> {
  const { node } = await graphql<{ node: { spans: { edges: readonly { node: { id: string } }[] } } }>(
    url,
    'query ($id: ID!) { node(id: $id) { ... on Project { spans(first: 1) { edges { node { id } } } } } }',
    { id: await projectId(url, project) },
  );
  return node.spans.edges[0]!.node.id;
}
