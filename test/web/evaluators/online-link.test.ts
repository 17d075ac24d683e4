import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { graphql, hexId, projectId, seed } from '../seed.ts';
import { bindCode, evaluatorsPath, seedLabelledRuns } from './evaluator-data.ts';

const UPDATE = `mutation ($input: UpdateDatasetCodeEvaluatorInput!) {
  updateDatasetCodeEvaluator(input: $input) { __typename } }`;
const READ =
  'query ($id: ID!) { node(id: $id) { ... on Project { onlineEvaluators { inputMapping { pathMapping literalMapping } } } } }';

describe('an online evaluator', { skip: NO_BROWSER }, () => {
  test('takes the inputs of its dataset with their types, and links to its page there', async (t) => {
    const { url } = await openPageServer(t);
    const datasetId = await seedLabelledRuns(url, [['please', 'good']]);
    const evaluatorId = await bindCode(url, datasetId);
    const inputMapping = { pathMapping: { output: 'output' }, literalMapping: { limit: 40, word: '7' } };
    await graphql(url, UPDATE, { input: { datasetEvaluatorId: evaluatorId, name: 'polite', inputMapping } });
    await seed(url, 'shop', [
      { traceId: hexId(1, 16), spanId: hexId(1, 8), name: 'answer', start: Date.now() - 5_000, latencyMs: 1 },
    ]);
    const id = await projectId(url, 'shop');
    const { page, pageErrors } = await openPage(await openBrowser(t), url);
    page.setDefaultTimeout(15_000);
    await page.goto(`${url}/projects/${encodeURIComponent(id)}/evaluators`);
    await page.getByRole('button', { name: 'Add evaluator' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Evaluator' }).selectOption('polite');
    await untilPasses(async () => {
      assert.equal(await dialog.getByLabel('Value of limit').inputValue(), '40');
    });
    await dialog.getByRole('button', { name: 'Add evaluator' }).click();
    const card = page.getByRole('article', { name: 'polite' });
    await card.waitFor();
    const { node } = await graphql<{ node: { onlineEvaluators: { inputMapping: object }[] } }>(url, READ, { id });
    assert.deepEqual(node.onlineEvaluators[0]!.inputMapping, inputMapping);
    await card.getByRole('link', { name: 'polite' }).click();
    await page.waitForURL(url + evaluatorsPath(datasetId, evaluatorId));
    await page.getByRole('heading', { name: 'polite', exact: true }).waitFor();
    assert.deepEqual(pageErrors, []);
  });
});
