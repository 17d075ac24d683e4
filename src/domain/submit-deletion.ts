import type { Deletion } from '../span-store/contract/writer.ts';
import { type AuditParts, record } from './access/audit.ts';
import type { Ports } from './ports.ts';

/** Kinds of rows whose deletion leaves an entry in the audit log. Projects leave one of their own, with their names. */
const AUDITED: Partial<Record<Deletion['what'], string>> = {
  traces: 'Trace',
  sessions: 'ProjectSession',
  spans: 'Span',
  annotations: 'Annotation',
  matchingAnnotations: 'Annotation',
};

/** Deletes, and returns when no read sees it any more and no crash can bring it back. */
export async function submitDeletion(ports: Pick<Ports, 'writes'> & AuditParts, deletion: Deletion): Promise<void> {
  const kind = AUDITED[deletion.what];
  // Before the deletion, which the journal makes durable at once.
  if (kind !== undefined) {
    const rowIds = 'rowIds' in deletion ? deletion.rowIds : [];
    const id = rowIds.length === 1 ? String(rowIds[0]) : undefined;
    const after = { rowCount: 'rowIds' in deletion ? rowIds.length : null };
    await record(ports, { action: 'data.delete', outcome: 'DONE', target: { kind, id }, after });
  }
  const { receipt } = await ports.writes.submitDeletion(deletion);
  await ports.writes.waitFor(receipt);
}
