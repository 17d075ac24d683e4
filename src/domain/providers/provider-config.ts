import type { CustomProvider, ProviderConfig } from '../../model/models/custom-provider.ts';
import type { SecretBox } from '../secrets/secret-box.ts';

/** Location of sealed configs. A config that is moved elsewhere cannot be opened. */
const LOCATION = 'generative_model_custom_providers.config';

export const sealConfig = (secrets: SecretBox, config: ProviderConfig): Buffer =>
  secrets.seal(JSON.stringify(config), LOCATION);

/** Decrypts the config of a provider, or says why it cannot be read, for example because the key has changed. */
export function openConfig(
  secrets: SecretBox,
  { sealedConfig, sdk }: CustomProvider,
): ProviderConfig | { readonly problem: string } {
  const text = secrets.open(sealedConfig, LOCATION);
  if (text === undefined) return { problem: 'Config cannot be decrypted' };
  // The text was sealed by this server, so it has the form that this server writes.
  const config = JSON.parse(text) as ProviderConfig;
  return config.type === sdk ? config : { problem: `Config is of the SDK ${config.type}, not of ${sdk}` };
}
