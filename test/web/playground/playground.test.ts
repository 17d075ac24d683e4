import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openTestServer } from '../../api/test-server.ts';
import { openVendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { graphql, hexId, seed } from '../seed.ts';

const HOSTILE = '<img src=x onerror=alert(1)><script>alert(2)</script>';

const CREATE = `mutation ($input: CreateChatPromptInput!) { createChatPrompt(input: $input) { id version { id } } }`;

async function createPrompt(url: string): Promise<string> {
  const message = (role: string, text: string) => ({ role, content: [{ text: { text } }] });
  const { createChatPrompt } = await graphql<{ createChatPrompt: { id: string } }>(url, CREATE, {
    input: {
      name: 'support',
      promptVersion: {
        templateFormat: 'MUSTACHE',
        template: { messages: [message('SYSTEM', 'You help at {{shop}}.'), message('USER', '{{question}}')] },
        invocationParameters: { openai: { temperature: 0.25 } },
        modelProvider: 'OPENAI',
        modelName: 'gpt-4o-mini',
      },
    },
  });
  return createChatPrompt.id;
}

const CREATE_CONFIG = `mutation ($input: CreateAnnotationConfigInput!) {
  createAnnotationConfig(input: $input) { annotationConfig { __typename } } }`;

const field = (page: Page, label: string, index = 0) => page.locator(`textarea[aria-label="${label}"]`).nth(index);
const outputs = (page: Page) => page.locator('.output');
const output = (page: Page, index: number) => outputs(page).nth(index);
const until = (page: Page, index: number, status: string) =>
  page
    .locator('.output')
    .nth(index)
    .and(page.locator(`[data-status="${status}"]`))
    .waitFor();

describe('the playground', { skip: NO_BROWSER }, () => {
  test('runs variants of a prompt over typed cases, and keeps what the user writes', async (t) => {
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const server = await openTestServer(t, {
      variables: { OPENAI_API_KEY: 'sk-server', OPENAI_BASE_URL: `${vendor.url}/v1` },
    });
    const url = server.address;
    const promptId = await createPrompt(url);
    const now = Date.now();
    await seed(url, 'app', [
      {
        traceId: hexId(7, 16),
        spanId: hexId(7, 8),
        name: 'answer',
        start: now - 5_000,
        latencyMs: 1_500,
        attributes: {
          'openinference.span.kind': 'LLM',
          'llm.model_name': 'gpt-4o-mini',
          'llm.provider': 'openai',
          'llm.input_messages.0.message.role': 'user',
          'llm.input_messages.0.message.content': 'What is {this}?',
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.content': 'A recorded answer',
          'llm.invocation_parameters': 'no JSON',
        },
      },
    ]);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, url);

    await t.test('a link opens a prompt, whose variables are asked for', async () => {
      await page.goto(`${url}/playground?promptId=${encodeURIComponent(promptId)}`);
      await page.getByText('Missing: shop, question').waitFor();
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('every case lacks a value of shop, question').waitFor();
      assert.equal(await page.evaluate('document.activeElement.ariaLabel'), 'shop, case 1');
      await field(page, 'shop, case 1').fill('Lighthouse');
      await field(page, 'question, case 1').fill(`[[say ${HOSTILE} hello]]`);
      await until(page, 0, 'ready');
    });

    await t.test('variables are found while typing, and changes are marked', async () => {
      await page.getByRole('button', { name: 'Variant' }).click();
      await field(page, 'User message 2', 1).fill('{{question}} {{extra}}');
      await page.getByText('Missing: extra').waitFor();
      await untilPasses(async () => {
        assert.equal(await page.getByRole('button', { name: 'unsaved' }).count(), 1);
      });
      await field(page, 'User message 2', 1).fill('[[tool find {"order": 7}]] {{question}}');
      await until(page, 1, 'ready');
    });

    await t.test(
      'mod+Enter runs all while the user types; output is inert, tool calls and figures are shown',
      async () => {
        await page.keyboard.press('Control+Enter');
        await until(page, 0, 'done');
        await until(page, 1, 'done');
        await untilPasses(async () => {
          assert.match((await output(page, 0).textContent()) ?? '', /<img src=x onerror=alert\(1\)>.* hello/);
          assert.equal(await page.locator('.output img, .output script').count(), 0);
          assert.match((await output(page, 1).textContent()) ?? '', /find\{"order": ?7\}/);
          assert.match((await output(page, 0).textContent()) ?? '', /\d(ms|s)first/);
        });
        await page.locator('.variant-foot').nth(1).waitFor();
        await untilPasses(async () => {
          assert.match((await page.locator('.pg-foot').textContent()) ?? '', /Latency.*Tokens.*Cost/);
        });
        assert.equal(vendor.calls.length, 2);
        assert.deepEqual(
          vendor.calls.map((call) => call.headers.authorization),
          ['Bearer sk-server', 'Bearer sk-server'],
        );
      },
    );

    await t.test('the keys compare, open and leave an output', async () => {
      await page.locator('h1').click();
      await page.keyboard.press('d');
      await page.locator('.output .diff').waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('l');
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Output of B' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('d');
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test(
      'outputs are annotated by keys beside the grid, one after the other, and their means are shown',
      async () => {
        await graphql(url, CREATE_CONFIG, {
          input: {
            annotationConfig: {
              categorical: {
                name: 'useful',
                optimizationDirection: 'MAXIMIZE',
                values: [
                  { label: 'yes', score: 1 },
                  { label: 'no', score: 0 },
                ],
              },
            },
          },
        });
        await page.locator('h1').click();
        await page.keyboard.press('h');
        await page.keyboard.press('e');
        const pane = (variant: string) =>
          page.getByRole('complementary', { name: `Annotations of the output of ${variant}, case 1` });
        await pane('A').getByRole('button', { name: 'Add annotation config' }).click();
        await page.getByRole('menuitem', { name: 'useful' }).click();
        await pane('A').getByRole('group', { name: 'useful' }).waitFor();
        await page.keyboard.press('1');
        await output(page, 0).locator('.output-own', { hasText: 'useful yes' }).waitFor();
        await pane('B').getByRole('group', { name: 'useful' }).waitFor();
        await page.keyboard.press('2');
        await output(page, 1).locator('.output-own', { hasText: 'useful no' }).waitFor();
        await page.locator('.variant-foot').nth(1).getByText('1 worse').waitFor();
        assert.deepEqual(await seriousViolations(page), []);
        await page.keyboard.press('Escape');
        await pane('B').waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Annotate the output of A' }).click();
        await pane('A').getByText('You, in the app').waitFor();
        // In a narrow window the pane takes a part of the grid, and the marked output stays visible.
        await page.setViewportSize({ width: 420, height: 860 });
        await untilPasses(async () => {
          const [head, row, foot] = await Promise.all(
            ['.pg-heads', '.pg-case-row[data-active="true"]', '.pg-foot'].map((part) =>
              page.locator(part).boundingBox(),
            ),
          );
          assert.ok(row!.y >= head!.y + head!.height - 1, 'below the heads');
          assert.ok(row!.y + row!.height <= foot!.y + 1, 'above the figures');
        });
        await page.setViewportSize({ width: 1440, height: 900 });
        await pane('A').getByRole('button', { name: 'Close annotations' }).click();
        await pane('A').waitFor({ state: 'detached' });
      },
    );

    await t.test('an error of one variant leaves the others; Escape stops; a cell runs alone', async () => {
      await field(page, 'User message 2', 0).fill('[[latency 60000]]');
      await field(page, 'User message 2', 1).fill('[[fault 400]]');
      await page.keyboard.press('Control+Enter');
      await until(page, 1, 'error');
      assert.equal(await page.evaluate('document.activeElement.tagName'), 'TEXTAREA');
      await page.keyboard.press('Escape');
      await until(page, 0, 'stopped');
      await vendor.idle();
      await field(page, 'User message 2', 0).fill('[[say alone]]');
      const before = vendor.calls.length;
      await page.getByRole('button', { name: 'Run this cell of A' }).click();
      await until(page, 0, 'done');
      assert.equal(vendor.calls.length, before + 1);
      await until(page, 1, 'error');
    });

    await t.test('the focus moves into what a button adds, and to the neighbor of what one deletes', async () => {
      const focused = () => page.evaluate('document.activeElement.getAttribute("aria-label")');
      const press = async (name: string | RegExp) => {
        await page.getByRole('button', { name }).first().focus();
        await page.keyboard.press('Enter');
      };
      await press(/^Message$/);
      await untilPasses(async () => assert.equal(await focused(), 'AI message 3'));
      await press('Delete AI message 3');
      await untilPasses(async () => assert.equal(await focused(), 'User message 2'));
      await press(/^Case$/);
      await untilPasses(async () => assert.match(String(await focused()), /, case 2$/));
      await press('Delete case 2');
      await untilPasses(async () => assert.match(String(await focused()), /, case 1$/));
      await press('Actions for A');
      await page.getByRole('menuitem', { name: 'Save as a version' }).focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Save A' }).locator(':focus').waitFor();
      await page.keyboard.press('Escape');
      await untilPasses(async () => assert.equal(await focused(), 'Actions for A'));
    });

    await t.test('repetitions are stepped through, up to 30, and a response can arrive in one piece', async () => {
      const repetitions = page.getByLabel('Repetitions');
      await repetitions.fill('30');
      await untilPasses(async () => assert.equal(await repetitions.getAttribute('aria-invalid'), 'false'));
      await repetitions.fill('31');
      await page.getByText('1 to 30', { exact: true }).waitFor();
      await untilPasses(async () => assert.equal(await repetitions.getAttribute('aria-invalid'), 'true'));
      await repetitions.fill('2');
      await page.getByText('1 to 30', { exact: true }).waitFor({ state: 'detached' });
      await field(page, 'User message 2', 0).fill('[[stamps 2]]');
      await field(page, 'User message 2', 0).press('Control+Shift+Enter');
      await until(page, 0, 'done');
      const first = await output(page, 0).locator('.text-value').textContent();
      await page.locator('h1').click();
      await page.keyboard.press(']');
      await output(page, 0).getByText('2/2').waitFor();
      await untilPasses(async () => {
        assert.notEqual(await output(page, 0).locator('.text-value').textContent(), first);
      });
      await page.keyboard.press('[');
      await output(page, 0).getByText('1/2').waitFor();
      await repetitions.fill('1');
      await field(page, 'User message 2', 0).fill('[[say in one piece]]');
      await page.getByLabel('Stream the response').uncheck();
      await field(page, 'User message 2', 0).press('Control+Shift+Enter');
      await output(page, 0).getByText('in one piece').waitFor();
      await until(page, 0, 'done');
      assert.equal(vendor.calls.at(-1)?.prompt.isStreamed, false);
      await page.getByLabel('Stream the response').check();
      await repetitions.fill('2');
      await field(page, 'User message 2', 0).fill('[[stamps 2]]');
    });

    await t.test('a message moves by keys', async () => {
      const handle = page.getByRole('button', { name: 'Move System message 1' }).first();
      await handle.press('Alt+ArrowDown');
      await page.getByRole('button', { name: 'Move System message 2' }).first().waitFor();
      await page.getByRole('button', { name: 'Move System message 2' }).first().press('Alt+ArrowUp');
      await page.getByRole('button', { name: 'Move System message 1' }).first().waitFor();
    });

    await t.test('a variant is saved as the next version', async () => {
      await page.getByRole('button', { name: 'unsaved' }).first().click();
      await page.getByRole('dialog').getByLabel('Description').and(page.locator(':focus')).fill('Stamps');
      await page.keyboard.press('Enter');
      await page.getByText('support saved as version 2.').waitFor();
      await untilPasses(async () => {
        assert.match(page.url(), /promptVersionId=/);
      });
    });

    await t.test('a reload keeps the draft, and no output runs again', async () => {
      const before = vendor.calls.length;
      await page.reload();
      await field(page, 'User message 2', 1).waitFor();
      await untilPasses(async () => {
        assert.equal(await field(page, 'User message 2', 1).inputValue(), '[[fault 400]]');
        assert.equal(await field(page, 'shop, case 1').inputValue(), 'Lighthouse');
      });
      assert.equal(vendor.calls.length, before);
    });

    await t.test('a link opens the same content in another browser, which keeps its own changes', async () => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy a link to this content' }).click();
      await page.getByText('Link copied.').waitFor();
      const link = (await page.evaluate('navigator.clipboard.readText()')) as string;
      const { page: other, pageErrors: otherErrors } = await openPage(browser, url);
      await other.goto(link);
      await field(other, 'User message 2', 1).waitFor();
      await untilPasses(async () => {
        assert.equal(await field(other, 'User message 2', 1).inputValue(), '[[fault 400]]');
        assert.equal(await field(other, 'shop, case 1').inputValue(), 'Lighthouse');
        assert.equal(await other.getByLabel('Repetitions').inputValue(), '2');
      });
      await field(other, 'shop, case 1').fill('Pier');
      await other.waitForFunction(() => (localStorage.getItem('spandrel.playground.drafts') ?? '').includes('Pier'));
      await other.reload();
      await field(other, 'shop, case 1').waitFor();
      await untilPasses(async () => assert.equal(await field(other, 'shop, case 1').inputValue(), 'Pier'));
      await other.goto(link.slice(0, -20).replace(/shared=\w+/, 'shared=cut'));
      await other.getByText('The link is not complete.').waitFor();
      assert.deepEqual(otherErrors, []);
    });

    await t.test('another provider keeps tools and parameters, and a key stays in the browser', async () => {
      await page.getByRole('button', { name: 'Tools' }).first().click();
      await page.getByRole('button', { name: 'Add tool' }).click();
      await page.getByTitle('Model and parameters').first().click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Provider').selectOption('ANTHROPIC');
      await dialog.getByText('There is no key for Anthropic').waitFor();
      await dialog.getByLabel('Model', { exact: true }).fill('claude-sonnet-4-0');
      await dialog.getByLabel('Key ANTHROPIC_API_KEY').fill('sk-browser');
      await dialog.getByRole('button', { name: 'Keep in this browser' }).click();
      await dialog.getByText('kept in this browser').waitFor();
      await untilPasses(async () => {
        assert.equal(await dialog.getByLabel('Temperature').inputValue(), '0.25');
      });
      await dialog.getByText('Address and headers').click();
      await dialog.getByLabel('Base URL').fill(vendor.url);
      await dialog.getByRole('button', { name: 'Save as default' }).click();
      await page.getByText('is the default of new variants in this browser').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      await page.locator('.tool-card').getByRole('button', { name: 'JSON' }).click();
      await untilPasses(async () => {
        assert.match(await field(page, 'JSON of tool_1').inputValue(), /"input_schema"/);
      });
      const called = vendor.nextCall();
      await page.getByRole('button', { name: 'Run A', exact: true }).click();
      const call = await called;
      assert.match(JSON.stringify([call.path, call.headers]), /messages.*sk-browser/);
      await until(page, 0, 'done');
    });

    await t.test('a recorded call is replayed with its output; unreadable parts are named', async () => {
      const { getSpanByOtelId } = await graphql<{ getSpanByOtelId: { id: string } }>(
        url,
        'query ($id: String!) { getSpanByOtelId(spanId: $id) { id } }',
        { id: hexId(7, 8) },
      );
      await page.goto(`${url}/playground/spans/${encodeURIComponent(getSpanByOtelId.id)}`);
      await page.getByText('A recorded answer').waitFor();
      await untilPasses(async () => {
        assert.equal(await field(page, 'User message 1').inputValue(), 'What is {this}?');
        assert.ok((await page.locator('.pg-note li').count()) >= 1);
      });
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('Echo: What is {this}?').waitFor();
    });

    await t.test('a dataset runs as an experiment with scores, stops and goes on', async () => {
      const upload = await fetch(`${url}/v1/datasets/upload?sync=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          action: 'create',
          name: 'cases',
          inputs: [1, 2, 3, 4].map((number) => ({
            question: `case ${number}${number > 2 ? ' [[latency 60000]]' : ''}`,
          })),
          outputs: [{}, {}, {}, {}],
          metadata: [{}, {}, {}, {}],
        }),
      });
      const { dataset_id: datasetId } = ((await upload.json()) as { data: { dataset_id: string } }).data;
      const { builtInEvaluators } = await graphql<{ builtInEvaluators: { id: string; name: string }[] }>(
        url,
        '{ builtInEvaluators { id name } }',
        {},
      );
      await graphql(
        url,
        'mutation ($input: CreateDatasetBuiltinEvaluatorInput!) { createDatasetBuiltinEvaluator(input: $input) { __typename } }',
        {
          input: {
            datasetId,
            evaluatorId: builtInEvaluators.find(({ name }) => name === 'contains')?.id,
            name: 'says-one',
            inputMapping: { pathMapping: { text: 'output.messages[0].content' }, literalMapping: { words: '1' } },
          },
        },
      );
      await page.goto(`${url}/playground?datasetId=${encodeURIComponent(datasetId)}`);
      await page.getByText('4 cases').waitFor();
      // The model, the parameters and the address were saved as default.
      await page.getByTitle('Model and parameters').click();
      const model = page.getByRole('dialog');
      await untilPasses(async () => {
        assert.equal(await model.getByLabel('Provider').inputValue(), 'ANTHROPIC');
        assert.equal(await model.getByLabel('Temperature').inputValue(), '0.25');
        assert.equal(await model.getByLabel('Base URL').inputValue(), vendor.url);
      });
      await page.getByRole('button', { name: 'Done' }).click();
      await field(page, 'User message 2').fill('{{question}}');
      await page.getByLabel('says-one').check();
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('Echo: case 2').waitFor();
      await page.locator('.output').first().getByText('true').waitFor();
      await page.getByText('2 of 4').waitFor();

      await page.getByRole('link', { name: 'Prompts' }).first().click();
      const question = page.getByRole('dialog', { name: 'Experiments are running' });
      await question.getByRole('button', { name: 'Keep them running' }).and(page.locator(':focus')).waitFor();
      await question.getByRole('button', { name: 'Stay here' }).click();
      await question.waitFor({ state: 'detached' });
      assert.match(page.url(), /\/playground\?datasetId=/);

      await page.keyboard.press('Escape');

      await page.getByText('2 of 4, 2 stopped').waitFor();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
      await page.getByRole('link', { name: 'Experiment', exact: true }).click();
      await page.getByText('contains').first().waitFor();
    });
    assert.deepEqual(pageErrors, []);
  });
});
