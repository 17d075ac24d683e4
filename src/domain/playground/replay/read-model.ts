import type { ExactJsonObject } from '../../../base/exact-json.ts';
import type { OpenAIApiType } from '../../../model/models/custom-provider.ts';
import { MODEL_VENDORS } from '../../../model/models/model-vendors.ts';
import { providerOfSpan } from '../../../model/models/provider-of-span.ts';
import type { TaskConnection } from '../../../model/playground/chat-task.ts';
import type { ModelProvider } from '../../../model/prompts/prompt-parameters.ts';
import { textAt } from './attribute-at.ts';

export interface ReadModel {
  /** Null when neither the span nor the name of its model says it. */
  readonly provider: ModelProvider | null;
  /** Empty when the span names none. */
  readonly modelName: string;
  /** Null: the vendor's own address. */
  readonly connection: TaskConnection | null;
}

/** Model, provider and address of the call of a span. */
export function readModel(attributes: ExactJsonObject): ReadModel {
  const recorded = textAt(attributes, 'llm.model_name') ?? '';
  const provider = providerOfSpan(textAt(attributes, 'llm.provider') ?? '', recorded) ?? null;
  const full = textAt(attributes, 'url.full');
  const modelName = provider === 'AZURE_OPENAI' ? (deploymentOf(attributes, full) ?? recorded) : recorded;
  return { provider, modelName, connection: readConnection(provider, full, textAt(attributes, 'url.path')) };
}

function deploymentOf(attributes: ExactJsonObject, url: string | undefined): string | undefined {
  const [, deployment] = /\/deployments\/([^/?#]+)/.exec(url ?? '') ?? [];
  return deployment ?? textAt(attributes, 'metadata.ls_model_name');
}

function readConnection(
  provider: ModelProvider | null,
  full: string | undefined,
  path: string | undefined,
): TaskConnection | null {
  if (provider === null || full === undefined || path === undefined) return null;
  const baseUrl = baseOf(full, path);
  const api: OpenAIApiType = path.includes('responses') ? 'responses' : 'chat_completions';
  if (baseUrl === undefined) return null;
  const { sdk, baseUrl: own } = MODEL_VENDORS[provider];
  const isOwn = own !== null && baseUrl.replace(/\/$/, '') === own.replace(/\/$/, '');
  switch (sdk) {
    case 'openai':
      if (isOwn && api === 'chat_completions') return null;
      return { type: sdk, openai_api_type: api, ...(!isOwn && { base_url: baseUrl }) };
    case 'azure_openai':
      return {
        type: sdk,
        azure_endpoint: baseUrl.replace(/\/openai\/(?:v1|deployments\/[^/]+)\/?$/, ''),
        openai_api_type: api,
      };
    case 'anthropic':
    case 'google_genai':
      return isOwn ? null : { type: sdk, base_url: baseUrl };
    case 'aws_bedrock':
      return null;
  }
}

/** The path of a span is relative to its base URL. */
function baseOf(full: string, path: string): string | undefined {
  if (!URL.canParse(full)) return undefined;
  const { origin, pathname } = new URL(full);
  const tail = path.replace(/^\//, '').replace(/\?.*$/, '');
  if (tail === '' || !pathname.endsWith(tail)) return undefined;
  return origin + pathname.slice(0, -tail.length).replace(/\/$/, '');
}
