import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seriousViolations } from '../../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql, hexId, projectId, seed } from '../../seed.ts';

const spans = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    traceId: hexId(from + index, 16),
    spanId: hexId(from + index, 8),
    name: 'answer',
    start: Date.now() - 60_000 - 1_000 * (from + index),
    latencyMs: 5,
    attributes: { 'input.value': `question ${from + index}`, 'output.value': '<img src=x onerror=alert(1)>' },
  }));

interface Example {
  readonly span: { readonly id: string } | null;
  readonly revision: { readonly input: Record<string, unknown>; readonly metadata: unknown };
}

describe('spans and the sample become cases', { skip: NO_BROWSER }, () => {
  test('from a trace, from rows, from a filter, and with one click', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'support', spans(1, 6));
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    const place = `${server.url}/projects/${encodeURIComponent(await projectId(server.url, 'support'))}`;
    const dialog = page.getByRole('dialog');
    const examplesOf = async (name: string): Promise<Example[]> => {
      const { datasets } = await graphql<{
        datasets: { edges: { node: { name: string; examples: { edges: { node: Example }[] } } }[] };
      }>(server.url, '{datasets {edges {node {name examples {edges {node {span {id} revision {input metadata}}}}}}}}');
      const found = datasets.edges.find(({ node }) => node.name === name);
      return found!.node.examples.edges.map(({ node }) => node);
    };

    await t.test('a span is edited before it is added, and is marked the next time', async () => {
      await page.goto(`${place}/traces/${hexId(1, 16)}`);
      await page.getByRole('button', { name: 'Add the span to a dataset' }).click();
      const add = dialog.getByRole('button', { name: 'Add example' });
      const input = dialog.getByRole('textbox', { name: 'Input as JSON' });
      await input.waitFor();
      await untilPasses(async () => {
        assert.deepEqual(JSON.parse(await input.inputValue()), { input: 'question 1' });
      });
      await dialog.getByLabel('Search or name a dataset').fill('hard cases');
      await dialog.getByText('Create “hard cases”').click();
      await input.fill('[1]');
      await dialog.getByText('The input must be a JSON object').waitFor();
      await untilPasses(async () => {
        assert.equal(await add.isDisabled(), true);
      });
      await input.fill('{"question": "why?"}');
      assert.deepEqual(await seriousViolations(page), []);
      await add.click();
      await page.getByText('Added 1 example to hard cases.').waitFor();
      const [example] = await examplesOf('hard cases');
      assert.deepEqual(example!.revision.input, { question: 'why?' });
      assert.ok(example!.span);

      await page.getByRole('button', { name: 'Add the span to a dataset' }).click();
      await dialog.getByText('hard cases', { exact: true }).click();
      await dialog.getByText('Already in the dataset', { exact: true }).waitFor();
      await dialog.getByText('Add them too').waitFor();
      await page.keyboard.press('Escape');
    });

    await t.test('selected rows are mapped by path, and the mapping is remembered', async () => {
      await page.goto(`${place}/spans?timeRangeKey=1h`);
      for (const row of [3, 4]) await page.getByLabel('Select row').nth(row).click();
      const bar = page.getByRole('region', { name: 'Selected rows' });
      await bar.getByRole('button', { name: 'Add to dataset' }).click();
      await dialog.getByText('hard cases', { exact: true }).click();
      await dialog.getByText('Mapping', { exact: true }).click();
      await dialog.getByRole('group', { name: 'Rule for the input' }).getByText('By path').click();
      await dialog.getByLabel('Name of input field 1').fill('__proto__');
      await dialog.getByLabel('Path of input field 1').fill("input['input']");
      await dialog.getByText('__proto__').waitFor();
      await dialog.getByText('No repeated examples.').waitFor();
      await dialog.getByRole('button', { name: 'Add 2 examples' }).click();
      await page.getByText('Added 2 examples to hard cases.').waitFor();
      const added = (await examplesOf('hard cases')).slice(1);
      assert.deepEqual(
        added.map(({ revision }) => Object.keys(revision.input)),
        [['__proto__'], ['__proto__']],
      );

      await page.getByLabel('Select row').nth(0).click();
      await bar.getByRole('button', { name: 'Add to dataset' }).click();
      await untilPasses(async () => {
        assert.equal(await dialog.getByLabel('Path of input field 1').inputValue(), "input['input']");
      });
      await page.keyboard.press('Escape');
    });

    await t.test('a filter is saved as a source and adds new matches with one click', async () => {
      await page.goto(`${place}/spans?timeRangeKey=1h&spanFilterCondition=${encodeURIComponent("name == 'answer'")}`);
      await page.getByRole('button', { name: 'Add the listed spans to a dataset' }).click();
      await dialog.getByText('hard cases', { exact: true }).click();
      await dialog.getByText('Save the filter as a source').click();
      await dialog.getByLabel('Name of the source').fill('answers');
      await dialog.getByText('Only spans that arrive from now on').click();
      await dialog.getByRole('button', { name: 'Save source' }).click();
      await page.getByText('Saved the source answers with 0 new matches.').waitFor();
      await seed(server.url, 'support', spans(50, 3));
      await page.getByRole('button', { name: 'Views' }).click();
      await page.getByRole('button', { name: 'Add 3 new matches' }).click();
      await page.getByText('Added 3 examples to hard cases.').waitFor();
      await page.getByText('No new matches').waitFor();
      assert.equal((await examplesOf('hard cases')).length, 6);
    });

    await t.test('the palette creates the sample and finds its parts by name and by ID', async () => {
      const search = async (text: string) => {
        await page.keyboard.press('Control+k');
        await page.getByRole('combobox', { name: 'Search' }).fill(text);
      };
      const option = (name: RegExp) => page.getByRole('option', { name });
      await search('sample');
      await option(/Create the sample dataset/).click();
      await page.getByText('Created the sample: 40 questions').waitFor();
      await search('sample');
      for (const name of [/Sample: support questions.*dataset/, /sample-support-answer.*prompt/]) {
        await option(name).first().waitFor();
      }
      await page.keyboard.press('Escape');
      await search('answers from the handbook');
      await option(/Version 2: answers from the handbook.*experiment of Sample/).waitFor();
      await page.keyboard.press('Escape');
      const { sample } = await graphql<{ sample: { prompt: { id: string } } }>(server.url, '{sample {prompt {id}}}');
      await search(sample.prompt.id);
      await option(/sample-support-answer.*prompt/).waitFor();
      await page.keyboard.press('Escape');
      await search('delete the sample');
      await option(/Delete the sample dataset/).click();
      await dialog.getByRole('button', { name: 'Delete sample' }).click();
      await page.getByText('Deleted the sample.').waitFor();
    });
    assert.deepEqual(pageErrors, []);
  });
});
