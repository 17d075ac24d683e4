import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { NO_BROWSER, openBrowser, openPage, untilRows } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { graphql } from './seed.ts';

interface Examples {
  readonly datasets: {
    readonly edges: readonly { readonly node: { readonly name: string; readonly exampleCount: number } }[];
  };
}

describe('a newcomer with the sample', { skip: NO_BROWSER }, () => {
  test('collects cases, corrects one, compares two experiments, and moves a tag, by mouse and without documentation', async (t) => {
    const { url } = await openPageServer(t);
    const watched = await openPage(await openBrowser(t), url);
    const { page, pageErrors } = watched;
    const dialog = page.getByRole('dialog').last();
    const area = (name: string) =>
      page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }).click();

    await t.test('adds ten spans to a dataset, and learns in advance that equal ones are added once', async () => {
      await page.goto(url);
      await page.getByRole('button', { name: 'Load sample project' }).click();
      await untilRows(watched);
      await page.getByLabel('Select row').nth(0).click();
      await page
        .getByLabel('Select row')
        .nth(9)
        .click({ modifiers: ['Shift'] });
      const bar = page.getByRole('region', { name: 'Selected rows' });
      await bar.getByText('10 spans selected').waitFor();
      await bar.getByRole('button', { name: 'Add to dataset' }).click();
      await dialog.getByLabel('Search or name a dataset').fill('my cases');
      await dialog.getByText('Create “my cases”').click();
      await dialog.getByText('Spans with the same content are added once.').waitFor();
      await dialog.getByLabel('Add each of them').check();
      await dialog.getByRole('button', { name: 'Add 10 examples' }).click();
      await page.getByText('Added 10 examples to my cases.').waitFor();
      await page.getByRole('button', { name: 'Show', exact: true }).click();
      await page.locator('.table-row:not(.waiting)').nth(9).waitFor();
    });

    await t.test('corrects an example where it is read', async () => {
      await page.locator('.table-row a').first().click();
      const drawer = page.getByRole('complementary', { name: 'Example' });
      await drawer.getByRole('button', { name: 'Edit' }).nth(1).click();
      await page.locator('.editor textarea').fill('{"answer": "You get your money back within 30 days."}');
      await dialog.getByRole('button', { name: 'Apply' }).click();
      await drawer.getByText('edited').waitFor();
      // The bar is not covered by the drawer.
      await page.getByRole('button', { name: 'Save…' }).click();
      await dialog.getByLabel('Description').fill('Corrected an answer');
      await dialog.getByRole('button', { name: 'Save version' }).click();
      await page.getByText('Saved as a new version.').waitFor();
      await drawer.getByText('You get your money back within 30 days.').waitFor();
      const { datasets } = await graphql<Examples>(url, '{ datasets { edges { node { name exampleCount } } } }');
      assert.deepEqual(
        datasets.edges.map(({ node }) => node),
        [{ name: 'my cases', exampleCount: 10 }],
      );
    });

    await t.test(
      'creates the sample from the list, and reads which of its experiments is better, and by how much',
      async () => {
        await area('Datasets');
        await page.getByRole('button', { name: 'New dataset' }).click();
        await page.getByRole('menuitem', { name: 'Sample with two experiments' }).click();
        await page.getByText('Created the sample').waitFor();
        await page.locator('.table-row').nth(1).waitFor();
        for (const index of [0, 1]) await page.getByLabel('Select row').nth(index).click();
        const bar = page.getByRole('region', { name: 'Selected experiments' });
        await bar.getByRole('link', { name: 'Compare', exact: true }).click();
        await page.getByRole('link', { name: 'Summary' }).click();
        const verdict = page.locator('.verdict-card').first();
        await verdict.getByText(/better on correctness by [\d.]+ points \([\d.]+ to [\d.]+\), n = \d+/).waitFor();
      },
    );

    await t.test('finds the worst regression and its trace, also by keys after a click on the view', async () => {
      await page.getByRole('link', { name: 'Grid' }).click();
      await page.locator('.table-row:not(.waiting)').first().waitFor();
      const sort = page.locator('.sort-choice');
      await sort.selectOption({ label: 'Largest regression on correctness' });
      const first = page.locator('.table-row:not(.waiting)').first();
      await first.filter({ hasText: /(wrong|incomplete)\s?▼/ }).waitFor();
      await page.getByRole('link', { name: 'Grid' }).focus();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      const panel = page.getByRole('region', { name: 'Runs side by side' });
      const worse = panel.locator('.run-column').nth(1);
      await worse.getByText('wrong').or(worse.getByText('incomplete')).first().waitFor();
      await worse.getByRole('link', { name: 'Trace', exact: true }).click();
      await page.locator('.tree-row', { hasText: 'ask_model' }).waitFor();
    });

    await t.test('moves the tag production of a prompt to its latest version', async () => {
      await area('Prompts');
      await page.getByRole('link', { name: 'sample-support-answer' }).click();
      await page.getByRole('link', { name: /^Versions/ }).click();
      await page.getByRole('link', { name: 'Version 3' }).click();
      await page.getByRole('button', { name: 'Tag', exact: true }).click();
      await dialog.getByRole('button', { name: 'production' }).click();
      await dialog.getByText(/The tag moves from version 1 \(set .*\) to version 3\./).waitFor();
      await dialog.getByRole('button', { name: 'Move tag' }).click();
      await page.getByText('Version 3 has the tag production.').waitFor();
    });
    assert.deepEqual(pageErrors, []);
  });
});
