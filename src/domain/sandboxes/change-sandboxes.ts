import { authorOf } from '../../model/access/caller.ts';
import type {
  NewSandboxConfig,
  SandboxBackend,
  SandboxConfig,
  SandboxConfigChanges,
  SandboxDeployment,
  SandboxResources,
} from '../../model/evaluators/sandbox-config.ts';
import {
  SANDBOX_CONFIG_COUNT_MAX,
  SANDBOX_CONFIG_DESCRIPTION_LENGTH_MAX,
  SANDBOX_ENTRY_COUNT_MAX,
  SANDBOX_ENTRY_LENGTH_MAX,
  SANDBOX_TIMEOUT_SECONDS_MAX,
} from '../../model/limits/sandbox.ts';
import { findSecretKeyProblem } from '../../model/secrets/secret.ts';
import { type AuditParts, recorded } from '../access/audit.ts';
import { configUnknown, invalidConfig, isAllowedBackend, type SandboxParts } from './find-usable-config.ts';
import { factsOf } from './sandbox-backends.ts';

type Parts = SandboxParts & AuditParts;

const targetOf = ({ rowId, name }: SandboxConfig) => ({ kind: 'SandboxConfig', id: String(rowId), name });

const fieldsOf = ({ backend, language, name, timeoutSeconds, isEnabled }: SandboxConfig) => ({
  ...{ backend, language, name, timeoutSeconds, isEnabled },
});

/** @throws {SpandrelError} `SANDBOX_CONFIG_INVALID`, `SANDBOX_CONFIG_NAME_TAKEN` */
export async function createSandboxConfig(
  ports: Parts,
  config: Omit<NewSandboxConfig, 'userId'>,
): Promise<SandboxConfig> {
  checkLanguage(config);
  checkFields(config, config.backend);
  const created = await recorded(ports, async ({ sandboxes }) => {
    const result = await sandboxes.createConfig({ ...config, userId: authorOf(ports.caller) });
    if (!result) return { result, entry: undefined };
    const entry = { action: 'sandbox-config.create', outcome: 'DONE', target: targetOf(result) } as const;
    return { result, entry: { ...entry, after: fieldsOf(result) } };
  });
  return created ?? invalidConfig(`There are already ${SANDBOX_CONFIG_COUNT_MAX} sandbox configs, the maximum`);
}

/**
 * Changes the given fields. Backend and language stay.
 *
 * @throws {SpandrelError} `SANDBOX_CONFIG_INVALID`, `SANDBOX_CONFIG_NOT_FOUND`
 */
export async function updateSandboxConfig(
  ports: Parts,
  rowId: number,
  changes: SandboxConfigChanges,
  given: Pick<SandboxConfig, 'backend' | 'language'> | undefined,
): Promise<SandboxConfig> {
  const found = (await ports.sandboxes.findConfigs([rowId])).get(rowId) ?? configUnknown(rowId);
  if (given && given.backend !== found.backend) {
    invalidConfig(`The backend of a sandbox config cannot change from ${found.backend} to ${given.backend}`);
  }
  if (given && given.language !== found.language) {
    invalidConfig(`The language of a sandbox config cannot change from ${found.language} to ${given.language}`);
  }
  checkFields(changes, found.backend);
  return recorded(ports, async ({ sandboxes }) => {
    const result = (await sandboxes.updateConfig(rowId, changes)) ?? configUnknown(rowId);
    const entry = { action: 'sandbox-config.update', outcome: 'DONE', target: targetOf(result) } as const;
    return { result, entry: { ...entry, before: fieldsOf(found), after: fieldsOf(result) } };
  });
}

/** @throws {SpandrelError} `SANDBOX_CONFIG_NOT_FOUND`, `SANDBOX_CONFIG_IN_USE` */
export async function deleteSandboxConfig(ports: Parts, rowId: number): Promise<void> {
  const found = (await ports.sandboxes.findConfigs([rowId])).get(rowId) ?? configUnknown(rowId);
  await recorded(ports, async ({ sandboxes }) => {
    if (!(await sandboxes.deleteConfig(rowId))) configUnknown(rowId);
    const entry = { action: 'sandbox-config.delete', outcome: 'DONE', target: targetOf(found) } as const;
    return { result: undefined, entry: { ...entry, before: fieldsOf(found) } };
  });
}

