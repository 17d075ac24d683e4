import { SpandrelError } from '../../model/errors.ts';
import { rowIdOf } from '../../model/global-id.ts';
import type { Trace } from '../../model/trace.ts';
import type { Domain } from '../domain.ts';

/**
 * Returns the trace with a global ID or an OpenTelemetry trace ID.
 *
 * @throws {SpandrelError} `TRACE_NOT_FOUND`
 */
export async function getTrace({ spans }: Pick<Domain, 'spans'>, identifier: string): Promise<Trace> {
  const globalRowId = rowIdOf('Trace', identifier);
  const rowId = globalRowId ?? (await spans.findTraceRowId({ id: identifier }));
  const trace = rowId === undefined ? undefined : (await spans.findTracesByRowIds([rowId])).get(rowId);
  if (trace) return trace;
  const kind = globalRowId === undefined ? 'trace_id' : 'relay ID';
  throw new SpandrelError('TRACE_NOT_FOUND', `Trace with ${kind} '${identifier}' not found`);
}
