import type { AccessPorts } from '../access/access-ports.ts';
import type { AuditParts } from '../access/audit.ts';

/** What operations of the authorization server need. */
export type AuthorizationParts = AccessPorts & AuditParts;
