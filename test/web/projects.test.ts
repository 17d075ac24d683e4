import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seriousViolations } from './axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { graphql, hexId, seed } from './seed.ts';

describe('the list of projects', { skip: NO_BROWSER }, () => {
  test('can be searched, sorted and shown as cards or a table; projects can be created, described, cleared and deleted', async (t) => {
    const server = await openPageServer(t);
    const now = Date.now();
    const span = (number: number, start: number) => ({
      traceId: hexId(number, 16),
      spanId: hexId(number, 8),
      name: 'answer',
      start,
      latencyMs: 100 * number,
    });
    await seed(server.url, 'alpha', [span(1, now - 60_000), span(2, now - 20 * 86_400_000)]);
    await seed(server.url, 'beta', [span(3, now - 30_000)]);
    for (let index = 0; index < 70; index++) {
      await graphql(server.url, 'mutation ($name: String!) { createProject(input: { name: $name }) { __typename } }', {
        name: `made-${index}`,
      });
    }
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url, { isSingleUse: true });
    const dialog = page.getByRole('dialog');
    const card = (name: string) => page.locator('.project-cards > li', { hasText: name });
    const menu = async (name: string, item: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };

    await t.test('counts and medians include only data of the range', async () => {
      await page.goto(`${server.url}/projects?timeRangeKey=1h&search=alpha`);
      await untilPasses(async () => {
        assert.match((await card('alpha').textContent()) ?? '', /Traces1\D.*100ms/);
      });
      await page.goto(`${server.url}/projects?timeRangeKey=30d&search=alpha`);
      await card('alpha').getByText('150ms').waitFor();
    });

    await t.test(
      'search and order are in the address, the view is remembered, and more projects load while scrolling',
      async () => {
        await page.goto(`${server.url}/projects`);
        await card('beta').waitFor();
        const before = await page.locator('.project-cards > li').count();
        await page.locator('.page-body').evaluate((body: { scrollTop: number; scrollHeight: number }) => {
          body.scrollTop = body.scrollHeight;
        });
        await page.locator('.project-cards > li').nth(before).waitFor();
        await page.getByRole('button', { name: 'Name', exact: true }).click();
        await page.getByRole('button', { name: 'Table' }).click();
        await page.getByLabel('Search projects by name').fill('eta');
        await page.getByRole('row', { name: /beta/ }).waitFor();
        await page.reload();
        await page.getByRole('row', { name: /beta/ }).waitFor();
        assert.match(page.url(), /sort=name/);
        assert.equal(await page.getByRole('row').count(), 2);
        await page.getByRole('button', { name: 'Cards' }).click();
      },
    );

    await t.test('an invalid name is rejected, and a new project has its name, color and description', async () => {
      await page.getByRole('button', { name: 'Create project' }).click();
      await dialog.getByRole('textbox', { name: /^Name/ }).fill('two words');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.locator('.error-text').waitFor();
      await dialog.getByRole('textbox', { name: /^Name/ }).fill('beta');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByRole('alert').getByText(/beta/).waitFor();
      await dialog.getByRole('textbox', { name: /^Name/ }).fill('gamma');
      await dialog.getByLabel('Description').fill('the third');
      assert.deepEqual(await seriousViolations(page), []);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByText('Waiting for the first trace of gamma').waitFor();
      await page.goto(`${server.url}/projects?search=gamma`);
      await card('gamma').getByText('the third').waitFor();
    });

    await t.test('old traces are deleted, then all traces, then the project', async () => {
      await page.goto(`${server.url}/projects?timeRangeKey=30d&search=alpha`);
      await menu('alpha', 'Delete traces');
      assert(await dialog.getByRole('button', { name: 'Delete older traces' }).isDisabled());
      await dialog
        .getByLabel('Started before', { exact: true })
        .fill(new Date(now - 86_400_000).toISOString().slice(0, 19));
      assert.deepEqual(await seriousViolations(page), []);
      await dialog.getByRole('button', { name: 'Delete older traces' }).click();
      await page.getByText('Traces of alpha deleted.').waitFor();
      await card('alpha').getByText('100ms').waitFor();
      assert.equal(await traceCount(server.url, 'alpha'), 1);
      await menu('alpha', 'Delete traces');
      await dialog.getByRole('radio', { name: 'All traces' }).check();
      await dialog.getByRole('button', { name: 'Delete all traces' }).click();
      await dialog.waitFor({ state: 'detached' });
      assert.equal(await traceCount(server.url, 'alpha'), 0);

      await menu('alpha', 'Delete project');
      await dialog.getByText('Delete alpha?').waitFor();
      await dialog.getByRole('button', { name: 'Delete project' }).click();
      await page.getByText('alpha deleted.', { exact: true }).waitFor();
      await page.goto(`${server.url}/projects?search=default`);
      await page.getByRole('button', { name: 'Actions for default' }).click();
      await page.getByRole('menuitem', { name: 'Copy name' }).waitFor();
      assert.equal(await page.getByRole('menuitem', { name: 'Delete project' }).count(), 0);
      await page.getByRole('menuitem', { name: 'Copy name' }).click();
      await page.getByText('Name copied.').waitFor();
    });

    await t.test('projects of other users appear within a minute', async () => {
      await page.clock.install();
      await page.goto(`${server.url}/projects?search=late`);
      await page.getByText('No project has “late” in its name').waitFor();
      await graphql(server.url, 'mutation { createProject(input: { name: "late" }) { __typename } }');
      await page.clock.fastForward(61_000);
      await card('late').waitFor();
    });

    assert.deepEqual(pageErrors, []);
  });
});

async function traceCount(url: string, name: string): Promise<number> {
  const { getProjectByName } = await graphql<{ getProjectByName: { traceCount: number } }>(
    url,
    'query ($name: String!) { getProjectByName(name: $name) { traceCount } }',
    { name },
  );
  return getProjectByName.traceCount;
}
