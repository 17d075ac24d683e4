import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openTestServer } from '../../api/test-server.ts';
import { openVendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { seriousViolations } from '../axe.ts';
import { NO_BROWSER, openBrowser, openPage, untilPasses } from '../browser.ts';
import { graphql } from '../seed.ts';

const row = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true });
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const keyField = (page: Page) => page.getByRole('dialog').locator('input[type=password]').first();
const inDialog = (page: Page, name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true });

describe('the page of model providers', { skip: NO_BROWSER }, () => {
  test('shows what each vendor lacks, and lets an administrator fix it there', async (t) => {
    const vendor = await openVendorEndpoint({ after: (close) => t.after(close) });
    const server = await openTestServer(t, {
      settings: { ALLOWED_PROVIDERS: 'openai,anthropic,google,aws,ollama,azure_openai' },
      variables: { OPENAI_API_KEY: 'sk-server', OPENAI_BASE_URL: `${vendor.url}/v1`, AWS_ACCESS_KEY_ID: 'half' },
    });
    const url = server.address;
    const browser = await openBrowser(t);
    const { page, pageErrors } = await openPage(browser, url);

    await t.test('states are words, with the names and the sources of keys', async () => {
      await page.goto(`${url}/settings/providers`);
      await row(page, 'OpenAI').getByText('Runs use the key in the environment.').waitFor();
      await untilPasses(async () => {
        assert.match(
          (await row(page, 'Anthropic').textContent()) ?? '',
          /Key missing.*ANTHROPIC_API_KEYnot on the server/,
        );
        assert.match((await row(page, 'AWS Bedrock').textContent()) ?? '', /AWS_ACCESS_KEY_IDenvironment/);
        assert.match((await row(page, 'Ollama').textContent()) ?? '', /Address missing.*OLLAMA_BASE_URL/);
        assert.match((await row(page, 'Groq').textContent()) ?? '', /Not allowed/);
        assert.equal(await row(page, 'Groq').getByRole('button').count(), 0);
      });
      await page.getByText('The operator allows 6 of them (SERVICE_ALLOWED_PROVIDERS).').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
    });

    await t.test('a test explains whether the vendor accepts the key', async () => {
      await button(page, 'Test OpenAI').click();
      await row(page, 'OpenAI').getByText('OpenAI accepts the key and the address.').waitFor();
      await button(page, 'Test Anthropic').click();
      await row(page, 'Anthropic').getByText('There is no key of Anthropic to test. Add one under “Keys”').waitFor();
    });

    await t.test('a key is stored with its host by keys alone', async () => {
      await button(page, 'Keys of Anthropic').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog', { name: 'Keys of Anthropic' }).waitFor();
      await page.keyboard.type('sk-anthropic-secret');
      assert.deepEqual(await seriousViolations(page), []);
      await page.getByLabel('Hosts').focus();
      await page.keyboard.type('elsewhere.example.com');
      await page.keyboard.press('Enter');
      await row(page, 'Anthropic').getByText('Key bound elsewhere').waitFor();
      await button(page, 'Test Anthropic').click();
      await row(page, 'Anthropic')
        .getByText('so it was not sent to api.anthropic.com. Store it with that host')
        .waitFor();

      await button(page, 'Keys of Anthropic').click();
      await untilPasses(async () => {
        assert.equal(await page.getByLabel('Hosts').inputValue(), 'elsewhere.example.com');
      });
      await keyField(page).fill('sk-anthropic-secret');
      await page.getByLabel('Hosts').fill('api.anthropic.com');
      await inDialog(page, 'Store on the server').click();
      await row(page, 'Anthropic').getByText('Runs use the stored secret.').waitFor();
      assert.ok(!(await page.content()).includes('sk-anthropic-secret'));
    });

    await t.test('a stored key is deleted after a question', async () => {
      await button(page, 'Keys of Anthropic').click();
      await inDialog(page, 'Delete ANTHROPIC_API_KEY').click();
      await button(page, 'Delete secret').click();
      await page.getByText('On the server: nothing').waitFor();
      await inDialog(page, 'Cancel').click();
      await row(page, 'Anthropic').getByText('Key missing').waitFor();
    });

    await t.test('a key of the browser is used by tests, and is never stored', async () => {
      await button(page, 'Keys of OpenAI').click();
      await keyField(page).fill('sk-browser');
      await page.getByLabel('In this browser, for your runs only').check();
      await inDialog(page, 'Keep in this browser').click();
      await row(page, 'OpenAI').getByText('this browser, environment').waitFor();
      const before = vendor.otherRequests.length;
      await button(page, 'Test OpenAI').click();
      await row(page, 'OpenAI').getByText('OpenAI accepts the key and the address.').waitFor();
      assert.deepEqual(
        vendor.otherRequests.slice(before).map(({ headers }) => headers.authorization),
        ['Bearer sk-browser'],
      );
      const { secrets } = await graphql<{ secrets: { edges: unknown[] } }>(url, '{ secrets { edges { cursor } } }', {});
      assert.deepEqual(secrets.edges, []);
    });

    await t.test('a custom provider is tested before it is created', async () => {
      await button(page, 'Add provider').click();
      await page.getByLabel('Name', { exact: true }).fill('Gateway');
      assert.equal(await inDialog(page, 'Save').isDisabled(), true);
      await page.getByLabel('API key').fill('sk-gateway');
      await page.getByLabel('Base URL').fill('http://127.0.0.1:1/v1');
      await inDialog(page, 'Test').click();
      await page
        .getByRole('dialog')
        .getByText(/cannot be reached/)
        .waitFor();
      await page.getByLabel('Base URL').fill(`${vendor.url}/v1`);
      await page
        .getByRole('dialog')
        .getByText(/cannot be reached/)
        .waitFor({ state: 'detached' });
      await inDialog(page, 'Header').click();
      await page.getByLabel('Name of header 1').fill('X-Team');
      await page.getByLabel('Value of header 1').fill('support');
      await inDialog(page, 'Test').click();
      await page.getByText('Gateway accepts the key and the address.').waitFor();
      assert.deepEqual(await seriousViolations(page), []);
      await inDialog(page, 'Save').click();
      await row(page, 'Gateway').waitFor();
    });

    await t.test('an edit keeps the secrets that the user does not type again', async () => {
      await button(page, 'Edit Gateway').click();
      assert.equal(await page.getByLabel('API key').inputValue(), '');
      await page.getByLabel('Name', { exact: true }).fill('Gateway 2');
      await inDialog(page, 'Save').click();
      await row(page, 'Gateway 2').waitFor();
      const before = vendor.otherRequests.length;
      await button(page, 'Test Gateway 2').click();
      await row(page, 'Gateway 2').getByText('Gateway 2 accepts the key and the address.').waitFor();
      assert.deepEqual(
        vendor.otherRequests.slice(before).map(({ headers }) => [headers.authorization, headers['x-team']]),
        [['Bearer sk-gateway', 'support']],
      );
    });

    await t.test('a custom provider is deleted after a question', async () => {
      await button(page, 'Delete Gateway 2').click();
      await inDialog(page, 'Delete').click();
      await page.getByText('No custom providers yet.').waitFor();
    });

    await t.test('an SDK requires its own fields', async () => {
      await row(page, 'Azure OpenAI').getByRole('button', { name: 'Add address' }).click();
      await page.getByLabel('Authentication').selectOption('Identity of the server');
      await page.getByRole('dialog').locator('input[type=password]').waitFor({ state: 'detached' });
      await page.getByLabel('Name', { exact: true }).fill('Azure');
      await page.getByLabel('Endpoint').fill('https://unit.openai.azure.com');
      await inDialog(page, 'Save').click();
      await row(page, 'Azure').getByText('Identity of the server, unit.openai.azure.com').waitFor();
      await page.setViewportSize({ width: 420, height: 860 });
      await untilPasses(async () => {
        assert.equal(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), true);
      });
      assert.deepEqual(await seriousViolations(page), []);
    });
    assert.deepEqual(pageErrors, []);
  });
});
