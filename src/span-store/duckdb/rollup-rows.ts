import type { DuckDBValue } from '@duckdb/node-api';
import type { NullableTextColumn, TextColumn } from '../../columns/span-columns.ts';
import { type ChunkWriter, VECTOR_ROW_COUNT } from './chunk-writer.ts';
import { COST_NAMES, type CostSums, setCosts, toCostSums, writeCostSums } from './cost-sums.ts';
import type { Parameters, Statements } from './sql.ts';

/** A row of `traces`. */
export interface TraceRow extends CostSums {
  readonly rowId: number;
  projectId: number;
  readonly high: bigint;
  readonly low: bigint;
  /** The trace ID when it is no 32 hex digits. */
  readonly text: string | null;
  sessionRowId: number | null;
  start: bigint;
  end: bigint;
  spanCount: number;
  errorCount: number;
  tokensPrompt: number;
  tokensCompletion: number;
  firstSpanRowId: number;
  lastSpanRowId: number;
}

/** A row of `sessions`. */
export interface SessionRow extends CostSums {
  readonly rowId: number;
  readonly projectId: number;
  readonly hash: bigint;
  readonly sessionId: string;
  start: bigint;
  end: bigint;
  traceCount: number;
  errorCount: number;
  tokensPrompt: number;
  tokensCompletion: number;
  firstInput: RootText | null;
  lastOutput: RootText | null;
}

/** Head of a root span's input or output, with what orders it among others: start time, then row id. */
export interface RootText {
  readonly start: bigint;
  readonly rowId: number;
  readonly text: string;
}

const TRACE_SELECT = `SELECT row_id, project_id, trace_id_high, trace_id_low, trace_id_text, session_row_id, start_ns, end_ns,
  span_count, error_count, tokens_prompt, tokens_completion, first_span_row_id, last_span_row_id, ${COST_NAMES.join(', ')} FROM store.traces`;

/** Rows of `traces` that meet a condition (SQL text with places of `parameters`). */
export async function readTraceRows(
  statements: Statements,
  condition: string,
  parameters: Parameters,
  tail = '',
): Promise<TraceRow[]> {
  const rows = await statements.rows(`${TRACE_SELECT} WHERE ${condition} ${tail}`, parameters);
  return rows.map((row) => ({
    rowId: Number(row[0]),
    projectId: Number(row[1]),
    high: row[2] as bigint,
    low: row[3] as bigint,
    text: row[4] as string | null,
    sessionRowId: row[5] === null ? null : Number(row[5]),
    start: row[6] as bigint,
    end: row[7] as bigint,
    spanCount: Number(row[8]),
    errorCount: Number(row[9]),
    tokensPrompt: Number(row[10]),
    tokensCompletion: Number(row[11]),
    firstSpanRowId: Number(row[12]),
    lastSpanRowId: Number(row[13]),
    ...toCostSums(row, 14),
  }));
}

const SESSION_SELECT = `SELECT row_id, project_id, session_hash, session_id, start_ns, end_ns, trace_count, error_count,
  tokens_prompt, tokens_completion, first_input_ns, first_input_row_id, first_input,
  last_output_ns, last_output_row_id, last_output, ${COST_NAMES.join(', ')} FROM store.sessions`;

/** Rows of `sessions` that meet a condition. */
export async function readSessionRows(
  statements: Statements,
  condition: string,
  parameters: Parameters,
  tail = '',
): Promise<SessionRow[]> {
  const rows = await statements.rows(`${SESSION_SELECT} WHERE ${condition} ${tail}`, parameters);
  return rows.map((row) => ({
    rowId: Number(row[0]),
    projectId: Number(row[1]),
    hash: row[2] as bigint,
    sessionId: row[3] as string,
    start: row[4] as bigint,
    end: row[5] as bigint,
    traceCount: Number(row[6]),
    errorCount: Number(row[7]),
    tokensPrompt: Number(row[8]),
    tokensCompletion: Number(row[9]),
    firstInput: toRootText(row, 10),
    lastOutput: toRootText(row, 13),
    ...toCostSums(row, 16),
  }));
}

const toRootText = (row: DuckDBValue[], at: number): RootText | null =>
  row[at + 2] === null ? null : { start: row[at] as bigint, rowId: Number(row[at + 1]), text: row[at + 2] as string };

/** Appends rows to `traces` or to the table of changes. */
export async function writeTraceRows(writer: ChunkWriter, traces: readonly TraceRow[]): Promise<void> {
  for (let from = 0; from < traces.length; from += VECTOR_ROW_COUNT) {
    const chunk = traces.slice(from, from + VECTOR_ROW_COUNT);
    await writer.begin(chunk.length);
    writer.numbers(
      'row_id',
      int64(chunk, ({ rowId }) => rowId),
    );
    writer.numbers(
      'project_id',
      Int32Array.from(chunk, ({ projectId }) => projectId),
    );
    writer.numbers(
      'trace_id_high',
      BigUint64Array.from(chunk, ({ high }) => high),
    );
    writer.numbers(
      'trace_id_low',
      BigUint64Array.from(chunk, ({ low }) => low),
    );
    writer.numbers(
      'session_row_id',
      int64(chunk, ({ sessionRowId }) => sessionRowId ?? 0),
      Uint8Array.from(chunk, ({ sessionRowId }) => (sessionRowId === null ? 0 : 1)),
    );
    writer.numbers(
      'start_ns',
      BigInt64Array.from(chunk, ({ start }) => start),
    );
    writer.numbers(
      'end_ns',
      BigInt64Array.from(chunk, ({ end }) => end),
    );
    writer.numbers(
      'span_count',
      int64(chunk, ({ spanCount }) => spanCount),
    );
    writer.numbers(
      'error_count',
      int64(chunk, ({ errorCount }) => errorCount),
    );
    writer.numbers(
      'tokens_prompt',
      int64(chunk, ({ tokensPrompt }) => tokensPrompt),
    );
    writer.numbers(
      'tokens_completion',
      int64(chunk, ({ tokensCompletion }) => tokensCompletion),
    );
    writer.numbers(
      'first_span_row_id',
      int64(chunk, ({ firstSpanRowId }) => firstSpanRowId),
    );
    writer.numbers(
      'last_span_row_id',
      int64(chunk, ({ lastSpanRowId }) => lastSpanRowId),
    );
    writeCostSums(writer, chunk);
    writer.texts('trace_id_text', toTextColumn(chunk.map(({ text }) => text)), wholeSlice(chunk));
    writer.append();
  }
  writer.flush();
}

