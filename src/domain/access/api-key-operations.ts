import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { AccessPorts } from './access-ports.ts';
import type { AuditParts } from './audit.ts';
import { createSystemApiKey, createUserApiKey, deleteSystemApiKey, deleteUserApiKey } from './change-api-keys.ts';

export const createApiKeyOperations = (ports: AccessPorts & AuditParts) => ({
  ...pick(ports.apiKeys, 'list', 'findByRowIds', 'findOfUsers'),
  ...bindToPorts(ports, {
    createForUser: createUserApiKey,
    createForSystem: createSystemApiKey,
    deleteOfUser: deleteUserApiKey,
    deleteOfSystem: deleteSystemApiKey,
  }),
});

export type ApiKeyOperations = ReturnType<typeof createApiKeyOperations>;
