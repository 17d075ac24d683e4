import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { agentTrace } from '../agent-trace.ts';
import { NO_BROWSER } from '../browser.ts';
import { otherClient } from '../other-client.ts';
import { openPageServer } from '../page-server.ts';
import { hexId, projectId, seed } from '../seed.ts';
import { choose, fill, inOrder, press, pressInDialog } from './acts.ts';
import { checkRejections } from './rejections.ts';

const rate = (label: string) => (page: Page) =>
  page.getByRole('group', { name: 'quality' }).getByRole('button', { name: label }).click();
const rows = (action: string) => async (page: Page) => {
  await page.getByLabel('Select row').first().click();
  await page.getByRole('region', { name: 'Selected rows' }).getByRole('button', { name: action, exact: true }).click();
};
const deleteNames = (of: string) => (page: Page) => page.getByRole('button', { name: `Delete tone of ${of}` }).click();

describe('a rejected change of a project and its rows', { skip: NO_BROWSER }, () => {
  test('is reported, and the page continues to work', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    await seed(
      server.url,
      'shop',
      Array.from({ length: 6 }, (_, index) => index + 1).flatMap((number) =>
        agentTrace(number, { start: now - number * 20_000, session: `talk-${number}` }),
      ),
    );
    for (const [index, name] of ['gone-1', 'gone-2', 'gone-3', 'gone-4', 'gone-5', 'gone-8'].entries()) {
      const [traceId, spanId] = [hexId(900 + index, 16), hexId(900_000 + index, 8)];
      await seed(server.url, name, [{ traceId, spanId, name, start: now - 5_000, latencyMs: 1 }]);
    }
    const other = otherClient(server.url);
    const place = async (name: string) => `/projects/${encodeURIComponent(await projectId(server.url, name))}`;
    const shop = await place('shop');
    await other.createConfig('quality', 'shop');
    await other.annotateSpan(hexId(900_005, 8), 'tone');
    await other.annotateTrace(hexId(6, 16), 'tone');
    await other.annotateSession('talk-6', 'tone');

    await checkRejections(t, server.url, [
      {
        mutation: 'createProject',
        at: '/projects',
        open: inOrder(press('Create project'), fill('Name', 'shop')),
        beforeSubmit: 'nothing',
        submit: pressInDialog('Create'),
      },
      {
        mutation: 'patchProject',
        at: '/projects',
        open: choose('Actions for gone-1', 'Edit description'),
        beforeSubmit: () => other.deleteProject('gone-1'),
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'clearProject',
        at: '/projects',
        open: inOrder(choose('Actions for gone-2', 'Delete traces'), (page) =>
          page.getByRole('radio', { name: 'All traces' }).check(),
        ),
        beforeSubmit: () => other.deleteProject('gone-2'),
        submit: pressInDialog('Delete all traces'),
      },
      {
        mutation: 'deleteProject',
        at: '/projects',
        open: choose('Actions for gone-3', 'Delete project'),
        beforeSubmit: () => other.deleteProject('gone-3'),
        submit: pressInDialog('Delete project'),
      },
      {
        mutation: 'describeProject',
        at: `${await place('gone-4')}/config`,
        open: (page) => page.getByLabel('Description').fill('Other'),
        beforeSubmit: () => other.deleteProject('gone-4'),
        submit: press('Save'),
      },
      {
        mutation: 'saveView',
        at: `${await place('gone-5')}/spans`,
        open: inOrder(press('Views'), (page) => page.getByLabel('View name').fill('Mine')),
        beforeSubmit: () => other.deleteProject('gone-5'),
        submit: press('Save'),
      },
      {
        mutation: 'deleteSavedView',
        at: `${shop}/spans`,
        open: async (page) => {
          await other.saveView('shop', 'Ours');
          await press('Views')(page);
          await press('Delete Ours')(page);
        },
        beforeSubmit: () => other.deleteView('shop'),
        submit: pressInDialog('Delete view'),
      },
      {
        mutation: 'deleteSpanAnnotationsOfName',
        at: `${await place('gone-8')}/config`,
        open: deleteNames('spans'),
        beforeSubmit: () => other.deleteProject('gone-8'),
        submit: pressInDialog(/^Delete/),
      },
      {
        mutation: 'deleteTraceAnnotationsOfName',
        at: `${shop}/config`,
        open: deleteNames('traces'),
        beforeSubmit: 'offline',
        submit: pressInDialog(/^Delete/),
      },
      {
        mutation: 'deleteSessionAnnotationsOfName',
        at: `${shop}/config`,
        open: deleteNames('sessions'),
        beforeSubmit: 'offline',
        submit: pressInDialog(/^Delete/),
      },
      {
        mutation: 'annotateTraces',
        at: `${shop}/traces`,
        open: inOrder(rows('Annotate'), rate('good')),
        beforeSubmit: () => other.deleteNewestTrace('shop'),
        submit: pressInDialog(/^Annotate 1/),
      },
      {
        mutation: 'annotateSpans',
        at: `${shop}/spans`,
        open: inOrder(rows('Annotate'), rate('good')),
        beforeSubmit: () => other.deleteNewestTrace('shop'),
        submit: pressInDialog(/^Annotate 1/),
      },
      {
        mutation: 'transferTraces',
        at: `${shop}/traces`,
        open: inOrder(rows('Move'), (page) => page.getByRole('radio', { name: 'default' }).check()),
        beforeSubmit: () => other.deleteNewestTrace('shop'),
        submit: pressInDialog('Move 1 trace'),
      },
      {
        mutation: 'deleteTraces',
        at: `${shop}/traces`,
        open: rows('Delete'),
        beforeSubmit: () => other.deleteNewestTrace('shop'),
        submit: pressInDialog('Delete 1 trace'),
      },
    ]);
  });
});
