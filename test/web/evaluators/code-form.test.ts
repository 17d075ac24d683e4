import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { graphql } from '../seed.ts';
import { evaluatorsPath, seedLabelledRuns } from './evaluator-data.ts';

const READ = `query ($id: ID!) { node(id: $id) { ... on DatasetEvaluator { inputMapping { pathMapping literalMapping }
  evaluator { ... on CodeEvaluator { language versionCount sourceCode outputConfigs {
    ... on CategoricalAnnotationConfig { name values { label score } } } } } } } }`;

interface StoredCode {
  readonly node: {
    readonly inputMapping: object;
    readonly evaluator: {
      readonly language: string;
      readonly versionCount: number;
      readonly sourceCode: string;
      readonly outputConfigs: readonly object[];
    };
  };
}

describe('the form of a code evaluator', { skip: NO_BROWSER }, () => {
  test('reads inputs from the source, tests it with its errors by line, and keeps versions', async (t) => {
    const { url } = await openPageServer(t);
    const datasetId = await seedLabelledRuns(url, [['please wait', 'good']]);
    const { page, pageErrors } = await openPage(await openBrowser(t), url);
    page.setDefaultTimeout(15_000);
    const source = page.getByRole('textbox', { name: 'Source' });
    const preview = page.getByRole('complementary', { name: 'Preview and test' });
    const result = preview.getByRole('region', { name: /^Result of/ });
    const test = preview.getByRole('button', { name: 'Test' });
    let evaluatorId = '';

    await t.test('its inputs are the parameters of the function, without saving', async () => {
      await page.goto(`${url}${evaluatorsPath(datasetId)}?createCodeEvaluator=1`);
      await page.waitForURL(/\/evaluators\/new\/code$/);
      await page.getByLabel('Path of reference').waitFor();
      await page.getByRole('button', { name: 'TypeScript' }).click();
      await untilPasses(async () => {
        assert.match(await source.inputValue(), /^export function evaluate/);
      });
      await source.fill('def evaluate(output): pass');
      await page.getByRole('alert').getByText('must define a function evaluate').waitFor();
      await untilPasses(async () => {
        assert.equal(await test.isDisabled(), true);
      });
      await page.getByRole('button', { name: 'Python' }).click();
      await source.fill('def evaluate(output, limit: int): pass');
      await page.getByLabel('Path of limit').waitFor();
      await page.getByLabel('Path of reference').waitFor({ state: 'detached' });
    });

    await t.test('an error of the code marks its line', async () => {
      await page.getByRole('group', { name: 'Source of limit' }).getByRole('button', { name: 'Fixed' }).click();
      await page.getByLabel('Value of limit').fill('20');
      await source.fill('def evaluate(output, limit: int):\n    return undefined_name');
      await test.click();
      await result.getByText(/undefined_name/).waitFor();
      await page
        .getByRole('alert')
        .getByText(/^Line 2: NameError: [^()]*$/)
        .waitFor();
      const marked = page.locator('.editor-numbers > [data-wrong="true"]');
      await untilPasses(async () => {
        assert.equal(await marked.count(), 1);
      });
      // The mark must not cover the text of its line.
      const order = `getComputedStyle(document.querySelector('.editor-numbers > [data-wrong="true"]')).zIndex`;
      assert.equal(await page.evaluate(order), '-1');
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('its result is shown, and its print', async () => {
      await source.fill(
        'def evaluate(output, limit: int):\n    print(output)\n    same = len(output["answer"]) < limit\n    return {"label": "same" if same else "different", "explanation": "by length"}',
      );
      await test.click();
      await result.getByText('same', { exact: true }).waitFor();
      await result.getByText('by length').waitFor();
      await result.getByText("{'answer': 'please wait'}").waitFor();
    });

    await t.test('it is stored with typed values of its inputs', async () => {
      await page.getByLabel('Name').first().fill('short');
      await page.getByText('ends after 30 s').waitFor();
      await page.getByRole('button', { name: 'Add evaluator' }).click();
      await page.getByRole('heading', { name: 'short', exact: true }).waitFor();
      evaluatorId = decodeURIComponent(page.url().split('/').at(-1)!);
      const { node } = await graphql<StoredCode>(url, READ, { id: evaluatorId });
      assert.deepEqual(node.inputMapping, { pathMapping: { output: 'output' }, literalMapping: { limit: 20 } });
      assert.equal(node.evaluator.language, 'PYTHON');
      assert.deepEqual(node.evaluator.outputConfigs, [
        {
          name: 'match',
          values: [
            { label: 'same', score: 1 },
            { label: 'different', score: 0 },
          ],
        },
      ]);
    });

    await t.test('a changed source is a version, and an old one can be taken back', async () => {
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      const first = await source.inputValue();
      await source.fill(first.replace('by length', 'counted'));
      await page.getByRole('button', { name: 'Save evaluator' }).click();
      await page.getByRole('heading', { name: 'short', exact: true }).waitFor();
      await page.getByLabel('Version').selectOption({ index: 1 });
      await page.locator('.editor').getByText('"by length"').first().waitFor();
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      await page.getByLabel('Version').selectOption({ index: 1 });
      await untilPasses(async () => {
        assert.equal(await source.inputValue(), first);
      });
      const { node } = await graphql<StoredCode>(url, READ, { id: evaluatorId });
      assert.equal(node.evaluator.versionCount, 2);
    });

    await t.test('another dataset can use it, and is named where its source is changed', async () => {
      const other = await seedOther(url);
      await page.goto(`${url}${evaluatorsPath(other)}`);
      await page.getByRole('button', { name: 'Add evaluator' }).click();
      await page.getByRole('menuitem', { name: 'short', exact: true }).click();
      await page.getByText('1 other dataset uses this evaluator').waitFor();
      await page.getByRole('button', { name: 'Add evaluator' }).click();
      await page.getByRole('heading', { name: 'short', exact: true }).waitFor();
      const { node } = await graphql<StoredCode>(url, READ, { id: evaluatorId });
      assert.equal(node.evaluator.versionCount, 2);
    });

    await t.test('it is deleted with all of its uses', async () => {
      await page.goto(`${url}/evaluators`);
      await page.getByRole('button', { name: 'Actions for all uses of short' }).click();
      await page.getByRole('menuitem', { name: 'Delete everywhere' }).click();
      await page.getByRole('dialog').getByText('from 2 datasets').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete evaluator' }).click();
      await page.getByRole('heading', { name: 'No evaluators yet' }).waitFor();
    });
    assert.deepEqual(pageErrors, []);
  });

  test('adds no second evaluator when the dataset does not take it at first', async (t) => {
    const { url } = await openPageServer(t);
    const datasetId = await seedLabelledRuns(url, [['please wait', 'good']]);
    const { page } = await openPage(await openBrowser(t), url);
    await page.goto(`${url}${evaluatorsPath(datasetId, 'new', 'code')}`);
    await page.getByLabel('Path of reference').waitFor();
    await page.getByLabel('Name').first().fill('twice');
    await page.route('**/graphql', (route) =>
      route.request().postDataJSON().operationName === 'bindCodeEvaluator' ? route.abort() : route.continue(),
    );
    await page.getByRole('button', { name: 'Add evaluator' }).click();
    await page.getByRole('alert').getByText('The server does not respond.').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Add evaluator' }).click();
    await page.getByRole('heading', { name: 'twice', exact: true }).waitFor();
    const { evaluatorCount } = await graphql<{ evaluatorCount: number }>(url, '{ evaluatorCount }');
    assert.equal(evaluatorCount, 1);
  });
});

/** A second dataset. */
async function seedOther(url: string): Promise<string> {
  const { createDataset } = await graphql<{ createDataset: { dataset: { id: string } } }>(
    url,
    'mutation { createDataset(input: { name: "others" }) { dataset { id } } }',
  );
  return createDataset.dataset.id;
}
