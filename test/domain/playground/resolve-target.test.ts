import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ProviderConfig } from '../../../src/model/models/custom-provider.ts';
import { MODEL_VENDORS } from '../../../src/model/models/model-vendors.ts';
import { MODEL_PROVIDERS, type ModelProvider } from '../../../src/model/prompts/prompt-parameters.ts';
import { resolveTarget, type TargetRequest } from '../../../src/domain/playground/resolve-target.ts';
import type { Ports } from '../../../src/domain/ports.ts';
import type { ModelSettings } from '../../../src/domain/providers/model-settings.ts';
import { shareTestServer } from '../../api/test-server.ts';

const server = shareTestServer();

interface Given extends Partial<TargetRequest> {
  readonly settings?: Partial<ModelSettings>;
}

async function resolve(modelProvider: ModelProvider, { settings, ...request }: Given = {}) {
  const { ports } = await server();
  const modelSettings = { ...ports.modelSettings, ...settings };
  return resolveTarget(
    { ...ports, modelSettings },
    { modelProvider, modelName: 'm', connection: null, headers: null, credentials: {}, ...request },
  );
}

async function keep(key: string, value: string, hosts?: readonly string[] | null) {
  const { domain } = await server();
  await domain.secrets.upsertOrDelete([{ key, value, ...(hosts !== undefined && { hosts }) }]);
}

const drop = async (key: string) => (await server()).domain.secrets.upsertOrDelete([{ key, value: null }]);

const openAiAt = (base_url: string) => ({ type: 'openai', base_url, openai_api_type: 'chat_completions' }) as const;

const keyOf = ({ connection }: Awaited<ReturnType<typeof resolveTarget>>) =>
  'apiKey' in connection ? connection.apiKey : undefined;

