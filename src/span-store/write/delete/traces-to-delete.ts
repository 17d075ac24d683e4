import { DELETED_TRACE_COUNT_MAX } from '../../../model/limits/span-store.ts';
import type { Deletion } from '../../contract/writer.ts';
import { select } from '../../duckdb/select-list.ts';
import { type Connection, Parameters, queryRows, statementsOf } from '../../duckdb/sql.ts';
import { TRACES, type TraceRow } from '../../duckdb/trace-rows.ts';

/** SQL text: row ids of the sessions of the traces. */
export const SESSIONS_OF_DELETED =
  'SELECT DISTINCT session_row_id FROM temp.traces_to_delete WHERE session_row_id IS NOT NULL';

/** SQL text: row ids of the traces. */
export const TO_DELETE = 'SELECT row_id FROM temp.traces_to_delete';

/**
 * Traces of one deletion, in a temporary table of the writer's connection: there may be millions, so their row ids stay in
 * DuckDB. `deleted_traces` keeps the position of each, for pages whose cursor is a deleted trace.
 */
export class TracesToDelete {
  readonly #connection: Connection;
  readonly #position: number;

  constructor(connection: Connection, position: number) {
    this.#connection = connection;
    this.#position = position;
  }

  async begin(): Promise<void> {
    await this.#connection.run('DELETE FROM temp.traces_to_delete');
  }

  /** Adds the traces that meet a condition on `traces`. They must not have been added before. */
  async add(condition: (parameters: Parameters) => string): Promise<void> {
    const parameters = new Parameters();
    await queryRows(
      this.#connection,
      `INSERT INTO temp.traces_to_delete SELECT row_id, session_row_id, start_ns, end_ns, first_span_row_id, last_span_row_id
       FROM store.traces WHERE ${condition(parameters)}`,
      parameters,
    );
  }

  async addOfProject(deletion: Extract<Deletion, { what: 'tracesOfProject' }>): Promise<void> {
    const { projectId, startTimeUnixNano, endTimeUnixNano, exceptNewestCount } = deletion;
    const newestToDelete =
      exceptNewestCount === undefined ? 'any' : await this.#newestAfter(projectId, exceptNewestCount);
    if (!newestToDelete) return;
    await this.add((parameters) => {
      const conditions = [`project_id = ${parameters.integer(projectId)}`];
      if (startTimeUnixNano !== undefined) conditions.push(`start_ns >= ${parameters.bigint(startTimeUnixNano)}`);
      if (endTimeUnixNano !== undefined) conditions.push(`start_ns < ${parameters.bigint(endTimeUnixNano)}`);
      if (newestToDelete !== 'any') {
        const { start, rowId } = newestToDelete;
        const at = parameters.bigint(start);
        conditions.push(`start_ns <= ${at} AND (start_ns < ${at} OR row_id <= ${parameters.bigint(rowId)})`);
      }
      return conditions.join(' AND ');
    });
  }

  /** Start and row id of the newest trace after `count` newer ones. Undefined if there is none. */
  async #newestAfter(projectId: number, count: number): Promise<Pick<TraceRow, 'start' | 'rowId'> | undefined> {
    const { start, rowId } = TRACES.fields;
    const parameters = new Parameters();
    const [row] = await select(
      statementsOf(this.#connection),
      { start, rowId },
      `FROM store.traces WHERE project_id = ${parameters.integer(projectId)}
       ORDER BY start_ns DESC, row_id DESC LIMIT 1 OFFSET ${parameters.bigint(count)}`,
      parameters,
    );
    return row;
  }

  /** Range of row ids that contains all spans of the traces. Undefined without traces. */
  async spanRange(): Promise<{ readonly first: bigint; readonly last: bigint } | undefined> {
    const [[first, last] = []] = await queryRows(
      this.#connection,
      'SELECT min(first_span_row_id), max(last_span_row_id) FROM temp.traces_to_delete',
    );
    return typeof first === 'bigint' && typeof last === 'bigint' ? { first, last } : undefined;
  }

  /** Deletes the traces with their spans and annotations. The caller updates the sessions. */
  async delete(): Promise<{ readonly spanCount: number; readonly traceCount: number; readonly lastRowId: number }> {
    const range = await this.spanRange();
    if (!range) return { spanCount: 0, traceCount: 0, lastRowId: 0 };
    await this.#recordPositions();
    await this.#connection.run(`DELETE FROM store.annotations WHERE trace_row_id IN (${TO_DELETE})`);
    // The range of row ids prunes row groups, because the traces of a day have neighbouring row ids.
    const spanCount = await deleteSpansWhere(
      this.#connection,
      (parameters) =>
        `row_id BETWEEN ${parameters.bigint(range.first)} AND ${parameters.bigint(range.last)} AND trace_row_id IN (${TO_DELETE})`,
    );
    const traceCount = await deletedCount(this.#connection, `DELETE FROM store.traces WHERE row_id IN (${TO_DELETE})`);
    return { spanCount, traceCount, lastRowId: Number(range.last) };
  }

  async #recordPositions(): Promise<void> {
    const parameters = new Parameters();
    await queryRows(
      this.#connection,
      `INSERT INTO store.deleted_traces SELECT row_id, start_ns, end_ns, ${parameters.bigint(this.#position)}
       FROM temp.traces_to_delete ORDER BY row_id DESC LIMIT ${DELETED_TRACE_COUNT_MAX}`,
      parameters,
    );
    const [[count] = []] = await queryRows(this.#connection, 'SELECT count(*) FROM store.deleted_traces');
    if (Number(count) <= DELETED_TRACE_COUNT_MAX) return;
    // Whole deletions are removed, the oldest first, independent of the limits of batches. So a replay removes the same rows.
    await this.#connection.run(
      `DELETE FROM store.deleted_traces WHERE position < (SELECT min(position) FROM (
         SELECT position, sum(count(*)) OVER (ORDER BY position DESC) - count(*) AS newer_count
         FROM store.deleted_traces GROUP BY position) WHERE newer_count < ${DELETED_TRACE_COUNT_MAX})`,
    );
  }
}

/** Deletes spans with their long texts and cost details. Returns the number of spans. */
export async function deleteSpansWhere(
  connection: Connection,
  condition: (parameters: Parameters) => string,
): Promise<number> {
  const longTexts = new Parameters();
  await queryRows(
    connection,
    `DELETE FROM store.long_texts WHERE span_row_id IN
       (SELECT row_id FROM store.spans WHERE long_texts <> 0 AND ${condition(longTexts)})`,
    longTexts,
  );
  const costs = new Parameters();
  await queryRows(
    connection,
    `DELETE FROM store.cost_details WHERE span_row_id IN
       (SELECT row_id FROM store.spans WHERE cost_tokens_prompt IS NOT NULL AND ${condition(costs)})`,
    costs,
  );
  const spans = new Parameters();
  return deletedCount(connection, `DELETE FROM store.spans WHERE ${condition(spans)}`, spans);
}

export async function deletedCount(connection: Connection, sql: string, parameters?: Parameters): Promise<number> {
  const [[count] = [0]] = await queryRows(connection, sql, parameters);
  return Number(count);
}
