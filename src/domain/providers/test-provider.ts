import type { ProviderConfig, ProviderSdk } from '../../model/models/custom-provider.ts';
import type { ModelProvider } from '../../model/prompts/prompt-parameters.ts';
import type { Ports } from '../ports.ts';
import { checkProviderConfig } from './check-provider-config.ts';
import { toConnection, wordOf } from './custom-target.ts';

const PROVIDER_OF_SDK: Readonly<Record<ProviderSdk, ModelProvider>> = {
  openai: 'OPENAI',
  azure_openai: 'AZURE_OPENAI',
  anthropic: 'ANTHROPIC',
  aws_bedrock: 'AWS',
  google_genai: 'GOOGLE',
};

/** No vendor has it: no test produces text. */
export const TESTED_MODEL_NAME = 'test-of-credentials';

/**
 * Whether the vendor accepts the credentials of a config that need not be stored: null when it does, else the reason.
 *
 * @throws {SpandrelError} `PROVIDER_INVALID`
 */
export async function testProvider(
  { chatModels }: Pick<Ports, 'chatModels'>,
  config: ProviderConfig,
): Promise<string | null> {
  checkProviderConfig(config);
  const modelProvider = PROVIDER_OF_SDK[config.type];
  return chatModels.test({
    modelName: TESTED_MODEL_NAME,
    modelProvider,
    providerWord: wordOf({ sdk: config.type, provider: config.type }),
    connection: toConnection(config, {}),
  });
}
