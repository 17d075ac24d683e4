import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { CustomProvider, ProviderConfig } from '../../src/model/models/custom-provider.ts';
import { TABLE_NAMES } from '../../src/metadata-store/database/database.ts';
import { cleanUpAfter, openTestPostgres, query, temporaryDirectory } from '../metadata-store/fixtures.ts';
import { openConfig } from '../../src/domain/providers/provider-config.ts';
import { createSecretBox } from '../../src/domain/secrets/secret-box.ts';
import { readEncryptionKeys } from '../../src/encryption-key.ts';
import {
  MARK,
  openai,
  PROVIDER_CASES,
  REFUSED_CONFIGS,
  secretOf,
  sentBack,
  withoutTokens,
} from './provider-configs.ts';
import { type ServerProcess, startServer } from './server-process.ts';

const CONFIG = `config { __typename
  ... on UnparsableConfig { parseError }
  ... on OpenAICustomProviderConfig { openaiAuthenticationMethod { apiKey } openaiApiType
    openaiClientKwargs { baseUrl organization project defaultHeaders } }
  ... on AzureOpenAICustomProviderConfig { openaiApiType azureOpenaiClientKwargs { azureEndpoint defaultHeaders }
    azureOpenaiAuthenticationMethod { apiKey defaultCredentials
      azureAdTokenProvider { azureTenantId azureClientId azureClientSecret scope } } }
  ... on AnthropicCustomProviderConfig { anthropicAuthenticationMethod { apiKey }
    anthropicClientKwargs { baseUrl defaultHeaders } }
  ... on AWSBedrockCustomProviderConfig { awsBedrockClientKwargs { regionName endpointUrl }
    awsBedrockAuthenticationMethod { defaultCredentials
      accessKeys { awsAccessKeyId awsSecretAccessKey awsSessionToken } } }
  ... on GoogleGenAICustomProviderConfig { googleGenaiAuthenticationMethod { apiKey }
    googleGenaiClientKwargs { httpOptions { baseUrl headers } } } }`;
const PROVIDER = `id name description provider sdk createdAt updatedAt modelNames user { id } ${CONFIG}`;
const CREATE = `mutation ($input: CreateGenerativeModelCustomProviderMutationInput!) {
  createGenerativeModelCustomProvider(input: $input) { provider { ${PROVIDER} } query { promptCount } } }`;
const PATCH = `mutation ($input: PatchGenerativeModelCustomProviderMutationInput!) {
  patchGenerativeModelCustomProvider(input: $input) { provider { ${PROVIDER} } } }`;
const DELETE = `mutation ($id: ID!) { deleteGenerativeModelCustomProvider(input: { id: $id }) { id } }`;
const LIST = `query ($first: Int, $after: String) { generativeModelCustomProviders(first: $first, after: $after) {
  pageInfo { hasNextPage hasPreviousPage endCursor } edges { node { ${PROVIDER} } } } }`;

const apiKeyOf = (provider: { config: { openaiAuthenticationMethod: { apiKey: string } } }) =>
  provider.config.openaiAuthenticationMethod.apiKey;

