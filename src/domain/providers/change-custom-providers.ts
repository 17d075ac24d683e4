import { authorOf } from '../../model/access/caller.ts';
import { SpandrelError } from '../../model/errors.ts';
import { INDEXED_TEXT_BYTES_MAX } from '../../model/limits/datasets.ts';
import type {
  CustomProvider,
  CustomProviderChanges,
  ProviderConfig,
  ProviderSdk,
} from '../../model/models/custom-provider.ts';
import { PROVIDER_SDKS } from '../../model/models/custom-provider.ts';
import { RowError } from '../../model/row-error.ts';
import { type AuditParts, recorded } from '../access/audit.ts';
import type { Ports } from '../ports.ts';
import { checkProviderConfig } from './check-provider-config.ts';
import { sealConfig } from './provider-config.ts';

type Parts = Pick<Ports, 'providers' | 'secretBox'> & AuditParts;

const targetOf = ({ rowId, name }: CustomProvider) => ({
  kind: 'GenerativeModelCustomProvider',
  id: String(rowId),
  name,
});

export interface ProviderFields {
  readonly name: string;
  readonly description: string | null;
  readonly provider: string;
  readonly config: ProviderConfig;
}

/** @throws {SpandrelError} `PROVIDER_INVALID`, `PROVIDER_NAME_TAKEN` */
export async function createProvider(ports: Parts, { config, ...given }: ProviderFields): Promise<CustomProvider> {
  const checked = checkFields(given);
  const sealedConfig = sealConfig(ports.secretBox, checkProviderConfig(config));
  return recorded(ports, async ({ providers }) => {
    const result = await providers.create({
      ...checked,
      sdk: config.type,
      sealedConfig,
      userId: authorOf(ports.caller),
    });
    const after = { name: result.name, provider: result.provider, sdk: result.sdk };
    return { result, entry: { action: 'provider.create', outcome: 'DONE', target: targetOf(result), after } };
  });
}

/**
 * Changes the given fields. The config is replaced as a whole.
 *
 * @throws {SpandrelError} `PROVIDER_INVALID`, `PROVIDER_NAME_TAKEN`, `PROVIDER_NOT_FOUND`
 */
export async function patchProvider(
  ports: Parts,
  rowId: number,
  { config, ...given }: Partial<ProviderFields>,
): Promise<CustomProvider> {
  const changes: CustomProviderChanges = {
    ...checkFields(given),
    ...(config && { sdk: config.type, sealedConfig: sealConfig(ports.secretBox, checkProviderConfig(config)) }),
  };
  const changed = await recorded(ports, async ({ providers }) => {
    const result = await providers.update(rowId, changes, config ? sdksThatBecome(config.type) : PROVIDER_SDKS);
    if (result === undefined) return { result, entry: undefined };
    const after = { name: result.name, provider: result.provider, sdk: result.sdk, hasNewConfig: config !== undefined };
    return { result, entry: { action: 'provider.update', outcome: 'DONE', target: targetOf(result), after } };
  });
  if (changed) return changed;
  const found = (await ports.providers.findByRowIds([rowId])).get(rowId);
  if (!found) throw providerNotFound([rowId]);
  return invalid(`Cannot change the SDK of a provider from '${found.sdk}' to '${config?.type}'`);
}

/** Both SDKs support the same calls. */
const sdksThatBecome = (sdk: ProviderSdk): readonly ProviderSdk[] =>
  sdk === 'openai' || sdk === 'azure_openai' ? ['openai', 'azure_openai'] : [sdk];

/** Texts without surrounding blanks. A blank description becomes null. */
function checkFields<Fields extends Partial<Omit<ProviderFields, 'config'>>>(fields: Fields): Fields {
  return {
    ...fields,
    ...(fields.name !== undefined && { name: checkName('Name', fields.name) }),
    ...(fields.description !== undefined && { description: fields.description?.trim() || null }),
    ...(fields.provider !== undefined && { provider: checkName('Provider', fields.provider) }),
  };
}

function checkName(what: string, given: string): string {
  const name = given.trim();
  if (name === '') return invalid(`${what} cannot be empty`);
  if (Buffer.byteLength(name) <= INDEXED_TEXT_BYTES_MAX) return name;
  return invalid(`${what} must have at most ${INDEXED_TEXT_BYTES_MAX} bytes of UTF-8`);
}

const invalid = (message: string): never => {
  throw new SpandrelError('PROVIDER_INVALID', message);
};

const providerNotFound = (rowIds: readonly number[]): RowError =>
  new RowError(
    'PROVIDER_NOT_FOUND',
    'GenerativeModelCustomProvider',
    rowIds,
    (id) => `Custom provider with ID '${id}' not found`,
  );

/** An unknown provider is ignored. Prompt versions that use the provider lose it. */
export async function deleteProvider(ports: Parts, rowId: number): Promise<void> {
  const found = (await ports.providers.findByRowIds([rowId])).get(rowId);
  if (found === undefined) return;
  await recorded(ports, async ({ providers }) => {
    await providers.delete(rowId);
    return { result: undefined, entry: { action: 'provider.delete', outcome: 'DONE', target: targetOf(found) } };
  });
}
