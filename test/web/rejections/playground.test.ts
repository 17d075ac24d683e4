import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openTestServer } from '../../api/test-server.ts';
import { openVendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { NO_BROWSER } from '../browser.ts';
import { fill, inOrder, pressInDialog } from './acts.ts';
import { dataClient } from './data-client.ts';
import { checkRejections } from './rejections.ts';

const message = (page: Page) => page.locator('textarea[aria-label="User message 1"]').first();
const write = (text: string) => (page: Page) => message(page).fill(text);
const runAll = (page: Page) => page.getByRole('button', { name: 'Run all' }).click();

describe('a rejected change of the playground', { skip: NO_BROWSER }, () => {
  test('is reported, and the page continues to work', async (t) => {
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const server = await openTestServer(t, {
      variables: { OPENAI_API_KEY: 'sk-server', OPENAI_BASE_URL: `${vendor.url}/v1` },
    });
    const url = server.address;
    const other = dataClient(url);
    const datasetId = await other.createDataset('cases', 2);
    const alpha = await other.createPrompt('alpha');
    const beta = await other.createPrompt('beta');
    const at = (prompt: { readonly id: string }) => `/playground?promptId=${encodeURIComponent(prompt.id)}`;
    const dataset = `${at(alpha)}&datasetId=${encodeURIComponent(datasetId)}`;

    await checkRejections(t, url, [
      {
        mutation: 'playgroundCells',
        at: at(alpha),
        open: write('Say it'),
        beforeSubmit: 'offline',
        submit: runAll,
        shows: 'The server does not respond.',
      },
      {
        mutation: 'playgroundVariants',
        at: dataset,
        open: inOrder(write('Say it'), (page) => page.getByText('2 cases').first().waitFor()),
        beforeSubmit: 'offline',
        submit: runAll,
        shows: 'The server does not respond.',
      },
      {
        mutation: 'resumePlaygroundExperiment',
        at: dataset,
        open: async (page) => {
          await write('[[latency 60000]]')(page);
          await page.getByText('2 cases').first().waitFor();
          await runAll(page);
          await page.getByRole('link', { name: 'Experiment', exact: true }).waitFor();
          await page.keyboard.press('Escape');
          await page.getByRole('button', { name: 'Resume' }).waitFor();
        },
        beforeSubmit: 'offline',
        submit: (page) => page.getByRole('button', { name: 'Resume' }).click(),
        shows: 'The server does not respond.',
      },
      {
        mutation: 'createPlaygroundPrompt',
        at: at(alpha),
        open: inOrder(
          write('Say it again'),
          (page) => page.getByRole('button', { name: 'unsaved' }).first().click(),
          pressInDialog('New prompt'),
          fill('Name', 'beta'),
        ),
        beforeSubmit: 'nothing',
        submit: pressInDialog('Create prompt'),
      },
      {
        mutation: 'createPlaygroundVersion',
        at: at(beta),
        open: inOrder(write('Say it'), (page) => page.getByRole('button', { name: 'unsaved' }).first().click()),
        beforeSubmit: () => other.deletePrompt(beta.id),
        submit: pressInDialog('Save version'),
      },
    ]);
  });
});
