import { SpandrelError } from '../../model/errors.ts';
import { RowError } from '../../model/row-error.ts';
import type { RowRef } from '../../span-store/contract/query-terms.ts';
import type { AuditParts } from '../access/audit.ts';
import { findRowId } from '../find-row-ids.ts';
import type { Ports } from '../ports.ts';
import { submitDeletion } from '../submit-deletion.ts';

/**
 * Deletes one span. Its children keep naming it as their parent, and its trace is deleted with its last span.
 *
 * @param ref The row id, or the OpenTelemetry span ID.
 * @throws {SpandrelError} `SPAN_NOT_FOUND`
 */
export async function deleteSpan(ports: Pick<Ports, 'spans' | 'writes'> & AuditParts, ref: RowRef): Promise<void> {
  const rowId = await findRowId(ports.spans, 'spans', ref);
  if (rowId === undefined) throw spanNotFound(ref);
  await submitDeletion(ports, { what: 'spans', rowIds: [rowId] });
}

const spanNotFound = (ref: RowRef): SpandrelError =>
  'rowId' in ref
    ? new RowError('SPAN_NOT_FOUND', 'Span', [ref.rowId], (id) => `Span with relay ID '${id}' not found`)
    : new SpandrelError('SPAN_NOT_FOUND', `Span with span_id '${ref.id}' not found`);
