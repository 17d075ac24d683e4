import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startSignInServer } from '../access/sign-in-server.ts';
import { NO_BROWSER, openBrowser, untilPasses } from '../browser.ts';
import { evaluatorsPath } from './evaluator-data.ts';

describe('the pages of evaluators', { skip: NO_BROWSER }, () => {
  test('show viewers the evaluators and their calibrations, and no control that changes them', async (t) => {
    const server = await startSignInServer(t);
    const { createDataset } = await server.graphql<{ createDataset: { dataset: { id: string } } }>(
      'mutation { createDataset(input: { name: "questions" }) { dataset { id } } }',
    );
    const { builtInEvaluators } = await server.graphql<{ builtInEvaluators: { id: string; name: string }[] }>(
      '{ builtInEvaluators { id name } }',
    );
    const datasetId = createDataset.dataset.id;
    const { createDatasetBuiltinEvaluator } = await server.graphql<{
      createDatasetBuiltinEvaluator: { evaluator: { id: string } };
    }>(
      `mutation ($input: CreateDatasetBuiltinEvaluatorInput!) {
        createDatasetBuiltinEvaluator(input: $input) { evaluator { id } } }`,
      {
        input: {
          ...{ datasetId, name: 'says-yes' },
          evaluatorId: builtInEvaluators.find(({ name }) => name === 'contains')!.id,
          inputMapping: { pathMapping: { text: 'output' }, literalMapping: { words: 'yes' } },
        },
      },
    );
    const { id } = createDatasetBuiltinEvaluator.evaluator;
    const vera = await server.createPerson('VIEWER', 'vera');
    const { page, pageErrors } = await server.openPageAs(await openBrowser(t), vera);
    page.setDefaultTimeout(15_000);
    const settle = async (path: string, ready: string) => {
      await page.goto(server.url + path);
      await page.getByRole('button', { name: 'Account of vera' }).waitFor();
      await page.locator('main').getByText(ready).first().waitFor();
    };
    const main = page.locator('main');

    await settle(evaluatorsPath(datasetId), 'says-yes');
    assert.equal(await main.getByRole('button', { name: 'Add evaluator' }).count(), 0);
    await page.getByRole('button', { name: 'Actions for says-yes' }).click();
    await untilPasses(async () => {
      assert.deepEqual(
        (await page.getByRole('menuitem').allTextContents()).map((text) => text.trim()),
        ['Show details', 'Show spans of its runs', 'Copy ID', 'Calibration'],
      );
    });
    await settle(evaluatorsPath(datasetId, id), 'Agreement with people');
    assert.equal(await main.getByRole('link', { name: 'Edit', exact: true }).count(), 0);
    await settle(evaluatorsPath(datasetId, id, 'calibration'), 'Not calibrated yet');
    assert.equal(await main.getByRole('button', { name: 'New calibration' }).count(), 0);
    for (const path of [
      evaluatorsPath(datasetId, 'new', 'llm'),
      evaluatorsPath(datasetId, 'new', 'code'),
      evaluatorsPath(datasetId, id, 'edit'),
    ]) {
      await settle(path, 'You can read evaluators, but not change them');
      assert.equal(await main.getByRole('button', { name: /evaluator$|^Test$/ }).count(), 0, path);
    }
    assert.deepEqual(pageErrors, []);
  });
});
