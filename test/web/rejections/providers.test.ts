import { describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { openTestServer } from '../../api/test-server.ts';
import { NO_BROWSER } from '../browser.ts';
import { graphql } from '../seed.ts';
import { checkRejections, type Rejection } from './rejections.ts';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const press = (name: string) => (page: Page) => button(page, name).click();
const inDialog = (name: string) => (page: Page) =>
  page.getByRole('dialog').last().getByRole('button', { name, exact: true }).click();
const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

/** Also a mutation of the page of secrets, whose case is in another file. */
const OF_SECRETS = 'changeSecrets';

describe('a rejected change of providers and sandboxes', { skip: NO_BROWSER }, () => {
  test('is reported where users make it', async (t) => {
    const { address: url } = await openTestServer(t);
    const ask = <Data>(query: string, variables: object = {}) => graphql<Data>(url, query, variables);
    const createProvider = (name: string) =>
      ask<{ made: { provider: { id: string } } }>(
        `mutation ($input: CreateGenerativeModelCustomProviderMutationInput!) {
           made: createGenerativeModelCustomProvider(input: $input) { provider { id } } }`,
        {
          input: {
            ...{ name, provider: 'openai' },
            clientConfig: { openai: { openaiAuthenticationMethod: { apiKey: 'sk' } } },
          },
        },
      );
    const createConfig = async (name: string) => {
      const { made } = await ask<{ made: { sandboxConfig: { id: string } } }>(
        `mutation ($input: CreateSandboxConfigInput!) {
           made: createSandboxConfig(input: $input) { sandboxConfig { id } } }`,
        { input: { name, config: { wasm: { language: 'PYTHON' } } } },
      );
      return made.sandboxConfig.id;
    };
    const deleteConfig = (id: string) => () =>
      ask('mutation ($id: ID!) { deleteSandboxConfig(input: { id: $id }) { deletedId } }', { id });
    await createProvider('kept');
    await createProvider('renamed');
    const [edited, removed] = [await createConfig('edited'), await createConfig('removed')];

    const rejections: readonly Rejection[] = [
      {
        mutation: 'createCustomProvider',
        at: '/settings/providers',
        async open(page) {
          await press('Add provider')(page);
          await fill(page, 'Name', 'taken');
          await fill(page, 'API key', 'sk');
        },
        beforeSubmit: () => createProvider('taken'),
        submit: inDialog('Save'),
      },
      {
        mutation: 'patchCustomProvider',
        at: '/settings/providers',
        async open(page) {
          await press('Edit renamed')(page);
          await fill(page, 'Name', 'kept');
        },
        beforeSubmit: 'nothing',
        submit: inDialog('Save'),
      },
      {
        mutation: 'deleteCustomProvider',
        at: '/settings/providers',
        open: press('Delete kept'),
        // An unknown provider is ignored, so only the network can fail.
        beforeSubmit: 'offline',
        submit: inDialog('Delete'),
      },
      {
        mutation: 'testCustomProvider',
        at: '/settings/providers',
        async open(page) {
          await press('Add provider')(page);
          await fill(page, 'API key', 'sk');
          await fill(page, 'Base URL (optional)', 'http://169.254.169.254/v1');
        },
        beforeSubmit: 'nothing',
        submit: inDialog('Test'),
      },
      {
        mutation: 'testVendor',
        at: '/settings/providers',
        // A vendor without a key is not asked, but this one may accept the identity of the server.
        open: (page) => button(page, 'Test AWS Bedrock').waitFor(),
        // What the server lacks is the result of the test.
        beforeSubmit: 'offline',
        submit: press('Test AWS Bedrock'),
      },
      {
        mutation: OF_SECRETS,
        at: '/settings/providers',
        async open(page) {
          await press('Keys of Groq')(page);
          await page.getByRole('dialog').locator('input[type=password]').fill('gsk');
          await page.getByLabel('Hosts').fill('no host: 80');
        },
        beforeSubmit: 'nothing',
        submit: inDialog('Store on the server'),
      },
      {
        mutation: 'createSandboxConfig',
        at: '/settings/sandboxes',
        async open(page) {
          await press('Create config')(page);
          await fill(page, 'Description', 'A name that another client takes');
          await page.getByLabel('Name').fill('taken');
        },
        beforeSubmit: () => createConfig('taken'),
        submit: inDialog('Save'),
      },
      {
        mutation: 'updateSandboxConfig',
        at: '/settings/sandboxes',
        open: press('Edit edited'),
        beforeSubmit: deleteConfig(edited),
        submit: inDialog('Save'),
      },
      {
        mutation: 'deleteSandboxConfig',
        at: '/settings/sandboxes',
        open: press('Delete removed'),
        beforeSubmit: deleteConfig(removed),
        submit: inDialog('Delete'),
      },
      {
        mutation: 'enableSandboxProvider',
        at: '/settings/sandboxes',
        open: (page) => button(page, 'Disable WebAssembly').waitFor(),
        // The backend of this server can be enabled and disabled by anyone at any time.
        beforeSubmit: 'offline',
        submit: press('Disable WebAssembly'),
      },
    ];
    await checkRejections(t, url, rejections);
  });
});