/** Appends rows to `sessions` or to the table of changes. */
export async function writeSessionRows(writer: ChunkWriter, sessions: readonly SessionRow[]): Promise<void> {
  for (let from = 0; from < sessions.length; from += VECTOR_ROW_COUNT) {
    const chunk = sessions.slice(from, from + VECTOR_ROW_COUNT);
    const slice = wholeSlice(chunk);
    await writer.begin(chunk.length);
    writer.numbers(
      'row_id',
      int64(chunk, ({ rowId }) => rowId),
    );
    writer.numbers(
      'project_id',
      Int32Array.from(chunk, ({ projectId }) => projectId),
    );
    writer.numbers(
      'session_hash',
      BigUint64Array.from(chunk, ({ hash }) => hash),
    );
    writer.numbers(
      'start_ns',
      BigInt64Array.from(chunk, ({ start }) => start),
    );
    writer.numbers(
      'end_ns',
      BigInt64Array.from(chunk, ({ end }) => end),
    );
    writer.numbers(
      'trace_count',
      int64(chunk, ({ traceCount }) => traceCount),
    );
    writer.numbers(
      'error_count',
      int64(chunk, ({ errorCount }) => errorCount),
    );
    writer.numbers(
      'tokens_prompt',
      int64(chunk, ({ tokensPrompt }) => tokensPrompt),
    );
    writer.numbers(
      'tokens_completion',
      int64(chunk, ({ tokensCompletion }) => tokensCompletion),
    );
    for (const [name, of] of [
      ['first_input', (row: SessionRow) => row.firstInput],
      ['last_output', (row: SessionRow) => row.lastOutput],
    ] as const) {
      const present = Uint8Array.from(chunk, (row) => (of(row) === null ? 0 : 1));
      writer.numbers(
        `${name}_ns`,
        BigInt64Array.from(chunk, (row) => of(row)?.start ?? 0n),
        present,
      );
      writer.numbers(
        `${name}_row_id`,
        int64(chunk, (row) => of(row)?.rowId ?? 0),
        present,
      );
      writer.texts(name, toTextColumn(chunk.map((row) => of(row)?.text ?? null)), slice);
    }
    writeCostSums(writer, chunk);
    writer.texts('session_id', toTextColumn(chunk.map(({ sessionId }) => sessionId)), slice);
    writer.append();
  }
  writer.flush();
}

/** Copies what can change of a trace from `trace_changes`. The range of row ids prunes row groups. */
export const UPDATE_TRACES = `UPDATE store.traces t SET session_row_id = c.session_row_id, start_ns = c.start_ns,
  end_ns = c.end_ns, span_count = c.span_count, error_count = c.error_count, tokens_prompt = c.tokens_prompt,
  tokens_completion = c.tokens_completion, first_span_row_id = c.first_span_row_id, last_span_row_id = c.last_span_row_id,
  ${setCosts('c')}
  FROM temp.trace_changes c WHERE t.row_id = c.row_id AND t.row_id BETWEEN $1 AND $2`;

export const UPDATE_SESSIONS = `UPDATE store.sessions s SET start_ns = c.start_ns, end_ns = c.end_ns,
  trace_count = c.trace_count, error_count = c.error_count, tokens_prompt = c.tokens_prompt,
  tokens_completion = c.tokens_completion, first_input_ns = c.first_input_ns, first_input_row_id = c.first_input_row_id,
  first_input = c.first_input, last_output_ns = c.last_output_ns, last_output_row_id = c.last_output_row_id,
  last_output = c.last_output, ${setCosts('c')}
  FROM temp.session_changes c WHERE s.row_id = c.row_id AND s.row_id BETWEEN $1 AND $2`;

const int64 = <Row>(rows: readonly Row[], of: (row: Row) => number) =>
  BigInt64Array.from(rows, (row) => BigInt(of(row)));

const wholeSlice = (rows: readonly unknown[]) => ({ rows: null, from: 0, to: rows.length });

/** Lays texts end to end. */
export function toTextColumn(texts: readonly (string | null)[]): NullableTextColumn {
  const parts = texts.map((text) => Buffer.from(text ?? ''));
  const offset = new Uint32Array(texts.length + 1);
  parts.forEach((part, row) => {
    offset[row + 1] = offset[row]! + part.length;
  });
  return {
    utf8: new Uint8Array(Buffer.concat(parts)),
    offset,
    present: Uint8Array.from(texts, (text) => (text === null ? 0 : 1)),
  } satisfies TextColumn & NullableTextColumn;
}
