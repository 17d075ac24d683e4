import type { AuditParts } from '../access/audit.ts';
import { bindToPorts } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { deleteSession, deleteSessions } from './delete-sessions.ts';
import { getSession } from './get-session.ts';
import { listSessions } from './list-sessions.ts';

export const createSessionOperations = (ports: Pick<Ports, 'spans' | 'writes'> & AuditParts) =>
  bindToPorts(ports, { get: getSession, list: listSessions, delete: deleteSession, deleteAll: deleteSessions });

export type SessionOperations = ReturnType<typeof createSessionOperations>;
