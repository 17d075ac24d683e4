import type { VendorProtocol } from '../../vendor-endpoint/vendor-call.ts';
import type { TestServer } from '../test-server.ts';

const CREATE = `mutation ($input: CreateGenerativeModelCustomProviderMutationInput!) {
  createGenerativeModelCustomProvider(input: $input) { provider { id } } }`;

/** The provider whose prompts a custom provider of the protocol goes with. */
export const PROVIDER_OF: Readonly<Record<VendorProtocol, string>> = {
  'openai-chat': 'OPENAI',
  'openai-responses': 'OPENAI',
  'anthropic-messages': 'ANTHROPIC',
  'google-generate-content': 'GOOGLE',
  'bedrock-converse': 'AWS',
};

/** Parameters that a model of the protocol needs, in the form of its family. */
export const PARAMETERS_OF: Readonly<Record<VendorProtocol, object>> = {
  'openai-chat': { openai: {} },
  'openai-responses': { openai: {} },
  'anthropic-messages': { anthropic: { maxTokens: 300 } },
  'google-generate-content': { google: {} },
  'bedrock-converse': { aws: {} },
};

/** The config of a custom provider whose calls go to the endpoint. */
export function configAt(protocol: VendorProtocol, url: string, key: string): object {
  switch (protocol) {
    case 'openai-chat':
    case 'openai-responses':
      return {
        openai: {
          openaiAuthenticationMethod: { apiKey: key },
          openaiClientKwargs: { baseUrl: `${url}/v1` },
          openaiApiType: protocol === 'openai-chat' ? 'CHAT_COMPLETIONS' : 'RESPONSES',
        },
      };
    case 'anthropic-messages':
      return {
        anthropic: {
          anthropicAuthenticationMethod: { apiKey: key },
          anthropicClientKwargs: { baseUrl: url },
        },
      };
    case 'google-generate-content':
      return {
        googleGenai: {
          googleGenaiAuthenticationMethod: { apiKey: key },
          googleGenaiClientKwargs: { httpOptions: { baseUrl: url } },
        },
      };
    case 'bedrock-converse':
      return {
        awsBedrock: {
          awsBedrockAuthenticationMethod: { accessKeys: { awsAccessKeyId: 'AKIATEST', awsSecretAccessKey: key } },
          awsBedrockClientKwargs: { regionName: 'eu-west-1', endpointUrl: url },
        },
      };
  }
}

/** Stores a custom provider for a protocol, and returns the fields of a prompt version that use it. */
export async function providerAt(
  server: Pick<TestServer, 'ask'>,
  protocol: VendorProtocol,
  url: string,
  key = 'test-key-0123456789',
): Promise<object> {
  const input = {
    name: `at ${protocol} ${url} ${key.slice(-4)}`,
    provider: 'test',
    clientConfig: configAt(protocol, url, key),
  };
  const { createGenerativeModelCustomProvider } = await server.ask(CREATE, { input });
  return {
    customProviderId: createGenerativeModelCustomProvider.provider.id,
    modelProvider: PROVIDER_OF[protocol],
    modelName: 'test-model',
    invocationParameters: PARAMETERS_OF[protocol],
  };
}
