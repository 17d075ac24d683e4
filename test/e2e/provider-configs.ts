import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { createSecretBox } from '../../src/domain/secrets/secret-box.ts';

// Configs of custom providers for each SDK: as they go in, as they are shown, and as they are kept.

/** In every secret that is sent, so that one search finds any of them. */
export const MARK = 'PLAIN4SECRET';
export const secretOf = (name: string) => `sk-${MARK}-${name}-0123456789abcdef-${name.slice(0, 4)}`;

const REDACTED = '\uE000REDACTED\uE000';

export const openai = (apiKey: string, over: object = {}) => ({
  openai: { openaiAuthenticationMethod: { apiKey }, ...over },
});

export const PROVIDER_CASES = [
  {
    what: 'OpenAI',
    input: openai(secretOf('openai'), {
      openaiClientKwargs: { baseUrl: 'https://a/v1', project: 'p', defaultHeaders: { 'x-key': secretOf('head') } },
      openaiApiType: 'CHAT_COMPLETIONS',
    }),
    shown: {
      __typename: 'OpenAICustomProviderConfig',
      openaiAuthenticationMethod: { apiKey: `${REDACTED}open\uE000` },
      openaiApiType: 'CHAT_COMPLETIONS',
      openaiClientKwargs: {
        baseUrl: 'https://a/v1',
        organization: null,
        project: 'p',
        defaultHeaders: { 'x-key': `${REDACTED}head\uE000` },
      },
    },
    stored: {
      type: 'openai',
      openai_authentication_method: { type: 'api_key', api_key: secretOf('openai') },
      openai_client_kwargs: {
        base_url: 'https://a/v1',
        project: 'p',
        default_headers: { 'x-key': secretOf('head') },
      },
      openai_api_type: 'chat_completions',
    },
  },
  {
    what: 'OpenAI without options, with a short key',
    input: openai(` ${MARK}\n`),
    shown: {
      __typename: 'OpenAICustomProviderConfig',
      openaiAuthenticationMethod: { apiKey: `${REDACTED}\uE000` },
      openaiApiType: 'RESPONSES',
      openaiClientKwargs: null,
    },
    stored: {
      type: 'openai',
      openai_authentication_method: { type: 'api_key', api_key: MARK },
      openai_api_type: 'responses',
    },
  },
  {
    what: 'Azure OpenAI with a token provider',
    input: {
      azureOpenai: {
        azureOpenaiAuthenticationMethod: {
          azureAdTokenProvider: {
            azureTenantId: 't',
            azureClientId: 'c',
            azureClientSecret: secretOf('azure'),
          },
        },
        azureOpenaiClientKwargs: { azureEndpoint: 'https://b' },
      },
    },
    shown: {
      __typename: 'AzureOpenAICustomProviderConfig',
      openaiApiType: 'RESPONSES',
      azureOpenaiClientKwargs: { azureEndpoint: 'https://b', defaultHeaders: null },
      azureOpenaiAuthenticationMethod: {
        apiKey: null,
        defaultCredentials: null,
        azureAdTokenProvider: {
          azureTenantId: 't',
          azureClientId: 'c',
          azureClientSecret: `${REDACTED}azur\uE000`,
          scope: 'https://cognitiveservices.azure.com/.default',
        },
      },
    },
    stored: {
      type: 'azure_openai',
      azure_openai_authentication_method: {
        type: 'azure_ad_token_provider',
        azure_tenant_id: 't',
        azure_client_id: 'c',
        azure_client_secret: secretOf('azure'),
        scope: 'https://cognitiveservices.azure.com/.default',
      },
      azure_openai_client_kwargs: { azure_endpoint: 'https://b' },
      openai_api_type: 'responses',
    },
  },
  {
    what: 'Azure OpenAI with what its place offers',
    input: {
      azureOpenai: {
        azureOpenaiAuthenticationMethod: { defaultCredentials: true },
        azureOpenaiClientKwargs: { azureEndpoint: 'https://b', defaultHeaders: {} },
      },
    },
    shown: {
      __typename: 'AzureOpenAICustomProviderConfig',
      openaiApiType: 'RESPONSES',
      azureOpenaiClientKwargs: { azureEndpoint: 'https://b', defaultHeaders: {} },
      azureOpenaiAuthenticationMethod: { apiKey: null, defaultCredentials: true, azureAdTokenProvider: null },
    },
    stored: {
      type: 'azure_openai',
      azure_openai_authentication_method: { type: 'default_credentials' },
      azure_openai_client_kwargs: { azure_endpoint: 'https://b', default_headers: {} },
      openai_api_type: 'responses',
    },
  },
  {
    what: 'Anthropic',
    input: {
      anthropic: {
        anthropicAuthenticationMethod: { apiKey: secretOf('anthropic') },
        anthropicClientKwargs: { baseUrl: 'https://c' },
      },
    },
    shown: {
      __typename: 'AnthropicCustomProviderConfig',
      anthropicAuthenticationMethod: { apiKey: `${REDACTED}anth\uE000` },
      anthropicClientKwargs: { baseUrl: 'https://c', defaultHeaders: null },
    },
    stored: {
      type: 'anthropic',
      anthropic_authentication_method: { type: 'api_key', api_key: secretOf('anthropic') },
      anthropic_client_kwargs: { base_url: 'https://c' },
    },
  },
  {
    what: 'AWS Bedrock with keys',
    input: {
      awsBedrock: {
        awsBedrockAuthenticationMethod: {
          accessKeys: {
            awsAccessKeyId: 'AKIA',
            awsSecretAccessKey: secretOf('aws'),
            awsSessionToken: secretOf('aws2'),
          },
        },
        awsBedrockClientKwargs: { regionName: 'eu-central-1', endpointUrl: 'https://d' },
      },
    },
    shown: {
      __typename: 'AWSBedrockCustomProviderConfig',
      awsBedrockClientKwargs: { regionName: 'eu-central-1', endpointUrl: 'https://d' },
      awsBedrockAuthenticationMethod: {
        defaultCredentials: null,
        accessKeys: {
          awsAccessKeyId: 'AKIA',
          awsSecretAccessKey: `${REDACTED}-aws\uE000`,
          awsSessionToken: `${REDACTED}aws2\uE000`,
        },
      },
    },
    stored: {
      type: 'aws_bedrock',
      aws_bedrock_authentication_method: {
        type: 'access_keys',
        aws_access_key_id: 'AKIA',
        aws_secret_access_key: secretOf('aws'),
        aws_session_token: secretOf('aws2'),
      },
      aws_bedrock_client_kwargs: { region_name: 'eu-central-1', endpoint_url: 'https://d' },
    },
  },
  {
    what: 'Google',
    input: {
      googleGenai: {
        googleGenaiAuthenticationMethod: { apiKey: secretOf('google') },
        googleGenaiClientKwargs: { httpOptions: { baseUrl: 'https://e', headers: { h: secretOf('head') } } },
      },
    },
    shown: {
      __typename: 'GoogleGenAICustomProviderConfig',
      googleGenaiAuthenticationMethod: { apiKey: `${REDACTED}goog\uE000` },
      googleGenaiClientKwargs: { httpOptions: { baseUrl: 'https://e', headers: { h: `${REDACTED}head\uE000` } } },
    },
    stored: {
      type: 'google_genai',
      google_genai_authentication_method: { type: 'api_key', api_key: secretOf('google') },
      google_genai_client_kwargs: { http_options: { base_url: 'https://e', headers: { h: secretOf('head') } } },
    },
  },
] as const;

