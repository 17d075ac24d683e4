import type { AuditParts } from '../access/audit.ts';
import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { createProvider, deleteProvider, patchProvider } from './change-custom-providers.ts';
import { describeVendors, listVendors } from './list-vendors.ts';
import { testProvider } from './test-provider.ts';
import { testVendor } from './test-vendor.ts';

const OPERATIONS = {
  create: createProvider,
  patch: patchProvider,
  delete: deleteProvider,
  test: testProvider,
  testVendor,
  listVendors,
  describeVendors,
  /** What clients learn about traces of assistants. */
  describeAgents: async ({ modelSettings }: Pick<Ports, 'modelSettings'>) => modelSettings.agents,
};

/** Custom providers, and the vendors that the server knows. */
export const createCustomProviderOperations = (
  ports: Pick<Ports, 'providers' | 'secrets' | 'secretBox' | 'modelSettings' | 'chatModels'> & AuditParts,
) => ({
  ...pick(ports.providers, 'list', 'findByRowIds', 'modelNamesOf'),
  ...bindToPorts(ports, OPERATIONS),
});

export type CustomProviderOperations = ReturnType<typeof createCustomProviderOperations>;
