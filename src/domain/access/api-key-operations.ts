import type { Caller } from '../../model/access/caller.ts';
import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { AccessPorts } from './access-ports.ts';
import { createSystemApiKey, createUserApiKey, deleteSystemApiKey, deleteUserApiKey } from './change-api-keys.ts';

export const createApiKeyOperations = (ports: AccessPorts & { readonly caller: Caller }) => ({
  ...pick(ports.apiKeys, 'list', 'findByRowIds', 'findOfUsers'),
  ...bindToPorts(ports, {
    createForUser: createUserApiKey,
    createForSystem: createSystemApiKey,
    deleteOfUser: deleteUserApiKey,
    deleteOfSystem: deleteSystemApiKey,
  }),
});

export type ApiKeyOperations = ReturnType<typeof createApiKeyOperations>;
