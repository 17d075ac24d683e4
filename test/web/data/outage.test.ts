import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { makeDataDir, removeDataDir, type ServerProcess, startServer } from '../../e2e/server-process.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { graphql, hexId, projectId, type SeedSpan, seed } from '../seed.ts';

const PROJECT = 'outage';

const span = (number: number): SeedSpan => ({
  traceId: hexId(number, 16),
  spanId: hexId(number, 8),
  name: `span ${number}`,
  start: Date.now() - 60_000 + number * 10,
  latencyMs: 5,
  attributes: { 'session.id': 'talk', 'input.value': 'hello', 'llm.token_count.prompt': 3 },
});

const banner = (page: Page) => page.locator('.connection-banner');
const row = (page: Page, name: string) => page.locator('.table-row', { has: page.getByText(name, { exact: true }) });

/** A server that can be killed and restarted on its ports and data. */
async function restartable(t: { after(end: () => Promise<unknown>): void }) {
  const dataDir = await makeDataDir();
  let server: ServerProcess = await startServer({ dataDir });
  const { url, ports } = server;
  t.after(async () => {
    await server.kill9();
    await removeDataDir(dataDir);
  });
  return {
    url,
    kill: () => server.kill9(),
    async start() {
      server = await startServer({ dataDir, ports });
    },
  };
}

