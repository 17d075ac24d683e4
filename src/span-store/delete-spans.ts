import type { DuckDBConnection } from '@duckdb/node-api';
import { changeAnnotations } from './change-annotations.ts';
import { VECTOR_ROW_COUNT } from './chunk-writer.ts';
import { COST_NAMES, SUM_OF_COST_SUMS, SUM_OF_SPAN_COSTS, setCosts } from './cost-sums.ts';
import {
  deleteAnnotations,
  deleteAnnotationsOf,
  deleteMatchingAnnotations,
  SESSION_TARGET,
} from './delete-annotations.ts';
import type { Deletion } from './span-store.ts';
import { Parameters, queryRows } from './sql.ts';

/** Row ids that one statement names; more are taken in turns, so that a list stays a few hundred KB. */
const IDS_PER_STATEMENT = 16 * VECTOR_ROW_COUNT;

/**
 * Deletes inside the running transaction, and computes the sums of what is left of touched traces and sessions anew.
 * Times of sessions never shrink. Row ids that are gone are skipped.
 */
export async function deleteSpans(connection: DuckDBConnection, deletion: Deletion): Promise<void> {
  switch (deletion.what) {
    case 'spans':
      return deleteSpanRows(connection, deletion.rowIds);
    case 'traces':
      return deleteTraces(connection, 'row_id', deletion.rowIds);
    case 'sessions':
      return deleteSessions(connection, deletion.rowIds);
    case 'project':
      return deleteProject(connection, deletion.projectId);
    case 'annotations':
      return deleteAnnotations(connection, deletion.rowIds);
    case 'matchingAnnotations':
      return deleteMatchingAnnotations(connection, deletion);
    case 'changedAnnotations':
      return changeAnnotations(connection, deletion.changes);
  }
}

async function deleteSpanRows(connection: DuckDBConnection, rowIds: readonly number[]): Promise<void> {
  const touched = new Set<number>();
  for (const ids of inTurns(rowIds)) {
    const parameters = new Parameters();
    const traces = await queryRows(
      connection,
      `SELECT DISTINCT trace_row_id FROM store.spans WHERE ${rowIdIn(parameters, 'row_id', ids)}`,
      parameters,
    );
    for (const [traceRowId] of traces) touched.add(Number(traceRowId));
    await deleteSpansWhere(connection, (parameters) => rowIdIn(parameters, 'row_id', ids));
    await deleteAnnotationsOf(connection, 'spans', ids);
  }
  await recomputeSums(connection, [...touched]);
}

/** Sums of traces from their spans, and those of their sessions. */
export async function recomputeSums(connection: DuckDBConnection, traceRowIds: readonly number[]): Promise<void> {
  const sessions = await sessionsOfTraces(connection, 'row_id', traceRowIds);
  for (const ids of inTurns(traceRowIds)) await recomputeTraces(connection, ids);
  await recomputeSessions(connection, sessions);
}

async function deleteTraces(
  connection: DuckDBConnection,
  column: 'row_id' | 'session_row_id',
  rowIds: readonly number[],
): Promise<void> {
  const sessions = await sessionsOfTraces(connection, column, rowIds);
  await deleteTraceRows(connection, column, rowIds);
  await recomputeSessions(connection, sessions);
}

async function deleteSessions(connection: DuckDBConnection, rowIds: readonly number[]): Promise<void> {
  await deleteTraceRows(connection, 'session_row_id', rowIds);
  for (const ids of inTurns(rowIds)) {
    const parameters = new Parameters();
    await queryRows(connection, `DELETE FROM store.sessions WHERE ${rowIdIn(parameters, 'row_id', ids)}`, parameters);
    await deleteAnnotationsOf(connection, 'sessions', ids);
  }
}

/**
 * Traces of the project, and its sessions with their traces, which may be in other projects. A statement a table: a
 * project may be most of what is stored.
 */
