import type { AuditParts } from '../access/audit.ts';
import { bindToPorts } from '../bind-to-ports.ts';
import type { Ports } from '../ports.ts';
import { deleteTrace } from './delete-trace.ts';
import { deleteTraces } from './delete-traces.ts';
import { transferNamedTraces, transferTraces } from './transfer-traces.ts';

export const createTraceOperations = (ports: Pick<Ports, 'projects' | 'spans' | 'writes'> & AuditParts) =>
  bindToPorts(ports, {
    delete: deleteTrace,
    deleteAll: deleteTraces,
    transfer: transferTraces,
    transferNamed: transferNamedTraces,
  });

export type TraceOperations = ReturnType<typeof createTraceOperations>;
