import { COST_FIELDS } from './cost-sums.ts';
import {
  bigint64,
  bigint64OrNull,
  defineTable,
  int32,
  int64,
  int64OrNull,
  type RowOf,
  selectRows,
  text,
  textOrNull,
  ubigint64,
  updateSql,
} from './define-table.ts';
import type { Parameters, Statements } from './sql.ts';

/** A commit reads single sessions, and each read of a compressed text would decompress a whole dictionary. */
const UNCOMPRESSED = { compression: 'uncompressed' } as const;

/**
 * One row per session. `hash` is `textHash` of the session ID: comparing numbers makes a search among millions cheap.
 * `firstInput` is the preview of the earliest root span that has an input, by start time, then row id; `lastOutput` is that of
 * the latest root span that has an output. The start and row id of these spans order them among others.
 */
export const SESSIONS = defineTable('sessions', {
  rowId: int64('row_id'),
  projectId: int32('project_id'),
  hash: ubigint64('session_hash'),
  start: bigint64('start_ns'),
  end: bigint64('end_ns'),
  traceCount: int64('trace_count'),
  errorCount: int64('error_count'),
  tokensPrompt: int64('tokens_prompt'),
  tokensCompletion: int64('tokens_completion'),
  firstInputStart: bigint64OrNull('first_input_ns'),
  firstInputRowId: int64OrNull('first_input_row_id'),
  lastOutputStart: bigint64OrNull('last_output_ns'),
  lastOutputRowId: int64OrNull('last_output_row_id'),
  sessionId: text('session_id', UNCOMPRESSED),
  firstInput: textOrNull('first_input', UNCOMPRESSED),
  lastOutput: textOrNull('last_output', UNCOMPRESSED),
  ...COST_FIELDS,
});

export type SessionRow = RowOf<typeof SESSIONS>;

export const readSessionRows = (
  statements: Statements,
  condition: string,
  parameters: Parameters,
  tail?: string,
): Promise<SessionRow[]> => selectRows(statements, SESSIONS, condition, parameters, tail);

/** Updates sessions from `session_changes`. */
export const UPDATE_SESSIONS = updateSql(SESSIONS, 'session_changes', ['rowId', 'projectId', 'hash', 'sessionId']);