async function deleteProject(connection: DuckDBConnection, projectId: number): Promise<void> {
  const run = (sql: (id: string) => string) => {
    const parameters = new Parameters();
    return queryRows(connection, sql(parameters.integer(projectId)), parameters);
  };
  const sessionsOf = (id: string) => `SELECT row_id FROM store.sessions WHERE project_id = ${id}`;
  const tracesOf = (id: string) =>
    `SELECT row_id FROM store.traces WHERE project_id = ${id} OR session_row_id IN (${sessionsOf(id)})`;
  const foreignSessions = await run(
    (id) => `SELECT DISTINCT session_row_id FROM store.traces WHERE project_id = ${id} AND session_row_id IS NOT NULL
      AND session_row_id NOT IN (${sessionsOf(id)})`,
  );
  await run(
    (id) => `DELETE FROM store.annotations WHERE trace_row_id IN (${tracesOf(id)})
      OR (target = ${SESSION_TARGET} AND target_row_id IN (${sessionsOf(id)}))`,
  );
  await run(
    (id) => `DELETE FROM store.long_texts WHERE span_row_id IN
      (SELECT row_id FROM store.spans WHERE long_texts <> 0 AND trace_row_id IN (${tracesOf(id)}))`,
  );
  await run((id) => `DELETE FROM store.cost_details WHERE trace_row_id IN (${tracesOf(id)})`);
  await run((id) => `DELETE FROM store.spans WHERE trace_row_id IN (${tracesOf(id)})`);
  await run((id) => `DELETE FROM store.traces WHERE row_id IN (${tracesOf(id)})`);
  await run((id) => `DELETE FROM store.sessions WHERE project_id = ${id}`);
  await recomputeSessions(
    connection,
    foreignSessions.map(([rowId]) => Number(rowId)),
  );
}

/** Deletes spans with their long texts. */
async function deleteSpansWhere(
  connection: DuckDBConnection,
  condition: (parameters: Parameters) => string,
): Promise<void> {
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
  await queryRows(connection, `DELETE FROM store.spans WHERE ${condition(spans)}`, spans);
}

/** Deletes traces with their spans. */
async function deleteTraceRows(
  connection: DuckDBConnection,
  column: 'row_id' | 'session_row_id',
  rowIds: readonly number[],
): Promise<void> {
  for (const ids of inTurns(rowIds)) {
    const parameters = new Parameters();
    const deleted = await queryRows(
      connection,
      `DELETE FROM store.traces WHERE ${rowIdIn(parameters, column, ids)}
       RETURNING row_id, first_span_row_id, last_span_row_id`,
      parameters,
    );
    for (const traces of inTurns(deleted)) {
      await deleteAnnotationsOf(
        connection,
        'traces',
        traces.map(([rowId]) => Number(rowId)),
      );
      const first = traces.reduce((least, [, rowId]) => Math.min(least, Number(rowId)), Number.MAX_SAFE_INTEGER);
      const last = traces.reduce((greatest, [, , rowId]) => Math.max(greatest, Number(rowId)), 0);
      await deleteSpansWhere(
        connection,
        (parameters) => `row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
          AND ${parameters.bigintIn(
            'trace_row_id',
            traces.map(([rowId]) => Number(rowId)),
          )}`,
      );
    }
  }
}

async function sessionsOfTraces(
  connection: DuckDBConnection,
  column: 'row_id' | 'session_row_id',
  rowIds: readonly number[],
): Promise<number[]> {
  const sessions = new Set<number>();
  for (const ids of inTurns(rowIds)) {
    const parameters = new Parameters();
    const found = await queryRows(
      connection,
      `SELECT DISTINCT session_row_id FROM store.traces WHERE ${rowIdIn(parameters, column, ids)}
       AND session_row_id IS NOT NULL`,
      parameters,
    );
    for (const [rowId] of found) sessions.add(Number(rowId));
  }
  return [...sessions];
}

/** Sums of traces from the spans they have left; a trace without any goes. */
async function recomputeTraces(connection: DuckDBConnection, rowIds: readonly number[]): Promise<void> {
  const range = new Parameters();
  const [[first, last] = []] = await queryRows(
    connection,
    `SELECT min(first_span_row_id), max(last_span_row_id) FROM store.traces WHERE ${rowIdIn(range, 'row_id', rowIds)}`,
    range,
  );
  if (typeof first !== 'bigint' || typeof last !== 'bigint') return;
  const parameters = new Parameters();
  const left = `SELECT trace_row_id, min(start_ns) AS start_ns, max(end_ns) AS end_ns, count(*) AS span_count,
      count_if(status_code = 2) AS error_count, coalesce(sum(tokens_prompt), 0) AS tokens_prompt,
      coalesce(sum(tokens_completion), 0) AS tokens_completion, min(row_id) AS first_row_id, max(row_id) AS last_row_id,
      ${SUM_OF_SPAN_COSTS}
    FROM store.spans WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
      AND ${parameters.bigintIn('trace_row_id', rowIds)} GROUP BY trace_row_id`;
  const updated = await queryRows(
    connection,
    `UPDATE store.traces t SET start_ns = l.start_ns, end_ns = l.end_ns, span_count = l.span_count,
       error_count = l.error_count, tokens_prompt = l.tokens_prompt, tokens_completion = l.tokens_completion,
       first_span_row_id = l.first_row_id, last_span_row_id = l.last_row_id, ${setCosts('l')}
     FROM (${left}) l WHERE t.row_id = l.trace_row_id AND ${rowIdIn(parameters, 't.row_id', rowIds)}
     RETURNING t.row_id`,
    parameters,
  );
  const alive = new Set(updated.map(([rowId]) => Number(rowId)));
  const empty = rowIds.filter((rowId) => !alive.has(rowId));
  if (empty.length === 0) return;
  const gone = new Parameters();
  await queryRows(connection, `DELETE FROM store.traces WHERE ${rowIdIn(gone, 'row_id', empty)}`, gone);
  await deleteAnnotationsOf(connection, 'traces', empty);
}

