import { SpandrelError } from '../../model/errors.ts';
import type { Headers } from '../../model/models/custom-provider.ts';
import { AWS_DEFAULT_REGION, AWS_REGION_VARIABLE, MODEL_VENDORS } from '../../model/models/model-vendors.ts';
import type { RequestCredentials, TaskConnection } from '../../model/playground/chat-task.ts';
import type { ModelProvider } from '../../model/prompts/prompt-parameters.ts';
import type { ModelConnection, ModelTarget } from '../../llm/contract/model-target.ts';
import type { Ports } from '../ports.ts';
import { type CallAddress, findAddress } from '../providers/call-address.ts';
import { checkRegion } from '../providers/check-provider-config.ts';
import { customTarget } from '../providers/custom-target.ts';
import { checkVariableHost, findKeys } from '../providers/find-keys.ts';
import { isAllowed } from '../providers/model-settings.ts';

type Parts = Pick<Ports, 'providers' | 'secrets' | 'secretBox' | 'modelSettings'>;

/** What a prompt, and the request that runs it, say about the model. */
export interface TargetRequest {
  readonly modelProvider: ModelProvider;
  readonly modelName: string;
  readonly customProviderId?: number | null | undefined;
  /** Ignored with a custom provider. */
  readonly connection: TaskConnection | null;
  readonly headers: Headers | null;
  readonly credentials: RequestCredentials;
}

/**
 * Finds the address and the credentials of a model. With a custom provider only its config counts: nothing of the
 * environment, of stored secrets and of the request's credentials reaches the call.
 *
 * @throws {SpandrelError} `PROVIDER_NOT_FOUND`, `PROVIDER_INVALID`, `SECRET_HOST_DENIED`, `SECRET_UNREADABLE`
 */
export async function resolveTarget(ports: Parts, request: TargetRequest): Promise<ModelTarget> {
  const { modelProvider, customProviderId, credentials, headers } = request;
  const modelName = request.modelName.trim();
  if (typeof customProviderId === 'number') {
    return customTarget(ports, customProviderId, { modelProvider, modelName, headers: headers ?? {} });
  }
  const vendor = MODEL_VENDORS[modelProvider];
  if (!isAllowed(ports.modelSettings, modelProvider)) {
    return reject(`The provider ${vendor.displayName} is not allowed on this server`);
  }
  if (modelName === '' && vendor.system === 'openai') return reject('A model name is required for OpenAI models');
  if (modelName === '') return reject(`A model name is required for ${vendor.displayName} models`);
  const connection = await connect(ports, modelProvider, request.connection, credentials, headers ?? {});
  return { modelName, modelProvider, providerWord: vendor.providerWord, connection };
}

/** Settings of another family than the vendor's do not count. */
function connect(
  ports: Parts,
  provider: ModelProvider,
  given: TaskConnection | null,
  credentials: RequestCredentials,
  headers: Headers,
): Promise<ModelConnection> {
  const keysFor = (address: CallAddress) => findKeys(ports, provider, credentials, address);
  const { sdk } = MODEL_VENDORS[provider];
  switch (sdk) {
    case 'openai':
      return connectOpenAi(ports, provider, given?.type === sdk ? given : null, headers, keysFor);
    case 'azure_openai':
      return connectAzure(ports, given?.type === sdk ? given : null, headers, keysFor);
    case 'anthropic':
    case 'google_genai':
      return connectPlain(ports, provider, sdk, given?.type === sdk ? given : null, headers, keysFor);
    case 'aws_bedrock':
      return connectAws(ports, given?.type === sdk ? given : null, headers, keysFor);
  }
}

type KeysFor = (address: CallAddress) => ReturnType<typeof findKeys>;
type Of<Type extends TaskConnection['type']> = Extract<TaskConnection, { type: Type }> | null;

async function connectOpenAi(
  ports: Parts,
  provider: ModelProvider,
  given: Of<'openai'>,
  headers: Headers,
  keysFor: KeysFor,
): Promise<ModelConnection> {
  const address = findAddress(ports.modelSettings, provider, given?.base_url);
  const vendor = MODEL_VENDORS[provider];
  if (address.url === undefined) {
    return reject(
      `A base URL is required for ${vendor.displayName} models. Set the ${vendor.baseUrlVariable} environment variable (for example http://localhost:11434/v1) or use a custom provider.`,
    );
  }
  return {
    type: 'openai',
    api: given?.openai_api_type ?? 'chat_completions',
    baseUrl: address.url,
    apiKey: apiKeyOf(provider, await keysFor(address), address),
    organization: given?.organization,
    project: given?.project,
    headers,
  };
}

