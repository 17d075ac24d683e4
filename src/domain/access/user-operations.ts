import type { Caller } from '../../model/access/caller.ts';
import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { AccessPorts } from './access-ports.ts';
import { createUser, deleteUsers, patchUser, patchViewer } from './change-users.ts';
import { endUserSession } from './end-session.ts';

export const createUserOperations = (ports: AccessPorts & { readonly caller: Caller }) => ({
  ...pick(ports.users, 'list', 'listByEmail', 'findByRowIds', 'findSystemUser'),
  ...bindToPorts(ports, {
    create: createUser,
    patch: patchUser,
    patchViewer,
    delete: deleteUsers,
    endSession: endUserSession,
  }),
  listSessions: ports.userSessions.list,
  /** Emails of administrators that the settings name. */
  managementEmails: ports.accessPolicy.managementEmails,
});

export type UserOperations = ReturnType<typeof createUserOperations>;