describe('an outage of the server', { skip: NO_BROWSER }, () => {
  test('is reported once on every page, which keeps its data and recovers automatically', async (t) => {
    const server = await restartable(t);
    await seed(
      server.url,
      PROJECT,
      Array.from({ length: 20 }, (_, index) => span(index + 1)),
    );
    const project = await projectId(server.url, PROJECT);
    const { session } = await graphql<{ session: { id: string } }>(
      server.url,
      '{ session: getProjectSessionById(sessionId: "talk") { id } }',
    );
    const place = `${server.url}/projects/${encodeURIComponent(project)}`;
    const browser = await openBrowser(t);
    const open = async (path: string) => {
      const opened = await openPage(browser, server.url);
      await opened.page.goto(path);
      return opened;
    };
    const table = await open(`${place}/spans?timeRangeKey=1h`);
    const trace = await open(`${place}/traces/${hexId(5, 16)}`);
    const talk = await open(`${place}/sessions/${encodeURIComponent(session.id)}`);
    const projects = await open(`${server.url}/projects`);
    const ingest = await open(`${server.url}/settings/ingest`);
    const charts = await open(`${place}/spans?timeRangeKey=1h`);
    await row(table.page, 'span 20').waitFor();
    await trace.page.locator('.span-panel h2', { hasText: 'span 5' }).waitFor();
    await talk.page.locator('.turn').first().waitFor();
    await projects.page.getByText(PROJECT).first().waitFor();
    await ingest.page.locator('.ingest-figures').waitFor();
    await row(charts.page, 'span 20').waitFor();
    const live = table.page.getByRole('button', { name: 'Live' });
    await untilPasses(async () => {
      assert.equal(await live.locator('.live-dot').getAttribute('data-on'), 'true');
    });

    await server.kill();

    await t.test('shown data stays, with one message', async () => {
      for (const { page } of [table, trace, talk, ingest, projects]) {
        await banner(page).getByText('The server cannot be reached.').waitFor();
        await banner(page).getByText('The data below may be out of date. Retrying…').waitFor();
        assert.equal(await page.getByText('The server cannot be reached').count(), 1);
        assert.equal(await page.getByText('The server does not respond').count(), 0);
        assert.equal(await page.locator('.failure').count(), 0);
        assert.deepEqual(await seriousViolations(page), []);
      }
      await row(table.page, 'span 20').waitFor();
      await table.page.getByRole('region', { name: 'Statistics' }).locator('svg').first().waitFor();
      await trace.page.locator('.span-panel h2', { hasText: 'span 5' }).waitFor();
      await talk.page.locator('.turn').first().waitFor();
    });

    await t.test('the Live button shows that it is offline', async () => {
      const offline = table.page.getByRole('button', { name: 'Offline' });
      await offline.waitFor();
      await untilPasses(async () => {
        assert.equal(await offline.locator('.live-dot').getAttribute('data-on'), 'false');
      });
    });

    await t.test(
      'pages and panels that are opened during the outage wait, with one message',

      async () => {
        // Other data of a loaded page, another page whose code is not loaded, and charts that were never shown.
        await charts.page.getByRole('link', { name: 'Metrics' }).click();
        await projects.page.getByRole('link', { name: 'Settings' }).click();
        await trace.page.getByRole('button', { name: 'Conversation' }).click();
        for (const { page } of [charts, projects, trace]) {
          await banner(page).waitFor();
          await banner(page).getByText('Missing parts of this page will load when the server responds.').waitFor();
          await untilPasses(async () => {
            assert.equal(await page.getByText(/server cannot be reached|does not respond|request failed/i).count(), 1);
            assert.equal(await page.getByText(/could not be displayed/).count(), 0);
          });
          assert.deepEqual(await seriousViolations(page), []);
        }
      },
    );

    await server.start();

    await t.test('everything recovers automatically, and continues', async () => {
      for (const { page } of [table, trace, talk, projects, ingest, charts]) {
        await banner(page).waitFor({ state: 'detached' });
      }
      await table.page.getByRole('button', { name: 'Live' }).waitFor();
      await table.page.locator('.live-dot[data-on="true"]').waitFor();
      await seed(server.url, PROJECT, [span(21)]);
      await row(table.page, 'span 21').waitFor();
      await charts.page.getByRole('heading', { name: 'Traces' }).first().waitFor();
      await projects.page.getByText('OTLP over HTTP').waitFor();
      await trace.page.locator('.whole-conversation .end').first().waitFor();
      await seed(server.url, PROJECT, [
        { ...span(22), traceId: hexId(5, 16), parentSpanId: hexId(5, 8), name: 'after the outage' },
      ]);
      await trace.page.getByRole('button', { name: 'Waterfall' }).click();
      await trace.page.locator('.tree-row', { hasText: 'after the outage' }).waitFor();
      await talk.page.getByRole('button', { name: '2 spans' }).waitFor();
    });
  });

  test('six charts that fail for the same reason show it once', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, PROJECT, [span(1)]);
    const browser = await openBrowser(t);
    const { page } = await openPage(browser, server.url, { height: 3_000 });
    let isBroken = true;
    await page.route('**/graphql', (route) => {
      const { operationName } = route.request().postDataJSON() as { operationName: string };
      if (!isBroken || !operationName.startsWith('metrics')) return route.continue();
      return route.fulfill({
        json: { data: null, errors: [{ message: 'The read took too long', extensions: { code: 'QUERY_TIMED_OUT' } }] },
      });
    });
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, PROJECT))}`;
    await page.goto(`${place}/metrics?timeRangeKey=1h`);
    await page.getByText('The request took too long').first().waitFor();
    await page.waitForTimeout(2_000);
    assert.equal(await page.getByText('The request took too long').count(), 1);
    assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 1);
    assert.deepEqual(await seriousViolations(page), []);

    const button = await page.getByRole('button', { name: 'Try again' }).elementHandle();
    const clicked = button!.evaluate((element: { click?(): void }) => element.click?.());
    // Not before the click: charts also read again by themselves, and the button would be gone.
    isBroken = false;
    await clicked;
    await page.getByText('The request took too long').waitFor({ state: 'detached' });
    assert.equal(await page.locator('.failure, .failure-again').count(), 0);
  });

  test('data that cannot be read again stays, and is marked as outdated', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, PROJECT, [span(1)]);
    const browser = await openBrowser(t);
    const { page } = await openPage(browser, server.url);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, PROJECT))}`;
    await page.goto(`${place}/traces/${hexId(1, 16)}`);
    await page.locator('.tree-row', { hasText: 'span 1' }).waitFor();
    let isBroken = true;
    await page.route('**/graphql', (route) => {
      if (!isBroken) return route.continue();
      return route.fulfill({
        json: { data: null, errors: [{ message: 'The read took too long', extensions: { code: 'QUERY_TIMED_OUT' } }] },
      });
    });
    const late = { ...span(2), traceId: hexId(1, 16), parentSpanId: hexId(1, 8) };
    await seed(server.url, PROJECT, [late]);
    await banner(page).getByText('The data below may be out of date. Retrying…').waitFor();
    await page.locator('.tree-row', { hasText: 'span 1' }).waitFor();
    assert.equal(await page.locator('.failure').count(), 0);
    isBroken = false;
    await page.locator('.tree-row', { hasText: 'span 2' }).waitFor();
    await banner(page).waitFor({ state: 'detached' });

    await t.test('the page also waits for a server that is not ready yet', async () => {
      const notYet = (route: Route) => route.fulfill({ status: 503, body: 'later' });
      await page.route('**/readyz', notYet);
      await page.route('**/graphql', notYet);
      await page.getByRole('button', { name: 'Conversation' }).click();
      await banner(page).getByText('The server is starting, or one of its databases is not available.').waitFor();
      assert.equal(await page.locator('.failure').count(), 0);
      await page.unroute('**/graphql', notYet);
      await page.unroute('**/readyz', notYet);
      await banner(page).waitFor({ state: 'detached' });
      await page.locator('.whole-conversation .end').first().waitFor();
    });
  });
});
