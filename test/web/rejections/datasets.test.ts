import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { hexId, projectId, seed } from '../seed.ts';
import { choose, fill, inOrder, press, pressInDialog } from './acts.ts';
import { dataClient } from './data-client.ts';
import { checkRejections } from './rejections.ts';

const CREATE_LABEL = `mutation ($input: CreateDatasetLabelInput!) {
  createDatasetLabel(input: $input) { datasetLabel { id } } }`;
const CREATE_SPLIT = `mutation ($input: CreateDatasetSplitInput!) {
  createDatasetSplit(input: $input) { datasetSplit { id } } }`;
const SAVE_SOURCE = 'mutation ($input: SaveDatasetSourceInput!) { saveDatasetSource(input: $input) { id } }';

const selectRow = (page: Page) => page.getByLabel('Select row').first().click();
/** Chooses the first label of the open choice. */
const chooseLabel = (page: Page) => page.locator('.label-item').first().click();
const openCase = async (page: Page) => {
  await page.getByRole('button', { name: 'Add the span to a dataset' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Input as JSON' }).waitFor();
};
const chooseDataset = (name: string) => (page: Page) =>
  page.getByRole('dialog').getByText(name, { exact: true }).first().click();
const editCase = (page: Page) =>
  page.getByRole('dialog').getByRole('textbox', { name: 'Input as JSON' }).fill('{"question": "why?"}');
const palette = (text: string, option: RegExp) => async (page: Page) => {
  await page.locator('.table-row').first().waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search', exact: true }).fill(text);
  await page.getByRole('option', { name: option }).waitFor();
};

describe('a rejected change of a dataset', { skip: NO_BROWSER }, () => {
  test('is reported, and the page continues to work', async (t) => {
    const server = await openPageServer(t);
    const other = dataClient(server.url);
    const start = Date.now() - 5_000;
    await seed(server.url, 'shop', [
      { traceId: hexId(1, 16), spanId: hexId(1, 8), name: 'answer', start, latencyMs: 1 },
    ]);
    const shopId = await projectId(server.url, 'shop');
    const span = `/projects/${encodeURIComponent(shopId)}/traces/${hexId(1, 16)}`;
    const createLabel = (name: string) => other.ask<object>(CREATE_LABEL, { input: { name, color: '#aa3377' } });
    const createSplit = (name: string) => other.ask<object>(CREATE_SPLIT, { input: { name, color: '#aa3377' } });
    const idIn = (payload: object): string => /"id":"([^"]+)"/.exec(JSON.stringify(payload))![1]!;
    const [golden, silver] = [idIn(await createLabel('golden')), idIn(await createLabel('silver'))];
    const [hard, easy] = [idIn(await createSplit('hard')), idIn(await createSplit('easy'))];
    await createLabel('bronze');
    await createSplit('other');
    const ids = new Map<string, string>();
    for (const name of 'alpha beta gamma delta epsilon zeta eta theta iota'.split(' ')) {
      ids.set(name, await other.createDataset(name));
    }
    const at = (name: string, tab: string) => `/datasets/${encodeURIComponent(ids.get(name)!)}/${tab}`;
    const gone = (name: string) => () => other.deleteDataset(ids.get(name)!);
    const source = await other.ask<object>(SAVE_SOURCE, {
      input: { projectId: shopId, datasetId: ids.get('alpha'), name: 'answers', filter: '', mapping: {} },
    });

    await checkRejections(t, server.url, [
      {
        mutation: 'createDataset',
        at: '/datasets',
        open: inOrder(choose('New dataset', 'From scratch'), fill('Name', 'alpha')),
        beforeSubmit: 'nothing',
        submit: pressInDialog('Create dataset'),
      },
      {
        mutation: 'patchDataset',
        at: '/datasets',
        open: choose('Actions for beta', 'Edit'),
        beforeSubmit: gone('beta'),
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'setDatasetLabels',
        at: '/datasets',
        open: inOrder(choose('Actions for gamma', 'Labels'), chooseLabel),
        beforeSubmit: gone('gamma'),
        submit: pressInDialog('Apply'),
      },
      {
        mutation: 'deleteDataset',
        at: '/datasets',
        open: inOrder(choose('Actions for delta', 'Delete dataset'), (page) =>
          page.getByRole('dialog').getByText('It has no experiments').waitFor(),
        ),
        beforeSubmit: gone('delta'),
        submit: pressInDialog('Delete dataset'),
      },
      {
        mutation: 'createDatasetLabel',
        at: '/settings/datasets',
        open: inOrder(press('Create label'), fill('Name', 'golden')),
        beforeSubmit: 'nothing',
        submit: pressInDialog('Create label'),
      },
      {
        mutation: 'patchDatasetLabel',
        at: '/settings/datasets',
        open: press('Edit golden'),
        beforeSubmit: () =>
          other.ask('mutation ($id: ID!) { deleteDatasetLabels(input: { datasetLabelIds: [$id] }) { __typename } }', {
            id: golden,
          }),
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'deleteDatasetLabel',
        at: '/settings/datasets',
        open: press('Delete silver'),
        beforeSubmit: () =>
          other.ask('mutation ($id: ID!) { deleteDatasetLabels(input: { datasetLabelIds: [$id] }) { __typename } }', {
            id: silver,
          }),
        submit: pressInDialog(/^Delete/),
      },
      {
        mutation: 'createSplit',
        at: '/settings/datasets',
        open: inOrder(press('Create split'), fill('Name', 'hard')),
        beforeSubmit: 'nothing',
        submit: pressInDialog('Create split'),
      },
      {
        mutation: 'patchSplit',
        at: '/settings/datasets',
        open: press('Edit hard'),
        beforeSubmit: () =>
          other.ask('mutation ($id: ID!) { deleteDatasetSplits(input: { datasetSplitIds: [$id] }) { __typename } }', {
            id: hard,
          }),
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'deleteSplit',
        at: '/settings/datasets',
        open: press('Delete easy'),
        beforeSubmit: () =>
          other.ask('mutation ($id: ID!) { deleteDatasetSplits(input: { datasetSplitIds: [$id] }) { __typename } }', {
            id: easy,
          }),
        submit: pressInDialog(/^Delete/),
      },
      {
        mutation: 'saveExamples',
        at: at('epsilon', 'examples'),
        open: inOrder(selectRow, press('Delete'), press('Save…')),
        beforeSubmit: gone('epsilon'),
        submit: pressInDialog('Save version'),
      },
      {
        mutation: 'changeExampleSplits',
        at: at('zeta', 'examples'),
        open: inOrder(selectRow, press('Splits of the selected examples'), chooseLabel),
        beforeSubmit: gone('zeta'),
        submit: press('Apply'),
      },
      {
        mutation: 'restoreVersion',
        at: at('eta', 'versions'),
        open: async (page) => {
          const examples = [{ input: '{"question": "how?"}', output: '{}', metadata: '{}' }];
          await other.ask(
            'mutation ($input: SaveDatasetExamplesInput!) { saveDatasetExamples(input: $input) { __typename } }',
            { input: { datasetId: ids.get('eta'), additions: examples } },
          );
          await page.reload();
          await page.getByRole('button', { name: 'Restore' }).last().click();
        },
        beforeSubmit: gone('eta'),
        submit: pressInDialog('Restore version'),
      },
      {
        mutation: 'createCaseDataset',
        at: span,
        open: inOrder(openCase, async (page) => {
          await page.getByRole('dialog').getByLabel('Search or name a dataset').fill('kappa');
          await page.getByRole('dialog').getByText('Create “kappa”').click();
        }),
        beforeSubmit: () => other.createDataset('kappa'),
        submit: pressInDialog('Add example'),
      },
      {
        mutation: 'addSpanExample',
        at: span,
        open: inOrder(openCase, chooseDataset('theta'), editCase),
        beforeSubmit: gone('theta'),
        submit: pressInDialog('Add example'),
      },
      {
        mutation: 'rememberSpanMapping',
        at: span,
        open: inOrder(openCase, chooseDataset('alpha'), editCase),
        beforeSubmit: 'offline',
        submit: pressInDialog('Add example'),
        shows: 'Added 1 example to alpha.',
      },
      {
        mutation: 'saveDatasetSource',
        at: `/projects/${encodeURIComponent(shopId)}/spans`,
        open: inOrder(press('Add the listed spans to a dataset'), chooseDataset('iota'), async (page) => {
          await page.getByRole('dialog').getByText('Save the filter as a source').click();
          await page.getByRole('dialog').getByLabel('Name of the source').fill('ours');
        }),
        beforeSubmit: gone('iota'),
        submit: pressInDialog('Save source'),
      },
      {
        mutation: 'deleteDatasetSource',
        at: at('alpha', 'examples'),
        open: press('Delete the source answers'),
        beforeSubmit: () =>
          other.ask('mutation ($id: ID!) { deleteDatasetSource(id: $id) { id } }', { id: idIn(source) }),
        submit: pressInDialog('Delete source'),
      },
      {
        mutation: 'createSample',
        at: '/datasets',
        open: palette('sample', /Create the sample dataset/),
        beforeSubmit: 'offline',
        submit: (page) => page.getByRole('option', { name: /Create the sample dataset/ }).click(),
      },
      {
        mutation: 'deleteSample',
        at: '/datasets',
        open: async (page) => {
          await other.ask('mutation { createSample { dataset { id } } }');
          await page.reload();
          await palette('delete the sample', /Delete the sample dataset/)(page);
          await page.getByRole('option', { name: /Delete the sample dataset/ }).click();
        },
        beforeSubmit: 'offline',
        submit: pressInDialog('Delete sample'),
      },
    ]);
  });
});
