import type { CreateCustomProviderVariables, CustomProvidersData } from './generated/providers.ts';

export type CustomProvider = CustomProvidersData['generativeModelCustomProviders']['edges'][number]['node'];
export type ConfigInput = CreateCustomProviderVariables['input']['clientConfig'];
export type Sdk = CustomProvider['sdk'];

/** How calls authenticate. Each SDK has one or more. */
export type AuthMethod = 'apiKey' | 'entra' | 'accessKeys' | 'identity';

export const SDKS: Readonly<Record<Sdk, SdkFacts>> = {
  OPENAI: { label: 'OpenAI-compatible', word: 'openai', hasOwnWord: true, methods: ['apiKey'] },
  AZURE_OPENAI: { label: 'Azure OpenAI', word: 'azure', hasOwnWord: false, methods: ['apiKey', 'entra', 'identity'] },
  ANTHROPIC: { label: 'Anthropic', word: 'anthropic', hasOwnWord: false, methods: ['apiKey'] },
  AWS_BEDROCK: { label: 'AWS Bedrock', word: 'aws', hasOwnWord: true, methods: ['accessKeys', 'identity'] },
  GOOGLE_GENAI: { label: 'Google Gemini', word: 'google', hasOwnWord: false, methods: ['apiKey'] },
};

interface SdkFacts {
  readonly label: string;
  /** Default of `llm.provider` in spans. */
  readonly word: string;
  /** Whether the user may record another word. */
  readonly hasOwnWord: boolean;
  readonly methods: readonly AuthMethod[];
}

export const METHODS: Readonly<Record<AuthMethod, string>> = {
  apiKey: 'API key',
  entra: 'Microsoft Entra ID',
  accessKeys: 'Access keys',
  identity: 'Identity of the server',
};

/** A text that the form asks for. */
export interface ConfigField {
  readonly name: string;
  readonly label: string;
  /** Only for fields of one method of authentication. */
  readonly method?: AuthMethod;
  readonly isRequired?: boolean;
  /** Whether the server returns it encrypted. */
  readonly isSecret?: boolean;
  readonly placeholder?: string;
}

const API_KEY: ConfigField = { name: 'apiKey', label: 'API key', method: 'apiKey', isRequired: true, isSecret: true };

const baseUrl = (placeholder: string): ConfigField => ({ name: 'baseUrl', label: 'Base URL', placeholder });

export const FIELDS: Readonly<Record<Sdk, readonly ConfigField[]>> = {
  OPENAI: [
    API_KEY,
    baseUrl('https://api.openai.com/v1'),
    { name: 'organization', label: 'Organization' },
    { name: 'project', label: 'Project' },
  ],
  AZURE_OPENAI: [
    API_KEY,
    { name: 'azureTenantId', label: 'Tenant ID', method: 'entra', isRequired: true },
    { name: 'azureClientId', label: 'Client ID', method: 'entra', isRequired: true },
    { name: 'azureClientSecret', label: 'Client secret', method: 'entra', isRequired: true, isSecret: true },
    {
      name: 'scope',
      label: 'Scope',
      method: 'entra',
      placeholder: 'https://cognitiveservices.azure.com/.default',
    },
    {
      name: 'azureEndpoint',
      label: 'Endpoint',
      isRequired: true,
      placeholder: 'https://my-resource.openai.azure.com',
    },
  ],
  ANTHROPIC: [API_KEY, baseUrl('https://api.anthropic.com')],
  AWS_BEDROCK: [
    { name: 'awsAccessKeyId', label: 'Access key ID', method: 'accessKeys', isRequired: true },
    { name: 'awsSecretAccessKey', label: 'Secret access key', method: 'accessKeys', isRequired: true, isSecret: true },
    { name: 'awsSessionToken', label: 'Session token', method: 'accessKeys', isSecret: true },
    { name: 'regionName', label: 'Region', isRequired: true, placeholder: 'us-east-1' },
    {
      name: 'endpointUrl',
      label: 'Endpoint',
      placeholder: 'https://bedrock-runtime.us-east-1.amazonaws.com',
    },
  ],
  GOOGLE_GENAI: [API_KEY, baseUrl('https://generativelanguage.googleapis.com')],
};

