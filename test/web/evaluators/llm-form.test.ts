import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createProvider } from '../../api/graphql/jobs/custom-providers.ts';
import { openTestServer } from '../../api/test-server.ts';
import { openVendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { dataClient } from '../rejections/data-client.ts';
import { graphql } from '../seed.ts';
import { evaluatorsPath, seedLabelledRuns } from './evaluator-data.ts';

interface StoredJudge {
  readonly node: {
    readonly name: string;
    readonly inputMapping: object;
    readonly evaluator: {
      readonly prompt: { readonly id: string; readonly versionCount: number };
      readonly promptVersion: {
        readonly modelName: string;
        readonly content: {
          readonly tools: {
            readonly tools: readonly {
              readonly function: {
                readonly name: string;
                readonly parameters: { readonly required: readonly string[] };
              };
            }[];
          };
        };
      };
    };
  };
}

const READ = `query ($id: ID!) { node(id: $id) { ... on DatasetEvaluator { name inputMapping { pathMapping literalMapping }
  evaluator { ... on LLMEvaluator { prompt { id versionCount } promptVersion { modelName content } } } } } }`;

describe('the form of an LLM evaluator', { skip: NO_BROWSER }, () => {
  test('tests no output that does not exist, and names the custom provider that it calls', async (t) => {
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const server = await openTestServer(t, { settings: { ALLOW_PRIVATE_MODEL_ADDRESSES: 'true' } });
    const url = server.address;
    await createProvider(server, 'openai-chat', vendor.url);
    const datasetId = await dataClient(url).createDataset('without runs');
    const { page, pageErrors } = await openPage(await openBrowser(t), url);
    const preview = page.getByRole('complementary', { name: 'Preview and test' });
    const dialog = page.getByRole('dialog');
    await page.goto(`${url}${evaluatorsPath(datasetId, 'new', 'llm')}`);
    await page.getByLabel('Start from').selectOption('conciseness');
    const test = preview.getByRole('button', { name: 'Test' });
    await preview.getByText('No experiment has run this example').waitFor();
    assert.equal(await test.isDisabled(), true);
    assert.deepEqual(await seriousViolations(page), []);
    await preview.getByRole('button', { name: 'Use its reference as output' }).click();
    assert.deepEqual(JSON.parse(await preview.getByLabel('Values as JSON').inputValue()).output, { answer: 'so' });
    await page.getByRole('button', { name: 'Model:' }).click();
    await dialog.getByLabel('Provider').selectOption('ANTHROPIC');
    await dialog.getByLabel('Max tokens', { exact: false }).fill('400');
    await dialog.getByLabel('Model', { exact: true }).fill('claude-sonnet-4-0');
    await dialog.getByLabel('Provider').selectOption({ label: 'provider 1' });
    // Neither the limit under its old name nor the model of the other vendor stays.
    await dialog.getByLabel('Max completion tokens').and(page.locator('[value="400"]')).waitFor();
    assert.equal(await dialog.getByLabel('Max tokens', { exact: true }).inputValue(), '');
    assert.equal(await dialog.getByLabel('Model', { exact: true }).inputValue(), '');
    await dialog.getByLabel('Model', { exact: true }).fill('gpt-4o');
    await dialog.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('button', { name: 'Model: provider 1 gpt-4o' }).waitFor();
    await test.click();
    await preview.getByRole('region', { name: /^Result of/ }).waitFor();
    assert.equal(vendor.statistics().callCount, 1);

    await page.evaluate("localStorage.removeItem('spandrel.playground.model')");
    await page.goto(`${url}/playground`);
    await page.getByTitle('Model and parameters').click();
    await dialog.getByLabel('Provider').selectOption({ label: 'provider 1' });
    await dialog.getByRole('button', { name: 'Done' }).click();
    const model = page.getByTitle('Model and parameters');
    await model.getByText('provider 1').waitFor();
    assert.equal(await model.getByText('OpenAI').count(), 0);
    assert.deepEqual(pageErrors, []);
  });

  test('starts from a template, shows what the model gets, tests it, and saves versions of its prompt', async (t) => {
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const { address: url } = await openTestServer(t, {
      variables: { OPENAI_API_KEY: 'sk-server', OPENAI_BASE_URL: `${vendor.url}/v1` },
    });
    const datasetId = await seedLabelledRuns(url, [
      ['sure', 'good'],
      ['no [[label verbose]]', 'bad'],
    ]);
    const { page, pageErrors } = await openPage(await openBrowser(t), url);
    page.setDefaultTimeout(15_000);
    const preview = page.getByRole('complementary', { name: 'Preview and test' });
    const result = preview.getByRole('region', { name: /^Result of/ });
    const labels = page.getByLabel('Labels');
    let evaluatorId = '';

    await t.test('the menu of a dataset leads to it, and so does the address of a link', async () => {
      await page.goto(`${url}${evaluatorsPath(datasetId)}?createLlmEvaluator=1`);
      await page.waitForURL(/\/evaluators\/new\/llm$/);
      await page.goto(`${url}${evaluatorsPath(datasetId)}`);
      await page.getByRole('button', { name: 'Add evaluator' }).click();
      await page.getByRole('menuitem', { name: 'LLM evaluator' }).click();
      await page.getByRole('heading', { name: 'New LLM evaluator' }).waitFor();
    });

    await t.test('a link and Back ask before changes are lost', async () => {
      const question = page.getByRole('dialog', { name: 'Leave without saving?' });
      const name = page.getByLabel('Name').first();
      await name.fill('unsaved');
      for (const leave of [() => page.getByRole('link', { name: 'Cancel' }).click(), () => page.goBack()]) {
        await leave();
        await question.getByText('are not saved').waitFor();
        await question.getByRole('button', { name: 'Cancel' }).click();
        assert.equal(await name.inputValue(), 'unsaved');
        await page.waitForURL(/\/evaluators\/new\/llm$/);
      }
      await page.getByRole('link', { name: 'Cancel' }).click();
      await question.getByRole('button', { name: 'Leave' }).click();
      await page.getByRole('button', { name: 'Add evaluator' }).click();
      await page.getByRole('menuitem', { name: 'LLM evaluator' }).click();
      await page.getByRole('heading', { name: 'New LLM evaluator' }).waitFor();
      await untilPasses(async () => {
        assert.equal(await name.inputValue(), '');
      });
    });

    await t.test('a template fills prompt, labels, name and description; later it asks first', async () => {
      await page.getByLabel('Start from').selectOption('conciseness');
      await untilPasses(async () => {
        assert.equal(await page.getByLabel('Name').first().inputValue(), 'conciseness');
        assert.equal(await labels.inputValue(), 'concise = 1\nverbose = 0');
      });
      const user = page.getByRole('textbox', { name: 'User message 2' });
      await untilPasses(async () => {
        assert.match(await user.inputValue(), /\{\{output\}\}/);
      });
      await user.fill(`${await user.inputValue()}\n{{detail}}`);
      await page.getByLabel('Start from').selectOption('correctness');
      await page.getByRole('dialog').getByText('replaces the prompt').waitFor();
      await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await untilPasses(async () => {
        assert.equal(await labels.inputValue(), 'concise = 1\nverbose = 0');
      });
    });

    await t.test('a variable is an input, whose value is shown for the chosen example', async () => {
      const path = page.getByLabel('Path of detail');
      await untilPasses(async () => {
        assert.equal(await page.getByRole('button', { name: 'Add evaluator' }).isDisabled(), true);
      });
      await path.fill('output.nothing');
      await preview.getByText('does not lead to a value').waitFor();
      await path.fill('output.answer');
      await preview.getByText('sure').first().waitFor();
      const offered = page.locator('datalist option[value="output.answer"]');
      await untilPasses(async () => {
        assert.equal(await offered.count(), 1);
      });
      await preview.getByLabel('Example', { exact: true }).selectOption('Example 2');
      await preview.getByText('no [[label verbose]]').first().waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('a test shows label, score and explanation, and an error in its place', async () => {
      await page.getByRole('textbox', { name: 'User message 2' }).press('Control+Enter');
      await result.getByText('verbose', { exact: true }).waitFor();
      await result.getByText('0', { exact: true }).waitFor();
      await result.getByText(/^explanation/).waitFor();
      await preview.getByLabel('Example', { exact: true }).selectOption('Typed values');
      await preview
        .getByRole('textbox', { name: 'Values as JSON' })
        .fill('{"input": "a", "output": {"answer": "[[fault 400 no such model]]"}}');
      // The editor passes a text on some milliseconds after it has changed.
      await preview
        .getByLabel('Values of the inputs')
        .getByText(/fault 400/)
        .first()
        .waitFor();
      await preview.getByRole('button', { name: 'Test' }).click();
      await result.getByText(/no such model/).waitFor();
    });

    await t.test('a missing label is said before the server is asked', async () => {
      const before = await labels.inputValue();
      await labels.fill('');
      await page.getByText('Output: Enter at least one label.').waitFor();
      await untilPasses(async () => {
        assert.equal(await preview.getByRole('button', { name: 'Test' }).isDisabled(), true);
      });
      await labels.fill(before);
    });

    await t.test('the model is chosen in the dialog of the playground', async () => {
      await page.getByRole('button', { name: /^Model: OpenAI/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Model of the evaluator' });
      await dialog.getByLabel('Model').fill('gpt-4.1');
      assert.equal(await dialog.getByText('Address and headers').count(), 0);
      await dialog.getByRole('button', { name: 'Done' }).click();
    });

    await t.test('it is saved with a function per output and its mapping', async () => {
      await page.getByLabel('Ask the model for an explanation').uncheck();
      await page.getByRole('button', { name: 'Add evaluator' }).click();
      await page.getByRole('heading', { name: 'conciseness', exact: true }).waitFor();
      evaluatorId = decodeURIComponent(page.url().split('/').at(-1)!);
      const { node } = await graphql<StoredJudge>(url, READ, { id: evaluatorId });
      const { prompt, promptVersion } = node.evaluator;
      assert.deepEqual(
        [node.name, promptVersion.modelName, prompt.versionCount, node.inputMapping],
        [
          'conciseness',
          'gpt-4.1',
          1,
          { pathMapping: { input: 'input', output: 'output', detail: 'output.answer' }, literalMapping: {} },
        ],
      );
      assert.deepEqual(
        promptVersion.content.tools.tools.map((tool) => [tool.function.name, tool.function.parameters.required]),
        [['conciseness', ['label']]],
      );
    });

    await t.test('a change adds a version of the prompt', async () => {
      await page.getByRole('link', { name: 'Edit', exact: true }).click();
      await untilPasses(async () => {
        assert.equal(await page.getByLabel('Path of detail').inputValue(), 'output.answer');
        assert.equal(await page.getByLabel('Ask the model for an explanation').isChecked(), false);
      });
      await page.getByRole('textbox', { name: 'System message 1' }).fill('Is it short?');
      await page.getByLabel('Ask the model for an explanation').check();
      await page.getByRole('button', { name: 'Save evaluator' }).click();
      await page.getByRole('heading', { name: 'conciseness', exact: true }).waitFor();
      const { node } = await graphql<StoredJudge>(url, READ, { id: evaluatorId });
      const { prompt, promptVersion } = node.evaluator;
      assert.equal(prompt.versionCount, 2);
      assert.deepEqual(promptVersion.content.tools.tools[0]!.function.parameters.required, ['explanation', 'label']);
    });

    await t.test('it starts from a stored prompt with its labels: from a copy, or with the prompt itself', async () => {
      const promptOf = async () => {
        const id = decodeURIComponent(page.url().split('/').at(-1)!);
        return (await graphql<StoredJudge>(url, READ, { id })).node.evaluator.prompt;
      };
      const own = (await graphql<StoredJudge>(url, READ, { id: evaluatorId })).node.evaluator.prompt;
      for (const [name, isShared] of [
        ['short', false],
        ['shorter', true],
      ] as const) {
        await page.goto(`${url}${evaluatorsPath(datasetId)}/new/llm`);
        await page.getByRole('button', { name: 'Stored prompt…' }).click();
        const dialog = page.getByRole('dialog', { name: 'Start from a stored prompt' });
        const stored = dialog.getByRole('button', { name: 'conciseness', exact: true }).first();
        await stored.waitFor();
        assert.deepEqual(await seriousViolations(page), []);
        await stored.click();
        // The dialog closes when the prompt has been read, and the form then shows it.
        await dialog.waitFor({ state: 'hidden' });
        await untilPasses(async () => {
          assert.equal(await page.getByRole('textbox', { name: 'System message 1' }).inputValue(), 'Is it short?');
          assert.match(await labels.inputValue(), /^concise\nverbose$/);
          assert.equal(await page.getByLabel('Ask the model for an explanation').isChecked(), true);
        });
        await page.getByLabel('Name').first().fill(name);
        await labels.fill('concise = 1\nverbose = 0');
        await page.getByLabel('Path of detail').fill('output.answer');
        if (isShared) await page.getByLabel(/^Use the prompt conciseness itself/).check();
        await page.getByRole('button', { name: 'Add evaluator' }).click();
        await page.getByRole('heading', { name, exact: true }).waitFor();
        const prompt = await promptOf();
        assert.equal(prompt.id === own.id, isShared);
      }
    });
    assert.deepEqual(pageErrors, []);
  });
});
