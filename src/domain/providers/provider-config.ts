import type { CustomProvider, ProviderConfig } from '../../model/custom-provider.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/** Where configs are kept: one that is moved elsewhere does not open. */
const PLACE = 'generative_model_custom_providers.config';

export const sealConfig = (secrets: SecretBox, config: ProviderConfig): Buffer =>
  secrets.seal(JSON.stringify(config), PLACE);

/** What a provider's config says, or why nobody knows: the key is another one now, say. */
export function openConfig(
  secrets: SecretBox,
  { sealedConfig, sdk }: CustomProvider,
): ProviderConfig | { readonly problem: string } {
  const text = secrets.open(sealedConfig, PLACE);
  if (text === undefined) return { problem: 'Config cannot be decrypted' };
  // Sealed by us, so it is what we wrote.
  const config = JSON.parse(text) as ProviderConfig;
  return config.type === sdk ? config : { problem: `Config is of the SDK ${config.type}, not of ${sdk}` };
}
