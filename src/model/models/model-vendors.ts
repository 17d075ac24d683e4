import type { ModelProvider } from '../prompts/prompt-parameters.ts';
import type { ProviderSdk } from './custom-provider.ts';

/** A vendor of models that the server calls. Everything about it is data: its SDK decides how calls look. */
export interface ModelVendor {
  readonly displayName: string;
  /** Value of `llm.provider`. */
  readonly providerWord: string;
  /** Value of `llm.system`. */
  readonly system: 'openai' | 'anthropic' | 'vertexai' | 'aws';
  readonly sdk: ProviderSdk;
  /** Names of its credentials in requests, stored secrets and the environment. */
  readonly credentials: readonly VendorCredential[];
  /** Further names under which the API key is found. They are not listed as requirements. */
  readonly otherKeyNames: readonly string[];
  /** Variable of the environment with its address. */
  readonly baseUrlVariable: string | null;
  /** Its own address. Null when it has none: every account or installation has another. */
  readonly baseUrl: string | null;
  /** Name of the package that the public API reports for it. */
  readonly dependency: string;
}

export interface VendorCredential {
  readonly name: string;
  readonly isRequired: boolean;
}

const required = (name: string): VendorCredential => ({ name, isRequired: true });

const OPENAI_LIKE = { system: 'openai', sdk: 'openai', otherKeyNames: [], dependency: 'openai' } as const;

/** A vendor with OpenAI's API, whose variables start with its name. */
const openAiLike = (displayName: string, providerWord: string, baseUrl: string): ModelVendor => ({
  ...OPENAI_LIKE,
  displayName,
  providerWord,
  credentials: [required(`${providerWord.toUpperCase()}_API_KEY`)],
  baseUrlVariable: `${providerWord.toUpperCase()}_BASE_URL`,
  baseUrl,
});

export const MODEL_VENDORS: Readonly<Record<ModelProvider, ModelVendor>> = {
  OPENAI: openAiLike('OpenAI', 'openai', 'https://api.openai.com/v1'),
  AZURE_OPENAI: {
    ...OPENAI_LIKE,
    displayName: 'Azure OpenAI',
    providerWord: 'azure',
    sdk: 'azure_openai',
    credentials: [required('AZURE_OPENAI_API_KEY')],
    baseUrlVariable: 'AZURE_OPENAI_ENDPOINT',
    baseUrl: null,
  },
  ANTHROPIC: {
    displayName: 'Anthropic',
    providerWord: 'anthropic',
    system: 'anthropic',
    sdk: 'anthropic',
    credentials: [required('ANTHROPIC_API_KEY')],
    otherKeyNames: [],
    baseUrlVariable: null,
    baseUrl: 'https://api.anthropic.com',
    dependency: 'anthropic',
  },
  GOOGLE: {
    displayName: 'Google Gemini',
    providerWord: 'google',
    system: 'vertexai',
    sdk: 'google_genai',
    credentials: [required('GEMINI_API_KEY')],
    otherKeyNames: ['GOOGLE_API_KEY'],
    baseUrlVariable: null,
    baseUrl: 'https://generativelanguage.googleapis.com',
    dependency: 'google-genai',
  },
  DEEPSEEK: openAiLike('DeepSeek', 'deepseek', 'https://api.deepseek.com'),
  XAI: openAiLike('xAI', 'xai', 'https://api.x.ai/v1'),
  OLLAMA: {
    ...OPENAI_LIKE,
    displayName: 'Ollama',
    providerWord: 'ollama',
    credentials: [],
    baseUrlVariable: 'OLLAMA_BASE_URL',
    baseUrl: null,
  },
  AWS: {
    displayName: 'AWS Bedrock',
    providerWord: 'aws',
    system: 'aws',
    sdk: 'aws_bedrock',
    credentials: [
      required('AWS_ACCESS_KEY_ID'),
      required('AWS_SECRET_ACCESS_KEY'),
      { name: 'AWS_SESSION_TOKEN', isRequired: false },
    ],
    otherKeyNames: [],
    baseUrlVariable: null,
    baseUrl: null,
    dependency: 'aioboto3',
  },
  CEREBRAS: openAiLike('Cerebras', 'cerebras', 'https://api.cerebras.ai/v1'),
  FIREWORKS: openAiLike('Fireworks', 'fireworks', 'https://api.fireworks.ai/inference/v1'),
  GROQ: openAiLike('Groq', 'groq', 'https://api.groq.com/openai/v1'),
  MOONSHOT: openAiLike('Moonshot', 'moonshot', 'https://api.moonshot.ai/v1'),
  PERPLEXITY: openAiLike('Perplexity', 'perplexity', 'https://api.perplexity.ai'),
  TOGETHER: openAiLike('Together', 'together', 'https://api.together.xyz/v1'),
};

/** Region of Bedrock when neither the request nor the environment names one. */
export const AWS_REGION_VARIABLE = 'AWS_REGION';
export const AWS_DEFAULT_REGION = 'us-east-1';

/** Names under which the keys of a vendor are looked up, the first that is found counts. */
export const keyNamesOf = ({ credentials, otherKeyNames }: ModelVendor): readonly string[] => [
  ...credentials.map(({ name }) => name),
  ...otherKeyNames,
];

/** All variables of the environment that configure access to vendors. */
export const VENDOR_VARIABLES: readonly string[] = [
  ...Object.values(MODEL_VENDORS).flatMap((vendor) => [
    ...keyNamesOf(vendor),
    ...(vendor.baseUrlVariable === null ? [] : [vendor.baseUrlVariable]),
  ]),
  AWS_REGION_VARIABLE,
];

/** Whether a custom provider of an SDK can serve the prompts of a provider. */
export const canServe = (sdk: ProviderSdk, provider: ModelProvider): boolean =>
  protocolOf(sdk) === protocolOf(MODEL_VENDORS[provider].sdk);

/** Azure speaks OpenAI's protocol. */
const protocolOf = (sdk: ProviderSdk): ProviderSdk => (sdk === 'azure_openai' ? 'openai' : sdk);
