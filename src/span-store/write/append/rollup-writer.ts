import { ChunkWriter } from '../../duckdb/chunk-writer.ts';
import { appendRows } from '../../duckdb/define-table.ts';
import { SESSIONS, type SessionRow, UPDATE_SESSIONS } from '../../duckdb/session-rows.ts';
import { type Connection, Parameters } from '../../duckdb/sql.ts';
import { TRACES, type TraceRow, UPDATE_TRACES } from '../../duckdb/trace-rows.ts';
import type { AppendPlan } from './plan-append.ts';

/** Writes the rollups of traces and sessions in the transaction of the store writer. */
export class RollupWriter {
  readonly #connection: Connection;
  readonly #traceWriter: ChunkWriter;
  readonly #sessionWriter: ChunkWriter;
  readonly #traceChangeWriter: ChunkWriter;
  readonly #sessionChangeWriter: ChunkWriter;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#traceWriter = new ChunkWriter(connection, 'store', TRACES.name, TRACES.columns);
    this.#sessionWriter = new ChunkWriter(connection, 'store', SESSIONS.name, SESSIONS.columns);
    this.#traceChangeWriter = new ChunkWriter(connection, 'temp', 'trace_changes', TRACES.columns);
    this.#sessionChangeWriter = new ChunkWriter(connection, 'temp', 'session_changes', SESSIONS.columns);
  }

  /** Must be called after a rollback. */
  discard(): void {
    for (const writer of [this.#traceWriter, this.#sessionWriter, this.#traceChangeWriter, this.#sessionChangeWriter]) {
      writer.discard();
    }
  }

  async write(plan: AppendPlan): Promise<void> {
    if (plan.newTraces.length > 0) await appendRows(this.#traceWriter, TRACES, plan.newTraces);
    if (plan.changedTraces.length > 0) {
      await this.#connection.run('DELETE FROM temp.trace_changes');
      await appendRows(this.#traceChangeWriter, TRACES, plan.changedTraces);
      await this.#runOnRange(UPDATE_TRACES, plan.changedTraces);
    }
    if (plan.newSessions.length > 0) await appendRows(this.#sessionWriter, SESSIONS, plan.newSessions);
    if (plan.changedSessions.length > 0) {
      await this.#connection.run('DELETE FROM temp.session_changes');
      await appendRows(this.#sessionChangeWriter, SESSIONS, plan.changedSessions);
      await this.#runOnRange(UPDATE_SESSIONS, plan.changedSessions);
    }
  }

  async #runOnRange(sql: string, rows: readonly (TraceRow | SessionRow)[]): Promise<void> {
    const parameters = new Parameters();
    parameters.bigint(rows.reduce((least, { rowId }) => Math.min(least, rowId), Number.MAX_SAFE_INTEGER));
    parameters.bigint(rows.reduce((greatest, { rowId }) => Math.max(greatest, rowId), 0));
    await this.#connection.run(sql, parameters.values, parameters.types);
  }
}
