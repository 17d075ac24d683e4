import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { seriousViolations } from '../../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql, hexId, seed } from '../../seed.ts';

const SAVE = 'mutation ($input: SaveDatasetExamplesInput!) { saveDatasetExamples(input: $input) { version { id } } }';
const COUNT = 1_500;

async function createDataset(url: string): Promise<string> {
  const made = await graphql<{ createDataset: { dataset: { id: string } } }>(
    url,
    'mutation { createDataset(input: { name: "support" }) { dataset { id } } }',
    {},
  );
  const { id } = made.createDataset.dataset;
  const additions = Array.from({ length: COUNT }, (_, index) => ({
    input: JSON.stringify({ question: `Question ${index} <b>` }),
    output: `{"answer":"Answer ${index}","ticket":12345678901234567890}`,
    metadata: JSON.stringify({ topic: index % 2 === 0 ? 'billing' : 'login' }),
    externalId: `q${index}`,
  }));
  await graphql(url, SAVE, { input: { datasetId: id, additions, versionDescription: 'Imported' } });
  return id;
}

async function post(url: string, body: object) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(response.ok, await response.clone().text());
  return response.json() as Promise<{ data: { id: string } }>;
}

describe('the examples of a dataset', { skip: NO_BROWSER }, () => {
  test('are shown, searched, edited, compared and restored', async (t) => {
    const server = await openPageServer(t);
    const { url } = server;
    const now = Date.now();
    await seed(url, 'source', [
      { traceId: hexId(1, 16), spanId: hexId(1, 8), name: 'answer', start: now, latencyMs: 5 },
    ]);
    const id = await createDataset(url);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, url);
    const at = (path: string) => `${url}/datasets/${encodeURIComponent(id)}/${path}`;
    const rows = page.locator('.table-row:not(.waiting)');
    const row = (name: string, of: Page = page) =>
      of.locator('.table-row').filter({ has: of.getByRole('link', { name, exact: true }) });
    const dialog = page.getByRole('dialog');
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    const drawer = page.getByRole('complementary', { name: 'Example' });
    const editor = page.locator('.editor textarea');
    const save = async (description: string) => {
      await bar.getByRole('button', { name: 'Save…' }).click();
      await dialog.getByLabel('Description').fill(description);
      await dialog.getByRole('button', { name: 'Save version' }).click();
    };

    await t.test('any row is reached by keys, and only visible rows are loaded', async () => {
      await page.goto(at('examples?columns=input.question'));
      await row('q0').waitFor();
      await untilPasses(async () => {
        assert.match((await row('q0').textContent()) ?? '', /Question 0 <b>/);
      });
      await page.getByRole('table', { name: 'Examples' }).press('End');
      await row(`q${COUNT - 1}`).waitFor();
      await untilPasses(async () => {
        assert.ok((await page.locator('.table-row').count()) < 100);
        assert.equal(await page.getByRole('table').getAttribute('aria-rowcount'), String(COUNT + 1));
      });
      await page.getByRole('table', { name: 'Examples' }).press('Home');
      await row('q0').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('columns of keys, search and order are part of the address', async () => {
      await page.getByRole('button', { name: /^Keys/ }).click();
      await page.getByLabel('metadata.topic').check();
      await page.keyboard.press('Escape');
      await page.getByRole('columnheader', { name: 'metadata.topic' }).waitFor();
      const topic = page.getByRole('columnheader', { name: 'metadata.topic' });
      await topic.getByRole('button').first().click();
      await page.waitForURL(/sort=metadata\.topic%3A/);
      const isDescending = (await topic.getAttribute('aria-sort')) === 'descending';
      await page
        .locator('.table-row')
        .first()
        .getByText(isDescending ? 'login' : 'billing', { exact: true })
        .waitFor();
      await page.getByLabel('Search examples').fill('answer 149');
      await page.getByText('11 found').waitFor();
      await untilPasses(async () => {
        assert.match(page.url(), /columns=input\.question%2Cmetadata\.topic.*filter=answer\+149/);
      });
      await page.getByLabel('Search examples').fill('no such text');
      await page.getByRole('button', { name: 'Show all examples' }).click();
      await page.goto(at('examples?columns=input.question,metadata.topic'));
      await row('q0').waitFor();
    });

    await t.test('selected examples get a new split, which filters the table', async () => {
      await row('q1').getByRole('checkbox').check();
      await row('q3')
        .getByRole('checkbox')
        .click({ modifiers: ['Shift'] });
      await page.getByText('3 examples selected').waitFor();
      await page.getByRole('button', { name: 'Splits of the selected examples' }).click();
      const choice = page.getByLabel('Search splits');
      await choice.fill('hard');
      await page.getByRole('button', { name: 'New split' }).click();
      await page.getByRole('button', { name: 'Create split' }).click();
      await page.getByRole('button', { name: 'Apply' }).click();
      await row('q2').getByText('hard').waitFor();
      await page.getByRole('region', { name: 'Selected examples' }).getByRole('button', { name: 'Clear' }).click();
      await page.getByRole('button', { name: 'Splits', exact: true }).click();
      await page.getByRole('checkbox', { name: 'hard' }).check();
      await page.keyboard.press('Escape');
      await page.getByText('3 found').waitFor();
      await page.getByRole('button', { name: 'Show all splits' }).click();
      await row('q0').waitFor();
    });

    await t.test('edits in the table are undone, and saved as one version with a description', async () => {
      await row('q0').hover();
      await row('q0').getByRole('button', { name: 'Edit input.question' }).click();
      await editor.fill('What does it cost?');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await row('q0').getByText('What does it cost?').first().waitFor();
      await row('q1').hover();
      await row('q1').getByRole('button', { name: 'Edit output' }).click();
      await editor.fill('{"answer": }');
      await dialog.getByText('Line 1, column 12: Expected a value, but found }.').waitFor();
      assert.ok(await dialog.getByRole('button', { name: 'Apply' }).isDisabled());
      await editor.press('Tab');
      assert.equal(
        await editor.evaluate((element: { matches(text: string): boolean }) => element.matches(':focus')),
        false,
      );
      await editor.fill('{"answer": "short"}');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await row('q2').getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Delete' }).click();
      await bar.getByText('2 edited, 1 deleted').waitFor();
      await bar.getByRole('button', { name: 'Undo' }).click();
      await bar.getByText('2 edited').waitFor();
      // Another page keeps the changes.
      await page.getByRole('link', { name: 'Versions' }).click();
      await page.getByRole('link', { name: 'Examples' }).first().click();
      await save('Shorter answers');
      await bar.waitFor({ state: 'detached' });
      await row('q1').getByText('{"answer":"short"}').waitFor();
    });

    await t.test('a value is set in all selected examples', async () => {
      await page.getByRole('checkbox', { name: 'Select all rows' }).click();
      await page.getByText('1,500 examples selected').waitFor();
      await page.getByRole('button', { name: 'Set a value' }).click();
      await dialog.getByLabel('Path').fill('metadata.reviewed');
      await editor.fill('yes');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await save('Reviewed all');
      await bar.waitFor({ state: 'detached' });
      await row('q5').getByText('"reviewed":"yes"').waitFor();
    });

    await t.test('the second of two editors sees both contents and decides', async () => {
      await page.goto(at('examples?columns=input.question'));
      await row('q7').hover();
      await row('q7').getByRole('button', { name: 'Edit input.question' }).click();
      await editor.fill('mine');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      const { node } = await graphql<{ node: { exampleIds: string[] } }>(
        url,
        'query ($id: ID!) { node(id: $id) { ... on Dataset { exampleIds(limit: 10) } } }',
        { id },
      );
      await graphql(url, SAVE, {
        input: { datasetId: id, patches: [{ exampleId: node.exampleIds[7], input: '{"question":"theirs"}' }] },
      });
      await save('Conflict');
      await dialog.getByText('Another user has changed the example').waitFor();
      await untilPasses(async () => {
        assert.match((await dialog.textContent()) ?? '', /theirs.*mine/s);
      });
      assert.deepEqual(await seriousViolations(page), []);
      await dialog.getByRole('button', { name: 'Keep mine' }).click();
      await save('Decided');
      await bar.waitFor({ state: 'detached' });
      await row('q7').getByText('mine').first().waitFor();
    });

    await t.test('an example has its exact content, its source and its runs, and J and K step', async () => {
      const spans = await graphql<{ getSpanByOtelId: { id: string } }>(
        url,
        'query { getSpanByOtelId(spanId: "0000000000000001") { id } }',
        {},
      );
      await graphql(
        url,
        'mutation ($input: AddSpansToDatasetInput!) { addSpansToDataset(input: $input) { dataset { id } } }',
        { input: { datasetId: id, spanIds: [spans.getSpanByOtelId.id] } },
      );
      const { node } = await graphql<{ node: { exampleIds: string[] } }>(
        url,
        'query ($id: ID!) { node(id: $id) { ... on Dataset { exampleIds(limit: 2) } } }',
        { id },
      );
      for (const score of [0.2, 0.9]) {
        const experiment = await post(`${url}/v1/datasets/${encodeURIComponent(id)}/experiments`, {
          name: `try ${score}`,
        });
        const run = await post(`${url}/v1/experiments/${experiment.data.id}/runs`, {
          dataset_example_id: node.exampleIds[0],
          output: `said ${score}`,
          repetition_number: 1,
          start_time: new Date(now).toISOString(),
          end_time: new Date(now + 100).toISOString(),
        });
        await post(`${url}/v1/experiment_evaluations`, {
          experiment_run_id: run.data.id,
          name: 'correct',
          annotator_kind: 'CODE',
          start_time: new Date(now).toISOString(),
          end_time: new Date(now + 100).toISOString(),
          result: { score },
        });
      }
      await page.goto(at(`examples/${encodeURIComponent(node.exampleIds[0]!)}`));
      await drawer.getByText('said 0.9').waitFor();
      await drawer.getByRole('heading', { name: 'Runs, 2', exact: true }).waitFor();
      const { data: many } = await post(`${url}/v1/datasets/${encodeURIComponent(id)}/experiments`, {
        name: 'many',
        repetitions: 101,
      });
      for (let repetition = 1; repetition <= 101; repetition++) {
        await post(`${url}/v1/experiments/${many.id}/runs`, {
          dataset_example_id: node.exampleIds[0],
          output: `repeated ${repetition}`,
          repetition_number: repetition,
          start_time: new Date(now + 1_000 + repetition).toISOString(),
          end_time: new Date(now + 2_000 + repetition).toISOString(),
        });
      }
      await page.reload();
      await drawer.getByText('repeated 101', { exact: true }).waitFor();
      assert.equal(await drawer.getByText('repeated 1', { exact: true }).count(), 0, 'the newest are read first');
      await drawer.getByRole('button', { name: 'Load older runs' }).click();
      await drawer.getByRole('heading', { name: 'Runs, 103' }).waitFor();
      await drawer.getByText('said 0.2').waitFor();
      await drawer.getByRole('img', { name: 'correct over time' }).waitFor();
      await drawer.getByText('1 of 1,501').waitFor();
      await drawer.getByRole('button', { name: 'JSON', exact: true }).click();
      await untilPasses(async () => {
        assert.match((await drawer.textContent()) ?? '', /12345678901234567890/);
      });
      assert.deepEqual(await seriousViolations(page), []);
      await page.keyboard.press('j');
      await drawer.getByText('2 of 1,501').waitFor();
      await page.keyboard.press('k');
      await drawer.getByText('1 of 1,501').waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('table', { name: 'Examples' }).press('End');
      const last = page.locator('.table-row').last();
      await last.locator('a').first().click();
      await drawer.getByRole('link', { name: 'answer in source' }).waitFor();
      await page.goto(`${url}/redirects/datasets/${encodeURIComponent(id)}/examples/q1`);
      await drawer.getByRole('heading', { name: /q1/ }).waitFor();
      await page.keyboard.press('Escape');
    });

    await t.test('examples are added by hand, one after another', async () => {
      await page.getByRole('button', { name: 'Add example' }).click();
      await dialog.getByLabel('Create more').check();
      for (const name of ['first', 'second']) {
        await dialog.getByLabel('Input', { exact: true }).fill(`{"question": "${name}"}`);
        await dialog.getByRole('button', { name: 'Add example' }).click();
        await dialog.locator('.json-string', { hasText: name }).waitFor({ state: 'detached' });
      }
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await page.getByRole('link', { name: /Examples\s*1,503/ }).waitFor();
    });

    await t.test('selected examples are deleted together when the changes are saved', async () => {
      await page.goto(at('examples'));
      await row('q0').waitFor();
      for (const index of [0, 1]) await page.getByLabel('Select row').nth(index).click();
      await page.getByRole('region', { name: 'Selected examples' }).getByRole('button', { name: 'Delete' }).click();
      await bar.getByText('2 deleted').waitFor();
      await save('Removed two');
      await page.getByRole('link', { name: /Examples\s*1,501/ }).waitFor();
    });

    await t.test('any two versions are compared, and an earlier one is shown and restored', async () => {
      await page.goto(at('versions'));
      const items = page.locator('.versions-list li');
      await items.filter({ hasText: 'Shorter answers' }).getByRole('button', { name: 'Changes' }).click();
      await page.getByRole('button', { name: 'Changed 2' }).waitFor();
      await page.getByText('1,498 unchanged').waitFor();
      await page.getByRole('button', { name: /changed q1/ }).click();
      await page.getByText('output.answer').waitFor();
      assert.match(page.url(), /base=.*compare=|compare=.*base=/);
      assert.deepEqual(await seriousViolations(page), []);
      await items.filter({ hasText: 'Imported' }).getByRole('link', { name: 'Examples' }).click();
      await page.getByText('You see an earlier version').waitFor();
      await row('q0').getByText('Question 0').first().waitFor();
      assert.equal(await rows.getByRole('checkbox').count(), 0);
      assert.equal(await page.getByRole('button', { name: 'Add example' }).count(), 0);
      await page.goto(at('versions'));
      await items.filter({ hasText: 'Imported' }).getByRole('button', { name: 'Restore' }).click();
      await dialog.getByRole('button', { name: 'Restore version' }).click();
      await items
        .filter({ hasText: /Restored from/ })
        .getByText('1,500 examples')
        .waitFor();
    });
    assert.deepEqual(pageErrors, []);
  });
});
