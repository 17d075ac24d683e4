import { SpandrelError } from '../../model/errors.ts';
import { RowError } from '../../model/row-error.ts';
import type { RowRef } from '../../span-store/contract/query-terms.ts';
import type { AuditParts } from '../access/audit.ts';
import { findRowId } from '../find-row-ids.ts';
import type { Ports } from '../ports.ts';
import { submitDeletion } from '../submit-deletion.ts';

/**
 * Deletes a trace with its spans. Its session stays, even without traces.
 *
 * @param ref The row id, or the OpenTelemetry trace ID.
 * @throws {SpandrelError} `TRACE_NOT_FOUND`
 */
export async function deleteTrace(ports: Pick<Ports, 'spans' | 'writes'> & AuditParts, ref: RowRef): Promise<void> {
  const rowId = await findRowId(ports.spans, 'traces', ref);
  if (rowId === undefined) throw traceNotFound(ref);
  await submitDeletion(ports, { what: 'traces', rowIds: [rowId] });
}

const traceNotFound = (ref: RowRef): SpandrelError =>
  'rowId' in ref
    ? new RowError('TRACE_NOT_FOUND', 'Trace', [ref.rowId], (id) => `Trace with relay ID '${id}' not found`)
    : new SpandrelError('TRACE_NOT_FOUND', `Trace with trace_id '${ref.id}' not found`);
