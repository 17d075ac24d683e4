import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openTestServer } from '../../api/test-server.ts';
import { openVendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { NO_BROWSER } from '../browser.ts';
import { otherClient } from '../other-client.ts';
import { choose, fill, inOrder, press, pressInDialog } from './acts.ts';
import { dataClient } from './data-client.ts';
import { checkRejections } from './rejections.ts';
import { startSlowJob } from './slow-job.ts';

const openMenu = (name: string) => async (page: Page) => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menu').waitFor();
};
const chooseItem = (item: string) => (page: Page) => page.getByRole('menuitem', { name: item, exact: true }).click();
const writeNote = (page: Page) => page.getByLabel('New note').fill('Look here');
const openRun = (mode: string) => async (page: Page) => {
  await page.locator('.table-row:not(.waiting)').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Runs side by side' }).getByRole('button', { name: mode }).click();
};
const rate = (label: string) => async (page: Page) =>
  page.getByRole('group', { name: 'quality' }).getByRole('button', { name: label }).click();

describe('a rejected change of an experiment', { skip: NO_BROWSER }, () => {
  test('is reported, and the page continues to work', async (t) => {
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const server = await openTestServer(t, {
      variables: { OPENAI_API_KEY: 'sk-server', OPENAI_BASE_URL: `${vendor.url}/v1` },
    });
    const url = server.address;
    const other = dataClient(url);
    await otherClient(url).createConfig('quality');
    const datasetId = await other.createDataset('cases');
    const names = 'alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu'.split(' ');
    const ids = new Map<string, string>();
    for (const name of names) ids.set(name, await other.createExperiment(datasetId, name));
    const id = (name: string) => ids.get(name)!;
    const gone = (name: string) => () => other.deleteExperiment(id(name));
    await other.ask('mutation ($id: ID!) { tagExperiment(experimentId: $id, name: "live") { __typename } }', {
      id: id('epsilon'),
    });
    const note = (name: string) =>
      other.ask('mutation ($id: ID!) { addExperimentNote(experimentId: $id, text: "Hm") { __typename } }', {
        id: id(name),
      });
    await note('eta');
    await note('theta');
    const list = `/datasets/${encodeURIComponent(datasetId)}/experiments`;
    const details = (name: string) => `${list}/${encodeURIComponent(id(name))}`;
    const compare = (first: string, second: string) =>
      `/datasets/${encodeURIComponent(datasetId)}/compare?experiment=${id(first)}&experiment=${id(second)}&sort=position`;

    await checkRejections(t, url, [
      {
        mutation: 'patchExperiment',
        at: list,
        open: choose('Actions for alpha', 'Edit name and description'),
        beforeSubmit: gone('alpha'),
        submit: pressInDialog('Save experiment'),
      },
      {
        mutation: 'setExperimentBaseline',
        at: list,
        open: openMenu('beta'),
        beforeSubmit: gone('beta'),
        submit: chooseItem('Set as baseline'),
      },
      {
        mutation: 'deleteExperiments',
        at: list,
        open: choose('Actions for gamma', 'Delete experiment'),
        beforeSubmit: gone('gamma'),
        submit: pressInDialog('Delete experiment'),
      },
      {
        mutation: 'tagExperiment',
        at: list,
        open: inOrder(choose('Actions for delta', 'Edit tags'), fill('New tag', 'Not valid')),
        beforeSubmit: 'nothing',
        submit: pressInDialog('Add tag'),
      },
      {
        mutation: 'untagExperiment',
        at: list,
        open: choose('Actions for epsilon', 'Edit tags'),
        beforeSubmit: gone('epsilon'),
        submit: pressInDialog('Remove tag live'),
      },
      {
        mutation: 'addExperimentNote',
        at: details('zeta'),
        open: writeNote,
        beforeSubmit: gone('zeta'),
        submit: press('Add note'),
      },
      {
        mutation: 'patchExperimentNote',
        at: details('eta'),
        open: inOrder(press('Edit note'), (page) => page.getByLabel('Text of the note').fill('Changed')),
        beforeSubmit: gone('eta'),
        submit: press('Save note'),
      },
      {
        mutation: 'deleteExperimentNote',
        at: details('theta'),
        open: press('Delete note'),
        beforeSubmit: gone('theta'),
        submit: pressInDialog('Delete note'),
      },
      {
        mutation: 'annotateExperimentRun',
        at: compare('iota', 'kappa'),
        open: inOrder(openRun('Annotate'), (page) => page.getByRole('group', { name: 'quality' }).waitFor()),
        beforeSubmit: gone('iota'),
        submit: rate('good'),
      },
      {
        mutation: 'deleteExperimentRunAnnotation',
        at: compare('kappa', 'lambda'),
        open: inOrder(openRun('Annotate'), rate('good'), (page) =>
          page.getByRole('group', { name: 'quality' }).getByText('Saved').waitFor(),
        ),
        beforeSubmit: gone('kappa'),
        // The selected label again removes the annotation.
        submit: rate('good'),
      },
      {
        mutation: 'preferExperimentRun',
        at: compare('lambda', 'mu'),
        open: inOrder(openRun('Prefer'), (page) =>
          page.getByRole('button', { name: 'Left is better' }).and(page.locator(':enabled')).waitFor(),
        ),
        beforeSubmit: gone('lambda'),
        submit: (page) => page.getByRole('button', { name: 'Left is better' }).click(),
      },
      {
        mutation: 'deleteExperimentRunPreference',
        at: compare('mu', 'nu'),
        open: inOrder(openRun('Prefer'), async (page) => {
          await page.getByRole('button', { name: 'Left is better' }).click();
          await page.getByRole('button', { name: 'Remove it' }).waitFor();
        }),
        beforeSubmit: 'offline',
        submit: (page) => page.getByRole('button', { name: 'Remove it' }).click(),
      },
      {
        mutation: 'stopExperiment',
        at: async () => {
          ids.set('slow', await startSlowJob(url, datasetId));
          return list;
        },
        open: openMenu('slow'),
        beforeSubmit: 'offline',
        submit: chooseItem('Stop'),
      },
      {
        mutation: 'resumeExperiment',
        at: async () => {
          await other.ask('mutation ($id: ID!) { stopExperiment(experimentId: $id) { __typename } }', {
            id: id('slow'),
          });
          return list;
        },
        open: openMenu('slow'),
        beforeSubmit: 'offline',
        submit: chooseItem('Resume'),
      },
    ]);
  });
});
