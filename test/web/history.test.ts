import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { closePage, NO_BROWSER, openBrowser, openPage } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { hexId, projectId, type SeedSpan, seed } from './seed.ts';

/** Traces a minute apart in ten sessions. Each is a root with a tool, and every third tool fails. */
function traces(count: number, now: number): SeedSpan[] {
  return Array.from({ length: count }, (_, index): SeedSpan[] => {
    const ids = { traceId: hexId(index + 1, 16), start: now - (index + 1) * 60_000 };
    const attributes = { 'session.id': `talk-${index % 10}`, 'user.id': `user-${index % 4}` };
    const root = { ...ids, spanId: hexId(10 * index + 1, 8), name: `ask ${index}`, latencyMs: 100 + index, attributes };
    const tool = {
      ...ids,
      spanId: hexId(10 * index + 2, 8),
      parentSpanId: root.spanId,
      name: 'look_up',
      latencyMs: 50,
    };
    return [root, { ...tool, isError: index % 3 === 0, attributes: { 'openinference.span.kind': 'TOOL' } }];
  }).flat();
}

/** What a table shows to the user. */
const SHOWN = `(() => {
  const table = document.querySelector('[role=table]');
  const range = document.querySelector('.range button[aria-haspopup]');
  if (!range || (table && table.getAttribute('aria-busy') === 'true')) return null;
  const sorted = document.querySelector('[aria-sort]');
  return {
    address: location.pathname + location.search,
    filter: document.querySelector('.filter-input')?.value ?? '',
    range: range.textContent,
    sort: sorted ? sorted.textContent + ' ' + sorted.ariaSort : '',
    pressed: [...document.querySelectorAll('.segments [aria-pressed=true]')].map((each) => each.textContent).join(),
    rowCount: table?.getAttribute('aria-rowcount') ?? '',
    first: table?.querySelector('.table-row')?.textContent ?? '',
  };
})()`;

type Shown = Readonly<Record<'address' | 'filter' | 'range' | 'sort' | 'pressed' | 'rowCount' | 'first', string>>;

/** Waits for a stable state, because rows follow the address. */
async function settled(page: Page, isIt: (shown: Shown) => boolean = () => true): Promise<Shown> {
  const deadline = Date.now() + 20_000;
  let last = '';
  for (;;) {
    const shown = (await page.evaluate(SHOWN)) as Shown | null;
    const text = JSON.stringify(shown);
    if (shown && text === last && isIt(shown)) return shown;
    assert(Date.now() < deadline, `the page shows ${text}`);
    last = text;
    await page.waitForTimeout(250);
  }
}

type Act = (page: Page) => Promise<void>;

/** Performs actions one after another, then goes back and forward through the resulting views. */
async function undoAndRedo(page: Page, acts: Readonly<Record<string, Act>>): Promise<void> {
  const before = await page.evaluate('history.length');
  const shown = [await settled(page)];
  for (const [name, act] of Object.entries(acts)) {
    await act(page);
    const { address } = shown.at(-1)!;
    shown.push(
      await settled(page, (now) => now.address !== address).catch((cause: unknown) => {
        throw new Error(`${name} does not change the address`, { cause });
      }),
    );
  }
  const names = Object.keys(acts);
  assert.equal(await page.evaluate('history.length'), Number(before) + names.length, 'each is one step');
  for (const [index, name] of [...names.entries()].reverse()) {
    await page.goBack();
    assert.deepEqual(await settled(page, isLike(shown[index]!)), shown[index], `Back undoes: ${name}`);
  }
  for (const [index, name] of names.entries()) {
    await page.goForward();
    assert.deepEqual(await settled(page, isLike(shown[index + 1]!)), shown[index + 1], `Forward redoes: ${name}`);
  }
}

const isLike =
  (expected: Shown) =>
  (shown: Shown): boolean =>
    shown.address === expected.address && shown.rowCount === expected.rowCount && shown.first === expected.first;

