import { expectPresent } from '../../../base/expect-present.ts';
import { SPAN_KINDS, STATUS_CODES } from '../../../semconv/span-kinds.ts';
import type { SpanRow, TextHead } from '../../../model/spans/span.ts';
import type { SqlValue } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';
import { HEAD_COLUMNS, readStored, readTraceIdsOf } from './read-spans.ts';
import { toStoredSpanId } from './stored-ids.ts';

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
      spanId: toStoredSpanId(span.span_id, span.span_id_text),
      parentSpanId: span.parent_span_id === null ? null : toStoredSpanId(span.parent_span_id, span.parent_span_id_text),
      name: span.name as string,
      spanKind: expectPresent(SPAN_KINDS[span.span_kind as number], 'the stored kind is an index of the list'),
      statusCode: expectPresent(STATUS_CODES[span.status_code as number], 'the stored code is an index of the list'),
      statusMessage: span.status_message as string,
      startTimeUnixNano: span.start_ns as bigint,
      endTimeUnixNano: span.end_ns as bigint,
      tokensPrompt: toCount(span.tokens_prompt),
      tokensCompletion: toCount(span.tokens_completion),
      input: toHead(span.input_head, span.input_mime_type),
      output: toHead(span.output_head, span.output_mime_type),
    });
  }
  return found;
}

const toCount = (count: SqlValue): number | null => (count === null ? null : Number(count));

const toHead = (head: SqlValue, mimeType: SqlValue): TextHead | null =>
  head === null ? null : { head: head as string, mimeType: mimeType as string | null };
