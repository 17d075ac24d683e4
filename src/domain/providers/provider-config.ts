import type { CustomProvider, ProviderConfig } from '../../model/models/custom-provider.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/** Location of sealed configs. A config that is moved elsewhere cannot be opened. */
export const PROVIDER_LOCATION = 'generative_model_custom_providers.config';

export const sealConfig = (box: SecretBox, config: ProviderConfig): Buffer =>
  box.seal(JSON.stringify(config), PROVIDER_LOCATION);

/** Decrypts the config of a provider, or returns why it cannot be read, for example because the key has changed. */
export function openConfig(
  box: SecretBox,
  { sealedConfig, sdk }: CustomProvider,
): ProviderConfig | { readonly problem: string } {
  const text = box.open(sealedConfig, PROVIDER_LOCATION);
  if (text === undefined) return { problem: 'Config cannot be decrypted' };
  // The text was sealed by this server, so it has the form that this server writes.
  const config = JSON.parse(text) as ProviderConfig;
  return config.type === sdk ? config : { problem: `Config is of the SDK ${config.type}, not of ${sdk}` };
}
