import type { AuditParts } from '../access/audit.ts';
import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { createProvider, deleteProvider, patchProvider } from './change-custom-providers.ts';

export const createCustomProviderOperations = (ports: Pick<Ports, 'providers' | 'secretBox'> & AuditParts) => ({
  ...pick(ports.providers, 'list', 'findByRowIds', 'modelNamesOf'),
  ...bindToPorts(ports, { create: createProvider, patch: patchProvider, delete: deleteProvider }),
});

export type CustomProviderOperations = ReturnType<typeof createCustomProviderOperations>;
