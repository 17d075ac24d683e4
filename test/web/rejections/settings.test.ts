import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_BROWSER } from '../browser.ts';
import { otherClient } from '../other-client.ts';
import { openPageServer } from '../page-server.ts';
import { hexId, projectId, seed } from '../seed.ts';
import { fill, inOrder, press, pressInDialog } from './acts.ts';
import { checkRejections } from './rejections.ts';

const chosen = (name: string) => (page: Page) => page.getByRole('dialog').getByRole('checkbox', { name }).click();

describe('a rejected change of a setting', { skip: NO_BROWSER }, () => {
  test('is reported, and the page continues to work', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    for (const [index, name] of ['shop', 'gone-6', 'gone-7'].entries()) {
      const [traceId, spanId] = [hexId(900 + index, 16), hexId(900_000 + index, 8)];
      await seed(server.url, name, [{ traceId, spanId, name, start: now - 5_000, latencyMs: 1 }]);
    }
    const other = otherClient(server.url);
    const shop = `/projects/${encodeURIComponent(await projectId(server.url, 'shop'))}`;
    await other.createConfig('quality', 'shop');
    await other.createConfig('spare');
    await other.createConfig('toDelete');
    await other.createConfig('worn', 'gone-7');
    await other.createPolicy('A month');
    await other.createPolicy('A year');
    await other.createModel('house-model');
    await other.createModel('guest-model');

    await checkRejections(t, server.url, [
      {
        mutation: 'createConfig',
        at: '/settings/annotations',
        open: inOrder(press('Create config'), fill('Name', 'quality'), fill('Labels', 'good')),
        beforeSubmit: 'nothing',
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'changeConfig',
        at: '/settings/annotations',
        open: inOrder(press('Edit spare'), fill('Name', 'quality')),
        beforeSubmit: 'nothing',
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'assignConfig',
        at: '/settings/annotations',
        open: inOrder(press('Edit spare'), chosen('gone-6')),
        beforeSubmit: () => other.deleteProject('gone-6'),
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'unassignConfig',
        at: '/settings/annotations',
        open: inOrder(press('Edit worn'), chosen('gone-7')),
        beforeSubmit: () => other.deleteProject('gone-7'),
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'deleteConfig',
        at: '/settings/annotations',
        open: press('Delete worn'),
        beforeSubmit: () => other.deleteConfig('worn'),
        submit: pressInDialog(/^Delete/),
      },
      {
        mutation: 'detachConfig',
        at: `${shop}/config`,
        open: (page) => page.getByRole('checkbox', { name: /quality/ }).waitFor(),
        beforeSubmit: 'offline',
        submit: (page) => page.getByRole('checkbox', { name: /quality/ }).click(),
      },
      {
        mutation: 'attachConfig',
        at: `${shop}/config`,
        open: (page) => page.getByRole('checkbox', { name: /toDelete/ }).waitFor(),
        beforeSubmit: () => other.deleteConfig('toDelete'),
        submit: (page) => page.getByRole('checkbox', { name: /toDelete/ }).click(),
      },
      {
        mutation: 'createModel',
        at: '/settings/models',
        open: inOrder(press('Create model'), fill('Name', 'broken'), fill('Name pattern', '(')),
        beforeSubmit: 'nothing',
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'updateModel',
        at: '/settings/models',
        open: press('Edit house-model'),
        beforeSubmit: () => other.deleteModel('house-model'),
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'deleteModel',
        at: '/settings/models',
        open: press('Delete guest-model'),
        beforeSubmit: () => other.deleteModel('guest-model'),
        submit: pressInDialog(/^Delete/),
      },
      {
        mutation: 'createPolicy',
        at: '/settings/retention',
        open: inOrder(press('Create policy'), fill('Name', 'broken')),
        beforeSubmit: 'offline',
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'chooseRetention',
        at: `${shop}/config`,
        open: (page) => page.getByLabel('Retention policy').waitFor(),
        beforeSubmit: () => other.deletePolicy('A year'),
        submit: (page) => page.getByLabel('Retention policy').selectOption({ label: 'A year' }),
      },
      {
        mutation: 'patchPolicy',
        at: '/settings/retention',
        open: press('Edit A month'),
        beforeSubmit: 'offline',
        submit: pressInDialog('Save'),
      },
      {
        mutation: 'deletePolicy',
        at: '/settings/retention',
        open: press('Delete A month'),
        beforeSubmit: () => other.deletePolicy('A month'),
        submit: pressInDialog(/^Delete/),
      },
      {
        mutation: 'changeSecrets',
        at: '/settings/secrets',
        open: async (page) => {
          await page.getByRole('button', { name: 'Store secret' }).click();
          await page.getByLabel(/^Name/).fill('A_KEY');
          await page.getByLabel(/^Value/).fill('a value');
        },
        beforeSubmit: 'offline',
        submit: pressInDialog('Store secret'),
      },
    ]);
  });
});
