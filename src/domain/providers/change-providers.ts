import type {
  CustomProvider,
  CustomProviderChanges,
  ProviderConfig,
  ProviderSdk,
} from '../../model/custom-provider.ts';
import { PROVIDER_SDKS } from '../../model/custom-provider.ts';
import { SpandrelError } from '../../model/errors.ts';
import { toGlobalId } from '../../model/global-id.ts';
import { INDEXED_TEXT_BYTES_MAX, PROVIDER_CONFIG_CHARS_MAX } from '../../model/limits.ts';
import type { Ports } from '../ports.ts';
import { sealConfig } from './provider-config.ts';

type Parts = Pick<Ports, 'providers' | 'secrets'>;

export interface ProviderFields {
  readonly name: string;
  readonly description: string | null;
  readonly provider: string;
  readonly config: ProviderConfig;
}

/** @throws {SpandrelError} `PROVIDER_INVALID`, `PROVIDER_NAME_TAKEN` */
export async function createProvider(
  { providers, secrets }: Parts,
  { config, ...fields }: ProviderFields,
): Promise<CustomProvider> {
  const checked = checkNames(fields);
  return providers.create({ ...checked, sdk: config.type, sealedConfig: sealConfig(secrets, checkConfig(config)) });
}

/**
 * What is undefined stays. The config is replaced as a whole.
 *
 * @throws {SpandrelError} `PROVIDER_INVALID`, `PROVIDER_NAME_TAKEN`, `PROVIDER_NOT_FOUND`
 */
export async function patchProvider(
  { providers, secrets }: Parts,
  rowId: number,
  { config, ...fields }: Partial<ProviderFields>,
): Promise<CustomProvider> {
  const changes: CustomProviderChanges = {
    ...checkNames(fields),
    ...(config && { sdk: config.type, sealedConfig: sealConfig(secrets, checkConfig(config)) }),
  };
  const changed = await providers.update(rowId, changes, config ? sdksThatBecome(config.type) : PROVIDER_SDKS);
  if (changed) return changed;
  const found = (await providers.findByRowIds([rowId])).get(rowId);
  if (!found) return providerNotFound(toGlobalId('GenerativeModelCustomProvider', rowId));
  return invalid(`Cannot change the SDK of a provider from '${found.sdk}' to '${config?.type}'`);
}

/** Both take the same calls. */
const sdksThatBecome = (sdk: ProviderSdk): readonly ProviderSdk[] =>
  sdk === 'openai' || sdk === 'azure_openai' ? ['openai', 'azure_openai'] : [sdk];

function checkNames<Fields extends Partial<Omit<ProviderFields, 'config'>>>(fields: Fields): Fields {
  for (const [what, text] of [
    ['Name', fields.name],
    ['Provider', fields.provider],
  ] as const) {
    if (text === undefined) continue;
    if (text === '') invalid(`${what} cannot be empty`);
    if (Buffer.byteLength(text) > INDEXED_TEXT_BYTES_MAX) {
      invalid(`${what} must have at most ${INDEXED_TEXT_BYTES_MAX} bytes of UTF-8`);
    }
  }
  return fields;
}

function checkConfig(config: ProviderConfig): ProviderConfig {
  if (JSON.stringify(config).length <= PROVIDER_CONFIG_CHARS_MAX) return config;
  return invalid(`A config must have at most ${PROVIDER_CONFIG_CHARS_MAX} characters`);
}

const invalid = (message: string): never => {
  throw new SpandrelError('PROVIDER_INVALID', message);
};

export const providerNotFound = (globalId: string): never => {
  throw new SpandrelError('PROVIDER_NOT_FOUND', `Custom provider with ID '${globalId}' not found`);
};