export const REFUSED_CONFIGS = [
  { what: 'no SDK', clientConfig: {}, message: /xactly one/ },
  {
    what: 'two SDKs',
    clientConfig: {
      ...openai(secretOf('two')),
      anthropic: { anthropicAuthenticationMethod: { apiKey: secretOf('two') } },
    },
    message: /xactly one/,
  },
  {
    what: 'two ways to sign in',
    clientConfig: {
      azureOpenai: {
        azureOpenaiAuthenticationMethod: { apiKey: secretOf('two'), defaultCredentials: true },
        azureOpenaiClientKwargs: { azureEndpoint: 'x' },
      },
    },
    message: /xactly one/,
  },
  { what: 'an empty key', clientConfig: openai(' '), message: /^apiKey cannot be empty$/ },
  {
    what: 'a key that is no text',
    clientConfig: openai({ secret: MARK } as never),
    message: /^Variable .* got invalid value \*\*\*; Expected type RedactedString/,
  },
  {
    what: 'no way to sign in, beside a secret',
    clientConfig: { openai: { openaiClientKwargs: { defaultHeaders: { key: secretOf('beside') } } } },
    message: /openaiAuthenticationMethod/,
  },
  {
    what: 'headers that are a list',
    clientConfig: openai(secretOf('h'), { openaiClientKwargs: { defaultHeaders: [MARK] } }),
    message: /must be a JSON object/,
  },
  {
    what: 'a header that is no text',
    clientConfig: openai(secretOf('h'), { openaiClientKwargs: { defaultHeaders: { [MARK]: 1 } } }),
    message: /must contain only strings/,
  },
  {
    what: 'a redacted text of another server',
    clientConfig: openai(createSecretBox(randomBytes(32)).redact('x')),
    message: /^Invalid redacted string\. Please fetch the correct redacted value from the server\.$/,
  },
  {
    what: 'half a redacted text',
    clientConfig: openai(REDACTED),
    message: /^Invalid redacted string/,
  },
  { what: 'megabytes', clientConfig: openai('x'.repeat(100_000)), message: /at most 65536 characters/ },
];

/** A config, its redacted texts without what stands for the secret: that is another one each time. */
export const withoutTokens = (config: object): unknown =>
  JSON.parse(JSON.stringify(config), (_key, value) =>
    typeof value === 'string' && value.startsWith(REDACTED) ? value.replace(/[\w-]+$/, '') : value,
  );

/** The input again, its secrets as they came out: a form that somebody saves without typing them. */
export function sentBack(shown: unknown, input: unknown): object {
  const redacted = new Map<string, string>();
  collect(shown, redacted);
  return JSON.parse(JSON.stringify(input), (key, value) =>
    typeof value === 'string' && value.includes(MARK) ? (redacted.get(key) ?? assert.fail(key)) : value,
  );
}

function collect(value: unknown, into: Map<string, string>): void {
  for (const [key, part] of Object.entries(value ?? {})) {
    if (typeof part === 'string' && part.startsWith(REDACTED)) into.set(key, part);
    else if (typeof part === 'object') collect(part, into);
  }
}
