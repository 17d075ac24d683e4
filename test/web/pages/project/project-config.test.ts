import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { seriousViolations } from '../../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../../browser.ts';
import { openPageServer } from '../../page-server.ts';
import { graphql, hexId, projectId, seed } from '../../seed.ts';

describe('the settings of a project', { skip: NO_BROWSER }, () => {
  test('are changed in its Config tab, and take effect', async (t) => {
    const server = await openPageServer(t);
    const start = Date.now() - 60_000;
    await seed(server.url, 'shop', [{ traceId: hexId(1, 16), spanId: hexId(1, 8), name: 'a', start, latencyMs: 5 }]);
    const id = await projectId(server.url, 'shop');
    const place = `${server.url}/projects/${encodeURIComponent(id)}`;
    const labels = [{ label: 'good', score: 1 }];
    await graphql(
      server.url,
      `mutation ($input: CreateAnnotationConfigInput!) { createAnnotationConfig(input: $input) { __typename } }`,
      {
        input: {
          annotationConfig: { categorical: { name: 'quality', optimizationDirection: 'NONE', values: labels } },
        },
      },
    );
    await graphql(
      server.url,
      `mutation ($input: CreateProjectTraceRetentionPolicyInput!) {
         createProjectTraceRetentionPolicy(input: $input) { __typename } }`,
      { input: { name: 'A month', cronExpression: '0 3 * * *', rule: { maxDays: { maxDays: 30 } } } },
    );
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, server.url);
    const part = (name: string) => page.getByRole('region', { name, exact: true });
    const policy = () => part('Retention').getByLabel('Retention policy');
    const quality = () => part('Annotation configs').getByRole('checkbox', { name: /quality/ });
    interface Stored {
      readonly node: { readonly [key: string]: unknown };
    }
    const stored = async () =>
      (
        await graphql<Stored>(
          server.url,
          `query ($id: ID!) { node(id: $id) { ... on Project {
             description gradientStartColor traceRetentionPolicy { name } annotationConfigs { edges { node { __typename } } } } } }`,
          { id },
        )
      ).node;

    await t.test('the description and the colors can be changed', async () => {
      await page.goto(`${place}/spans`);
      await page.getByRole('link', { name: 'Config', exact: true }).click();
      await part('Project').getByLabel('Description').fill('Sells things');
      await page.keyboard.press('Tab');
      await page.keyboard.press('ArrowRight');
      await part('Project').getByRole('button', { name: 'Save' }).click();
      await page.getByText('Saved shop.').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await page.goto(`${server.url}/projects`);
      await page.locator('.project-cards > li', { hasText: 'Sells things' }).waitFor();
      const colour = (await stored()).gradientStartColor;
      await page.goto(`${place}/config`);
      const chosen = page.locator('.gradients label:has(:checked)');
      await untilPasses(async () => {
        assert.match((await chosen.getAttribute('style')) ?? '', new RegExp(toRgb(String(colour))));
      });
    });

    await t.test('the retention policy can be changed', async () => {
      await policy().selectOption({ label: 'A month' });
      await part('Retention').getByText('Keeps 30 days.').waitFor();
      assert.deepEqual((await stored()).traceRetentionPolicy, { name: 'A month' });
      await policy().selectOption({ label: 'Default' });
      await part('Retention').getByText('Keeps everything.').waitFor();
      assert.deepEqual((await stored()).traceRetentionPolicy, { name: 'Default' });
    });

    await t.test('the annotation configs can be changed', async () => {
      await quality().click();
      await page.getByText('quality was added to this project.').waitFor();
      await page.reload();
      await quality().and(page.locator(':checked')).waitFor();
      await quality().click();
      await page.getByText('quality was removed from this project.').waitFor();
      assert.deepEqual((await stored()).annotationConfigs, { edges: [] });
    });

    await t.test('annotations are counted by name, and deleted together', async () => {
      const response = await fetch(`${server.url}/v1/span_annotations?sync=true`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          data: [{ span_id: hexId(1, 8), name: 'tone', annotator_kind: 'CODE', result: { score: 1 } }],
        }),
      });
      assert.equal(response.status, 200, await response.text());
      await page.reload();
      await part('Annotation counts').getByText('1 of spans').waitFor();
      await page.getByRole('button', { name: 'Delete tone of spans' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Delete 1' }).click();
      await part('Annotation counts').getByText('This project has no annotations yet.').waitFor();
    });

    await t.test('a rejected change shows the error of the server, and keeps the stored values', async () => {
      await page.route('**/graphql', (route) =>
        /"query":"mutation/.test(route.request().postData() ?? '')
          ? route.fulfill({ json: { data: null, errors: [{ message: 'Not today.' }] } })
          : route.continue(),
      );
      await part('Project').getByLabel('Description').fill('Other');
      await part('Project').getByRole('button', { name: 'Save' }).click();
      await part('Project').getByRole('alert').getByText('Not today.').waitFor();
      await policy().selectOption({ label: 'A month' });
      await part('Retention').getByRole('alert').getByText('Not today.').waitFor();
      await part('Retention').getByText('Keeps everything.').waitFor();
      await quality().click();
      await part('Annotation configs').getByRole('alert').getByText('Not today.').waitFor();
      await untilPasses(async () => {
        assert(!(await quality().isChecked()));
      });
      await page.unroute('**/graphql');
    });

    await t.test('the default tab can be changed', async () => {
      await part('Default tab').getByRole('button', { name: 'Traces' }).click();
      await page.goto(place);
      await page.getByRole('table', { name: 'Traces' }).waitFor();
      await page.goto(`${server.url}/projects`);
      await page.getByRole('link', { name: 'shop', exact: true }).click();
      await page.getByRole('table', { name: 'Traces' }).locator('.table-row').waitFor();
      assert.deepEqual(pageErrors, []);
    });
  });
});

const toRgb = (hex: string): string => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ');