/** @throws {SpandrelError} `SANDBOX_CONFIG_INVALID` for a backend that this server does not have, or may not use */
export async function updateSandboxProvider(
  ports: Parts,
  backend: SandboxBackend,
  changes: { readonly isEnabled?: boolean; readonly deployment?: SandboxDeployment },
): Promise<void> {
  const { isInstalled, displayName } = factsOf(backend);
  if (changes.isEnabled && !isInstalled) {
    invalidConfig(`Sandbox provider ${backend} cannot be enabled: this server does not have ${displayName}`);
  }
  if (changes.isEnabled && !isAllowedBackend(ports, backend)) {
    invalidConfig(`Sandbox provider ${backend} cannot be enabled: SERVICE_ALLOWED_SANDBOX_PROVIDERS excludes it`);
  }
  checkEntries(Object.values(changes.deployment ?? {}).map((text) => text ?? ''));
  await recorded(ports, async ({ sandboxes }) => {
    await sandboxes.updateProvider(backend, changes, authorOf(ports.caller));
    const after = { ...(changes.isEnabled !== undefined && { isEnabled: changes.isEnabled }), ...changes.deployment };
    const target = { kind: 'SandboxProvider', id: backend, name: displayName };
    return { result: undefined, entry: { action: 'sandbox-provider.update', outcome: 'DONE', target, after } };
  });
}

function checkLanguage({ backend, language }: Pick<SandboxConfig, 'backend' | 'language'>): void {
  if (factsOf(backend).languages.includes(language)) return;
  invalidConfig(`Sandbox provider ${backend} does not run ${language}`);
}

function checkFields({ description, timeoutSeconds, resources }: SandboxConfigChanges, backend: SandboxBackend): void {
  if (description && description.length > SANDBOX_CONFIG_DESCRIPTION_LENGTH_MAX) {
    invalidConfig(`A description must have at most ${SANDBOX_CONFIG_DESCRIPTION_LENGTH_MAX} characters`);
  }
  if (timeoutSeconds !== undefined && (timeoutSeconds < 1 || timeoutSeconds > SANDBOX_TIMEOUT_SECONDS_MAX)) {
    invalidConfig(`The timeout must be from 1 to ${SANDBOX_TIMEOUT_SECONDS_MAX} seconds, received ${timeoutSeconds}`);
  }
  if (resources) checkResources(resources, backend);
}

function checkResources({ envVars, internetAccess, packages }: SandboxResources, backend: SandboxBackend): void {
  const { hasEnvVars, hasInternetAccess, hasPackages } = factsOf(backend);
  if (!hasEnvVars && envVars.length > 0) invalidConfig(`Sandbox provider ${backend} has no environment variables`);
  if (!hasInternetAccess && internetAccess !== null)
    invalidConfig(`Sandbox provider ${backend} has no internet access`);
  if (!hasPackages && packages !== null) invalidConfig(`Sandbox provider ${backend} has no packages`);
  checkEntries(packages ?? []);
  checkEntries(envVars.flatMap(({ name, secretKey }) => [name, secretKey]));
  for (const key of envVars.flatMap(({ name, secretKey }) => [name, secretKey])) {
    const problem = findSecretKeyProblem(key);
    if (problem !== undefined) invalidConfig(problem);
  }
  if (new Set(envVars.map(({ name }) => name)).size < envVars.length) {
    invalidConfig('The names of environment variables must differ');
  }
}

function checkEntries(texts: readonly string[]): void {
  if (texts.length > 2 * SANDBOX_ENTRY_COUNT_MAX) {
    invalidConfig(`A sandbox config may have at most ${SANDBOX_ENTRY_COUNT_MAX} entries`);
  }
  if (texts.some((text) => text.length > SANDBOX_ENTRY_LENGTH_MAX)) {
    invalidConfig(`An entry of a sandbox config must have at most ${SANDBOX_ENTRY_LENGTH_MAX} characters`);
  }
}
