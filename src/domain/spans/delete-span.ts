import { SpandrelError } from '../../model/errors.ts';
import { rowIdOf } from '../../model/global-id.ts';
import type { Domain } from '../domain.ts';
import { submitDeletion } from '../submit-deletion.ts';

/**
 * Deletes one span, named by its global ID or its OpenTelemetry span ID. Its children keep naming it as their parent;
 * its trace goes when it was the last span.
 *
 * @throws {SpandrelError} `SPAN_NOT_FOUND`
 */
export async function deleteSpan(domain: Pick<Domain, 'spans' | 'writes'>, identifier: string): Promise<void> {
  const rowId = rowIdOf('Span', identifier);
  const found = await domain.spans.findSpanRowId(rowId === undefined ? { id: identifier } : { rowId });
  if (found === undefined) {
    const kind = rowId === undefined ? 'span_id' : 'relay ID';
    throw new SpandrelError('SPAN_NOT_FOUND', `Span with ${kind} '${identifier}' not found`);
  }
  await submitDeletion(domain, { what: 'spans', rowIds: [found] });
}
