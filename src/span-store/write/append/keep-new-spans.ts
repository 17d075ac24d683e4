// biome-ignore-all lint/style/noNonNullAssertion: columns and groups have an entry for each row.
import { readText } from '../../../columns/read-text.ts';
import type { SpanColumns } from '../../../columns/span-columns.ts';
import { wordsOf } from '../../cache/known-traces.ts';
import type { RowSelection } from '../../cache/row-selection.ts';
import { type Connection, Parameters, statementsOf } from '../../duckdb/sql.ts';
import type { TraceRow } from '../../duckdb/trace-rows.ts';
import { selectTuples } from '../../read/rows/read-rows.ts';
import type { PlanSources } from './plan-sources.ts';
import type { TraceGroups } from './trace-groups.ts';

/** Rows of a batch without stored spans and repetitions. */
export async function keepNewSpans(
  batch: SpanColumns,
  groups: TraceGroups,
  stored: readonly (TraceRow | undefined)[],
  { connection, traces }: PlanSources,
): Promise<{ readonly kept: RowSelection; readonly differingCount: number }> {
  const span = wordsOf(batch.spanId);
  const doubtful: number[] = [];
  for (let row = 0; row < batch.rowCount; row++) {
    const trace = stored[groups.traceOfRow[row]!];
    if (trace && groups.isRepeated[row] === 0 && traces.mayHaveSpan(trace, span, row)) doubtful.push(row);
  }
  const storedSpans = await findStoredSpans(connection, batch, groups, stored, doubtful);
  if (storedSpans.size === 0 && groups.repeatedCount === 0) {
    return { kept: { rows: null, count: batch.rowCount }, differingCount: 0 };
  }
  const isDropped = Uint8Array.from(groups.isRepeated);
  const storedAs = (row: number): string | undefined => {
    const trace = stored[groups.traceOfRow[row]!];
    return trace && storedSpans.get(spanKey(BigInt(trace.rowId), batch.spanId[row]!));
  };
  for (const row of doubtful) if (storedAs(row) !== undefined) isDropped[row] = 1;
  let differingCount = 0;
  for (let row = 0; row < batch.rowCount; row++) {
    if (isDropped[row] === 0) continue;
    const kept = storedAs(row) ?? contentOf(batch, groups.firstRowOfSpan(row));
    if (contentOf(batch, row) !== kept) differingCount++;
  }
  const rows = Int32Array.from({ length: batch.rowCount }, (_, row) => row).filter((row) => isDropped[row] === 0);
  return { kept: { rows, count: rows.length }, differingCount };
}

/** Content of a repeated span that is compared with the stored one, to distinguish a resent span from another one with its ID. */
const contentOf = (batch: SpanColumns, row: number): string =>
  toContent(
    batch.startTimeUnixNano[row]!,
    batch.endTimeUnixNano[row]!,
    batch.spanKind[row]!,
    batch.statusCode[row]!,
    readText(batch.name, row),
  );

const toContent = (start: bigint, end: bigint, kind: number, status: number, name: string): string =>
  `${start} ${end} ${kind} ${status} ${name}`;

const spanKey = (traceRowId: bigint, spanId: bigint): bigint => (traceRowId << 64n) | spanId;

/** Contents of the stored spans of these rows, by key. Reads only the row ids of their traces. */
async function findStoredSpans(
  connection: Connection,
  batch: SpanColumns,
  groups: TraceGroups,
  stored: readonly (TraceRow | undefined)[],
  rows: readonly number[],
): Promise<Map<bigint, string>> {
  if (rows.length === 0) return new Map();
  const traces = new Set(rows.map((row) => stored[groups.traceOfRow[row]!]!));
  const parameters = new Parameters();
  const first = Math.min(...[...traces].map(({ firstSpanRowId }) => firstSpanRowId));
  const last = Math.max(...[...traces].map(({ lastSpanRowId }) => lastSpanRowId));
  const found = await selectTuples(
    statementsOf(connection),
    ['trace_row_id', 'span_id', 'start_ns', 'end_ns', 'span_kind', 'status_code', 'name'],
    `WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
       AND ${parameters.bigintIn(
         'trace_row_id',
         Array.from(traces, ({ rowId }) => rowId),
       )}
       AND ${parameters.ubigintIn('span_id', [...new Set(rows.map((row) => batch.spanId[row]!))])}`,
    parameters,
  );
  return new Map(
    found.map(([traceRowId, spanId, start, end, kind, status, name]) => [
      spanKey(traceRowId, spanId),
      toContent(start, end, kind, status, name),
    ]),
  );
}
