import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { ATTACKS } from '../attacks.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { graphql, hexId, projectId, type SeedSpan, seed } from '../seed.ts';

const DAY = Date.parse('2026-03-02T00:00:00Z');
const RANGE = 'timeRangeStart=2026-03-02T00:00:00Z&timeRangeEnd=2026-03-03T00:00:00Z';
const COUNT = { kind: 'figure', metric: 'spans', aggregates: ['count'] };
const CREATE = 'mutation ($input: CreateDashboardInput!) {createDashboard(input: $input) {id}}';
const PATCH = 'mutation ($input: PatchDashboardInput!) {patchDashboard(input: $input) {revision}}';

/** Ten model calls over a day for two tenants, and two the day before. */
const spans = Array.from({ length: 12 }, (_, i): SeedSpan => {
  const day = i < 10 ? DAY : DAY - 86_400_000;
  return {
    traceId: hexId(i + 1, 16),
    spanId: hexId(i + 1, 8),
    name: 'answer',
    start: day + (i + 1) * 3_600_000,
    latencyMs: 100 * (i + 1),
    isError: i === 3,
    attributes: {
      'openinference.span.kind': 'LLM',
      'llm.model_name': ATTACKS[0]!,
      metadata: JSON.stringify({ tenant: i % 3 === 0 ? 'acme' : 'umbrella' }),
    },
  };
});

