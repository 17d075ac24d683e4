import { pick } from '../bind-to-ports.ts';
import { type Audit, type AuditParts, record } from './audit.ts';

export const createAuditOperations = (ports: AuditParts) => ({
  ...pick<Audit, 'list' | 'verify'>(ports.audit, 'list', 'verify'),
  /** Records that data leaves the server as a file. */
  recordExport: (what: { readonly kind: string; readonly name: string }): Promise<void> =>
    record(ports, { action: 'export', outcome: 'DONE', target: what }),
});

export type AuditOperations = ReturnType<typeof createAuditOperations>;