/** Fields that apply to a draft. */
export const fieldsOf = ({ sdk, method }: Pick<ConfigDraft, 'sdk' | 'method'>): readonly ConfigField[] =>
  FIELDS[sdk].filter((field) => field.method === undefined || field.method === method);

export interface ConfigDraft {
  readonly sdk: Sdk;
  readonly method: AuthMethod;
  readonly api: 'RESPONSES' | 'CHAT_COMPLETIONS';
  readonly texts: ReadonlyMap<string, string>;
  /** Stored secrets as the server returned them, encrypted. An empty text keeps one. */
  readonly stored: ReadonlyMap<string, string>;
  readonly headers: readonly HeaderDraft[];
}

export interface HeaderDraft {
  readonly id: string;
  readonly name: string;
  readonly value: string;
  /** The stored value, encrypted. */
  readonly stored?: string;
}

export const newConfig = (sdk: Sdk): ConfigDraft => ({
  sdk,
  method: SDKS[sdk].methods[0]!,
  // Servers with an API like OpenAI's rarely have the newer one.
  api: sdk === 'OPENAI' ? 'CHAT_COMPLETIONS' : 'RESPONSES',
  texts: new Map(),
  stored: new Map(),
  headers: [],
});

export const hasHeaders = (sdk: Sdk): boolean => sdk !== 'AWS_BEDROCK';
export const hasApi = (sdk: Sdk): boolean => sdk === 'OPENAI' || sdk === 'AZURE_OPENAI';

/** Whether all required fields have a text, or keep a stored secret. */
export const isComplete = (draft: ConfigDraft): boolean =>
  fieldsOf(draft).every(({ name, isRequired }) => isRequired !== true || textOf(draft, name) !== '');

const textOf = ({ texts, stored }: ConfigDraft, name: string): string =>
  texts.get(name)?.trim() || stored.get(name) || '';

/** The config as the server takes it. Empty texts are absent. */
export function toConfigInput(draft: ConfigDraft): ConfigInput {
  const text = (name: string) => textOf(draft, name);
  const optional = <Name extends string>(name: Name) =>
    (text(name) === '' ? {} : { [name]: text(name) }) as { readonly [Key in Name]?: string };
  const headers = Object.fromEntries(
    draft.headers
      .filter(({ name }) => name.trim() !== '')
      .map(({ name, value, stored }) => [name.trim(), value === '' ? (stored ?? '') : value]),
  );
  const withHeaders = Object.keys(headers).length > 0 ? { defaultHeaders: headers } : {};
  const apiKey = { apiKey: text('apiKey') };
  switch (draft.sdk) {
    case 'OPENAI':
      return {
        openai: {
          openaiAuthenticationMethod: apiKey,
          openaiClientKwargs: {
            ...{ ...optional('baseUrl'), ...optional('organization'), ...optional('project') },
            ...withHeaders,
          },
          openaiApiType: draft.api,
        },
      };
    case 'AZURE_OPENAI':
      return {
        azureOpenai: {
          azureOpenaiAuthenticationMethod:
            draft.method === 'apiKey'
              ? apiKey
              : draft.method === 'identity'
                ? { defaultCredentials: true }
                : {
                    azureAdTokenProvider: {
                      azureTenantId: text('azureTenantId'),
                      azureClientId: text('azureClientId'),
                      azureClientSecret: text('azureClientSecret'),
                      ...optional('scope'),
                    },
                  },
          azureOpenaiClientKwargs: { azureEndpoint: text('azureEndpoint'), ...withHeaders },
          openaiApiType: draft.api,
        },
      };
    case 'ANTHROPIC':
      return {
        anthropic: {
          anthropicAuthenticationMethod: apiKey,
          anthropicClientKwargs: { ...optional('baseUrl'), ...withHeaders },
        },
      };
    case 'AWS_BEDROCK':
      return {
        awsBedrock: {
          awsBedrockAuthenticationMethod:
            draft.method === 'identity'
              ? { defaultCredentials: true }
              : {
                  accessKeys: {
                    awsAccessKeyId: text('awsAccessKeyId'),
                    awsSecretAccessKey: text('awsSecretAccessKey'),
                    ...optional('awsSessionToken'),
                  },
                },
          awsBedrockClientKwargs: { regionName: text('regionName'), ...optional('endpointUrl') },
        },
      };
    case 'GOOGLE_GENAI':
      return {
        googleGenai: {
          googleGenaiAuthenticationMethod: apiKey,
          googleGenaiClientKwargs: {
            httpOptions: {
              ...optional('baseUrl'),
              ...(Object.keys(headers).length > 0 && { headers }),
            },
          },
        },
      };
  }
}