const chooseRange =
  (label: string): Act =>
  async (page) => {
    await page.locator('.range button[aria-haspopup]').click();
    await page.locator('.range-presets').getByRole('button', { name: label, exact: true }).click();
  };
const press =
  (name: string, exact = true): Act =>
  async (page) =>
    page.getByRole('button', { name, exact }).first().click();
const brush: Act = async (page) => {
  const chart = page.getByRole('img', { name: /over time/ });
  // All sessions have errors, so their bars have no other segment.
  await chart.locator('.bar, .bar-error').first().waitFor();
  const box = (await chart.boundingBox())!;
  await page.mouse.move(box.x + box.width * 0.5, box.y + 20);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.9, box.y + 20, { steps: 4 });
  await page.mouse.up();
};
/** Types texts one after the other. Each text is applied before the next one. */
const type =
  (param: string, ...texts: readonly string[]): Act =>
  async (page) => {
    for (const text of texts) {
      await page.getByRole('combobox', { name: 'Filter' }).fill(text);
      await page.waitForURL((url) => url.searchParams.get(param) === text);
    }
    await page.keyboard.press('Escape');
    await page.locator('h1').click();
  };

describe('Back and Forward', { skip: NO_BROWSER }, () => {
  test('undo and redo each change of the view of a table or a chart', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'steps', traces(40, Date.now()));
    const browser = await openBrowser(t);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'steps'))}`;
    // A range that has ended, so its rows do not change.
    const range = `timeRangeStart=${new Date(Date.now() - 7_200_000).toISOString()}&timeRangeEnd=${new Date().toISOString()}`;

    await t.test('of spans', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/spans?${range}`);
      await undoAndRedo(page, {
        'all spans': press('All spans'),
        'a value': async () => {
          const values = page.getByRole('complementary', { name: 'Filters' });
          await values.getByRole('button', { name: /^look_up/ }).click();
        },
        'without a value': async () => {
          const values = page.getByRole('complementary', { name: 'Filters' });
          await values.getByRole('button', { name: 'Exclude ERROR' }).click({ force: true });
        },
        'the filter is cleared': press('Clear filter'),
        'a filter typed in pieces': type('spanFilterCondition', "name == 'look_up'", "status_code == 'ERROR'"),
        'an order': press('Latency'),
        'the other way': press('Latency'),
        'root spans': press('Root spans'),
        'a filter changed': type('spanFilterCondition', 'latency_ms > 110', 'latency_ms > 120'),
        'a range drawn over the chart': brush,
        'a range': chooseRange('Last 12 hours'),
        'zoomed out': press('Zoom out'),
        'an earlier one': press('Earlier'),
      });
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('of traces', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/traces?${range}`);
      await page.locator('.table-row').first().waitFor();
      await press('Filters')(page);
      await undoAndRedo(page, {
        'a value': async () => {
          const values = page.getByRole('complementary', { name: 'Filters' });
          await values.getByRole('button', { name: /^user-2/ }).click();
        },
        'an order': press('Latency'),
        'a filter chosen from what is offered': async () => {
          await press('Clear filter')(page);
          await settled(page, ({ filter }) => filter === '');
          await page.goBack();
          await settled(page, ({ filter }) => filter !== '');
          await type('spanFilterCondition', 'latency_ms < 120')(page);
        },
        'a range drawn over the chart': brush,
        'a range': chooseRange('Last day'),
        'zoomed in': press('Zoom in'),
      });
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('of sessions', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/sessions?${range}`);
      await undoAndRedo(page, {
        'an order': press('Traces'),
        'a filter typed in pieces': type(
          'sessionFilterCondition',
          'num_traces > 1',
          'any(t.latency_ms > 120 for t in traces)',
        ),
        'a range drawn over the chart': brush,
        'a range': chooseRange('Last 30 days'),
        'the filter is cleared': press('Clear filter'),
      });
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('of the charts', async () => {
      const { page, pageErrors } = await openPage(browser, server.url, { height: 1_400 });
      await page.goto(`${place}/metrics?${range}`);
      const plot = page.getByRole('region', { name: 'Traces', exact: true }).locator('.chart-plot');
      await plot.waitFor();
      await undoAndRedo(page, {
        'a range drawn over a chart': async () => {
          const box = (await plot.boundingBox())!;
          await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
          await page.mouse.down();
          await page.mouse.move(box.x + box.width * 0.9, box.y + 40, { steps: 4 });
          await page.mouse.up();
        },
        'zoomed out': press('Zoom out'),
        'a range': chooseRange('Last hour'),
        'what is behind a bar of a list': async () => {
          await page
            .getByRole('region', { name: 'Top tools' })
            .getByRole('link', { name: /look_up/ })
            .click();
          await page.locator('.table-row').first().waitFor();
        },
      });
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('of the list of projects', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${server.url}/projects?timeRangeKey=1d`);
      await page.getByRole('link', { name: 'steps' }).waitFor();
      await undoAndRedo(page, {
        'what is searched, key by key': async () => {
          await page.getByRole('searchbox').pressSequentially('ste');
          await page.waitForURL(/search=ste$/);
          await page.locator('h1').click();
        },
        'an order': press('Name'),
        'a range': chooseRange('Last hour'),
      });
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test('choosing the current value adds no step', async () => {
      const { page } = await openPage(browser, server.url);
      await page.goto(`${place}/spans?timeRangeKey=1h`);
      await settled(page);
      const before = await page.evaluate('history.length');
      await press('Root spans')(page);
      await chooseRange('Last hour')(page);
      await settled(page);
      assert.equal(await page.evaluate('history.length'), before);
      await closePage(page);
    });

    await t.test('selections within a trace add no steps, and changes of its view do', async () => {
      const { page, pageErrors } = await openPage(browser, server.url);
      await page.goto(`${place}/traces?${range}`);
      const table = page.url();
      await page.locator('.table-row').nth(2).click();
      await page.getByRole('tree').focus();
      await page.keyboard.press('ArrowDown');
      await page.waitForURL(/selectedSpanNodeId/);
      await page.keyboard.press('j');
      await page.waitForURL(new RegExp(hexId(4, 16)));
      await page.getByRole('button', { name: 'Conversation' }).click();
      await page.waitForURL(/traceView=conversation/);
      await page.goBack();
      await page.waitForURL((url) => !url.searchParams.has('traceView'));
      await page.getByRole('tree').waitFor();
      await page.goBack();
      await page.getByRole('table', { name: 'Traces' }).waitFor();
      assert.equal(page.url(), table);
      assert.deepEqual(pageErrors, []);
      await closePage(page);
    });

    await t.test(
      'a value of a span opens all spans with it, within the range, and Back returns to the span',
      async () => {
        const { page, pageErrors } = await openPage(browser, server.url);
        await page.goto(`${place}/traces?${range}&sort=traceLatencyMs:asc`);
        await page.locator('.table-row').first().click();
        await page.getByRole('tab', { name: 'Attributes' }).click();
        const row = page.locator('.json-row', { hasText: 'user-0' }).first();
        await row.hover();
        const span = page.url();
        await row.getByRole('button', { name: 'Filter by id' }).click();
        await page.getByRole('table', { name: 'Spans' }).waitFor();
        const list = new URL(page.url()).searchParams;
        assert.equal(list.get('timeRangeEnd'), new URLSearchParams(range).get('timeRangeEnd'));
        assert.equal(list.get('sort'), null);
        await page.goBack();
        await page.locator('.json-row', { hasText: 'user-0' }).first().waitFor();
        assert.equal(page.url(), span);
        assert.deepEqual(pageErrors, []);
        await closePage(page);
      },
    );
  });
});
