import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { AccessPorts } from './access-ports.ts';
import type { AuditParts } from './audit.ts';
import { createUser, deleteUsers, patchUser, patchViewer } from './change-users.ts';
import { linkIdentity, unlinkIdentity } from './linked-identities.ts';
import { patchProvisionedUser, provisionUser } from './provision-users.ts';
import { endUserSession } from './sign-in/end-session.ts';

export const createUserOperations = (ports: AccessPorts & AuditParts) => ({
  ...pick(ports.users, 'list', 'query', 'listByEmail', 'findByRowIds', 'findSystemUser'),
  ...bindToPorts(ports, {
    create: createUser,
    patch: patchUser,
    provision: provisionUser,
    patchProvisioned: patchProvisionedUser,
    patchViewer,
    delete: deleteUsers,
    endSession: endUserSession,
    linkIdentity,
    unlinkIdentity,
  }),
  listSessions: ports.userSessions.list,
  listIdentities: ports.linkedIdentities.list,
  /** Emails of administrators that the settings name. */
  managementEmails: ports.accessPolicy.managementEmails,
});

export type UserOperations = ReturnType<typeof createUserOperations>;
