import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { bindCode, evaluatorsPath, seedLabelledConversations, seedLabelledRuns } from './evaluator-data.ts';

/** Answers, and the labels of people: the evaluator says `good` for the first five, fails on one, and errs on two. */
const ANSWERS: readonly (readonly [string, string])[] = [
  ...Array.from({ length: 4 }, (_, index) => [`please ${index}`, 'good'] as const),
  ['please stop', 'bad'],
  ['go away', 'good'],
  ...Array.from({ length: 5 }, (_, index) => [`no ${index}`, 'bad'] as const),
  ['crash', 'good'],
];

describe('the calibration of an evaluator', { skip: NO_BROWSER }, () => {
  test('compares it with people, lists where they disagree, and sets versions side by side', async (t) => {
    const { url } = await openPageServer(t);
    const datasetId = await seedLabelledRuns(url, ANSWERS);
    const evaluatorId = await bindCode(url, datasetId);
    const { page, pageErrors } = await openPage(await openBrowser(t), url);
    page.setDefaultTimeout(15_000);
    const dialog = page.getByRole('dialog');
    const items = page.getByRole('region', { name: 'Targets' });
    const rows = items.locator('tbody tr');

    await t.test('without one, the page names the next step', async () => {
      await page.goto(`${url}${evaluatorsPath(datasetId, evaluatorId)}`);
      await page.getByRole('link', { name: 'Calibration' }).click();
      await page.getByRole('heading', { name: 'Not calibrated yet' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('the form counts labels, and does not start without any', async () => {
      await page.getByRole('button', { name: 'New calibration' }).click();
      await dialog.getByText('12 labelled').waitFor();
      await dialog.getByText(/bad 6, good 6|good 6, bad 6/).waitFor();
      await dialog.getByLabel('Name of their annotations').fill('tone');
      await dialog.getByText('People have not labelled any as tone').waitFor();
      await untilPasses(async () => {
        assert.equal(await dialog.getByRole('button', { name: 'Start calibration' }).isDisabled(), true);
      });
      await dialog.getByLabel('Name of their annotations').fill('quality');
      await dialog.getByText('12 labelled').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await dialog.getByLabel('Held out, percent').fill('0');
      await dialog.getByRole('button', { name: 'Start calibration' }).click();
    });

    await t.test('it shows agreement, kappa, the matrix, and precision and recall by label', async () => {
      await page.getByRole('status').getByText('Completed').waitFor();
      await page.getByText('9 of 11, 95% interval').waitFor();
      await page.getByRole('navigation', { name: 'Calibrations' }).getByText('82%, κ 0.63').waitFor();
      // Agreement 9/11, by chance (5·5 + 6·6)/121: kappa 0.6333.
      await page.locator('.calibration-tile', { hasText: 'kappa' }).getByText('0.63', { exact: true }).waitFor();
      await page.getByText('12 targets, 1 failed').waitFor();
      await untilPasses(async () => {
        const cells = await page.locator('.calibration-matrix td button').allTextContents();
        assert.deepEqual(cells, ['4', '1', '1', '5']);
      });
      await page.getByRole('row', { name: 'good 5 5 80% 80% 0.80' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('disagreements and failures are listed, and a cell of the matrix lists its own', async () => {
      await rows.nth(1).waitFor();
      await untilPasses(async () => {
        assert.equal(await rows.count(), 2);
      });
      await items.getByRole('button', { name: 'Failed' }).click();
      await items.getByText('crash (line 3)').waitFor();
      await page.getByRole('button', { name: '1: people good, evaluator bad' }).click();
      await rows.getByText('go away').waitFor();
      await untilPasses(async () => {
        assert.equal(await rows.count(), 1);
      });
      await page.getByRole('button', { name: '1: people bad, evaluator good' }).press('Enter');
      await rows.getByText('please stop').waitFor();
      await rows.getByRole('link', { name: 'Evaluation' }).click();
      await page.locator('.tree-row', { hasText: 'Evaluator: polite' }).waitFor();
      await page.goBack();
    });

    await t.test('a second one with another mapping is set beside the first', async () => {
      await page.getByRole('button', { name: 'New calibration' }).click();
      await dialog.locator('summary').click();
      await dialog.getByRole('group', { name: 'Source of word' }).getByRole('button', { name: 'Fixed' }).click();
      await dialog.getByLabel('Value of word').fill('no');
      await dialog.getByLabel('Held out, percent').fill('50');
      await dialog.getByText('12 labelled').waitFor();
      await dialog.getByRole('button', { name: 'Start calibration' }).click();
      await page.getByRole('status').getByText('Completed').waitFor();
      await page.getByRole('button', { name: 'Held out' }).click();
      await page
        .locator('.calibration-tile', { hasText: 'Evaluated' })
        .getByText(/failed|targets/)
        .waitFor();
      const boxes = page.getByRole('checkbox', { name: /^Compare/ });
      await boxes.nth(1).check();
      await boxes.nth(0).check();
      const comparison = page.getByRole('region', { name: 'Comparison' });
      await comparison.getByText('on the 11 targets').waitFor();
      await comparison.getByRole('row', { name: /^Now wrong\s+9/ }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('one is deleted', async () => {
      await page
        .getByRole('button', { name: /^Runs of questions/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Delete calibration' }).click();
      await dialog.getByRole('button', { name: 'Delete calibration' }).click();
      await page
        .getByRole('checkbox', { name: /^Compare/ })
        .first()
        .waitFor({ state: 'detached' });
      await page.getByText('9 of 11, 95% interval').waitFor();
    });
    assert.deepEqual(pageErrors, []);
  });

  test('judges spans, traces and sessions of a project that people have labelled', async (t) => {
    const { url } = await openPageServer(t);
    const datasetId = await seedLabelledRuns(url, [['sure', 'good']]);
    const source = 'def evaluate(output):\n    return "good" if "please" in str(output) else "bad"';
    const evaluatorId = await bindCode(url, datasetId, 'polite_text', source);
    await seedLabelledConversations(url, 'support', [
      ['please wait', 'good'],
      ['please go', 'bad'],
      ['go away', 'bad'],
    ]);
    const { page, pageErrors } = await openPage(await openBrowser(t), url);
    page.setDefaultTimeout(15_000);
    const dialog = page.getByRole('dialog');
    const items = page.getByRole('region', { name: 'Targets' });
    for (const [kind, target] of [
      ['Spans', 'answer 1'],
      ['Traces', 'Trace 00000000'],
      ['Sessions', 'chat-1'],
    ] as const) {
      await t.test(kind.toLowerCase(), async () => {
        await page.goto(`${url}${evaluatorsPath(datasetId, evaluatorId, 'calibration')}`);
        await page.getByRole('button', { name: 'New calibration' }).first().click();
        await dialog.getByRole('button', { name: kind }).click();
        await dialog.getByLabel('Project').selectOption({ label: 'support' });
        await dialog.getByLabel('Name of their annotations').fill('quality');
        await dialog.getByText('3 labelled').waitFor();
        await dialog.getByLabel('Held out, percent').fill('0');
        assert.deepEqual(await seriousViolations(page), []);
        await dialog.getByRole('button', { name: 'Start calibration' }).click();
        await page.getByRole('button', { name: new RegExp(`^${kind} of support`) }).waitFor();
        await page.getByRole('status').getByText('Completed').waitFor();
        await page.getByText('2 of 3, 95% interval').waitFor();
        await untilPasses(async () => {
          assert.deepEqual(await page.locator('.calibration-matrix td button').allTextContents(), ['1', '0', '1', '1']);
        });
        await items.getByRole('link', { name: target }).click();
        await page.getByText('please go').first().waitFor();
      });
    }
    assert.deepEqual(pageErrors, []);
  });
});