describe('the credentials of a call', () => {
  test('come from the request, then from stored secrets, then from the environment', async () => {
    const settings = { variables: { OPENAI_API_KEY: 'of-environment' } };
    assert.equal(keyOf(await resolve('OPENAI', { settings })), 'of-environment');

    await keep('OPENAI_API_KEY', 'of-store');
    assert.equal(keyOf(await resolve('OPENAI', { settings })), 'of-store');
    const credentials = { OPENAI_API_KEY: ' of-request ' };
    assert.equal(keyOf(await resolve('OPENAI', { settings, credentials })), 'of-request');
    await drop('OPENAI_API_KEY');
  });

  test('are found for Google under both names, and for AWS never mix two sources', async () => {
    assert.equal(keyOf(await resolve('GOOGLE', { settings: { variables: { GOOGLE_API_KEY: 'g' } } })), 'g');
    const settings = { variables: { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' } };
    const half = await resolve('AWS', { settings, credentials: { AWS_ACCESS_KEY_ID: 'mine' } });

    assert.deepEqual('credential' in half.connection && half.connection.credential, {
      ...{ type: 'keys', accessKeyId: 'id', secretAccessKey: 's', sessionToken: 't' },
    });
    const none = await resolve('AWS', { settings: { variables: {} } });
    assert.deepEqual('credential' in none.connection && none.connection.credential, { type: 'default' });
  });

  test('are required at the vendor, and replaced by a placeholder elsewhere', async () => {
    await assert.rejects(resolve('OPENAI', { settings: { variables: {} } }), {
      message:
        'An API key is required for OpenAI models. Set the OPENAI_API_KEY environment variable or use a custom provider.',
    });
    await assert.rejects(resolve('GOOGLE', { settings: { variables: {} } }), /Set the GEMINI_API_KEY environment/);
    const settings = { variables: { OPENAI_BASE_URL: 'http://localhost:1/v1' } };
    const elsewhere = await resolve('OPENAI', { settings });
    assert.ok(keyOf(elsewhere));
    assert.equal('baseUrl' in elsewhere.connection && elsewhere.connection.baseUrl, 'http://localhost:1/v1');
  });

  test('are an error when a stored secret cannot be decrypted', async () => {
    const { ports } = await server();
    const sealedValue = Buffer.from('broken');
    await ports.secrets.change({ toStore: [{ key: 'XAI_API_KEY', sealedValue, userRowId: null }], toDelete: [] });

    await assert.rejects(resolve('XAI'), { message: 'Failed to decrypt secret: XAI_API_KEY' });
    await drop('XAI_API_KEY');
  });
});

describe('a key of the server', () => {
  const settings = { variables: { OPENAI_API_KEY: 'of-environment', OPENAI_BASE_URL: 'https://gw.example.com/v1' } };
  const foreign = openAiAt('https://evil.example.net/v1');

  test('of the environment does not go to an address of the caller', async () => {
    await assert.rejects(resolve('OPENAI', { settings, connection: foreign }), { code: 'SECRET_HOST_DENIED' });
  });

  test('goes to the address of the operator and to the vendor, also when the caller names them', async () => {
    for (const url of ['https://gw.example.com/other', 'https://api.openai.com/v1']) {
      assert.equal(keyOf(await resolve('OPENAI', { settings, connection: openAiAt(url) })), 'of-environment');
    }
    // Another port, or no encryption, is another origin.
    for (const url of ['https://gw.example.com:8443/', 'http://api.openai.com/v1']) {
      await assert.rejects(resolve('OPENAI', { settings, connection: openAiAt(url) }), { code: 'SECRET_HOST_DENIED' });
    }
  });

  test('goes to hosts that the operator has bound it to', async () => {
    const keyHosts = new Map([['OPENAI_API_KEY', ['*.example.net']]]);
    const bound = { ...settings, keyHosts };

    assert.equal(keyOf(await resolve('OPENAI', { settings: bound, connection: foreign })), 'of-environment');
    await assert.rejects(
      resolve('OPENAI', { settings: bound, connection: openAiAt('https://evil.example.net.attacker.org') }),
      { code: 'SECRET_HOST_DENIED' },
    );
  });

  test('in a stored secret goes to an address of the caller only when it is bound to its host', async () => {
    await keep('OPENAI_API_KEY', 'of-store', null);
    await assert.rejects(resolve('OPENAI', { connection: foreign }), { code: 'SECRET_HOST_DENIED' });

    await keep('OPENAI_API_KEY', 'of-store', ['evil.example.net']);
    assert.equal(keyOf(await resolve('OPENAI', { connection: foreign })), 'of-store');
    await assert.rejects(resolve('OPENAI'), { code: 'SECRET_HOST_DENIED' });
    await drop('OPENAI_API_KEY');
  });

  test('is not needed when the request brings its own', async () => {
    const credentials = { OPENAI_API_KEY: 'mine' };
    assert.equal(keyOf(await resolve('OPENAI', { settings, credentials, connection: foreign })), 'mine');
  });

  test('is also an identity: Azure and AWS do not lend theirs to addresses of the caller', async () => {
    const none = { variables: {} };
    const azure = {
      type: 'azure_openai',
      azure_endpoint: 'https://evil.example.net',
      openai_api_type: 'responses',
    } as const;
    await assert.rejects(resolve('AZURE_OPENAI', { settings: none, connection: azure }), {
      code: 'SECRET_HOST_DENIED',
    });
    const aws = { type: 'aws_bedrock', endpoint_url: 'https://evil.example.net' } as const;
    await assert.rejects(resolve('AWS', { settings: none, connection: aws }), { code: 'SECRET_HOST_DENIED' });
    const region = { type: 'aws_bedrock', region_name: 'x.evil.example.net/' } as const;
    await assert.rejects(resolve('AWS', { settings: none, connection: region }), { code: 'PROVIDER_INVALID' });
  });
});

describe('the address of a call', () => {
  test('is the vendor’s own when no other is named', async () => {
    for (const provider of MODEL_PROVIDERS) {
      const { baseUrl, credentials } = MODEL_VENDORS[provider];
      const keys = Object.fromEntries(credentials.map(({ name }) => [name, 'k']));
      if (baseUrl === null) continue;
      const { connection } = await resolve(provider, { settings: { variables: {} }, credentials: keys });
      assert.equal('baseUrl' in connection && connection.baseUrl, baseUrl);
    }
  });

  test('is required for Azure and Ollama', async () => {
    const settings = { variables: {} };
    await assert.rejects(resolve('AZURE_OPENAI', { settings }), /Set the AZURE_OPENAI_ENDPOINT environment variable/);
    await assert.rejects(resolve('OLLAMA', { settings }), /Set the OLLAMA_BASE_URL environment variable/);
  });

  for (const url of ['ftp://x', 'nothing', 'https://user:word@example.com']) {
    test(`is rejected as ${url}`, async () => {
      await assert.rejects(resolve('OPENAI', { connection: openAiAt(url) }), { code: 'PROVIDER_INVALID' });
    });
  }

  test('is ignored when it is of another family', async () => {
    const connection = { type: 'anthropic', base_url: 'https://evil.example.net' } as const;
    const target = await resolve('OPENAI', { connection, settings: { variables: { OPENAI_API_KEY: 'k' } } });
    assert.equal('baseUrl' in target.connection && target.connection.baseUrl, 'https://api.openai.com/v1');
  });
});

describe('a provider', () => {
  test('that the operator does not allow is rejected', async () => {
    const settings = { allowedProviders: new Set<ModelProvider>(['GOOGLE']), variables: { OPENAI_API_KEY: 'k' } };
    await assert.rejects(resolve('OPENAI', { settings }), /OpenAI is not allowed/);
  });

  test('of OpenAI’s kind needs a model name', async () => {
    await assert.rejects(resolve('GROQ', { modelName: ' ' }), {
      message: 'A model name is required for OpenAI models',
    });
  });
});

describe('a custom provider', () => {
  const config: ProviderConfig = {
    type: 'openai',
    openai_authentication_method: { type: 'api_key', api_key: 'its-key' },
    openai_client_kwargs: { base_url: 'https://models.example.com', default_headers: { 'X-Team': 'a', 'X-Key': 'b' } },
    openai_api_type: 'responses',
  };
  const create = async (ports: Ports, name: string) => {
    const { domain } = await server();
    const { rowId } = await domain.providers.create({ name, description: null, provider: 'my-word', config });
    assert.ok(ports);
    return rowId;
  };

  test('is all that counts, whatever the environment and the request contain', async () => {
    const { ports } = await server();
    const customProviderId = await create(ports, 'all that counts');

    const target = await resolve('DEEPSEEK', {
      customProviderId,
      connection: openAiAt('https://evil.example.net'),
      credentials: { DEEPSEEK_API_KEY: 'mine', OPENAI_API_KEY: 'mine' },
      headers: { 'x-key': 'c' },
      settings: { variables: { OPENAI_API_KEY: 'e', OPENAI_BASE_URL: 'https://gw.example.com' } },
    });

    assert.deepEqual(target, {
      modelName: 'm',
      modelProvider: 'DEEPSEEK',
      providerWord: 'my-word',
      connection: {
        type: 'openai',
        api: 'responses',
        baseUrl: 'https://models.example.com',
        apiKey: 'its-key',
        organization: undefined,
        project: undefined,
        headers: { 'X-Team': 'a', 'x-key': 'c' },
      },
    });
  });

  test('must fit the provider of the prompt, exist, and be readable', async () => {
    const { ports, domain } = await server();
    const customProviderId = await create(ports, 'fits');

    await assert.rejects(resolve('ANTHROPIC', { customProviderId }), {
      message: "Custom provider 'fits' has SDK 'openai' which is not compatible with model provider 'ANTHROPIC'.",
    });
    await ports.providers.update(customProviderId, { sealedConfig: Buffer.from('broken') }, ['openai']);
    await assert.rejects(resolve('OPENAI', { customProviderId }), {
      message: 'Failed to decrypt custom provider config',
    });
    await domain.providers.delete(customProviderId);
    await assert.rejects(resolve('OPENAI', { customProviderId }), {
      message: `Custom provider with ID ${customProviderId} not found`,
    });
  });
});
