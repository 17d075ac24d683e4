import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { seriousViolations } from '../axe.ts';
import { closePage, NO_BROWSER, openBrowser, openPage } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { graphql } from '../seed.ts';
import { bindCode, evaluatorsPath, seedLabelledRuns } from './evaluator-data.ts';

/** Compressed bytes of the scripts that the page has loaded, without those of the code editor. */
const scriptBytes = (page: Page): Promise<number> =>
  page.evaluate(`performance.getEntriesByType('resource')
    .filter(({ name }) => name.endsWith('.js') && !/TextEditor|ColoredCode|highlight-code/.test(name))
    .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`);

describe('the pages of evaluators', { skip: NO_BROWSER }, () => {
  test('fit both themes and all widths, and load at most 300 kB of scripts at the first visit', async (t) => {
    const { url } = await openPageServer(t);
    const datasetId = await seedLabelledRuns(url, [
      ['please', 'good'],
      ['go away', 'bad'],
      ['no', 'good'],
    ]);
    const codeId = await bindCode(url, datasetId);
    await graphql(url, 'mutation ($input: StartCalibrationInput!) { startCalibration(input: $input) { __typename } }', {
      input: { datasetEvaluatorId: codeId, source: { datasetId }, annotationName: 'quality' },
    });
    const pages = [
      [evaluatorsPath(datasetId), 'polite'],
      [evaluatorsPath(datasetId, codeId), 'Agreement with people'],
      [evaluatorsPath(datasetId, 'new', 'llm'), 'Ask the model for an explanation'],
      [evaluatorsPath(datasetId, codeId, 'edit'), 'ends after 30 s'],
      [evaluatorsPath(datasetId, 'new', 'built-in'), 'Whether the comparison'],
      [evaluatorsPath(datasetId, codeId, 'calibration'), 'Cohen’s kappa'],
    ] as const;
    const browser = await openBrowser(t);
    for (const [theme, width] of [
      ['light', 1440],
      ['dark', 1440],
      ['light', 1024],
      ['dark', 420],
    ] as const) {
      await t.test(`${theme}, ${width} px`, async () => {
        const { page, pageErrors } = await openPage(browser, url, { theme, width });
        page.setDefaultTimeout(20_000);
        for (const [path, ready] of pages) {
          await page.goto(url + path);
          await page.locator('main').getByText(ready).first().waitFor();
          const overflow = await page.evaluate(
            'document.documentElement.scrollWidth - document.documentElement.clientWidth',
          );
          assert.equal(overflow, 0, `${path} does not scroll sideways`);
          assert.deepEqual(await seriousViolations(page), [], path);
        }
        assert.deepEqual(pageErrors, []);
        await closePage(page);
      });
    }
    await t.test('scripts', async () => {
      for (const [path, ready] of pages) {
        const { page } = await openPage(browser, url);
        await page.goto(url + path);
        await page.locator('main').getByText(ready).first().waitFor();
        const bytes = await scriptBytes(page);
        t.diagnostic(`${bytes} bytes of scripts at ${path}`);
        assert(bytes > 20_000 && bytes <= 300_000, `${bytes} bytes of scripts at ${path}`);
        await closePage(page);
      }
    });
  });
});
