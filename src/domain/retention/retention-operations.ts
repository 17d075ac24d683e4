import type { AuditParts } from '../access/audit.ts';
import { bindToPorts, pick } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { createRetentionPolicy, deleteRetentionPolicy, updateRetentionPolicy } from './change-retention-policies.ts';

export const createRetentionOperations = (ports: Pick<Ports, 'projects' | 'retention'> & AuditParts) => ({
  ...pick(ports.retention, 'list', 'findByRowIds', 'projectsOf'),
  ...bindToPorts(ports, {
    create: createRetentionPolicy,
    update: updateRetentionPolicy,
    delete: deleteRetentionPolicy,
  }),
});

export type RetentionOperations = ReturnType<typeof createRetentionOperations>;
