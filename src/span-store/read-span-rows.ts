import type { DuckDBValue } from '@duckdb/node-api';
import type { SpanBody, SpanRow, TextHead } from '../model/span.ts';
import { SPAN_KINDS, STATUS_CODES } from '../semconv/span-kinds.ts';
import { toAttributeParts } from './attribute-parts.ts';
import { leastAndGreatest } from './list-order.ts';
import type { ReadContext } from './read-context.ts';
import { Parameters } from './sql.ts';
import { readTraceIds, toStoredSpanId } from './stored-ids.ts';

/** Spans as lists show them, by row id; those that are not stored are absent. */
export async function findSpanRows(context: ReadContext, rowIds: readonly number[]): Promise<Map<number, SpanRow>> {
  const found = new Map<number, SpanRow>();
  const rows = await readColumns(
    context,
    rowIds,
    `row_id, trace_row_id, project_id, span_id, span_id_text, parent_span_id, parent_span_id_text, name, span_kind,
     status_code, status_message, start_ns, end_ns, tokens_prompt, tokens_completion,
     input_head, input_mime_type, output_head, output_mime_type`,
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

/** What may be long of spans, by row id. */
export async function findSpanBodies(context: ReadContext, rowIds: readonly number[]): Promise<Map<number, SpanBody>> {
  const rows = await readColumns(
    context,
    rowIds,
    `row_id, span_kind, attributes, metadata, long_attributes, input_head, input_rest, input_mime_type,
     output_head, output_rest, output_mime_type, session_id, user_id, model_name, provider, events`,
  );
  return new Map(
    rows.map((row) => {
      const text = (at: number) => row[at] as string | null;
      const input = text(5) === null ? null : text(5)! + (text(6) ?? '');
      const output = text(8) === null ? null : text(8)! + (text(9) ?? '');
      const attributeParts = toAttributeParts({
        attributes: row[2] as string,
        metadata: text(3),
        longAttributes: text(4),
        spanKind: SPAN_KINDS[row[1] as number]!,
        input,
        inputMimeType: text(7),
        output,
        outputMimeType: text(10),
        sessionId: text(11),
        userId: text(12),
        modelName: text(13),
        provider: text(14),
      });
      return [Number(row[0]), { attributeParts, events: text(15), input, output }];
    }),
  );
}

/** Columns of spans by row id. The bounds prune row groups, which a list of values alone does not. */
async function readColumns(context: ReadContext, rowIds: readonly number[], columns: string): Promise<DuckDBValue[][]> {
  if (rowIds.length === 0) return [];
  const parameters = new Parameters();
  const [first, last] = leastAndGreatest(rowIds);
  return context.rows(
    `SELECT ${columns} FROM store.spans
     WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
       AND ${parameters.bigintIn('row_id', rowIds)}`,
    parameters,
  );
}