/** The draft of a stored provider. Its secrets stay as they are until the user types others. */
export function toConfigDraft({ sdk, config }: Pick<CustomProvider, 'sdk' | 'config'>): ConfigDraft {
  const draft = newConfig(sdk);
  switch (config.__typename) {
    case 'UnparsableConfig':
      return draft;
    case 'OpenAICustomProviderConfig': {
      const { openaiAuthenticationMethod, openaiClientKwargs: kwargs, openaiApiType } = config;
      return {
        ...{ ...draft, api: openaiApiType, stored: known({ apiKey: openaiAuthenticationMethod.apiKey }) },
        texts: known({ baseUrl: kwargs?.baseUrl, organization: kwargs?.organization, project: kwargs?.project }),
        headers: readHeaders(kwargs?.defaultHeaders),
      };
    }
    case 'AzureOpenAICustomProviderConfig': {
      const { azureOpenaiAuthenticationMethod: auth, azureOpenaiClientKwargs: kwargs, openaiApiType } = config;
      const { azureAdTokenProvider: entra, defaultCredentials } = auth;
      return {
        ...{ ...draft, api: openaiApiType, headers: readHeaders(kwargs.defaultHeaders) },
        method: entra ? 'entra' : defaultCredentials ? 'identity' : 'apiKey',
        texts: known({
          ...{ azureEndpoint: kwargs.azureEndpoint, scope: entra?.scope },
          ...{ azureTenantId: entra?.azureTenantId, azureClientId: entra?.azureClientId },
        }),
        stored: known({ apiKey: auth.apiKey, azureClientSecret: entra?.azureClientSecret }),
      };
    }
    case 'AnthropicCustomProviderConfig': {
      const { anthropicAuthenticationMethod, anthropicClientKwargs: kwargs } = config;
      return {
        ...{ ...draft, stored: known({ apiKey: anthropicAuthenticationMethod.apiKey }) },
        texts: known({ baseUrl: kwargs?.baseUrl }),
        headers: readHeaders(kwargs?.defaultHeaders),
      };
    }
    case 'AWSBedrockCustomProviderConfig': {
      const { awsBedrockAuthenticationMethod: auth, awsBedrockClientKwargs: kwargs } = config;
      const { accessKeys, defaultCredentials } = auth;
      return {
        ...draft,
        method: defaultCredentials ? 'identity' : 'accessKeys',
        texts: known({
          ...{ awsAccessKeyId: accessKeys?.awsAccessKeyId },
          ...{ regionName: kwargs.regionName, endpointUrl: kwargs.endpointUrl },
        }),
        stored: known({
          awsSecretAccessKey: accessKeys?.awsSecretAccessKey,
          awsSessionToken: accessKeys?.awsSessionToken,
        }),
      };
    }
    case 'GoogleGenAICustomProviderConfig': {
      const options = config.googleGenaiClientKwargs?.httpOptions;
      return {
        ...{ ...draft, stored: known({ apiKey: config.googleGenaiAuthenticationMethod.apiKey }) },
        texts: known({ baseUrl: options?.baseUrl }),
        headers: readHeaders(options?.headers),
      };
    }
  }
}

/** The texts that are there. */
const known = (texts: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(texts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));

const readHeaders = (headers: unknown): readonly HeaderDraft[] =>
  Object.entries((headers ?? {}) as Readonly<Record<string, string>>).map(([name, stored]) => ({
    ...{ id: name, name, stored, value: '' },
  }));

/** Host of the address, or the region of Bedrock. */
export function describeAddress(draft: ConfigDraft): string {
  const text = draft.texts.get('baseUrl') ?? draft.texts.get('azureEndpoint') ?? draft.texts.get('endpointUrl');
  if (text !== undefined && URL.canParse(text)) return new URL(text).host;
  return draft.texts.get('regionName') ?? 'Address of the vendor';
}
