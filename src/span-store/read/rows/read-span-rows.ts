import { expectPresent } from '../../../base/expect-present.ts';
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import type { SpanRow, TextHead } from '../../../model/spans/span.ts';
import { toSpanId } from '../../../model/traces/trace-ids.ts';
import type { ReadContext } from '../read-context.ts';
import { HEAD_COLUMNS, readStored, readTraceIdsOf } from './read-spans.ts';

const COLUMNS = [
  ...HEAD_COLUMNS,
  'row_id',
  'project_id',
  'span_kind',
  'tokens_prompt',
  'tokens_completion',
  'input_head',
  'input_mime_type',
  'output_head',
  'output_mime_type',
] as const;

/** Spans with the columns of lists, by row id. Spans that are not stored are absent. */
export async function findSpanRows(context: ReadContext, rowIds: readonly number[]): Promise<Map<number, SpanRow>> {
  const found = new Map<number, SpanRow>();
  const stored = await readStored(context, COLUMNS, rowIds);
  const traceIds = await readTraceIdsOf(context, stored);
  for (const span of stored) {
    const rowId = Number(span.row_id);
    const traceRowId = Number(span.trace_row_id);
    const traceId = traceIds.get(traceRowId);
    // Deleted between the two statements.
    if (traceId === undefined) continue;
    found.set(rowId, {
      rowId,
      traceRowId,
      projectId: Number(span.project_id),
      traceId,
      spanId: toSpanId(span.span_id, span.span_id_text),
      parentSpanId: span.parent_span_id === null ? null : toSpanId(span.parent_span_id, span.parent_span_id_text),
      name: span.name,
      spanKind: expectPresent(SPAN_KINDS[span.span_kind], 'the stored kind is an index of the list'),
      statusCode: expectPresent(STATUS_CODES[span.status_code], 'the stored code is an index of the list'),
      statusMessage: span.status_message,
      startTimeUnixNano: span.start_ns,
      endTimeUnixNano: span.end_ns,
      tokensPrompt: toCount(span.tokens_prompt),
      tokensCompletion: toCount(span.tokens_completion),
      input: toHead(span.input_head, span.input_mime_type),
      output: toHead(span.output_head, span.output_mime_type),
    });
  }
  return found;
}

const toCount = (count: bigint | null): number | null => (count === null ? null : Number(count));

const toHead = (head: string | null, mimeType: string | null): TextHead | null =>
  head === null ? null : { head, mimeType };
