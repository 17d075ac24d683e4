import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openTestServer } from '../../api/test-server.ts';
import { openVendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { graphql } from '../seed.ts';

const field = (page: Page, label: string, index = 0) => page.locator(`textarea[aria-label="${label}"]`).nth(index);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

async function createDataset(url: string, texts: readonly string[], more: object = {}): Promise<string> {
  const upload = await fetch(`${url}/v1/datasets/upload?sync=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ action: 'create', name: `cases-${texts.length}` },
      inputs: texts.map((question) => ({ question, ...more })),
      outputs: texts.map(() => ({})),
      metadata: texts.map(() => ({})),
    }),
  });
  return ((await upload.json()) as { data: { dataset_id: string } }).data.dataset_id;
}

describe('experiments of the playground', { skip: NO_BROWSER }, () => {
  test('have a budget that stops them, and open again as they ran', async (t) => {
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const server = await openTestServer(t, {
      variables: { OPENAI_API_KEY: 'sk-server', OPENAI_BASE_URL: `${vendor.url}/v1` },
    });
    const url = server.address;
    const datasetId = await createDataset(url, ['one', 'two', 'three', 'four', 'five', 'six']);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, url);

    await t.test('a budget of calls ends the run with its reason', async () => {
      await page.goto(`${url}/playground?datasetId=${encodeURIComponent(datasetId)}`);
      await page.getByText('6 cases').waitFor();
      await field(page, 'User message 2').fill('Say {{question}}');
      await page.getByLabel('At a time').fill('1');
      await page.getByLabel('Calls').fill('2.5');
      await untilPasses(async () => {
        assert.equal(await page.getByLabel('Calls').getAttribute('aria-invalid'), 'true');
      });
      await page.getByLabel('Calls').fill('2');
      await page.getByLabel('Cost in $').fill('0.5');
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('The budget of 2 calls is used up').waitFor();
      await page.getByText('2 of 2 calls, $0').waitFor();
      await page.getByText('2 of 6, 4 stopped').waitFor();
      assert.equal(vendor.calls.length, 2);
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('a resumed run has the budget that is set by then', async () => {
      await page.getByLabel('Calls').fill('4');
      await button(page, 'Resume').click();
      await page.getByText('The budget of 4 calls is used up').waitFor();
      assert.equal(vendor.calls.length, 4);
    });

    await t.test('the page of an experiment opens it in the playground, with its runs and settings', async () => {
      await page.getByRole('link', { name: 'Experiment', exact: true }).click();
      await page.getByRole('link', { name: 'Open in the playground' }).waitFor();
      await page.evaluate(() => localStorage.clear());
      await page.getByRole('link', { name: 'Open in the playground' }).click();
      await page.getByText('Echo: Say one').waitFor();
      await untilPasses(async () => {
        assert.equal(await field(page, 'User message 2').inputValue(), 'Say {{question}}');
        assert.equal(await page.getByLabel('Calls').inputValue(), '4');
        assert.equal(await page.getByLabel('At a time').inputValue(), '1');
      });
      await page.getByText('The budget of 4 calls is used up').waitFor();
      await untilPasses(async () => {
        assert.equal(await page.locator('.output[data-status="done"]').count(), 4);
        assert.match(page.url(), /experimentId=/);
      });
      assert.equal(vendor.calls.length, 4);
    });

    await t.test('an edited variant marks its recorded outputs, and a reload keeps both', async () => {
      await field(page, 'User message 2').fill('Answer {{question}}');
      await page.getByText('edited since').first().waitFor();
      // The draft is stored after a pause.
      await page.waitForFunction(() =>
        (localStorage.getItem('spandrel.playground.drafts') ?? '').includes('Answer {{'),
      );
      await page.reload();
      await page.getByText('Echo: Say one').waitFor();
      await untilPasses(async () => {
        assert.equal(await field(page, 'User message 2').inputValue(), 'Answer {{question}}');
      });
    });

    await t.test('a comparison opens its experiments beside each other', async () => {
      await page.getByLabel('Calls').fill('');
      await page.getByLabel('Cost in $').fill('');
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('Echo: Answer six').waitFor();
      await page.getByText('6 of 6').waitFor();
      const { node } = await graphql<{ node: { experiments: { edges: { node: { id: string } }[] } } }>(
        url,
        'query ($id: ID!) { node(id: $id) { ... on Dataset { experiments { edges { node { id } } } } } }',
        { id: datasetId },
      );
      const ids = node.experiments.edges.map((edge) => edge.node.id);
      assert.equal(ids.length, 2);
      await page.goto(
        `${url}/datasets/${encodeURIComponent(datasetId)}/compare?${ids.map((id) => `experiment=${encodeURIComponent(id)}`).join('&')}`,
      );
      await page.getByRole('link', { name: 'Open in the playground' }).click();
      await page.getByText('Echo: Answer six').waitFor();
      await page.getByText('Echo: Say one').waitFor();
      await untilPasses(async () => {
        assert.equal(await page.locator('.variant-head').count(), 2);
      });
    });

    await t.test('responses of an earlier run are reused, marked, and count as no calls', async () => {
      await page.goto(`${url}/playground?datasetId=${encodeURIComponent(datasetId)}`);
      await page.getByText('6 cases').waitFor();
      await field(page, 'User message 2').fill('Answer {{question}}');
      await page.getByLabel('Calls').fill('10');
      await page.getByLabel('Reuse earlier responses').check();
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('6 of 10 calls').waitFor();
      const before = vendor.calls.length;
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.locator('.output').nth(5).getByText('reused', { exact: true }).waitFor();
      await page.getByText('0 of 10 calls').waitFor();
      await untilPasses(async () => {
        assert.equal(await page.locator('.output').getByText('reused', { exact: true }).count(), 6);
      });
      assert.equal(vendor.calls.length, before);
    });

    await t.test('reused responses are marked with the runs of an example and beside each other', async () => {
      const { node } = await graphql<{
        node: { examples: { edges: { node: { id: string } }[] }; experiments: { edges: { node: { id: string } }[] } };
      }>(
        url,
        `query ($id: ID!) { node(id: $id) { ... on Dataset {
          examples(first: 1) { edges { node { id } } } experiments { edges { node { id } } } } } }`,
        { id: datasetId },
      );
      const exampleId = node.examples.edges[0]!.node.id;
      const compared = node.experiments.edges.map((edge) => `experiment=${encodeURIComponent(edge.node.id)}`);
      const path = `${url}/datasets/${encodeURIComponent(datasetId)}`;
      await page.goto(`${path}/examples/${encodeURIComponent(exampleId)}`);
      await page.locator('.example-latency').getByText('reused', { exact: true }).first().waitFor();
      await page.goto(`${path}/compare?${compared.join('&')}&exampleId=${encodeURIComponent(exampleId)}`);
      await page.locator('.run-facts').getByText('reused', { exact: true }).first().waitFor();
    });

    await t.test('messages of an example follow those of the prompt; its output is annotated in the grid', async () => {
      const history = [
        { role: 'assistant', content: 'Which one?' },
        { role: 'user', content: 'The last one' },
      ];
      const ofMessages = await createDataset(url, ['one'], { history });
      await page.goto(`${url}/playground?datasetId=${encodeURIComponent(ofMessages)}`);
      await page.getByText('1 case', { exact: true }).waitFor();
      await field(page, 'User message 2').fill('Say {{question}}');
      await page.getByLabel('Append').fill('histories');
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.locator('.output[data-status="error"]').getByText('histories').waitFor();
      await page.getByLabel('Append').fill('history');
      await page.getByRole('button', { name: 'Run all' }).click();
      await page.getByText('Echo: The last one').waitFor();
      const { messages } = JSON.parse(vendor.calls.at(-1)!.bodyText) as { messages: { content: string }[] };
      assert.deepEqual(
        messages.slice(-3).map(({ content }) => content),
        ['Say one', 'Which one?', 'The last one'],
      );

      await graphql(
        url,
        'mutation ($input: CreateAnnotationConfigInput!) { createAnnotationConfig(input: $input) { __typename } }',
        {
          input: {
            annotationConfig: {
              continuous: { name: 'tone', optimizationDirection: 'MAXIMIZE', lowerBound: 0, upperBound: 1 },
            },
          },
        },
      );
      await button(page, 'Annotate the output of A').click();
      await page.getByLabel('Score of tone', { exact: true }).and(page.locator(':focus')).fill('0.5');
      await page.locator('.output-own', { hasText: 'tone 0.5' }).waitFor();
      await page.getByRole('link', { name: 'Experiment', exact: true }).click();
      await page.getByRole('link', { name: 'Open in the playground' }).click();
      await page.locator('.output-own', { hasText: 'tone 0.5' }).waitFor();
    });
    assert.deepEqual(pageErrors, []);
  });

  test('are not needed for a budget: it also ends the cells of typed inputs', async (t) => {
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const server = await openTestServer(t, {
      variables: { OPENAI_API_KEY: 'sk-server', OPENAI_BASE_URL: `${vendor.url}/v1` },
    });
    const { page } = await openPage(await openBrowser(t), server.address);
    await page.goto(`${server.address}/playground`);
    await field(page, 'User message 2').fill('Say {{question}}');
    for (const [index, text] of ['one', 'two', 'three'].entries()) {
      if (index > 0) await button(page, 'Case').click();
      await field(page, `question, case ${index + 1}`).fill(text);
    }
    await page.getByLabel('Calls').fill('2');
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByText('The budget of 2 calls is used up').waitFor();
    await page.getByText('2 of 2 calls').waitFor();
    await page.getByText('2 of 3, 1 stopped').waitFor();
    assert.equal(vendor.calls.length, 2);
    await untilPasses(async () => {
      assert.equal(await page.locator('.output[data-status="stopped"]').count(), 1);
    });
    assert.deepEqual(await seriousViolations(page), []);

    await page.getByLabel('Calls').fill('');
    await page.getByRole('button', { name: 'Run all' }).click();
    await page.getByText('Echo: Say three').waitFor();
    assert.equal(vendor.calls.length, 5);
    await page.getByText('is used up').waitFor({ state: 'detached' });
  });
});