/** Sums and previews of sessions from the traces and root spans they have left. */
async function recomputeSessions(connection: DuckDBConnection, rowIds: readonly number[]): Promise<void> {
  for (const ids of inTurns(rowIds)) {
    const parameters = new Parameters();
    await queryRows(connection, recomputeSessionsSql(parameters, ids), parameters);
  }
}

function recomputeSessionsSql(parameters: Parameters, rowIds: readonly number[]): string {
  const ids = `SELECT unnest(${parameters.bigints(rowIds)})`;
  return `UPDATE store.sessions s SET trace_count = l.trace_count, error_count = l.error_count,
      tokens_prompt = l.tokens_prompt, tokens_completion = l.tokens_completion, ${setCosts('l')},
      first_input_ns = l.first_input.start_ns, first_input_row_id = l.first_input.row_id, first_input = l.first_input.body,
      last_output_ns = l.last_output.start_ns, last_output_row_id = l.last_output.row_id, last_output = l.last_output.body
    FROM (${leftOfSessions(ids)}) l WHERE s.row_id = l.session_row_id`;
}

const COALESCED_COSTS = COST_NAMES.map((name) => `coalesce(${name}, 0) AS ${name}`).join(', ');

/** What `sessions` should hold of these sessions (SQL text of their row ids), computed from traces and spans. */
export const leftOfSessions = (ids: string): string => `WITH
  ids(session_row_id) AS MATERIALIZED (${ids}),
  member AS MATERIALIZED (SELECT t.* FROM store.traces t WHERE t.session_row_id IN (SELECT session_row_id FROM ids)),
  sums AS (SELECT session_row_id, count(*) AS trace_count, sum(error_count) AS error_count,
      sum(tokens_prompt) AS tokens_prompt, sum(tokens_completion) AS tokens_completion, ${SUM_OF_COST_SUMS}
    FROM member GROUP BY session_row_id),
  root AS MATERIALIZED (SELECT m.session_row_id, r.start_ns, r.row_id, r.input_head, r.output_head
    FROM store.spans r JOIN member m ON r.trace_row_id = m.row_id
    WHERE r.parent_span_id IS NULL AND r.row_id BETWEEN (SELECT min(first_span_row_id) FROM member)
      AND (SELECT max(last_span_row_id) FROM member)),
  first AS (SELECT session_row_id, min({start_ns: start_ns, row_id: row_id, body: input_head}) AS first_input
    FROM root WHERE input_head IS NOT NULL GROUP BY session_row_id),
  last AS (SELECT session_row_id, max({start_ns: start_ns, row_id: row_id, body: output_head}) AS last_output
    FROM root WHERE output_head IS NOT NULL GROUP BY session_row_id)
  SELECT ids.session_row_id, coalesce(trace_count, 0) AS trace_count, coalesce(error_count, 0) AS error_count,
    coalesce(tokens_prompt, 0) AS tokens_prompt, coalesce(tokens_completion, 0) AS tokens_completion,
    ${COALESCED_COSTS}, first_input, last_output
  FROM ids LEFT JOIN sums USING (session_row_id) LEFT JOIN first USING (session_row_id)
    LEFT JOIN last USING (session_row_id)`;

/** The condition, with the range of the ids for the zone maps. `rowIds` is not empty. */
function rowIdIn(parameters: Parameters, column: string, rowIds: readonly number[]): string {
  let least = rowIds[0]!;
  let greatest = least;
  for (const rowId of rowIds) {
    if (rowId < least) least = rowId;
    if (rowId > greatest) greatest = rowId;
  }
  return `${column} BETWEEN ${parameters.bigint(least)} AND ${parameters.bigint(greatest)}
    AND ${parameters.bigintIn(column, rowIds)}`;
}

function* inTurns<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += IDS_PER_STATEMENT) yield rows.slice(from, from + IDS_PER_STATEMENT);
}