describe('custom providers', () => {
  let server: ServerProcess;
  let url: string;
  let dataDir: string;
  let answers = '';
  let output = '';
  const cleanUp = cleanUpAfter(after);

  const start = async (env: Readonly<Record<string, string>> = {}) => {
    server = await startServer({
      dataDir,
      env: { SERVICE_SQL_DATABASE_URL: url, SERVICE_LOGGING_LEVEL: 'debug', SERVICE_LOG_SQL: 'true', ...env },
    });
  };
  const stop = async () => {
    await server.stop();
    output += server.output();
  };
  before(async () => {
    url = await (await openTestPostgres(cleanUp)).newDatabase();
    dataDir = await temporaryDirectory(cleanUp);
    await start();
    cleanUp(stop);
  });

  /** The answer, and its text for the search at the end. */
  const post = async (document: string, variables: object = {}) => {
    const response = await fetch(`${server.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: document, variables }),
    });
    const text = await response.text();
    answers += text;
    return JSON.parse(text);
  };
  const ask = async (document: string, variables: object = {}) => {
    const { data, errors } = await post(document, variables);
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data;
  };
  let lastName = 0;
  const newName = () => `provider ${++lastName}`;
  const create = async (clientConfig: object, over: object = {}) =>
    (await ask(CREATE, { input: { name: newName(), provider: 'openai', clientConfig, ...over } }))
      .createGenerativeModelCustomProvider.provider;
  const patch = async (id: string, changes: object) =>
    (await ask(PATCH, { input: { id, ...changes } })).patchGenerativeModelCustomProvider.provider;
  const rowIdOf = (id: string) => Number(Buffer.from(id, 'base64').toString().split(':')[1]);
  /** What is stored, opened with the server's own key. */
  const storedConfig = async (id: string): Promise<ProviderConfig> => {
    const sql = `select config, sdk from generative_model_custom_providers where id = ${rowIdOf(id)}`;
    const [row] = (await query(url, sql)) as { config: Buffer; sdk: CustomProvider['sdk'] }[];
    const box = createSecretBox((await readEncryptionKeys(dataDir, { secret: undefined, formerSecrets: [] })).current);
    const config = openConfig(box, { sealedConfig: row!.config, sdk: row!.sdk } as CustomProvider);
    assert.ok('type' in config);
    return config;
  };

  for (const { what, input, shown, stored } of PROVIDER_CASES) {
    test(`of ${what}: the returned config is redacted, and the redacted text represents the secret`, async () => {
      const made = await create(input);

      assert.deepEqual(withoutTokens(made.config), shown);
      assert.equal(made.sdk.toLowerCase(), stored.type);
      assert.deepEqual(await storedConfig(made.id), stored);
      const again = await patch(made.id, { clientConfig: sentBack(made.config, input) });
      assert.deepEqual(withoutTokens(again.config), shown);
      assert.deepEqual(await storedConfig(made.id), stored);
    });
  }

  for (const { what, clientConfig, message } of REFUSED_CONFIGS) {
    test(`a config with ${what} is rejected, and the error contains no secret`, async () => {
      const { errors } = await post(CREATE, { input: { name: newName(), provider: 'x', clientConfig } });

      assert.match(errors[0].message, message);
      assert.doesNotMatch(JSON.stringify(errors), new RegExp(MARK));
    });
  }

  test('a document with a secret of another type is rejected, and the error does not contain it', async () => {
    const { errors } = await post(`mutation { createGenerativeModelCustomProvider(input: { name: "n", provider: "p",
      clientConfig: { openai: { openaiAuthenticationMethod: { apiKey: { secret: "${MARK}" } } } } }) { query { promptCount } } }`);

    assert.match(errors[0].message, /^Value is not a string$/);
  });

  test('names are unique, also in concurrent requests', async () => {
    const name = newName();
    const input = { name: ` ${name} `, provider: 'openai', clientConfig: openai(secretOf('race')) };

    const outcomes = await Promise.all(Array.from({ length: 8 }, () => post(CREATE, { input })));

    const refused = outcomes.filter(({ errors }) => errors);
    assert.equal(refused.length, 7);
    for (const { errors } of refused) assert.equal(errors[0].message, `Provider with name '${name}' already exists`);
    const other = await create(openai(secretOf('other')));
    const { errors } = await post(PATCH, { input: { id: other.id, name } });
    assert.equal(errors[0].message, `Provider with name '${name}' already exists`);
  });

  test('a patch changes only its fields, and the SDK only between OpenAI and Azure OpenAI', async () => {
    const made = await create(openai(secretOf('patch')), { description: ' d ' });
    const azure = {
      azureOpenai: {
        azureOpenaiAuthenticationMethod: { apiKey: apiKeyOf(made) },
        azureOpenaiClientKwargs: { azureEndpoint: 'https://x' },
      },
    };

    const renamed = await patch(made.id, { name: newName(), provider: null });
    const emptied = await patch(made.id, { description: null });
    const moved = await patch(made.id, { clientConfig: azure });
    const refused = await post(PATCH, {
      input: { id: made.id, clientConfig: { anthropic: { anthropicAuthenticationMethod: { apiKey: 'k' } } } },
    });

    assert.deepEqual([made.description, renamed.description, emptied.description], ['d', 'd', null]);
    assert.notEqual(renamed.name, made.name);
    assert.equal(renamed.provider, 'openai');
    assert.ok(Date.parse(renamed.updatedAt) > Date.parse(made.updatedAt));
    assert.deepEqual([renamed.sdk, moved.sdk], ['OPENAI', 'AZURE_OPENAI']);
    assert.deepEqual((await storedConfig(made.id)) as object, {
      type: 'azure_openai',
      azure_openai_authentication_method: { type: 'api_key', api_key: secretOf('patch') },
      azure_openai_client_kwargs: { azure_endpoint: 'https://x' },
      openai_api_type: 'responses',
    });
    assert.match(refused.errors[0].message, /Cannot change the SDK of a provider from 'azure_openai' to 'anthropic'/);
    assert.match((await post(PATCH, { input: { id: made.id, name: ' ' } })).errors[0].message, /Name cannot be empty/);
    const absent = Buffer.from('GenerativeModelCustomProvider:999').toString('base64');
    const { errors } = await post(PATCH, { input: { id: absent, name: 'x' } });
    assert.equal(errors[0].message, `Custom provider with ID '${absent}' not found`);
  });

  test('the list is paged forward, newest first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 3; count++) ids.unshift((await create(openai(secretOf('list')))).id);

    const { generativeModelCustomProviders: first } = await ask(LIST, { first: 2 });
    const { generativeModelCustomProviders: second } = await ask(LIST, { first: 1, after: first.pageInfo.endCursor });

    const idsOf = ({ edges }: { edges: { node: { id: string } }[] }) => edges.map(({ node }) => node.id);
    assert.deepEqual([...idsOf(first), ...idsOf(second)], ids);
    assert.deepEqual(
      [first, second].map(({ pageInfo }) => [pageInfo.hasNextPage, pageInfo.hasPreviousPage]),
      [
        [true, false],
        [true, true],
      ],
    );
    const { errors } = await post('{ generativeModelCustomProviders(last: 1) { edges { cursor } } }');
    assert.match(errors[0].message, /Backward pagination with `last` is not supported/);
    const { node } = await ask(`query ($id: ID!) { node(id: $id) { ... on GenerativeModelCustomProvider { name } } }`, {
      id: ids[0],
    });
    assert.equal(node.name, `provider ${lastName}`);
  });

  test('versions of prompts and of clones name their provider until it is deleted', async () => {
    const made = await create(openai(secretOf('prompt')));
    const promptVersion = (modelName: string, customProviderId: string | null = made.id) => ({
      templateFormat: 'NONE',
      template: { messages: [{ role: 'USER', content: [{ text: { text: 'Hi' } }] }] },
      invocationParameters: { openai: {} },
      modelProvider: 'OPENAI',
      modelName,
      customProviderId,
    });
    const versions = 'promptVersions { edges { node { customProvider { id name } } } }';
    const { createChatPrompt: prompt } = await ask(
      `mutation ($input: CreateChatPromptInput!) { createChatPrompt(input: $input) { id } }`,
      { input: { name: 'with-provider', promptVersion: promptVersion('zeta') } },
    );
    const add = `mutation ($input: CreateChatPromptVersionInput!) { createChatPromptVersion(input: $input) { ${versions} } }`;
    for (const modelName of ['alpha', 'alpha']) {
      await ask(add, { input: { promptId: prompt.id, promptVersion: promptVersion(modelName) } });
    }
    await ask(add, { input: { promptId: prompt.id, promptVersion: promptVersion('none', null) } });
    const { clonePrompt: clone } = await ask(
      `mutation ($input: ClonePromptInput!) { clonePrompt(input: $input) { id } }`,
      { input: { name: 'clone-of-it', promptId: prompt.id } },
    );
    const providersOf = async (id: string) => {
      const { node } = await ask(`query ($id: ID!) { node(id: $id) { ... on Prompt { ${versions} } } }`, { id });
      return node.promptVersions.edges.map((edge: { node: { customProvider: { id: string } | null } }) =>
        edge.node.customProvider ? edge.node.customProvider.id : null,
      );
    };
    const expected = [null, made.id, made.id, made.id];
    assert.deepEqual(await providersOf(prompt.id), expected);
    assert.deepEqual(await providersOf(clone.id), expected);
    const { node } = await ask(
      'query ($id: ID!) { node(id: $id) { ... on GenerativeModelCustomProvider { modelNames } } }',
      { id: made.id },
    );
    assert.deepEqual(node.modelNames, ['alpha', 'zeta']);
    const response = await fetch(`${server.url}/v1/prompts/with-provider/latest`);
    assert.equal(response.status, 200);

    assert.equal((await ask(DELETE, { id: made.id })).deleteGenerativeModelCustomProvider.id, made.id);
    await ask(DELETE, { id: made.id });

    assert.deepEqual(await providersOf(prompt.id), [null, null, null, null]);
    assert.deepEqual(await providersOf(clone.id), [null, null, null, null]);
    for (const id of [made.id, 'nonsense', Buffer.from('GenerativeModelCustomProvider:0').toString('base64')]) {
      const { errors } = await post(add, { input: { promptId: prompt.id, promptVersion: promptVersion('x', id) } });
      assert.equal(errors[0].message, `Custom provider with ID '${id}' not found`);
    }
  });

  test('versions that are added during a deletion name the provider or are rejected', async () => {
    const made = await create(openai(secretOf('races')));
    const promptVersion = {
      templateFormat: 'NONE',
      template: { messages: [{ role: 'USER', content: [{ text: { text: 'Hi' } }] }] },
      invocationParameters: { openai: {} },
      modelProvider: 'OPENAI',
      modelName: 'm',
      customProviderId: made.id,
    };
    const add = (name: string) =>
      post('mutation ($input: CreateChatPromptInput!) { createChatPrompt(input: $input) { id } }', {
        input: { name, promptVersion },
      });

    const outcomes = await Promise.all([
      ...Array.from({ length: 6 }, (_, n) => add(`race-${n}`)),
      post(DELETE, { id: made.id }).then(() => ({ data: {} })),
      ...Array.from({ length: 6 }, (_, n) => add(`race-after-${n}`)),
    ]);

    for (const { errors } of outcomes) {
      if (errors) assert.equal(errors[0].message, `Custom provider with ID '${made.id}' not found`);
    }
    assert.deepEqual(await query(url, 'select 1 from prompt_versions where custom_provider_id is not null'), []);
  });

  test('with another key configs are unparsable, and a config that is saved again is readable', async () => {
    const made = await create(openai(secretOf('key')));
    await stop();
    const path = join(dataDir, 'encryption-key');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    const key = readFileSync(path);
    writeFileSync(path, randomBytes(32));
    await start();

    const { generativeModelCustomProviders: list } = await ask(LIST);
    const renamed = await patch(made.id, { name: newName() });
    const refused = await post(PATCH, { input: { id: made.id, clientConfig: openai(apiKeyOf(made)) } });
    const healed = await patch(made.id, { clientConfig: openai(secretOf('anew')) });

    const unparsable = { __typename: 'UnparsableConfig', parseError: 'Config cannot be decrypted' };
    assert.ok(list.edges.length > 5);
    for (const { node } of list.edges) assert.deepEqual(node.config, unparsable);
    assert.deepEqual(renamed.config, unparsable);
    assert.match(refused.errors[0].message, /^Invalid redacted string/);
    assert.equal(healed.config.__typename, 'OpenAICustomProviderConfig');
    await stop();
    writeFileSync(path, key);
    await start({ SERVICE_SECRET: 'a secret of the settings, 32 chars'.replaceAll(' ', '-') });
    // The key file still decrypts.
    assert.equal(
      (await ask(LIST)).generativeModelCustomProviders.edges.at(-1).node.config.__typename,
      'OpenAICustomProviderConfig',
    );
    const ofSecret = await create(openai(secretOf('setting')));
    await stop();
    await start({ SERVICE_SECRET: 'a secret of the settings, 32 chars'.replaceAll(' ', '-') });
    const { generativeModelCustomProviders: after } = await ask(LIST, { first: 1 });
    assert.equal(after.edges[0].node.id, ofSecret.id);
    assert.match(apiKeyOf(after.edges[0].node), /REDACTED.sett/);
  });

  test('no response, log line or database row contains a secret', async () => {
    const rows: string[] = [];
    for (const table of TABLE_NAMES) {
      const found = (await query(url, `select t::text as row from ${table} t`)) as { row: string }[];
      rows.push(...found.map(({ row }) => row));
    }

    assert.ok(rows.some((row) => row.includes('provider 1')) && answers.includes('provider 1'));
    const all = [rows.join('\n'), answers, output + server.output()];
    for (const form of [MARK, Buffer.from(MARK).toString('hex')]) {
      assert.deepEqual(
        all.map((text) => text.includes(form)),
        [false, false, false],
      );
    }
  });
});