async function connectAzure(
  ports: Parts,
  given: Of<'azure_openai'>,
  headers: Headers,
  keysFor: KeysFor,
): Promise<ModelConnection> {
  const address = findAddress(ports.modelSettings, 'AZURE_OPENAI', given?.azure_endpoint);
  if (address.url === undefined) {
    return reject(
      'An Azure endpoint is required for Azure OpenAI models. Set the AZURE_OPENAI_ENDPOINT environment variable or use a custom provider.',
    );
  }
  const apiKey = firstOf(await keysFor(address));
  // The token of the server's own identity is a credential of the environment too.
  if (apiKey === undefined) checkVariableHost(ports.modelSettings, 'AZURE_OPENAI_API_KEY', address);
  return {
    type: 'azure_openai',
    api: given?.openai_api_type ?? 'chat_completions',
    endpoint: address.url,
    credential: apiKey === undefined ? { type: 'default' } : { type: 'key', apiKey },
    headers,
  };
}

async function connectPlain(
  ports: Parts,
  provider: ModelProvider,
  type: 'anthropic' | 'google_genai',
  given: Of<'anthropic' | 'google_genai'>,
  headers: Headers,
  keysFor: KeysFor,
): Promise<ModelConnection> {
  const address = findAddress(ports.modelSettings, provider, given?.base_url);
  return { type, baseUrl: address.url, apiKey: apiKeyOf(provider, await keysFor(address), address), headers };
}

async function connectAws(
  ports: Parts,
  given: Of<'aws_bedrock'>,
  headers: Headers,
  keysFor: KeysFor,
): Promise<ModelConnection> {
  const { variables } = ports.modelSettings;
  const region = checkRegion(given?.region_name?.trim() || variables[AWS_REGION_VARIABLE] || AWS_DEFAULT_REGION);
  const named = findAddress(ports.modelSettings, 'AWS', given?.endpoint_url);
  const address = { ...named, host: named.host || `bedrock-runtime.${region}.amazonaws.com` };
  const keys = await keysFor(address);
  const accessKeyId = keys?.get('AWS_ACCESS_KEY_ID');
  const secretAccessKey = keys?.get('AWS_SECRET_ACCESS_KEY');
  if (keys === undefined || accessKeyId === undefined || secretAccessKey === undefined) {
    checkVariableHost(ports.modelSettings, 'AWS_SECRET_ACCESS_KEY', address);
    return { type: 'aws_bedrock', region, endpointUrl: address.url, credential: { type: 'default' }, headers };
  }
  const sessionToken = keys.get('AWS_SESSION_TOKEN');
  return {
    type: 'aws_bedrock',
    region,
    endpointUrl: address.url,
    credential: { type: 'keys', accessKeyId, secretAccessKey, sessionToken },
    headers,
  };
}

/** Servers of models on one's own machine need no key, but the packages of vendors do. */
const PLACEHOLDER_KEY = 'none';

function apiKeyOf(provider: ModelProvider, keys: Awaited<ReturnType<KeysFor>>, { isOfVendor }: CallAddress): string {
  const key = firstOf(keys);
  if (key !== undefined) return key;
  const { credentials, displayName } = MODEL_VENDORS[provider];
  const [credential] = credentials;
  if (!isOfVendor || credential === undefined) return PLACEHOLDER_KEY;
  return reject(
    `An API key is required for ${displayName} models. Set the ${credential.name} environment variable or use a custom provider.`,
  );
}

/**
 * Whether calls of a model carry a credential that someone has given: neither the identity of the machine in a cloud, nor the text that is sent
 * as the key to a server that needs none.
 */
export function hasCredential({ connection }: ModelTarget): boolean {
  return 'apiKey' in connection ? connection.apiKey !== PLACEHOLDER_KEY : connection.credential.type !== 'default';
}

const firstOf = (keys: ReadonlyMap<string, string> | undefined): string | undefined => keys?.values().next().value;

function reject(message: string): never {
  throw new SpandrelError('PROVIDER_INVALID', message);
}
