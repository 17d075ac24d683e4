import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { graphql } from '../seed.ts';
import { seedExperiments } from './seed-experiments.ts';

describe('evaluators and metrics in the interface', { skip: NO_BROWSER }, () => {
  test('are added with a preview, listed with results and agreement, changed and deleted', async (t) => {
    const server = await openPageServer(t);
    const { datasetId, add, addRuns } = await seedExperiments(server.url, 3, 'evaluated');
    const experimentId = await add('first');
    await addRuns(experimentId, [0.2, 0.5, 0.9]);
    const { page, pageErrors } = await openPage(await openBrowser(t), server.url);
    page.setDefaultTimeout(15_000);
    const dialog = page.getByRole('dialog');
    const row = (text: string) => page.locator('.table-row', { hasText: text });

    await t.test('an empty list of all evaluators names the next step', async () => {
      await page.goto(`${server.url}/evaluators`);
      await page.getByRole('heading', { name: 'No evaluators yet' }).waitFor();
    });

    await t.test('the form previews the mapped values of an example', async () => {
      await page.goto(`${server.url}/datasets/${encodeURIComponent(datasetId)}/evaluators`);
      await page.getByRole('button', { name: 'Add evaluator' }).click();
      await page.getByRole('menuitem', { name: 'Built-in evaluator' }).click();
      await page.getByRole('combobox', { name: 'Evaluator' }).selectOption('exact_match');
      await page.getByLabel('Name').first().fill('quality');
      await page.getByLabel('Path of expected').fill('input.missing');
      const preview = page.getByRole('complementary', { name: 'Preview and test' });
      await preview.getByText('does not lead to a value').waitFor();
      await page.getByLabel('Path of expected').fill('input.number');
      await preview.getByText('does not lead to a value').waitFor({ state: 'detached' });
      await page.getByLabel('Example', { exact: true }).selectOption('Example 3');
      await preview.getByText('0.9').first().waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await preview.getByRole('button', { name: 'Test' }).click();
      await preview.getByRole('region', { name: 'Result of exact_match' }).getByText('false').waitFor();
      await page.getByRole('button', { name: 'Add evaluator' }).click();
      await page.getByRole('heading', { name: 'quality', exact: true }).waitFor();
      await page.getByRole('link', { name: 'Evaluators' }).last().click();
      await row('quality').getByText('n = 3').waitFor();
    });

    await t.test('agreement with people is stated on its page', async () => {
      const { node } = await graphql<{ node: { runs: { edges: { node: { id: string } }[] } } }>(
        server.url,
        'query ($id: ID!) { node(id: $id) { ... on Experiment { runs { edges { node { id } } } } } }',
        { id: experimentId },
      );
      for (const [index, run] of node.runs.edges.entries()) {
        await graphql(
          server.url,
          'mutation ($input: AnnotateExperimentRunInput!) { annotateExperimentRun(input: $input) { __typename } }',
          { input: { runId: run.node.id, name: 'quality', score: [0.2, 0.5, 0.9][index] } },
        );
      }
      await page.goto(`${server.url}/evaluators`);
      await row('evaluated').getByText('r 1.00 of 3').waitFor();
      await page.getByRole('link', { name: 'quality' }).click();
      await page.getByText('3 runs are too few to tell').waitFor();
      await page.getByRole('row', { name: 'expected input.number Path' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('an evaluator is changed and deleted', async () => {
      await page.getByRole('button', { name: 'Actions for quality' }).click();
      await page.getByRole('menuitem', { name: 'Edit evaluator' }).click();
      await page.getByLabel('Description').first().fill('compares numbers');
      await page.getByRole('button', { name: 'Save evaluator' }).click();
      await page.getByText('compares numbers').waitFor();
      await page.getByRole('button', { name: 'Actions for quality' }).click();
      await page.getByRole('menuitem', { name: 'Delete evaluator' }).click();
      await dialog.getByRole('button', { name: 'Delete evaluator' }).click();
      await page.getByRole('heading', { name: 'No evaluators yet' }).waitFor();
    });

    await t.test('metrics chart the newest experiments', async () => {
      await page.getByRole('link', { name: 'Metrics' }).click();
      await page
        .getByRole('group', { name: /^Mean scores|^Mean of quality/ })
        .first()
        .waitFor();
      await page.getByRole('button', { name: '20', exact: true }).click();
      await page.waitForURL(/experiments=20/);
      assert.deepEqual(await seriousViolations(page), []);
    });
    assert.deepEqual(pageErrors, []);
  });
});
