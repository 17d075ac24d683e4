import type {
  AwsAccessKeys,
  AzureAdTokenProvider,
  CustomProvider,
  Headers,
  ProviderConfig,
} from '../../../model/models/custom-provider.ts';
import { openConfig } from '../../../domain/providers/provider-config.ts';
import type { SecretBox } from '../../../domain/secrets/secret-box.ts';
import { noUser } from '../access/user.ts';
import { whenKnown } from '../execution/batch-loader.ts';
import { fromRow, id, type NodeRef, type Resolvers } from '../resolvers.ts';

const row = fromRow<CustomProvider>(({ customProviders }) => customProviders);

export const customProviderResolvers: Resolvers = {
  id,
  name: row(({ name }) => name),
  description: row(({ description }) => description),
  provider: row(({ provider }) => provider),
  createdAt: row(({ createdAt }) => createdAt),
  updatedAt: row(({ updatedAt }) => updatedAt),
  sdk: row(({ sdk }) => sdk.toUpperCase()),
  config: row((provider, { domain }) => {
    const config = openConfig(domain.secretBox, provider);
    return 'problem' in config
      ? { __typename: 'UnparsableConfig', parseError: config.problem }
      : toShown(config, domain.secretBox);
  }),
  user: noUser,
  modelNames: ({ rowId }: NodeRef, _args, { loaders, items }) =>
    whenKnown(loaders.modelNamesOfProviders.load(rowId), (names = []) => {
      items.take(names.length);
      return names;
    }),
};

/** A config for users, with redacted secrets. Headers are secrets too. */
function toShown(config: ProviderConfig, { redact }: SecretBox): object {
  const redactAll = (headers: Headers | undefined) =>
    headers && Object.fromEntries(Object.entries(headers).map(([name, text]) => [name, redact(text)]));
  switch (config.type) {
    case 'openai': {
      const { openai_client_kwargs: kwargs } = config;
      return {
        __typename: 'OpenAICustomProviderConfig',
        openaiAuthenticationMethod: { apiKey: redact(config.openai_authentication_method.api_key) },
        openaiClientKwargs: kwargs && {
          baseUrl: kwargs.base_url,
          organization: kwargs.organization,
          project: kwargs.project,
          defaultHeaders: redactAll(kwargs.default_headers),
        },
        openaiApiType: config.openai_api_type.toUpperCase(),
      };
    }
    case 'azure_openai': {
      const { azure_openai_authentication_method: method, azure_openai_client_kwargs: kwargs } = config;
      return {
        __typename: 'AzureOpenAICustomProviderConfig',
        azureOpenaiAuthenticationMethod: {
          apiKey: method.type === 'api_key' ? redact(method.api_key) : null,
          azureAdTokenProvider: method.type === 'azure_ad_token_provider' ? toTokenProvider(method, redact) : null,
          defaultCredentials: method.type === 'default_credentials' || null,
        },
        azureOpenaiClientKwargs: {
          azureEndpoint: kwargs.azure_endpoint,
          defaultHeaders: redactAll(kwargs.default_headers),
        },
        openaiApiType: config.openai_api_type.toUpperCase(),
      };
    }
    case 'anthropic': {
      const { anthropic_client_kwargs: kwargs } = config;
      return {
        __typename: 'AnthropicCustomProviderConfig',
        anthropicAuthenticationMethod: { apiKey: redact(config.anthropic_authentication_method.api_key) },
        anthropicClientKwargs: kwargs && {
          baseUrl: kwargs.base_url,
          defaultHeaders: redactAll(kwargs.default_headers),
        },
      };
    }
    case 'aws_bedrock': {
      const { aws_bedrock_authentication_method: method, aws_bedrock_client_kwargs: kwargs } = config;
      return {
        __typename: 'AWSBedrockCustomProviderConfig',
        awsBedrockAuthenticationMethod: {
          accessKeys: method.type === 'access_keys' ? toAccessKeys(method, redact) : null,
          defaultCredentials: method.type === 'default_credentials' || null,
        },
        awsBedrockClientKwargs: { regionName: kwargs.region_name, endpointUrl: kwargs.endpoint_url },
      };
    }
    case 'google_genai': {
      const { google_genai_client_kwargs: kwargs } = config;
      const options = kwargs?.http_options;
      return {
        __typename: 'GoogleGenAICustomProviderConfig',
        googleGenaiAuthenticationMethod: { apiKey: redact(config.google_genai_authentication_method.api_key) },
        googleGenaiClientKwargs: kwargs && {
          httpOptions: options && { baseUrl: options.base_url, headers: redactAll(options.headers) },
        },
      };
    }
  }
}

const toTokenProvider = (method: AzureAdTokenProvider, redact: SecretBox['redact']) => ({
  azureTenantId: method.azure_tenant_id,
  azureClientId: method.azure_client_id,
  azureClientSecret: redact(method.azure_client_secret),
  scope: method.scope,
});

const toAccessKeys = (method: AwsAccessKeys, redact: SecretBox['redact']) => ({
  awsAccessKeyId: method.aws_access_key_id,
  awsSecretAccessKey: redact(method.aws_secret_access_key),
  awsSessionToken: method.aws_session_token === undefined ? null : redact(method.aws_session_token),
});
