import { SpandrelError } from '../../model/errors.ts';
import { rowIdOf } from '../../model/global-id.ts';
import type { Ports } from '../ports.ts';
import { submitDeletion } from '../submit-deletion.ts';

/**
 * Deletes one span, named by its global ID or its OpenTelemetry span ID. Its children keep naming it as their parent;
 * its trace goes when it was the last span.
 *
 * @throws {SpandrelError} `SPAN_NOT_FOUND`
 */
export async function deleteSpan(ports: Pick<Ports, 'spans' | 'writes'>, identifier: string): Promise<void> {
  const rowId = rowIdOf('Span', identifier);
  const found = await ports.spans.findSpanRowId(rowId === undefined ? { id: identifier } : { rowId });
  if (found === undefined) {
    const kind = rowId === undefined ? 'span_id' : 'relay ID';
    throw new SpandrelError('SPAN_NOT_FOUND', `Span with ${kind} '${identifier}' not found`);
  }
  await submitDeletion(ports, { what: 'spans', rowIds: [found] });
}
