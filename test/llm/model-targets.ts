import type { ModelTarget } from '../../src/llm/contract/model-target.ts';
import type { VendorProtocol } from '../vendor-endpoint/vendor-call.ts';
import { targetOf } from './vendor-fixtures.ts';

/** A model of an endpoint of tests. */
export type TargetOf = (
  endpointUrl: string,
  options: { readonly key: string; readonly modelName: string },
) => ModelTarget;

const openAi =
  (api: 'chat_completions' | 'responses'): TargetOf =>
  (url, { key, modelName }) => ({
    ...{ modelName, modelProvider: 'OPENAI', providerWord: 'openai' },
    connection: {
      ...{ type: 'openai', api, baseUrl: `${url}/v1`, apiKey: key },
      ...{ organization: undefined, project: undefined, headers: {} },
    },
  });

/** A model by wire protocol. */
export const MODEL_TARGETS = {
  'openai-chat': openAi('chat_completions'),
  'openai-responses': openAi('responses'),
  'anthropic-messages': (url, options) => targetOf('anthropic', url, options),
  'google-generate-content': (url, options) => targetOf('google', url, options),
  'bedrock-converse': (url, options) => targetOf('bedrock', url, options),
} as const satisfies Record<VendorProtocol, TargetOf>;
