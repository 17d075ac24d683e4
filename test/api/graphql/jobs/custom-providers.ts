import type { VendorProtocol } from '../../../vendor-endpoint/vendor-call.ts';
import type { TestServer } from '../../test-server.ts';

const KEY = 'key-of-provider-0123456789';

/** A custom provider of an endpoint by wire protocol: its config, and the fields of prompts that use it. */
export const PROVIDERS: Readonly<
  Record<VendorProtocol, { readonly config: (url: string) => object; readonly prompt: object; readonly sdk: string }>
> = {
  'openai-chat': {
    sdk: 'openai',
    config: (url) => openAi(url, 'CHAT_COMPLETIONS'),
    prompt: { modelProvider: 'OPENAI', modelName: 'gpt-4o', invocationParameters: { openai: {} } },
  },
  'openai-responses': {
    sdk: 'openai',
    config: (url) => openAi(url, 'RESPONSES'),
    prompt: { modelProvider: 'OPENAI', modelName: 'gpt-4o', invocationParameters: { openai: {} } },
  },
  'anthropic-messages': {
    sdk: 'anthropic',
    config: (url) => ({
      anthropic: { anthropicAuthenticationMethod: { apiKey: KEY }, anthropicClientKwargs: { baseUrl: url } },
    }),
    prompt: {
      ...{ modelProvider: 'ANTHROPIC', modelName: 'claude-sonnet-4-0' },
      invocationParameters: { anthropic: { maxTokens: 1_000 } },
    },
  },
  'google-generate-content': {
    sdk: 'google',
    config: (url) => ({
      googleGenai: {
        googleGenaiAuthenticationMethod: { apiKey: KEY },
        googleGenaiClientKwargs: { httpOptions: { baseUrl: url } },
      },
    }),
    prompt: { modelProvider: 'GOOGLE', modelName: 'gemini-2.5-flash', invocationParameters: { google: {} } },
  },
  'bedrock-converse': {
    sdk: 'aws',
    config: (url) => ({
      awsBedrock: {
        awsBedrockAuthenticationMethod: { accessKeys: { awsAccessKeyId: 'AKIATEST', awsSecretAccessKey: KEY } },
        awsBedrockClientKwargs: { regionName: 'us-east-1', endpointUrl: url },
      },
    }),
    prompt: { modelProvider: 'AWS', modelName: 'anthropic.claude-3-haiku', invocationParameters: { aws: {} } },
  },
};

const openAi = (url: string, openaiApiType: string) => ({
  openai: {
    ...{ openaiAuthenticationMethod: { apiKey: KEY }, openaiApiType },
    openaiClientKwargs: { baseUrl: `${url}/v1` },
  },
});

let made = 0;

/** Creates a provider, and returns its ID. */
export async function createProvider(
  server: Pick<TestServer, 'ask'>,
  protocol: VendorProtocol,
  endpointUrl: string,
): Promise<string> {
  const { config, sdk } = PROVIDERS[protocol];
  const input = { name: `provider ${++made}`, provider: sdk, clientConfig: config(endpointUrl) };
  const { createGenerativeModelCustomProvider: created } = await server.ask(
    `mutation ($input: CreateGenerativeModelCustomProviderMutationInput!) {
      createGenerativeModelCustomProvider(input: $input) { provider { id } } }`,
    { input },
  );
  return created.provider.id;
}
