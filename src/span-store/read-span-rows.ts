import type { DuckDBValue } from '@duckdb/node-api';
import { SPAN_KINDS, STATUS_CODES } from '../semconv/span-kinds.ts';
import type { SpanRow, TextHead } from '../model/span.ts';
import type { ReadContext } from './read-context.ts';
import { readClusters } from './read-spans.ts';
import { readTraceIds, toStoredSpanId } from './stored-ids.ts';

/** Spans as lists show them, by row id; those that are not stored are absent. */
export async function findSpanRows(context: ReadContext, rowIds: readonly number[]): Promise<Map<number, SpanRow>> {
  const found = new Map<number, SpanRow>();
  const rows = await readClusters(
    context,
    `row_id, trace_row_id, project_id, span_id, span_id_text, parent_span_id, parent_span_id_text, name, span_kind,
     status_code, status_message, start_ns, end_ns, tokens_prompt, tokens_completion,
     input_head, input_mime_type, output_head, output_mime_type`,
    'spans',
    'row_id',
    rowIds,
  );
  const traceIds = await readTraceIds(context, [...new Set(rows.map((row) => Number(row[1])))]);
  for (const row of rows) {
    const traceRowId = Number(row[1]);
    const traceId = traceIds.get(traceRowId);
    // Deleted between the two statements.
    if (traceId === undefined) continue;
    found.set(Number(row[0]), {
      rowId: Number(row[0]),
      traceRowId,
      projectId: Number(row[2]),
      traceId,
      spanId: toStoredSpanId(row[3]!, row[4]!),
      parentSpanId: row[5] === null ? null : toStoredSpanId(row[5]!, row[6]!),
      name: row[7] as string,
      spanKind: SPAN_KINDS[row[8] as number]!,
      statusCode: STATUS_CODES[row[9] as number]!,
      statusMessage: row[10] as string,
      startTimeUnixNano: row[11] as bigint,
      endTimeUnixNano: row[12] as bigint,
      tokensPrompt: row[13] === null ? null : Number(row[13]),
      tokensCompletion: row[14] === null ? null : Number(row[14]),
      input: toHead(row[15]!, row[16]!),
      output: toHead(row[17]!, row[18]!),
    });
  }
  return found;
}

const toHead = (head: DuckDBValue, mimeType: DuckDBValue): TextHead | null =>
  head === null ? null : { head: head as string, mimeType: mimeType as string | null };
