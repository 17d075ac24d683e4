import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_BROWSER, openBrowser, openPage } from '../../browser.ts';
import { openCuttingProxy } from '../../cutting-proxy.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql } from '../../seed.ts';

/** Few rows, because storing them takes longer than sending them. */
const COUNT = 6_000;
/** A file of 8 MB. */
const content = `question,answer\n${Array.from({ length: COUNT }, (_, index) => `${index} ${'why '.repeat(330)},so`).join('\n')}\n`;
const MIDDLE = content.length / 2;

describe('an upload over a connection that breaks', { skip: NO_BROWSER }, () => {
  test('reports exactly what is stored, and is sent again', async (t) => {
    const server = await openPageServer(t);
    const proxy = await openCuttingProxy(t, server.url);
    const { page, pageErrors } = await openPage(await openBrowser(t), proxy.url);
    const dialog = page.getByRole('dialog').last();
    const open = async (name: string) => {
      await page.goto(`${proxy.url}/datasets`);
      await page.getByRole('button', { name: 'New dataset' }).click();
      await page.getByRole('menuitem', { name: /From a file/ }).click();
      const file = { name: `${name}.csv`, mimeType: '', buffer: Buffer.from(content) };
      await dialog.getByLabel('File', { exact: true }).setInputFiles(file);
      await dialog.getByRole('button', { name: /^question/ }).waitFor();
    };
    const send = () => dialog.getByRole('button', { name: 'Create dataset' }).click();
    const stored = async () => {
      const { datasets } = await graphql<{ datasets: { edges: { node: { name: string; exampleCount: number } }[] } }>(
        server.url,
        '{ datasets { edges { node { name exampleCount } } } }',
      );
      return datasets.edges.map(({ node }) => `${node.name}: ${node.exampleCount}`);
    };

    await t.test(
      'after one reset in the middle of the file, it continues or reports that nothing is stored',
      async () => {
        await open('reset');
        const isCut = proxy.cutAfter(MIDDLE);
        await send();
        await isCut;
        // The browser sends the file again if the connection had been used before.
        const isStored = dialog.getByText('The file is stored: 6,000 added');
        const isLost = dialog.getByText('The connection was lost. Nothing was stored. You can upload the file again.');
        await isStored.or(isLost).waitFor();
        assert.deepEqual(await stored(), (await isStored.count()) === 1 ? ['reset: 6000'] : []);
      },
    );

    await t.test('while the server cannot be reached, the page reports it and retries', async () => {
      await open('outage');
      const isCut = proxy.goDownAfter(MIDDLE);
      await send();
      await isCut;
      await dialog.getByText('The connection was lost. Asking the server what it has stored…').waitFor();
      proxy.restore();
      await dialog.getByText('The connection was lost. Nothing was stored. You can upload the file again.').waitFor();
      assert.equal((await stored()).includes('outage: 6000'), false);
      await send();
      await dialog.getByText('The file is stored: 6,000 added').waitFor();
      assert.equal((await stored()).includes('outage: 6000'), true);
    });

    await t.test('a user who does not wait reads that all rows or none are stored', async () => {
      await open('left');
      const isCut = proxy.goDownAfter(MIDDLE);
      await send();
      await isCut;
      await dialog.getByRole('button', { name: 'Stop waiting' }).click();
      await dialog.getByText('the server has not said what it has stored: all rows or none').waitFor();
      proxy.restore();
    });

    await t.test('an upload whose response is lost is stored once, and the page reports it', async () => {
      await open('answered');
      const isCut = proxy.cutResponseAfter(MIDDLE);
      await send();
      await isCut;
      // The browser may send the file again, which stores nothing and gets the result of the first request.
      const isStored = dialog.getByText('The file is stored: 6,000 added');
      await isStored.or(dialog.getByText('all rows are stored')).waitFor();
      assert.equal((await stored()).includes('answered: 6000'), true);
    });
    assert.deepEqual(
      pageErrors.filter((error) => !/ERR_CONNECTION_(RESET|REFUSED)|ERR_EMPTY_RESPONSE|ERR_SOCKET/.test(error)),
      [],
    );
  });
});
