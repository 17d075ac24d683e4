import { COST_FIELDS } from './cost-sums.ts';
import {
  bigint64,
  defineTable,
  int32,
  int64,
  int64OrNull,
  type RowOf,
  selectRows,
  textOrNull,
  ubigint64,
  updateSql,
} from './define-table.ts';
import type { Parameters, Statements } from './sql.ts';

/** One row per trace: aggregates of its spans, and the range of span row ids that contains all of them. */
export const TRACES = defineTable('traces', {
  rowId: int64('row_id'),
  projectId: int32('project_id'),
  high: ubigint64('trace_id_high'),
  low: ubigint64('trace_id_low'),
  sessionRowId: int64OrNull('session_row_id'),
  start: bigint64('start_ns'),
  end: bigint64('end_ns'),
  spanCount: int64('span_count'),
  errorCount: int64('error_count'),
  tokensPrompt: int64('tokens_prompt'),
  tokensCompletion: int64('tokens_completion'),
  firstSpanRowId: int64('first_span_row_id'),
  lastSpanRowId: int64('last_span_row_id'),
  /** The trace ID if it is not 32 hexadecimal digits. */
  text: textOrNull('trace_id_text'),
  ...COST_FIELDS,
});

export type TraceRow = RowOf<typeof TRACES>;

export const readTraceRows = (statements: Statements, condition: string, parameters: Parameters): Promise<TraceRow[]> =>
  selectRows(statements, TRACES, condition, parameters);

/** Updates traces from `trace_changes`. */
export const UPDATE_TRACES = updateSql(TRACES, 'trace_changes', ['rowId', 'projectId', 'high', 'low', 'text']);
