import { expectPresent } from '../../../base/expect-present.ts';
import type { ApiKey, Headers, OpenAIApiType, ProviderConfig } from '../../../model/models/custom-provider.ts';
import type { SecretBox } from '../../../domain/secrets/secret-box.ts';
import { reject } from '../arguments.ts';
import { checkObject, type Fields, onlyField } from '../prompts/prompt-input.ts';

/**
 * `GenerativeModelCustomerProviderConfigInput` after GraphQL's validation, with the secrets of redacted texts.
 *
 * @throws {SpandrelError} `QUERY_INVALID`
 */
export function toProviderConfig(input: Fields, secrets: SecretBox): ProviderConfig {
  const [sdk, fields] = onlyField(input, 'GenerativeModelCustomerProviderConfigInput');
  const of = (name: string) => (fields[name] ?? undefined) as Fields | undefined;
  const required = (name: string) => expectPresent(of(name), 'the schema requires the field');
  switch (sdk) {
    case 'openai':
      return {
        type: 'openai',
        openai_authentication_method: toApiKey(required('openaiAuthenticationMethod'), secrets),
        ...given('openai_client_kwargs', of('openaiClientKwargs'), (kwargs) => ({
          ...text('base_url', kwargs.baseUrl),
          ...text('organization', kwargs.organization),
          ...text('project', kwargs.project),
          ...headers('default_headers', kwargs.defaultHeaders, secrets),
        })),
        openai_api_type: toApiType(fields),
      };
    case 'azureOpenai':
      return {
        type: 'azure_openai',
        azure_openai_authentication_method: toAzureMethod(required('azureOpenaiAuthenticationMethod'), secrets),
        azure_openai_client_kwargs: {
          azure_endpoint: needed('azureEndpoint', required('azureOpenaiClientKwargs').azureEndpoint),
          ...headers('default_headers', required('azureOpenaiClientKwargs').defaultHeaders, secrets),
        },
        openai_api_type: toApiType(fields),
      };
    case 'anthropic':
      return {
        type: 'anthropic',
        anthropic_authentication_method: toApiKey(required('anthropicAuthenticationMethod'), secrets),
        ...given('anthropic_client_kwargs', of('anthropicClientKwargs'), (kwargs) => ({
          ...text('base_url', kwargs.baseUrl),
          ...headers('default_headers', kwargs.defaultHeaders, secrets),
        })),
      };
    case 'awsBedrock':
      return {
        type: 'aws_bedrock',
        aws_bedrock_authentication_method: toAwsMethod(required('awsBedrockAuthenticationMethod'), secrets),
        aws_bedrock_client_kwargs: {
          region_name: needed('regionName', required('awsBedrockClientKwargs').regionName),
          ...text('endpoint_url', required('awsBedrockClientKwargs').endpointUrl),
        },
      };
    default:
      return {
        type: 'google_genai',
        google_genai_authentication_method: toApiKey(required('googleGenaiAuthenticationMethod'), secrets),
        ...given('google_genai_client_kwargs', of('googleGenaiClientKwargs'), (kwargs) =>
          given('http_options', (kwargs.httpOptions ?? undefined) as Fields | undefined, (options) => ({
            ...text('base_url', options.baseUrl),
            ...headers('headers', options.headers, secrets),
          })),
        ),
      };
  }
}

const toApiKey = ({ apiKey }: Fields, secrets: SecretBox): ApiKey => ({
  type: 'api_key',
  api_key: secret('apiKey', apiKey, secrets),
});

/** Null has the meaning of absent. */
const toApiType = ({ openaiApiType }: Fields): OpenAIApiType =>
  ((openaiApiType as string | null | undefined) ?? 'RESPONSES').toLowerCase() as OpenAIApiType;

type AzureMethod = Extract<ProviderConfig, { type: 'azure_openai' }>['azure_openai_authentication_method'];

function toAzureMethod(input: Fields, secrets: SecretBox): AzureMethod {
  const [method, value] = onlyField(input, 'AzureOpenAIAuthenticationMethodInput');
  if (method === 'apiKey') return toApiKey(input, secrets);
  if (method === 'defaultCredentials') return toDefaultCredentials(value);
  return {
    type: 'azure_ad_token_provider',
    azure_tenant_id: needed('azureTenantId', value.azureTenantId),
    azure_client_id: needed('azureClientId', value.azureClientId),
    azure_client_secret: secret('azureClientSecret', value.azureClientSecret, secrets),
    scope: trimmed(value.scope) || AZURE_SCOPE,
  };
}

/** Scope of all models that Azure hosts. */
const AZURE_SCOPE = 'https://cognitiveservices.azure.com/.default';

type AwsMethod = Extract<ProviderConfig, { type: 'aws_bedrock' }>['aws_bedrock_authentication_method'];

function toAwsMethod(input: Fields, secrets: SecretBox): AwsMethod {
  const [method, value] = onlyField(input, 'AWSBedrockAuthenticationMethodInput');
  if (method === 'defaultCredentials') return toDefaultCredentials(value);
  const token = value.awsSessionToken ?? undefined;
  return {
    type: 'access_keys',
    aws_access_key_id: needed('awsAccessKeyId', value.awsAccessKeyId),
    aws_secret_access_key: secret('awsSecretAccessKey', value.awsSecretAccessKey, secrets),
    ...(token !== undefined && { aws_session_token: secret('awsSessionToken', token, secrets) }),
  };
}

const toDefaultCredentials = (value: unknown) =>
  value === true
    ? ({ type: 'default_credentials' } as const)
    : reject('defaultCredentials must be true if it is given');

const trimmed = (value: unknown): string => ((value as string | null | undefined) ?? '').trim();

const needed = (name: string, value: unknown): string => trimmed(value) || reject(`${name} cannot be empty`);

/** Users paste keys, often with a line break. */
const secret = (name: string, value: unknown, secrets: SecretBox): string =>
  secrets.restore(trimmed(value)).trim() || reject(`${name} cannot be empty`);

/** A field that is converted from another, and absent when that is absent. */
const given = <Name extends string, Part>(name: Name, fields: Fields | undefined, convert: (fields: Fields) => Part) =>
  (fields ? { [name]: convert(fields) } : {}) as Partial<Record<Name, Part>>;

/** Absent when the text is absent or blank. */
const text = <Name extends string>(name: Name, value: unknown) =>
  (trimmed(value) ? { [name]: trimmed(value) } : {}) as Partial<Record<Name, string>>;

function headers<Name extends string>(name: Name, value: unknown, secrets: SecretBox) {
  if (value === null || value === undefined) return {};
  const entries = Object.entries(checkObject(name, value)).map(([header, content]) => {
    if (typeof content !== 'string') return reject(`${name} must contain only strings`);
    return [header, secrets.restore(content)] as const;
  });
  return { [name]: Object.fromEntries(entries) } as Partial<Record<Name, Headers>>;
}
