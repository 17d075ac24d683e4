import { SpandrelError } from '../../model/errors.ts';
import type { CodeLanguage, SandboxBackend, SandboxConfig } from '../../model/evaluators/sandbox-config.ts';
import { RowError } from '../../model/row-error.ts';
import type { Ports } from '../ports.ts';
import { factsOf } from './sandbox-backends.ts';

export type SandboxParts = Pick<Ports, 'sandboxes' | 'allowedSandboxes'>;

export const isAllowedBackend = ({ allowedSandboxes }: Pick<Ports, 'allowedSandboxes'>, backend: SandboxBackend) =>
  allowedSandboxes?.has(backend) ?? true;

/**
 * The config with which code of a language runs.
 *
 * @throws {SpandrelError} `SANDBOX_CONFIG_NOT_FOUND`; `SANDBOX_CONFIG_INVALID` when it is disabled, its backend is, or it is
 *   for another language
 */
export async function findUsableConfig(
  ports: SandboxParts,
  rowId: number,
  language: CodeLanguage,
): Promise<SandboxConfig> {
  const config = (await ports.sandboxes.findConfigs([rowId])).get(rowId) ?? configUnknown(rowId);
  const { backend, name } = config;
  if (config.language !== language) {
    return invalidConfig(`Sandbox config '${name}' is for ${config.language}, but the evaluator is in ${language}`);
  }
  if (!config.isEnabled) return invalidConfig(`Sandbox config '${name}' is disabled`);
  const { isInstalled, displayName } = factsOf(backend);
  if (!isInstalled)
    return invalidConfig(`Sandbox config '${name}' needs ${displayName}, which this server does not have`);
  await checkBackendEnabled(ports, backend);
  return config;
}

/** Also for code without a config. @throws {SpandrelError} `SANDBOX_CONFIG_INVALID` */
export async function checkBackendEnabled(ports: SandboxParts, backend: SandboxBackend): Promise<void> {
  const provider = (await ports.sandboxes.listProviders()).find((one) => one.backend === backend);
  if (!provider?.isEnabled || !isAllowedBackend(ports, backend)) {
    invalidConfig(`Sandbox provider ${backend} is disabled`);
  }
}

export function invalidConfig(message: string): never {
  throw new SpandrelError('SANDBOX_CONFIG_INVALID', message);
}

export function configUnknown(rowId: number): never {
  throw new RowError(
    'SANDBOX_CONFIG_NOT_FOUND',
    'SandboxConfig',
    [rowId],
    (id) => `SandboxConfig with ID ${id} not found`,
  );
}