describe('dashboards in the interface', { skip: NO_BROWSER }, () => {
  test('are shown, edited, shared, exported and imported', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'shop', spans);
    const id = await projectId(server.url, 'shop');
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url, { height: 2_000 });
    const dialog = page.getByRole('dialog');
    const panel = (name: string) => page.getByRole('region', { name, exact: true });
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
    const titles = () => page.locator('.panel-grid h2').allTextContents();
    /** A grid moves its panels a moment after the action. */
    const untilTitles = async (isExpected: (shown: readonly string[]) => boolean) => {
      for (let attempt = 0; attempt < 200 && !isExpected(await titles()); attempt++) await page.waitForTimeout(50);
      assert(isExpected(await titles()), `${isExpected}: ${await titles()}`);
    };

    await t.test('the last project opens with its first dashboard', async () => {
      await page.goto(`${server.url}/dashboards`);
      await page.waitForURL(/\/dashboards\/projects\/[^/]+\?timeRangeKey=/);
      await page.goto(`${server.url}/dashboards/projects/${encodeURIComponent(id)}?${RANGE}`);
      await panel('Traces').getByText('10', { exact: true }).waitFor();
      await panel('Traces').getByText('was 2').waitFor();
      await panel('Traces').getByText('+400 %').waitFor();
      await panel('Span error rate').getByText('10 %', { exact: true }).waitFor();
      await panel('Top models').getByText(ATTACKS[0]!).waitFor();
      await panel('Cost by model').getByText('No data in this range').waitFor();
      assert.equal(await button('Edit').count(), 0, 'a built-in dashboard cannot be edited');
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('charts share a cursor and lead to their spans', async () => {
      await panel('Traffic').locator('.chart-plot').hover();
      await panel('Traffic').getByRole('status').waitFor();
      await page.locator('.chart-plot .cursor').nth(2).waitFor({ state: 'attached' });
      const link = page.getByRole('link', { name: 'Open the spans of Latency P95' });
      const address = new URL((await link.getAttribute('href'))!, server.url).searchParams;
      assert.equal(address.get('spanFilterCondition'), 'parent_id is None');
      assert.equal(address.get('timeRangeStart'), '2026-03-02T00:00:00Z');
      assert.equal(address.get('sort'), 'latencyMs:desc');
    });

    await t.test(
      'a copy is edited: a panel is added with a preview, moved, widened, deleted and restored',
      async () => {
        await button('Duplicate to edit').click();
        await page.getByRole('heading', { name: 'Overview (copy)' }).waitFor();
        await button('Edit').click();
        const before = await titles();
        await button('Move Traces').press('ArrowRight');
        await untilTitles(([first, second]) => first === before[1] && second === before[0]);
        await button('Move Traces').press('+');
        await page.getByText('Traces: 2 of 4 columns wide').waitFor({ state: 'attached' });
        await button('Move Cost').dragTo(panel('Span error rate'));
        await untilTitles(([first]) => first === 'Cost');
        await button('Delete: Top models').click();
        await untilTitles((shown) => !shown.includes('Top models'));
        await button('Undo').click();
        await untilTitles((shown) => shown.includes('Top models'));

        await button('Add panel').click();
        await dialog.getByRole('button', { name: 'Top list' }).click();
        await dialog.getByLabel('Metric').selectOption('Latency');
        await dialog.getByRole('button', { name: 'P95' }).click();
        await dialog.getByLabel('Group by').selectOption('An attribute…');
        await dialog.getByText('Enter the key of an attribute').waitFor();
        await dialog.getByLabel('Attribute key').fill('metadata.tenant');
        await dialog.getByText('umbrella').waitFor();
        assert.deepEqual(await seriousViolations(page), []);
        await dialog.getByRole('button', { name: 'Add panel' }).click();
        const href = await panel('P95 of latency by metadata.tenant')
          .getByRole('link', { name: /acme/ })
          .getAttribute('href');
        const filter = new URL(href!, server.url).searchParams.get('spanFilterCondition');
        assert.equal(filter, "metadata['tenant'] == 'acme'");
        await page.getByText('Unsaved changes').waitFor();
      },
    );

    await t.test('unsaved changes survive leaving the page, and are saved', async () => {
      const address = page.url();
      await page.getByRole('link', { name: 'Cost and tokens' }).click();
      await panel('Tokens').waitFor();
      await page.goBack();
      await page.getByText('Unsaved changes').waitFor();
      await button('Save').click();
      await page.getByText('Overview (copy) saved.').waitFor();
      await page.goto(address);
      await panel('P95 of latency by metadata.tenant').waitFor();
      await untilTitles(([first]) => first === 'Cost');
      await page
        .locator('.panel-cell[data-columns="2"]')
        .filter({ has: panel('Traces') })
        .waitFor();
    });

    await t.test('the second of two users who save is told, and loses nothing', async () => {
      await button('Edit').click();
      await button('Delete: Top models').click();
      const dashboard = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1)!);
      await graphql(server.url, PATCH, {
        input: { id: dashboard, revision: 2, panels: [{ ...COUNT, title: 'Theirs' }] },
      });
      await button('Save').click();
      await page.getByText('Another user has saved this dashboard').waitFor();
      await button('Save as a copy').click();
      await page.getByRole('heading', { name: 'Overview (copy) (copy)' }).waitFor();
      await page.getByRole('link', { name: 'Overview (copy)', exact: true }).click();
      await panel('Theirs').waitFor();
    });

    await t.test('a file is exported and imported; a bad one names the panel and the field', async () => {
      const discard = async () => {
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Discard' }).click();
      };
      const text = await exported(page);
      const file = JSON.parse(text) as { name: string; panels: object[] };
      assert.deepEqual([file.name, file.panels.length], ['Overview (copy)', 1]);
      await chooseFile(page, 'no JSON');
      await dialog.getByText('The file is not JSON').waitFor();
      await discard();
      await chooseFile(page, JSON.stringify({ ...file, panels: [{ ...COUNT, title: 'Spend', columns: 9 }] }));
      await dialog.getByRole('button', { name: 'Import' }).click();
      await dialog.getByText('Panel 1 ("Spend"): columns must be an integer from 1 to 4, and is 9').waitFor();
      await discard();
      await chooseFile(page, JSON.stringify({ ...file, name: ATTACKS[0] }));
      await dialog.getByRole('button', { name: 'Import' }).click();
      await page.getByRole('heading', { name: ATTACKS[0]! }).waitFor();
      await panel('Theirs').getByText('10', { exact: true }).waitFor();
    });

    await t.test('one panel that fails leaves the others, and one is deleted after a confirmation', async () => {
      await page.route('**/graphql', async (route) => {
        const isBad = route.request().postData()?.includes('"filterCondition":"name == ') ?? false;
        await (isBad ? route.fulfill({ status: 500, body: 'broken' }) : route.continue());
      });
      const panels = [COUNT, { ...COUNT, title: 'Bad', filter: "name == 'x'" }];
      const { createDashboard } = await graphql<{ createDashboard: { id: string } }>(server.url, CREATE, {
        input: { projectId: id, name: 'Broken', panels },
      });
      await page.goto(`${server.url}/dashboards/projects/${encodeURIComponent(id)}/${createDashboard.id}?${RANGE}`);
      await panel('Spans').getByText('10', { exact: true }).waitFor();
      await panel('Bad').getByRole('alert').waitFor();
      await page.getByRole('button', { name: 'Actions of the dashboard' }).click();
      await page.getByRole('menuitem', { name: 'Delete…' }).click();
      await dialog.getByRole('button', { name: 'Delete dashboard' }).click();
      await page.getByText('Broken deleted.').waitFor();
      await panel('Traces').waitFor();
    });
    assert.deepEqual(
      pageErrors.filter((error) => !error.includes('500')),
      [],
    );
  });
});

async function exported(page: Page): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Actions of the dashboard' }).click();
  await page.getByRole('menuitem', { name: 'Export as a JSON file' }).click();
  return readFile(await (await download).path(), 'utf8');
}

async function chooseFile(page: Page, text: string): Promise<void> {
  await page.getByRole('button', { name: 'Actions of the dashboard' }).click();
  await page.getByRole('menuitem', { name: /^Import/ }).click();
  const buffer = Buffer.from(text);
  await page.locator('input[type=file]').setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer });
}
