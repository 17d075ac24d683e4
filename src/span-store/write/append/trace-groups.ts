// biome-ignore-all lint/style/noNonNullAssertion: the columns of IDs have two words for each row.
import type { SpanColumns } from '../../../columns/span-columns.ts';
import { IdTable } from '../../cache/id-table.ts';
import { wordsOf } from '../../cache/known-traces.ts';

/** The traces of a batch, numbered by first appearance. */
export interface TraceGroups {
  readonly count: number;
  readonly traceOfRow: Int32Array;
  readonly firstRow: number[];
  /** 1 if an earlier row of the batch is the same span. */
  readonly isRepeated: Uint8Array;
  readonly repeatedCount: number;
  /** The first row with the same span. */
  readonly firstRowOfSpan: (row: number) => number;
}

export function groupByTrace(batch: SpanColumns): TraceGroups {
  const high = wordsOf(batch.traceIdHigh);
  const low = wordsOf(batch.traceIdLow);
  const span = wordsOf(batch.spanId);
  const traceIds = new IdTable(batch.rowCount);
  const spanIds = new IdTable(batch.rowCount);
  const traceOfRow = new Int32Array(batch.rowCount);
  const isRepeated = new Uint8Array(batch.rowCount);
  const firstRow: number[] = [];
  /** First row of each span, by number of the span. */
  const firstRowOfSpan = new Int32Array(batch.rowCount);
  const repeatedSpans = new Map<number, number>();
  for (let row = 0; row < batch.rowCount; row++) {
    const at = 2 * row;
    const trace = traceIds.add(high[at]!, high[at + 1]!, low[at]!, low[at + 1]!);
    if (trace === firstRow.length) firstRow.push(row);
    traceOfRow[row] = trace;
    const before = spanIds.count;
    const number = spanIds.add(trace, span[at]!, span[at + 1]!, 0);
    if (number === before) firstRowOfSpan[number] = row;
    else {
      isRepeated[row] = 1;
      repeatedSpans.set(row, number);
    }
  }
  const repeatedCount = batch.rowCount - spanIds.count;
  return {
    count: firstRow.length,
    traceOfRow,
    firstRow,
    isRepeated,
    repeatedCount,
    firstRowOfSpan: (row) => (isRepeated[row] === 1 ? firstRowOfSpan[repeatedSpans.get(row)!]! : row),
  };
}
