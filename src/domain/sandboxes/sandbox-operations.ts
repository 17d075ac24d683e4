import type { AuditParts } from '../access/audit.ts';
import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import {
  createSandboxConfig,
  deleteSandboxConfig,
  updateSandboxConfig,
  updateSandboxProvider,
} from './change-sandboxes.ts';
import { isAllowedBackend, type SandboxParts } from './find-usable-config.ts';
import { SANDBOX_BACKEND_FACTS, type SandboxBackendFacts } from './sandbox-backends.ts';

export type SandboxBackendStatus = 'AVAILABLE' | 'UNAVAILABLE' | 'NOT_INSTALLED' | 'DISABLED';

export interface SandboxBackendInfo extends SandboxBackendFacts {
  readonly status: SandboxBackendStatus;
  readonly statusDetail: string | null;
}

/** All backends, with the reason why one cannot be used. */
async function listBackends(ports: SandboxParts): Promise<SandboxBackendInfo[]> {
  const enabled = new Set(
    (await ports.sandboxes.listProviders()).filter((one) => one.isEnabled).map((one) => one.backend),
  );
  return SANDBOX_BACKEND_FACTS.map((facts) => {
    if (!facts.isInstalled) {
      const status = facts.hosting === 'HOSTED' ? ('UNAVAILABLE' as const) : ('NOT_INSTALLED' as const);
      return { ...facts, status, statusDetail: 'This server runs code with the provider WASM only.' };
    }
    if (!isAllowedBackend(ports, facts.backend)) {
      return { ...facts, status: 'DISABLED', statusDetail: 'SERVICE_ALLOWED_SANDBOX_PROVIDERS excludes it.' };
    }
    if (!enabled.has(facts.backend)) {
      return { ...facts, status: 'DISABLED', statusDetail: 'An administrator has disabled it.' };
    }
    return { ...facts, status: 'AVAILABLE', statusDetail: null };
  });
}

/** All operations of API layers on sandboxes. */
export const createSandboxOperations = (ports: Pick<Ports, 'sandboxes' | 'allowedSandboxes'> & AuditParts) => ({
  ...pick(ports.sandboxes, 'listProviders', 'findConfigs', 'findConfigsOf'),
  ...bindToPorts(ports, {
    listBackends,
    createConfig: createSandboxConfig,
    updateConfig: updateSandboxConfig,
    deleteConfig: deleteSandboxConfig,
    updateProvider: updateSandboxProvider,
  }),
});

export type SandboxOperations = ReturnType<typeof createSandboxOperations>;
