import type { SpanRow, TextHead } from '../../../model/spans/span.ts';
import type { ReadContext } from '../read-context.ts';
import { HEAD_COLUMNS, headOf, readStored, readTraceIdsOf } from './read-spans.ts';

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
      ...headOf(span, traceId),
      traceRowId,
      projectId: span.project_id,
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
