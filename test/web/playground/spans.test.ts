import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openTestServer } from '../../api/test-server.ts';
import { openVendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { hexId, seed } from '../seed.ts';

describe('spans as cases of the playground', { skip: NO_BROWSER }, () => {
  test('are those of a project and a filter, and their runs have outputs and traces', async (t) => {
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const { address: url } = await openTestServer(t, {
      variables: { OPENAI_API_KEY: 'sk-server', OPENAI_BASE_URL: `${vendor.url}/v1` },
    });
    const now = Date.now();
    await seed(
      url,
      'app',
      [1, 2, 3, 4].map((number) => ({
        traceId: hexId(number, 16),
        spanId: hexId(number, 8),
        name: number === 4 ? 'summarize' : 'answer',
        start: now - number * 10_000,
        latencyMs: 900,
        attributes: {
          'openinference.span.kind': number === 3 ? 'CHAIN' : 'LLM',
          'llm.model_name': 'gpt-4o-mini',
          'input.value': `question ${number}`,
          'output.value': `answer ${number}`,
        },
      })),
    );
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, url);
    await page.goto(`${url}/playground`);

    await t.test('a project and a filter choose the rows', async () => {
      await page.getByRole('button', { name: 'Spans' }).click();
      await page.getByRole('heading', { name: 'Choose a project' }).waitFor();
      await page.getByLabel('Project', { exact: true }).selectOption({ label: 'app' });
      await page.getByText('3 cases').waitFor();
      await untilPasses(async () => {
        assert.deepEqual(await page.locator('.pg-case-row .pg-case a').allTextContents(), [
          'answer',
          'answer',
          'summarize',
        ]);
      });
      await page.getByRole('combobox', { name: 'Filter' }).fill('name == "answer"');
      await page.keyboard.press('Enter');
      await page.locator('.pg-case-row').filter({ hasText: 'question 3' }).waitFor();
      await page.getByText('3 cases').waitFor();
      await page.getByLabel('Newest').fill('2');
      await page.getByText('2 cases').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test(
      'the bar keeps its height when the estimate arrives, and at 420 px only the grid scrolls',
      async () => {
        const height = () => page.locator('.pg-bar').evaluate((bar) => bar.clientHeight);
        await page.locator('textarea[aria-label="User message 2"]').fill('Is “{{output}}” right for {{input}}?');
        const before = await height();
        await page.locator('.run-estimate').waitFor();
        await untilPasses(async () => {
          assert.equal(await height(), before);
        });
        await page.setViewportSize({ width: 1024, height: 768 });
        await untilPasses(async () => {
          assert.equal(await height(), before, 'the bar has one line at 1024 px, too');
        });
        await page.setViewportSize({ width: 420, height: 860 });
        await untilPasses(async () => {
          assert.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true);
          assert.equal(await page.locator('.pg-grid').evaluate((grid) => grid.scrollWidth > grid.clientWidth), true);
          assert.equal(await page.locator('.main').evaluate((main) => main.scrollWidth <= main.clientWidth), true);
          const width = await page.locator('.pg-head[data-variant]').evaluate((head) => head.clientWidth);
          assert.ok(width > 390 && width <= 420, `one column of ${width} px is in sight`);
        });
        await page.setViewportSize({ width: 1440, height: 900 });
      },
    );

    await t.test('a run has an output and a trace for each span', async () => {
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('Echo: Is “answer 1” right for question 1?').waitFor();
      await page.getByText('Echo: Is “answer 2” right for question 2?').waitFor();
      await page.getByText('2 of 2').waitFor();
      assert.equal(vendor.calls.length, 2);
      await page.getByRole('link', { name: 'Open the trace' }).first().click();
      await page.locator('.tree-row').first().waitFor();
      await page.getByText('Is “answer 1” right for question 1?').first().waitFor();
    });

    await t.test('the link of a row opens its span', async () => {
      await page.goBack();
      await page.locator('.pg-case-row .pg-case a').first().click();
      await page.locator('.tree-row', { hasText: 'answer' }).first().waitFor();
      assert.match(page.url(), new RegExp(hexId(1, 16)));
    });
    assert.deepEqual(pageErrors, []);
  });
});
