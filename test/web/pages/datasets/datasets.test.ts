import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { seriousViolations } from '../../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql } from '../../seed.ts';
import { findInPalette } from '../../shell/palette.ts';

interface Datasets {
  readonly datasets: { readonly edges: readonly { readonly node: unknown }[] };
}

const HOSTILE = '<img src=x onerror=alert(1)>__proto__';

async function upload(url: string, name: string, questions: readonly string[], action = 'create') {
  const response = await fetch(`${url}/v1/datasets/upload?sync=true`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      action,
      name,
      inputs: questions.map((question) => ({ question })),
      outputs: questions.map(() => ({ answer: 'yes' })),
      example_ids: questions.map((_, index) => `q${index}`),
    }),
  });
  return ((await response.json()) as { data: { dataset_id: string } }).data.dataset_id;
}

const file = (name: string, text: string | Buffer) => ({ name, mimeType: '', buffer: Buffer.from(text as string) });

describe('datasets', { skip: NO_BROWSER }, () => {
  test('are listed, created, labelled, edited, downloaded and deleted', async (t) => {
    const { url } = await openPageServer(t);
    const { page, pageErrors } = await openPage(await openBrowser(t), url);
    const dialog = page.getByRole('dialog').last();
    const row = (name: string) => page.locator('.table-row', { hasText: name });
    const menu = async (name: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: item, exact: true }).click();
    };

    await t.test('an empty list offers a file, an empty dataset, and code in three languages', async () => {
      await page.goto(`${url}/datasets`);
      await page.getByRole('heading', { name: 'No datasets yet' }).waitFor();
      for (const [language, text] of [
        ['Python', 'create_dataset'],
        ['TypeScript', 'createDataset'],
        ['curl', `${url}/v1/datasets/upload`],
      ] as const) {
        await page.getByRole('button', { name: language }).click();
        await page.locator('pre', { hasText: text }).waitFor();
      }
      const code = (await page.locator('pre').last().textContent()) ?? '';
      const body = /-d '(.*)'$/s.exec(code)?.[1] ?? '';
      assert.equal((JSON.parse(body) as { inputs: unknown[] }).inputs.length, 2);
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('a dataset is created from scratch, and metadata that is not an object is explained', async () => {
      await page.getByRole('button', { name: 'New empty dataset' }).click();
      await dialog.getByLabel('Name').fill(HOSTILE);
      const metadata = dialog.getByRole('textbox', { name: 'Metadata' });
      await metadata.fill('[1]');
      await dialog.getByRole('button', { name: 'Create dataset' }).click();
      await dialog.getByText('The metadata must be a JSON object').waitFor();
      await metadata.fill('{"__proto__": {"team": "support"}}');
      await dialog.getByRole('button', { name: 'Create dataset' }).click();
      await page.waitForURL(/\/datasets\/[^/]+$/);
      const { datasets } = await graphql<Datasets>(url, '{ datasets { edges { node { name metadata } } } }');
      assert.equal(
        JSON.stringify(datasets.edges[0]?.node),
        JSON.stringify({ name: HOSTILE, metadata: JSON.parse('{"__proto__": {"team": "support"}}') }),
      );
    });

    await t.test(
      'labels are created and set by keys, and filter the list; search and order are in the address',
      async () => {
        await upload(url, 'alpha', ['a', 'b']);
        await upload(url, 'beta', ['a']);
        await page.goto(`${url}/datasets?sort=name:asc`);
        await row('alpha').waitFor();
        await untilPasses(async () => {
          assert.deepEqual(await page.locator('.table-row a').allTextContents(), [HOSTILE, 'alpha', 'beta']);
          // Examples, experiments and evaluators.
          assert.deepEqual(await row('alpha').locator('.at-end').allTextContents(), ['2', '0', '0']);
        });
        for (const name of [
          'Labels',
          'Description',
          'Examples',
          'Experiments',
          'Evaluators',
          'Created',
          'Last updated',
        ]) {
          await page.getByRole('columnheader', { name }).waitFor();
        }
        await menu('beta', 'Labels');
        await dialog.getByRole('combobox').fill('golden');
        await dialog.getByText('No label has').or(dialog.getByText('There are no labels yet')).waitFor();
        await dialog.getByRole('button', { name: 'New label' }).click();
        await dialog.getByRole('textbox', { name: 'Name' }).waitFor();
        await page.keyboard.press('Enter');
        await page.locator('.label-item', { hasText: 'golden' }).waitFor();
        await page.getByRole('combobox', { name: 'Search labels' }).focus();
        await page.keyboard.press('Control+Enter');
        await row('beta').locator('.label-chip', { hasText: 'golden' }).waitFor();
        await page.getByRole('button', { name: 'Labels' }).click();
        await page.getByRole('checkbox', { name: 'golden' }).check();
        await page.keyboard.press('Escape');
        await row('alpha').waitFor({ state: 'detached' });
        assert.match(page.url(), /label=/);
        await page.reload();
        await row('beta').waitFor();
        await page.getByRole('button', { name: 'Show all labels' }).click();
        await page.getByLabel('Search datasets by name').fill('lph');
        await row('beta').waitFor({ state: 'detached' });
        assert.match(page.url(), /search=lph/);
        await page.getByRole('button', { name: 'Columns' }).click();
        await page.getByRole('checkbox', { name: 'Metadata' }).check();
        await page.getByRole('columnheader', { name: 'Metadata' }).waitFor();
        await page.keyboard.press('Escape');
        assert.deepEqual(await seriousViolations(page), []);
      },
    );

    await t.test('a dataset is edited, downloaded, and deleted with a count of what goes with it', async () => {
      await menu('alpha', 'Edit');
      await dialog.getByLabel('Description').fill('for tests');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await row('alpha').getByText('for tests').waitFor();
      const download = page.waitForEvent('download');
      await menu('alpha', 'CSV');
      const path = await (await download).path();
      assert.match(await readFile(path, 'utf8'), /^id,node_id,input\.question,output\.answer\nq0,/);
      for (const [item, pattern] of [
        ['JSONL', /^\{.*"question"/],
        ['OpenAI fine-tuning JSONL', /^\{"messages"/],
        ['OpenAI evals JSONL', /"ideal"/],
      ] as const) {
        const other = page.waitForEvent('download');
        await menu('alpha', item);
        assert.match(await readFile(await (await other).path(), 'utf8'), pattern);
      }
      await menu('alpha', 'Delete dataset');
      await dialog.getByText('2 examples and all versions. It has no experiments.').waitFor();
      await dialog.getByRole('button', { name: 'Delete dataset' }).click();
      await page.getByText('No datasets match').waitFor();
    });

    await t.test('labels and splits are managed in the settings, and the search finds them', async () => {
      await page.goto(`${url}/settings/datasets`);
      const label = page.locator('.label-row', { hasText: 'golden' });
      await label.getByText('1 dataset').waitFor();
      await label.getByRole('button', { name: 'Edit golden' }).click();
      await dialog.getByRole('radio', { name: 'Color 6' }).check({ force: true });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('The label is saved.').waitFor();
      await page.getByRole('button', { name: 'Create split' }).click();
      await dialog.getByLabel('Name').fill('holdout');
      await dialog.getByRole('radio', { name: 'Color 3' }).check({ force: true });
      await dialog.getByRole('button', { name: 'Create split' }).click();
      const split = page.locator('.label-row', { hasText: 'holdout' });
      await split.getByRole('button', { name: 'Delete holdout' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await split.waitFor({ state: 'detached' });
      await label.getByRole('button', { name: 'Delete golden' }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await label.waitFor({ state: 'detached' });
      await findInPalette(page, 'prompt labels', /^Prompt labels/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'Prompt labels' }).waitFor();
      await page.getByText('No labels yet. Create one to use it.').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });
    assert.deepEqual(pageErrors, []);
  });

  test('are created and changed from files', async (t) => {
    const { url } = await openPageServer(t);
    const { page, pageErrors } = await openPage(await openBrowser(t), url);
    const dialog = page.getByRole('dialog').last();
    const open = async (content: ReturnType<typeof file>) => {
      await page.goto(`${url}/datasets`);
      await page.getByRole('button', { name: 'New dataset' }).click();
      await page.getByRole('menuitem', { name: /From a file/ }).click();
      await dialog.getByLabel('File', { exact: true }).setInputFiles(content);
    };
    const column = (name: RegExp) => dialog.getByRole('button', { name });

    await t.test('columns are assigned by name, by keys and by dragging, and the preview follows', async () => {
      await open(
        file(
          'support.csv',
          Buffer.from(
            '\ufeffid;question;answer;topic\r\np;"say ""hi""";yes;=1+1\r\nq;two;no;b\r\nshort\r\np;again;no;b\r\n',
            'utf16le',
          ),
        ),
      );
      await column(/^question text in Input/).waitFor();
      await column(/^topic text in Metadata/).focus();
      await page.keyboard.press('i');
      await column(/^topic text in Input/).waitFor();
      await untilPasses(async () => {
        assert.match((await page.evaluate('document.activeElement.textContent')) as string, /^topic/);
      });
      await page.keyboard.press('ArrowRight');
      await column(/^topic text in Output/).waitFor();
      await column(/^topic/).dragTo(dialog.locator('.column-role', { hasText: 'Metadata' }));
      await column(/^topic text in Metadata/).waitFor();
      await dialog.getByRole('cell', { name: '{"question": "say \\"hi\\""}' }).waitFor();
      await dialog.getByText('One row of this preview will be rejected').waitFor();
      await untilPasses(async () => {
        assert.equal(await dialog.getByRole('combobox', { name: 'Encoding' }).inputValue(), 'utf-16le');
        assert.equal(await dialog.getByRole('combobox', { name: 'Delimiter' }).inputValue(), ';');
      });
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('rejected rows are listed by line and downloaded, and the others stored on request', async () => {
      await dialog.getByRole('button', { name: 'Create dataset' }).click();
      await dialog.getByText('Nothing was stored').waitFor();
      await dialog.getByText('Line 4: The row has 1 cells, and the header has 4').waitFor();
      await dialog.getByText("Line 5: An earlier row has the ID 'p', too").waitFor();
      const download = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Download them' }).click();
      assert.equal((await download).suggestedFilename(), 'support-rejected.csv');
      assert.match(await readFile(await (await download).path(), 'utf8'), /^id;question;answer;topic\nshort\n/);
      await dialog.getByRole('button', { name: 'Store the other 2 rows' }).click();
      await dialog.getByText('The file is stored: 2 added').waitFor();
      await dialog.getByRole('button', { name: 'Close' }).click();
      await page.locator('.table-row', { hasText: 'support' }).waitFor();
    });

    await t.test('a file changes a dataset after its plan was confirmed, unless the dataset has changed', async () => {
      const show = async () => {
        await page.goto(`${url}/datasets`);
        await page.getByRole('button', { name: 'Actions for support' }).click();
        await page.getByRole('menuitem', { name: 'Update from a file' }).click();
        const lines = [
          '{"id": "p", "question": "say \\"hi\\"", "answer": "yes", "topic": "=1+1"}',
          '{"id": "r", "question": "new"}',
        ];
        await dialog.getByLabel('File', { exact: true }).setInputFiles(file('next.jsonl', lines.join('\n')));
        await dialog.getByRole('radio', { name: 'Delete examples that the file lacks' }).check();
        await dialog.getByRole('button', { name: 'Show changes' }).click();
        await dialog.getByText('1 unchanged').waitFor();
      };
      await show();
      await dialog.getByRole('button', { name: 'Added 1' }).waitFor();
      await dialog.getByRole('button', { name: 'Deleted 1' }).click();
      await dialog.getByText('two').waitFor();
      await upload(url, 'support', ['other'], 'append');
      await dialog.getByRole('button', { name: 'Apply changes' }).click();
      await dialog.getByText(/newer version .* Show the changes again/).waitFor();
      await dialog.getByRole('button', { name: 'Show changes' }).click();
      await dialog.getByRole('button', { name: 'Deleted 2' }).waitFor();
      await dialog.getByRole('button', { name: 'Apply changes' }).click();
      await dialog.getByText('The file is stored: 1 added, 2 deleted').waitFor();
    });

    await t.test('a lost connection and a cancelled upload report what is stored', async () => {
      const rows = Array.from({ length: 100 }, (_, index) => `${index},x`).join('\n');
      await open(file('lost.csv', `question,answer\n${rows}\n`));
      // The request does not reach the server.
      await page.route('**/v1/dataset_uploads?*', (route) => route.abort('connectionreset'));
      await dialog.getByRole('button', { name: 'Create dataset' }).click();
      await dialog.getByText(/connection was lost.* Nothing was stored/).waitFor();
      // The response does not reach the browser.
      await page.unroute('**/v1/dataset_uploads?*');
      await page.route('**/v1/dataset_uploads?*', async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      });
      await dialog.getByRole('button', { name: 'Create dataset' }).click();
      await dialog.getByText(/connection was lost.* all rows are stored/).waitFor();
      await page.unroute('**/v1/dataset_uploads?*');
      await page.route('**/v1/dataset_uploads?*', () => undefined);
      await dialog.getByLabel('Name').fill('cancelled');
      await dialog.getByRole('button', { name: 'Create dataset' }).click();
      await dialog.getByRole('button', { name: 'Cancel upload' }).click();
      await dialog.getByText('The upload was cancelled. Nothing was stored.').waitFor();
      await page.unroute('**/v1/dataset_uploads?*');
      const { datasets } = await graphql<Datasets>(url, '{ datasets { edges { node { name exampleCount } } } }');
      assert.deepEqual(
        datasets.edges.map(({ node }) => node),
        [
          { name: 'support', exampleCount: 2 },
          { name: 'lost', exampleCount: 100 },
        ],
      );
    });

    await t.test('a file of another kind is explained', async () => {
      await open(file('photo.png', 'x'));
      await dialog.getByText('photo.png is not a CSV, JSONL or Parquet file').waitFor();
    });
    assert.deepEqual(withoutLost(pageErrors), []);
  });
});

/** The browser reports the connections that the test breaks, and responses that are errors. */
const withoutLost = (errors: readonly string[]): readonly string[] =>
  errors.filter((error) => !/ERR_CONNECTION_RESET|ERR_FAILED|404|409/.test(error));
