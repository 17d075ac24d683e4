import { SpandrelError } from '../../model/errors.ts';
import type { CustomProvider, Headers, ProviderConfig } from '../../model/models/custom-provider.ts';
import { canServe, MODEL_VENDORS } from '../../model/models/model-vendors.ts';
import type { ModelProvider } from '../../model/prompts/prompt-parameters.ts';
import type { ModelConnection, ModelTarget } from '../../llm/contract/model-target.ts';
import type { Ports } from '../ports.ts';
import { openConfig } from './provider-config.ts';

interface CustomCall {
  readonly modelProvider: ModelProvider;
  readonly modelName: string;
  readonly headers: Headers;
}

/** @throws {SpandrelError} `PROVIDER_NOT_FOUND`, `PROVIDER_INVALID` when it cannot serve the prompt, `SECRET_UNREADABLE` */
export async function customTarget(
  { providers, secretBox }: Pick<Ports, 'providers' | 'secretBox'>,
  rowId: number,
  { modelProvider, modelName, headers }: CustomCall,
): Promise<ModelTarget> {
  const provider = (await providers.findByRowIds([rowId])).get(rowId);
  if (provider === undefined) {
    throw new SpandrelError('PROVIDER_NOT_FOUND', `Custom provider with ID ${rowId} not found`);
  }
  const { name, sdk } = provider;
  if (!canServe(sdk, modelProvider)) {
    throw new SpandrelError(
      'PROVIDER_INVALID',
      `Custom provider '${name}' has SDK '${sdk}' which is not compatible with model provider '${modelProvider}'.`,
    );
  }
  if (modelName === '') {
    throw new SpandrelError('PROVIDER_INVALID', `A model name is required for ${nameOfModels(provider)} models`);
  }
  const config = openConfig(secretBox, provider);
  if ('problem' in config) throw new SpandrelError('SECRET_UNREADABLE', 'Failed to decrypt custom provider config');
  return { modelName, modelProvider, providerWord: wordOf(provider), connection: toConnection(config, headers) };
}

const nameOfModels = ({ sdk, name }: CustomProvider): string =>
  sdk === 'openai' || sdk === 'azure_openai' ? 'OpenAI' : name;

/** Value of `llm.provider`. The SDKs of one vendor have a fixed one. */
export function wordOf({ sdk, provider }: Pick<CustomProvider, 'sdk' | 'provider'>): string {
  if (sdk === 'azure_openai') return MODEL_VENDORS.AZURE_OPENAI.providerWord;
  if (sdk === 'anthropic') return MODEL_VENDORS.ANTHROPIC.providerWord;
  return sdk === 'google_genai' ? MODEL_VENDORS.GOOGLE.providerWord : provider;
}

// Named here, because the packages of the vendors would read other addresses from the environment.
const OPENAI_URL = MODEL_VENDORS.OPENAI.baseUrl ?? undefined;
const ANTHROPIC_URL = MODEL_VENDORS.ANTHROPIC.baseUrl ?? undefined;
const GOOGLE_URL = MODEL_VENDORS.GOOGLE.baseUrl ?? undefined;

/** @param headers Headers of the request, which replace those of the provider of the same name. */
export function toConnection(config: ProviderConfig, headers: Headers): ModelConnection {
  switch (config.type) {
    case 'openai': {
      const { base_url, organization, project, default_headers } = config.openai_client_kwargs ?? {};
      const { api_key } = config.openai_authentication_method;
      return {
        ...{
          type: config.type,
          api: config.openai_api_type,
          baseUrl: base_url ?? OPENAI_URL,
          apiKey: api_key,
          organization,
          project,
        },
        headers: merge(default_headers, headers),
      };
    }
    case 'azure_openai': {
      const { azure_endpoint, default_headers } = config.azure_openai_client_kwargs;
      return {
        ...{ type: config.type, api: config.openai_api_type, endpoint: azure_endpoint },
        credential: toAzureCredential(config.azure_openai_authentication_method),
        headers: merge(default_headers, headers),
      };
    }
    case 'anthropic': {
      const { base_url, default_headers } = config.anthropic_client_kwargs ?? {};
      const { api_key } = config.anthropic_authentication_method;
      return {
        type: config.type,
        baseUrl: base_url ?? ANTHROPIC_URL,
        apiKey: api_key,
        headers: merge(default_headers, headers),
      };
    }
    case 'google_genai': {
      const options = config.google_genai_client_kwargs?.http_options ?? {};
      const { api_key } = config.google_genai_authentication_method;
      return {
        ...{ type: config.type, baseUrl: options.base_url ?? GOOGLE_URL, apiKey: api_key },
        headers: merge(options.headers, headers),
      };
    }
    case 'aws_bedrock': {
      const { region_name, endpoint_url } = config.aws_bedrock_client_kwargs;
      return {
        ...{ type: config.type, region: region_name, endpointUrl: endpoint_url },
        credential: toAwsCredential(config.aws_bedrock_authentication_method),
        headers,
      };
    }
  }
}

type MethodOf<Type extends ProviderConfig['type'], Name extends string> =
  Extract<ProviderConfig, { type: Type }> extends { readonly [Key in Name]: infer Method } ? Method : never;

function toAzureCredential(method: MethodOf<'azure_openai', 'azure_openai_authentication_method'>) {
  if (method.type === 'api_key') return { type: 'key', apiKey: method.api_key } as const;
  if (method.type === 'default_credentials') return { type: 'default' } as const;
  return {
    type: 'client',
    tenantId: method.azure_tenant_id,
    clientId: method.azure_client_id,
    clientSecret: method.azure_client_secret,
    scope: method.scope,
  } as const;
}

function toAwsCredential(method: MethodOf<'aws_bedrock', 'aws_bedrock_authentication_method'>) {
  if (method.type === 'default_credentials') return { type: 'default' } as const;
  return {
    type: 'keys',
    accessKeyId: method.aws_access_key_id,
    secretAccessKey: method.aws_secret_access_key,
    sessionToken: method.aws_session_token,
  } as const;
}

/** Names of headers ignore case. */
function merge(own: Headers | undefined, given: Headers): Headers {
  const replaced = new Set(Object.keys(given).map((name) => name.toLowerCase()));
  const others = Object.entries(own ?? {}).filter(([name]) => !replaced.has(name.toLowerCase()));
  return Object.fromEntries([...others, ...Object.entries(given)]);
}
