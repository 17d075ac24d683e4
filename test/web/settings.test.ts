import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ATTACKS } from './attacks.ts';
import { seriousViolations } from './axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from './browser.ts';
import { openPageServer } from './page-server.ts';
import { graphql, hexId, projectId, seed } from './seed.ts';

describe('settings of the server in the interface', { skip: NO_BROWSER }, () => {
  test('create, change and delete models, annotation configs and retention policies', async (t) => {
    const server = await openPageServer(t);
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    const dialog = page.getByRole('dialog');
    const save = () => dialog.getByRole('button', { name: 'Save' }).click();
    const remove = async (name: string) => {
      await page.getByRole('button', { name: `Delete ${name}`, exact: true }).click();
      await dialog.getByRole('button', { name: 'Delete' }).click();
      await page.getByText(`${name} deleted.`).waitFor();
    };
    const row = (name: string) => page.locator('.settings-rows > li', { hasText: name }).first();

    await t.test('the names of parts are addresses', async () => {
      for (const [path, name] of [
        ['general', 'General'],
        ['storage', 'Storage'],
      ] as const) {
        await page.goto(`${server.url}/settings/${path}`);
        await page.getByRole('link', { name, exact: true }).and(page.locator('[aria-current="page"]')).waitFor();
      }
    });

    await t.test('built-in models are read-only', async () => {
      await page.goto(`${server.url}/settings/models`);
      await page.getByLabel('Search models').fill('gpt-4o-mini');
      await row('gpt-4o-mini').getByText('built-in').waitFor();
      assert.equal(await page.getByRole('button', { name: /^Edit/ }).count(), 0);
      await page.getByLabel('Search models').fill('');

      await page.getByRole('button', { name: 'Create model' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('house-model');
      await dialog.getByLabel('Input').fill('1.5');
      await save();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Output').fill('6');
      await save();
      await row('house-model').getByText('$1.5').waitFor();
      await page.getByRole('button', { name: 'Edit house-model' }).click();
      await untilPasses(async () => {
        assert.equal(await dialog.getByLabel('Name pattern').inputValue(), '^house-model$');
      });
      await dialog.getByLabel('Output').fill('7.25');
      await save();
      await row('house-model').getByText('$7.25').waitFor();
      await remove('house-model');
    });

    await t.test('annotation configs have projects', async () => {
      await page.goto(`${server.url}/settings/annotations`);
      await page.getByRole('button', { name: 'Create config' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('quality');
      await dialog.getByLabel('Labels').fill('good = 1\nso-so\nbad = 0');
      await dialog.getByLabel('default').check();
      assert.deepEqual(await seriousViolations(page), []);
      await save();
      await row('quality').getByText('good 1, so-so, bad 0').waitFor();
      await row('quality').getByText('default').waitFor();

      await page.getByRole('button', { name: 'Edit quality' }).click();
      await dialog.getByRole('button', { name: 'Score' }).click();
      await dialog.getByLabel('Lowest score').fill('0');
      await dialog.getByLabel('Highest score').fill('5');
      await dialog.getByLabel('default').uncheck();
      await save();
      await row('quality').getByText('from 0 to 5').waitFor();
      await row('quality').getByText('no projects').waitFor();
      await remove('quality');
    });

    await t.test('the default retention policy cannot be deleted', async () => {
      await page.goto(`${server.url}/settings/retention`);
      await page.getByText('Keeps everything').waitFor();
      assert.equal(await page.getByRole('button', { name: /^Delete/ }).count(), 0);
      await page.getByRole('button', { name: 'Create policy' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('A month');
      await dialog.getByLabel(/^Days/).fill('30');
      await dialog.getByLabel(/^When/).fill('every day');
      await save();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel(/^When/).fill('0 3 * * *');
      await dialog.getByLabel('default').check();
      await save();
      await row('A month').getByText('Keeps 30 days').waitFor();
      await row('A month').getByText('Every day at 03:00 UTC').waitFor();

      await page.getByRole('button', { name: 'Edit A month' }).click();
      await dialog.getByLabel(/^Traces/).fill('1000');
      await save();
      await row('A month').getByText('Keeps 30 days and of these the newest 1,000').waitFor();
      await remove('A month');
    });

    await t.test('every entry of a list of several pages can be found and chosen', async () => {
      const many = async (text: (name: string) => string) => {
        for (let at = 0; at < 550; at += 50) {
          const parts = Array.from({ length: 50 }, (_, index) => {
            const name = `z-${String(at + index).padStart(4, '0')}`;
            return `a${index}: ${text(name)} { __typename }`;
          });
          await graphql(server.url, `mutation { ${parts.join(' ')} }`);
        }
      };
      const costs =
        '[{tokenType: "input", kind: PROMPT, costPerMillionTokens: 1}, {tokenType: "output", kind: COMPLETION, costPerMillionTokens: 2}]';
      await many((name) => `createModel(input: {name: "${name}", namePattern: "^${name}$", costs: ${costs}})`);
      await many((name) => `createProject(input: {name: "${name}"})`);

      await page.goto(`${server.url}/settings/models`);
      await page.getByRole('button', { name: /^Show 100 more of/ }).click();
      await page.locator('.settings-rows > li').nth(200).waitFor();
      await page.getByLabel('Search models').fill('z-0549');
      await row('z-0549').waitFor();
      await page.getByLabel('Search models').fill('no such model');
      await page.getByText('No models match the search.').waitFor();

      await page.goto(`${server.url}/settings/retention`);
      await page.getByRole('button', { name: 'Create policy' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('A week');
      for (const name of ['z-0001', 'z-0549']) {
        await dialog.getByLabel('Search projects').fill(name);
        await dialog.getByLabel(name).check();
      }
      assert.deepEqual(await seriousViolations(page), []);
      await save();
      await row('A week').getByText('z-0001, z-0549').waitFor();
      await page.getByRole('button', { name: 'Edit A week' }).click();
      await untilPasses(async () => {
        assert.deepEqual(
          await dialog
            .locator('.settings-choices label')
            .filter({ has: page.locator(':checked') })
            .allTextContents(),
          ['z-0001', 'z-0549'],
        );
      });
      await dialog.getByLabel('z-0549').uncheck();
      await save();
      await row('A week').getByText('z-0001', { exact: true }).waitFor();
      await remove('A week');

      await page.goto(`${server.url}/settings/annotations`);
      await page.getByRole('button', { name: 'Create config' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill('far off');
      await dialog.getByRole('button', { name: 'Score' }).click();
      await dialog.getByLabel('Search projects').fill('z-0549');
      await dialog.getByLabel('z-0549').check();
      await save();
      await row('far off').getByText('z-0549').waitFor();
    });

    await t.test('storage shows the share of each project and the growth', async () => {
      const now = Date.now();
      const span = (number: number, start: number) => ({
        traceId: hexId(number, 16),
        spanId: hexId(number, 8),
        name: 'a',
        start,
        latencyMs: 1,
      });
      await seed(server.url, 'large', [span(1, now), span(2, now - 20 * 86_400_000), span(3, now - 9e9)]);
      await seed(server.url, 'small', [span(4, now)]);
      await page.goto(`${server.url}/settings/about`);
      const bars = page.getByRole('list', { name: 'Projects by bytes' }).getByRole('listitem');
      await bars.nth(1).waitFor();
      await untilPasses(async () => {
        assert.match((await bars.nth(0).textContent()) ?? '', /^large≈ .*B, 3 spans$/);
        assert.match((await bars.nth(1).textContent()) ?? '', /^small≈ .*B, 1 span$/);
      });
      const legend = page.getByRole('list', { name: 'Series of Growth' });
      await untilPasses(async () => {
        assert.match((await legend.textContent()) ?? '', /large.*B.*small.*B/);
      });
      assert.deepEqual(await seriousViolations(page), []);
    });

    assert.deepEqual(pageErrors, []);
  });

  test('any name is shown as text', async (t) => {
    const server = await openPageServer(t);
    await seed(server.url, 'p', [{ traceId: hexId(1, 16), spanId: hexId(1, 8), name: 'a', start: 1, latencyMs: 1 }]);
    await projectId(server.url, 'p');
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    await page.goto(`${server.url}/settings/annotations`);
    for (const [index, attack] of ATTACKS.entries()) {
      const text = attack.replaceAll('\u0000', '');
      const dialog = page.getByRole('dialog');
      await page.getByRole('button', { name: 'Create config' }).click();
      await dialog.getByLabel('Name', { exact: true }).fill(`${index} ${text}`);
      await dialog.getByLabel('Description').fill(text);
      await dialog.getByLabel('Labels').fill(`${text} = ${index}`);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
    }

    // One is there from the beginning.
    await page.locator('.settings-rows > li').nth(ATTACKS.length).waitFor();
    assert.equal(await page.evaluate('document.querySelectorAll("#root script, #root iframe, #root img").length'), 0);
    assert.deepEqual(pageErrors, []);
  });
});
