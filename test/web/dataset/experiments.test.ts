import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ATTACKS } from '../attacks.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { openPageServer } from '../page-server.ts';
import { graphql } from '../seed.ts';
import { seedExperiments } from './seed-experiments.ts';

describe('experiments of a dataset in the interface', { skip: NO_BROWSER }, () => {
  test('are listed, charted, grouped, changed and deleted', async (t) => {
    const server = await openPageServer(t);
    const attack = ATTACKS.join(' ').slice(0, 300);
    const { datasetId, add, addRuns } = await seedExperiments(server.url, 4);
    const path = `/datasets/${encodeURIComponent(datasetId)}`;
    const { page, pageErrors } = await openPage(await openBrowser(t), server.url);
    const row = (text: string) => page.locator('.table-row', { hasText: text });
    const menu = async (name: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    const dialog = page.getByRole('dialog');

    await t.test('a dataset without experiments shows code, and the first experiment appears by itself', async () => {
      await page.goto(server.url + path);
      await page.getByRole('heading', { name: 'No experiments yet' }).waitFor();
      await page.getByRole('button', { name: 'curl' }).click();
      await page.getByText(`datasets/${datasetId}/experiments`).waitFor();
      await page.getByRole('button', { name: 'Python' }).click();
      await page.getByText('get_dataset(dataset="experiments of the interface")').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await addRuns(await add('first', { model: 'small' }), [0.2, 0.4, 0.6, 0.8]);
      await row('first').waitFor();
    });

    await t.test('columns show means with their distribution, counts, latency and errors', async () => {
      const second = await add('second', { model: 'large' });
      await addRuns(second, [1, 0.8, null, 0.6]);
      const third = await add(attack, { model: 'large' });
      await addRuns(third, [0.5]);
      await page.reload();
      await row('second').getByText('0.8').first().waitFor();
      await untilPasses(async () => {
        assert.equal(await row('second').locator('.error-text').textContent(), '25%');
        assert.match((await row('second').textContent()) ?? '', /1s.*25%1/, 'latency, errors and repetitions');
      });
      await page.getByRole('progressbar', { name: '1 of 4 runs' }).waitFor();
      await row('first').locator('.score-cell').first().hover();
      const tooltip = page.getByRole('tooltip');
      await tooltip.getByText('P90').waitFor();
      await untilPasses(async () => {
        assert.match((await tooltip.textContent())!, /Min0\.2Mean0\.5Max0\.8.*4 scores/);
        assert.equal(await tooltip.locator('rect').count(), 12);
      });
      await page.getByRole('group', { name: /quality of the experiments/ }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('an incomplete experiment gets its new runs without a click', async () => {
      const { node } = await graphql<{ node: { experiments: { edges: { node: { id: string } }[] } } }>(
        server.url,
        'query ($id: ID!) { node(id: $id) { ... on Dataset { experiments(first: 1) { edges { node { id } } } } } }',
        { id: datasetId },
      );
      await addRuns(node.experiments.edges[0]!.node.id, [0.5, 0.5], 1);
      await page.getByRole('progressbar', { name: '3 of 4 runs' }).waitFor();
    });

    await t.test('search, sort and groups are in the address', async () => {
      await page.getByRole('button', { name: 'quality', exact: true }).click();
      await page.waitForURL(/sort=score\.quality%3Adesc/);
      await page.locator('[aria-rowindex="2"]', { hasText: 'second' }).waitFor();
      await page.getByLabel('Group by').selectOption('model');
      await page.waitForURL(/groupBy=model/);
      await row('model: small').getByText('1 experiment').waitFor();
      await row('model: large').getByText('2 experiments').waitFor();
      await page.getByLabel('Search experiments by name or description').fill('FIRST');
      await page.waitForURL(/search=FIRST/);
      await row('second').waitFor({ state: 'detached' });
      await page.getByLabel('Search experiments by name or description').fill('nothing like this');
      await page.getByRole('button', { name: 'Show all experiments' }).click();
      await page.getByLabel('Group by').selectOption('');
      await page.getByLabel('Measure of the chart').selectOption('latency');
      await page.waitForURL(/measure=latency/);
    });

    await t.test('the menu copies the ID, leads to the traces, sets the baseline, edits and tags', async () => {
      await menu('second', 'Copy ID');
      await page.getByText('ID copied.').waitFor();
      await menu('second', 'Show traces of the runs');
      await page.waitForURL(/\/projects\/[^/]+\/traces/);
      await page.goBack();
      await menu('second', 'Set as baseline');
      await row('second').getByText('baseline').waitFor();
      await menu('first', 'Edit name and description');
      await dialog.getByLabel('Name').fill('renamed');
      await dialog.getByRole('button', { name: 'Save experiment' }).click();
      await menu('renamed', 'Edit tags');
      await dialog.getByLabel('New tag').fill('Not valid');
      await dialog.getByRole('button', { name: 'Add tag' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('New tag').fill('candidate');
      await dialog.getByRole('button', { name: 'Add tag' }).click();
      await dialog.getByRole('button', { name: 'Remove tag candidate' }).waitFor();
      await page.keyboard.press('Escape');
      await row('renamed').getByText('candidate').waitFor();
    });

    await t.test('without a baseline, the selection is compared with the oldest experiment', async () => {
      const toggleBaseline = async (item: string, name: string) => {
        await page.getByRole('button', { name: `Actions for ${name}` }).click();
        await page.getByRole('menuitem', { name: item }).click();
      };
      await toggleBaseline('Remove baseline', 'second');
      for (const name of ['second', 'renamed']) await row(name).getByRole('checkbox').check();
      const bar = page.getByRole('region', { name: 'Selected experiments' });
      const link = await bar.getByRole('link', { name: 'Compare', exact: true }).getAttribute('href');
      const { experiments } = (
        await graphql<{ node: { experiments: { edges: { node: { id: string; name: string } }[] } } }>(
          server.url,
          'query ($id: ID!) { node(id: $id) { ... on Dataset { experiments { edges { node { id name } } } } } }',
          { id: datasetId },
        )
      ).node;
      const nameOf = new Map(experiments.edges.map(({ node }) => [node.id, node.name]));
      const compared = new URL(link!, server.url).searchParams.getAll('experiment').map((id) => nameOf.get(id));
      assert.deepEqual(compared, ['renamed', 'second']);
      await bar.getByRole('button', { name: 'Clear' }).click();
      await toggleBaseline('Set as baseline', 'second');
      await row('second').getByText('baseline').waitFor();
    });

    await t.test('the selection is compared with the baseline first', async () => {
      await row('renamed').getByRole('checkbox').check();
      const bar = page.getByRole('region', { name: 'Selected experiments' });
      await bar.getByRole('link', { name: 'Compare with the baseline' }).waitFor();
      await row('second').getByRole('checkbox').check();
      const link = await bar.getByRole('link', { name: 'Compare' }).getAttribute('href');
      const ids = new URL(link!, server.url).searchParams.getAll('experiment');
      assert.equal(ids.length, 2);
      const names = await Promise.all(
        ids.map(async (id) => {
          const query = 'query ($id: ID!) { node(id: $id) { ... on Experiment { name } } }';
          return (await graphql<{ node: { name: string } }>(server.url, query, { id })).node.name;
        }),
      );
      assert.deepEqual(names, ['second', 'renamed']);
      await bar.getByRole('button', { name: 'Clear' }).click();
    });

    await t.test('the details show scores, errors and notes in Markdown', async () => {
      await page.getByRole('link', { name: 'second', exact: true }).click();
      await page.getByRole('heading', { name: '#2 second baseline' }).waitFor();
      await page.getByRole('region', { name: 'Errors' }).getByText('TimeoutError: too slow').waitFor();
      await page.getByRole('row', { name: /^quality/ }).waitFor();
      await page.getByLabel('New note').fill(`**bold** ${attack}`);
      await page.getByRole('button', { name: 'Add note' }).click();
      const notes = page.getByRole('region', { name: 'Notes' });
      await notes.locator('strong', { hasText: 'bold' }).waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await notes.getByRole('button', { name: 'Edit note' }).click();
      await notes.getByLabel('Text of the note').fill('changed');
      await page.keyboard.press('Control+Enter');
      await notes.getByText('edited').waitFor();
      await notes.getByRole('button', { name: 'Delete note' }).click();
      await dialog.getByRole('button', { name: 'Delete note' }).click();
      await notes.getByText('No notes yet').waitFor();
    });

    await t.test('a deleted experiment says so where it is open', async () => {
      await menu('second', 'Delete experiment');
      await dialog.getByRole('button', { name: 'Delete experiment' }).click();
      await page.waitForURL((url) => url.pathname.endsWith('/experiments'));
      await row('renamed').waitFor();
      assert.equal(await row('second').count(), 0);
      await page.goto(`${server.url}${path}/experiments/RXhwZXJpbWVudDo5OTk`);
      await page.getByText('Not found').first().waitFor();
    });
    assert.deepEqual(
      pageErrors.filter((error) => !error.includes('404')),
      [],
    );
  });
});
