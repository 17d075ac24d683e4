import type { AccessPorts } from '../access/access-ports.ts';
import type { AuditParts } from '../access/audit.ts';
import { bindToPorts, pick } from '../bind-to-ports.ts';
import { changeGroup, createGroup, deleteGroup } from './change-groups.ts';

export const createGroupOperations = (ports: AccessPorts & AuditParts) => ({
  ...pick(ports.groups, 'query', 'findByRowId', 'listMembers', 'listGroupsOfUsers'),
  ...bindToPorts(ports, { create: createGroup, change: changeGroup, delete: deleteGroup }),
});

export type GroupOperations = ReturnType<typeof createGroupOperations>;
