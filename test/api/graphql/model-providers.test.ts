import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { MODEL_PROVIDERS } from '../../../src/model/prompts/prompt-parameters.ts';
import { cleanUpAfter } from '../../metadata-store/fixtures.ts';
import { openVendorEndpoint, type VendorEndpoint } from '../../vendor-endpoint/vendor-endpoint.ts';
import { openTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let endpoint: VendorEndpoint;
const cleanUp = cleanUpAfter(after);
before(async () => {
  endpoint = await openVendorEndpoint({ after: cleanUp });
  server = await openTestServer(
    { after: cleanUp },
    {
      settings: { AGENTS_COLLECTOR_ENDPOINT: 'http://collector' },
      variables: { GOOGLE_API_KEY: 'g', AWS_ACCESS_KEY_ID: 'half' },
    },
  );
});

const PROVIDERS = `{modelProviders{key name dependencies dependenciesInstalled credentialsSet
  credentialRequirements{envVarName isRequired}}}`;
const STATES = '{modelProviderStates{key status host isAddressSet keys{name isRequired isAlternative source}}}';
interface State {
  readonly key: string;
  readonly status: string;
  readonly host: string | null;
  readonly isAddressSet: boolean;
  readonly keys: readonly { readonly name: string; readonly source: string | null }[];
}
const listProviders = async (): Promise<Record<string, { credentialsSet: boolean }>> => {
  const { modelProviders } = await server.ask(PROVIDERS);
  return Object.fromEntries(modelProviders.map((one: { key: string }) => [one.key, one]));
};

describe('the providers', () => {
  test('are all fourteen, with their credentials', async () => {
    const { modelProviders } = await server.ask(PROVIDERS);

    assert.deepEqual(modelProviders.map(({ key }: { key: string }) => key).sort(), [...MODEL_PROVIDERS].sort());
    assert.deepEqual(
      modelProviders.find(({ key }: { key: string }) => key === 'AWS'),
      {
        ...{ key: 'AWS', name: 'AWS Bedrock', dependencies: ['aioboto3'], dependenciesInstalled: true },
        credentialsSet: false,
        credentialRequirements: [
          { envVarName: 'AWS_ACCESS_KEY_ID', isRequired: true },
          { envVarName: 'AWS_SECRET_ACCESS_KEY', isRequired: true },
          { envVarName: 'AWS_SESSION_TOKEN', isRequired: false },
        ],
      },
    );
  });

  test('have credentials in the environment or in a secret that can be decrypted', async () => {
    const first = await listProviders();
    assert.equal(first.GOOGLE?.credentialsSet, true);
    assert.equal(first.OLLAMA?.credentialsSet, true);
    assert.equal(first.OPENAI?.credentialsSet, false);

    await server.domain.secrets.upsertOrDelete([{ key: 'OPENAI_API_KEY', value: 'sk' }]);
    assert.equal((await listProviders()).OPENAI?.credentialsSet, true);
    const sealedValue = Buffer.from('broken');
    await server.ports.secrets.change({
      toStore: [{ key: 'OPENAI_API_KEY', sealedValue, userRowId: null }],
      toDelete: [],
    });
    assert.equal((await listProviders()).OPENAI?.credentialsSet, false);
    await server.domain.secrets.upsertOrDelete([{ key: 'OPENAI_API_KEY', value: null }]);
  });

  test('have models to suggest and parameters that a model accepts', async () => {
    const { all, google, none, chat, responses, gemini2, gemini25, noProvider } = await server.ask(`{
      all: playgroundModels{name providerKey}
      google: playgroundModels(input:{providerKey:GOOGLE}){providerKey}
      none: playgroundModels(input:{providerKey:FIREWORKS}){name}
      chat: modelInvocationParameters(input:{providerKey:OPENAI,modelName:"gpt-5"}){...on InvocationParameterBase{invocationName}}
      responses: modelInvocationParameters(input:{providerKey:OPENAI,modelName:"gpt-4o",openaiApiType:RESPONSES}){
        ...on InvocationParameterBase{invocationName}}
      gemini2: modelInvocationParameters(input:{providerKey:GOOGLE,modelName:"gemini-2.0-flash"}){
        ...on InvocationParameterBase{invocationName}}
      gemini25: modelInvocationParameters(input:{providerKey:GOOGLE,modelName:"gemini-2.5-pro"}){
        ...on InvocationParameterBase{invocationName}}
      noProvider: modelInvocationParameters{...on InvocationParameterBase{invocationName}}}`);
    const names = (list: { invocationName: string }[]) => list.map(({ invocationName }) => invocationName);

    assert.ok(all.length > 50);
    assert.deepEqual(
      new Set(google.map(({ providerKey }: { providerKey: string }) => providerKey)),
      new Set(['GOOGLE']),
    );
    assert.deepEqual(none, []);
    assert.deepEqual(names(chat), ['reasoning_effort', 'max_completion_tokens', 'seed', 'extra_body']);
    assert.ok(names(responses).includes('reasoning_effort') && names(responses).includes('temperature'));
    assert.ok(names(gemini2).includes('presence_penalty') && !names(gemini25).includes('presence_penalty'));
    assert.deepEqual(noProvider, []);
  });

  test('are those that the operator allows', async (t) => {
    const limited = await openTestServer(
      { after: cleanUpAfter((work) => t.after(work)) },
      { settings: { ALLOWED_PROVIDERS: 'groq' }, variables: { OPENAI_API_KEY: 'k' } },
    );
    const { modelProviders } = await limited.ask('{modelProviders{key}}');
    assert.deepEqual(modelProviders, [{ key: 'GROQ' }]);
  });

  test('are all listed with what the server has for them, also those that are not allowed', async (t) => {
    const limited = await openTestServer(
      { after: cleanUpAfter((work) => t.after(work)) },
      {
        settings: { ALLOWED_PROVIDERS: 'openai,anthropic,google,aws,azure_openai,ollama,deepseek,xai' },
        variables: {
          ...{ GOOGLE_API_KEY: 'g', AWS_ACCESS_KEY_ID: 'half', GROQ_API_KEY: 'k' },
          ...{ DEEPSEEK_BASE_URL: 'http://localhost:9/v1' },
        },
      },
    );
    await limited.domain.secrets.upsertOrDelete([
      { key: 'OPENAI_API_KEY', value: 'sk', hosts: ['gateway.example.com'] },
      { key: 'AWS_SECRET_ACCESS_KEY', value: 'other half' },
    ]);
    await limited.ports.secrets.change({
      toStore: [{ key: 'XAI_API_KEY', sealedValue: Buffer.from('broken'), userRowId: null }],
      toDelete: [],
    });
    const read = async () => {
      const { modelProviderStates } = await limited.ask(STATES);
      return new Map<string, State>(modelProviderStates.map((one: State) => [one.key, one]));
    };

    const states = await read();
    assert.deepEqual([...states.keys()].sort(), [...MODEL_PROVIDERS].sort());
    const statuses = Object.fromEntries([...states].map(([key, { status }]) => [key, status]));
    assert.deepEqual(statuses, {
      ...{ OPENAI: 'KEY_BOUND_ELSEWHERE', AZURE_OPENAI: 'ADDRESS_MISSING', ANTHROPIC: 'KEY_MISSING', GOOGLE: 'READY' },
      // Half of the keys of Bedrock is stored and half is a variable, which are never combined.
      ...{ DEEPSEEK: 'READY', XAI: 'KEY_UNREADABLE', OLLAMA: 'ADDRESS_MISSING', AWS: 'OWN_IDENTITY' },
      ...{ CEREBRAS: 'NOT_ALLOWED', FIREWORKS: 'NOT_ALLOWED', GROQ: 'NOT_ALLOWED', MOONSHOT: 'NOT_ALLOWED' },
      ...{ PERPLEXITY: 'NOT_ALLOWED', TOGETHER: 'NOT_ALLOWED' },
    });
    assert.deepEqual(states.get('GOOGLE')?.keys, [
      { name: 'GEMINI_API_KEY', isRequired: true, isAlternative: false, source: null },
      { name: 'GOOGLE_API_KEY', isRequired: false, isAlternative: true, source: 'ENVIRONMENT' },
    ]);
    assert.deepEqual(
      states.get('AWS')?.keys.map(({ source }) => source),
      ['ENVIRONMENT', 'STORED_SECRET', null],
    );
    assert.equal(states.get('XAI')?.keys[0]?.source, 'UNREADABLE_SECRET');
    const { host, isAddressSet } = states.get('DEEPSEEK')!;
    assert.deepEqual({ host, isAddressSet }, { host: 'localhost', isAddressSet: true });

    await limited.domain.secrets.upsertOrDelete([{ key: 'OPENAI_API_KEY', value: 'sk', hosts: ['api.openai.com'] }]);
    assert.equal((await read()).get('OPENAI')?.status, 'READY');
  });

  test('of assistants are those of the settings', async () => {
    const { agentsConfig } = await server.ask('{agentsConfig{collectorEndpoint assistantProjectName}}');
    assert.deepEqual(agentsConfig, { collectorEndpoint: 'http://collector', assistantProjectName: 'assistant_agent' });
  });
});

const TEST = `mutation($input: GenerativeModelCustomerProviderConfigInput!){
  testGenerativeModelCustomProviderCredentials(input:$input){error}}`;
const CREATE = `mutation($config: GenerativeModelCustomerProviderConfigInput!){
  createGenerativeModelCustomProvider(input:{name:"n",provider:"p",clientConfig:$config}){provider{id}}}`;
const openAiAt = (baseUrl: string) => ({
  openai: { openaiAuthenticationMethod: { apiKey: 'sk-0123456789abcdef' }, openaiClientKwargs: { baseUrl } },
});

describe('a test of credentials', () => {
  test('requests the models of the vendor, and stores nothing', async () => {
    endpoint.clear();
    const { testGenerativeModelCustomProviderCredentials: result } = await server.ask(TEST, {
      input: openAiAt(`${endpoint.url}/v1`),
    });

    assert.deepEqual(result, { error: null });
    assert.deepEqual(
      endpoint.otherRequests.map(({ method, path }) => `${method} ${path}`),
      ['GET /v1/models'],
    );
    assert.deepEqual((await server.domain.providers.list({ limit: 10 })).items, []);
  });

  test('gives the reason of its failure, without the key', async () => {
    const { testGenerativeModelCustomProviderCredentials: result } = await server.ask(TEST, {
      input: openAiAt('http://127.0.0.1:1/v1'),
    });

    assert.match(result.error, /cannot be reached/);
    assert.ok(!result.error.includes('sk-'));
  });
});

describe('a test of a vendor', () => {
  const VENDOR = `mutation($input: TestGenerativeProviderInput!){testGenerativeProvider(input:$input){error}}`;
  const ask = async (limited: TestServer, input: object) =>
    (await limited.ask(VENDOR, { input })).testGenerativeProvider.error as string | null;

  test('uses the keys and the address of a run, and reports what is missing', async (t) => {
    const before = endpoint.otherRequests.length;
    const other = await openTestServer(
      { after: cleanUpAfter((work) => t.after(work)) },
      {
        settings: { ALLOWED_PROVIDERS: 'openai,anthropic' },
        variables: { OPENAI_API_KEY: 'sk-server', OPENAI_BASE_URL: `${endpoint.url}/v1` },
      },
    );

    assert.equal(await ask(other, { providerKey: 'OPENAI' }), null);
    const credentials = [{ envVarName: 'OPENAI_API_KEY', value: 'sk-browser' }];
    assert.equal(await ask(other, { providerKey: 'OPENAI', credentials }), null);
    assert.deepEqual(
      endpoint.otherRequests.slice(before).map(({ path, headers }) => [path, headers.authorization]),
      [
        ['/v1/models', 'Bearer sk-server'],
        ['/v1/models', 'Bearer sk-browser'],
      ],
    );
    assert.match((await ask(other, { providerKey: 'ANTHROPIC' })) ?? '', /API key is required.*ANTHROPIC_API_KEY/);
    assert.match((await ask(other, { providerKey: 'GROQ' })) ?? '', /Groq is not allowed on this server/);
  });
});

describe('an address of a custom provider', () => {
  for (const url of [
    'http://169.254.169.254/v1',
    'http://2852039166/v1',
    'http://[fe80::1]/v1',
    'http://[::ffff:169.254.169.254]/',
    'http://metadata.google.internal./',
    'http://[fd00:ec2::254]/',
    'file:///etc/passwd',
    'https://user:word@example.com/v1',
  ]) {
    test(`is rejected at save and in tests: ${url}`, async () => {
      for (const [query, variables] of [
        [CREATE, { config: openAiAt(url) }],
        [TEST, { input: openAiAt(url) }],
      ] as const) {
        const { errors } = await server.post(query, variables);
        assert.match(errors?.[0] ?? '', /address is link-local or reserved|base URL must/);
      }
    });
  }
});
