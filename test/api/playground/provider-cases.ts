import { MODEL_VENDORS } from '../../../src/model/models/model-vendors.ts';
import { MODEL_PROVIDERS, type ModelProvider } from '../../../src/model/prompts/prompt-parameters.ts';
import type { VendorProtocol } from '../../vendor-endpoint/vendor-call.ts';

/** A provider, with one of OpenAI's two protocols where it has both. */
export interface ProviderCase {
  readonly name: string;
  readonly provider: ModelProvider;
  readonly protocol: VendorProtocol;
  readonly openaiApiType?: 'CHAT_COMPLETIONS' | 'RESPONSES';
  /** Model that is called at the vendor, unless the variable `TRY_<PROVIDER>_MODEL` names another. */
  readonly realModel: string | undefined;
  readonly hasTools: boolean;
}

const PROTOCOLS: Partial<Record<ModelProvider, VendorProtocol>> = {
  ANTHROPIC: 'anthropic-messages',
  GOOGLE: 'google-generate-content',
  AWS: 'bedrock-converse',
};

/** Small models. Azure has names of its own for every account. */
const REAL_MODELS: Readonly<Record<ModelProvider, string | undefined>> = {
  OPENAI: 'gpt-4o-mini',
  AZURE_OPENAI: undefined,
  ANTHROPIC: 'claude-haiku-4-5',
  GOOGLE: 'gemini-2.5-flash',
  DEEPSEEK: 'deepseek-chat',
  XAI: 'grok-3-mini',
  OLLAMA: 'llama3.2',
  AWS: 'amazon.nova-lite-v1:0',
  CEREBRAS: 'llama3.1-8b',
  FIREWORKS: 'accounts/fireworks/models/llama-v3p3-70b-instruct',
  GROQ: 'llama-3.1-8b-instant',
  MOONSHOT: 'moonshot-v1-8k',
  PERPLEXITY: 'sonar',
  TOGETHER: 'meta-llama/Llama-3.3-70B-Instruct-Turbo',
};

export const PROVIDER_CASES: readonly ProviderCase[] = MODEL_PROVIDERS.flatMap((provider) => {
  const protocol = PROTOCOLS[provider] ?? 'openai-chat';
  const shared = { provider, realModel: REAL_MODELS[provider], hasTools: provider !== 'PERPLEXITY' };
  const { displayName } = MODEL_VENDORS[provider];
  if (provider !== 'OPENAI' && provider !== 'AZURE_OPENAI') return [{ ...shared, name: displayName, protocol }];
  return [
    { ...shared, name: `${displayName}, chat completions`, protocol, openaiApiType: 'CHAT_COMPLETIONS' },
    { ...shared, name: `${displayName}, responses`, protocol: 'openai-responses', openaiApiType: 'RESPONSES' },
  ];
});

/** Where a case is called, as input of GraphQL. */
export interface Connection {
  readonly model: string;
  readonly connectionConfig: object | null;
  readonly credentials: readonly { readonly envVarName: string; readonly value: string }[];
}

/** The path below which each vendor has its interface. */
const BASE_PATHS: Partial<Record<ModelProvider, string>> = {
  AZURE_OPENAI: '',
  ANTHROPIC: '',
  GOOGLE: '',
  AWS: '',
  GROQ: '/openai/v1',
  FIREWORKS: '/inference/v1',
  DEEPSEEK: '',
  PERPLEXITY: '',
};

export const TEST_KEY = 'test-key-0123456789';

export function connectToEndpoint({ provider, openaiApiType }: ProviderCase, url: string): Connection {
  const address = `${url}${BASE_PATHS[provider] ?? '/v1'}`;
  const fields =
    provider === 'AZURE_OPENAI'
      ? { azureEndpoint: address }
      : provider === 'AWS'
        ? { regionName: 'eu-west-1', endpointUrl: address }
        : { baseUrl: address };
  return {
    model: 'test-model',
    connectionConfig: { ...fields, ...(openaiApiType && { openaiApiType }) },
    credentials: MODEL_VENDORS[provider].credentials
      .filter(({ isRequired }) => isRequired)
      .map(({ name }) => ({ envVarName: name, value: TEST_KEY })),
  };
}

/** The vendor itself, with the keys of the process. Names of the variables that are missing if there are any. */
export function connectToVendor(
  { provider, openaiApiType, realModel }: ProviderCase,
  variables: Readonly<Record<string, string | undefined>>,
): Connection | { readonly missing: readonly string[] } {
  const { credentials, otherKeyNames, baseUrl, baseUrlVariable } = MODEL_VENDORS[provider];
  const found = [...credentials.map(({ name }) => name), ...otherKeyNames].flatMap((name) => {
    const value = variables[name];
    return value ? [{ envVarName: name, value }] : [];
  });
  const other = otherKeyNames.some((name) => variables[name]);
  const modelVariable = `TRY_${provider}_MODEL`;
  const model = variables[modelVariable] ?? realModel;
  const address = baseUrlVariable === null ? undefined : variables[baseUrlVariable];
  const missing = [
    ...credentials.filter(({ name, isRequired }) => isRequired && !variables[name] && !other).map(({ name }) => name),
    ...(baseUrl === null && baseUrlVariable !== null && !address ? [baseUrlVariable] : []),
    ...(model ? [] : [modelVariable]),
  ];
  if (missing.length > 0 || model === undefined) return { missing };
  const fields = address && (provider === 'AZURE_OPENAI' ? { azureEndpoint: address } : { baseUrl: address });
  const region = provider === 'AWS' && variables.AWS_REGION ? { regionName: variables.AWS_REGION } : {};
  return {
    model,
    connectionConfig: { ...fields, ...region, ...(openaiApiType && { openaiApiType }) },
    credentials: found,
  };
}
