import { SpandrelError } from '../../model/errors.ts';
import { rowIdOf } from '../../model/global-id.ts';
import type { Ports } from '../ports.ts';
import { submitDeletion } from '../submit-deletion.ts';

/**
 * Deletes a trace, named by its global ID or its OpenTelemetry trace ID, with its spans. Its session stays.
 *
 * @throws {SpandrelError} `TRACE_NOT_FOUND`
 */
export async function deleteTrace(ports: Pick<Ports, 'spans' | 'writes'>, identifier: string): Promise<void> {
  const rowId = rowIdOf('Trace', identifier);
  const found = await ports.spans.findTraceRowId(rowId === undefined ? { id: identifier } : { rowId });
  if (found === undefined) {
    const kind = rowId === undefined ? 'trace_id' : 'relay ID';
    throw new SpandrelError('TRACE_NOT_FOUND', `Trace with ${kind} '${identifier}' not found`);
  }
  await submitDeletion(ports, { what: 'traces', rowIds: [found] });
}
