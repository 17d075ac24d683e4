import type { Deletion } from '../../contract/writer.ts';
import { SESSION_TARGET } from '../../duckdb/annotation-rows.ts';
import { COST_KEYS, COST_NAMES, SUM_OF_COST_SUMS, SUM_OF_SPAN_COSTS } from '../../duckdb/cost-sums.ts';
import { assignments } from '../../duckdb/define-table.ts';
import { chunksOf, rowIdIn } from '../../duckdb/row-id-lists.ts';
import { SESSIONS } from '../../duckdb/session-rows.ts';
import { type Connection, Parameters, queryRows } from '../../duckdb/sql.ts';
import { TRACES } from '../../duckdb/trace-rows.ts';
import { changeAnnotations } from '../annotations/change-annotations.ts';
import {
  deleteAnnotations,
  deleteAnnotationsOf,
  deleteMatchingAnnotations,
} from '../annotations/delete-annotations.ts';
import { deletedCount, deleteSpansWhere, SESSIONS_OF_DELETED, TracesToDelete } from './traces-to-delete.ts';

/** Number of deleted rows. */
export interface DeletedCounts {
  readonly spanCount: number;
  readonly traceCount: number;
  readonly sessionCount: number;
}

/** Counts, and the greatest row id of an affected span. */
export interface Deleted extends DeletedCounts {
  readonly lastRowId: number;
}

/**
 * Deletes in the running transaction, and recomputes the aggregates of the affected traces and sessions. The time range of a
 * session never shrinks. Row ids that are not stored are skipped.
 *
 * @param position Journal position of the deletion.
 */
export async function deleteSpans(connection: Connection, deletion: Deletion, position: number): Promise<Deleted> {
  const toDelete = new TracesToDelete(connection, position);
  switch (deletion.what) {
    case 'spans':
      return deleteSpanRows(connection, deletion.rowIds, toDelete);
    case 'traces':
      await toDelete.begin();
      for (const ids of chunksOf(deletion.rowIds))
        await toDelete.add((parameters) => rowIdIn(parameters, 'row_id', ids));
      return deleteTraces(connection, toDelete);
    case 'sessions':
      await toDelete.begin();
      for (const ids of chunksOf(deletion.rowIds)) {
        await toDelete.add((parameters) => rowIdIn(parameters, 'session_row_id', ids));
      }
      return deleteSessions(connection, deletion.rowIds, toDelete);
    case 'tracesOfProject':
      await toDelete.begin();
      await toDelete.addOfProject(deletion);
      return deletion.withSessions ? deleteWithSessions(connection, toDelete) : deleteTraces(connection, toDelete);
    case 'emptySessions':
      return deleteEmptySessions(connection, deletion);
    case 'project':
      return deleteProject(connection, deletion.projectId, toDelete);
    case 'annotations':
      await deleteAnnotations(connection, deletion.rowIds);
      return NOTHING;
    case 'matchingAnnotations':
      await deleteMatchingAnnotations(connection, deletion);
      return NOTHING;
    case 'changedAnnotations':
      await changeAnnotations(connection, deletion.changes);
      return NOTHING;
  }
}

const NOTHING: Deleted = { spanCount: 0, traceCount: 0, sessionCount: 0, lastRowId: 0 };

async function deleteSpanRows(
  connection: Connection,
  rowIds: readonly number[],
  toDelete: TracesToDelete,
): Promise<Deleted> {
  const touched = new Set<number>();
  let spanCount = 0;
  for (const ids of chunksOf(rowIds)) {
    const parameters = new Parameters();
    const traces = await queryRows(
      connection,
      `SELECT DISTINCT trace_row_id FROM store.spans WHERE ${rowIdIn(parameters, 'row_id', ids)}`,
      parameters,
    );
    for (const [traceRowId] of traces) touched.add(Number(traceRowId));
    spanCount += await deleteSpansWhere(connection, (parameters) => rowIdIn(parameters, 'row_id', ids));
    await deleteAnnotationsOf(connection, 'spans', ids);
  }
  const sessions = await sessionsOfTraces(connection, [...touched]);
  await toDelete.begin();
  for (const ids of chunksOf([...touched])) {
    const empty = await recomputeTraces(connection, ids);
    if (empty.length > 0) await toDelete.add((parameters) => rowIdIn(parameters, 'row_id', empty));
  }
  const { traceCount } = await toDelete.delete();
  for (const ids of chunksOf(sessions))
    await recomputeSessions(connection, (parameters) => `SELECT unnest(${parameters.bigints(ids)})`);
  return { spanCount, traceCount, sessionCount: 0, lastRowId: rowIds.reduce((last, id) => Math.max(last, id), 0) };
}

/** Recomputes the aggregates of traces and of their sessions. */
export async function recomputeSums(connection: Connection, traceRowIds: readonly number[]): Promise<void> {
  for (const ids of chunksOf(traceRowIds)) await recomputeTraces(connection, ids);
  for (const ids of chunksOf(await sessionsOfTraces(connection, traceRowIds))) {
    await recomputeSessions(connection, (parameters) => `SELECT unnest(${parameters.bigints(ids)})`);
  }
}

async function deleteTraces(connection: Connection, toDelete: TracesToDelete): Promise<Deleted> {
  const counts = await toDelete.delete();
  await recomputeSessions(connection, () => SESSIONS_OF_DELETED);
  return { ...counts, sessionCount: 0 };
}

async function deleteSessions(
  connection: Connection,
  rowIds: readonly number[],
  toDelete: TracesToDelete,
): Promise<Deleted> {
  const counts = await toDelete.delete();
  let sessionCount = 0;
  for (const ids of chunksOf(rowIds)) {
    sessionCount += await deleteSessionsWhere(connection, (parameters) => rowIdIn(parameters, 'row_id', ids));
  }
  return { ...counts, sessionCount };
}

/** Also deletes the sessions of the traces, with all of their traces in any project and at any time. */
async function deleteWithSessions(connection: Connection, toDelete: TracesToDelete): Promise<Deleted> {
  await toDelete.add(
    () => `session_row_id IN (${SESSIONS_OF_DELETED}) AND row_id NOT IN (SELECT row_id FROM temp.traces_to_delete)`,
  );
  const counts = await toDelete.delete();
  const sessionCount = await deleteSessionsWhere(connection, () => `row_id IN (${SESSIONS_OF_DELETED})`);
  return { ...counts, sessionCount };
}

async function deleteEmptySessions(
  connection: Connection,
  { projectId, endBeforeUnixNano }: Extract<Deletion, { what: 'emptySessions' }>,
): Promise<Deleted> {
  const sessionCount = await deleteSessionsWhere(
    connection,
    (parameters) => `project_id = ${parameters.integer(projectId)} AND trace_count = 0
      AND end_ns < ${parameters.bigint(endBeforeUnixNano)}`,
  );
  return { ...NOTHING, sessionCount };
}

/** Deletes the traces and sessions of a project. Traces of its sessions may be in other projects. */
async function deleteProject(connection: Connection, projectId: number, toDelete: TracesToDelete): Promise<Deleted> {
  await toDelete.begin();
  await toDelete.add(
    (parameters) => `project_id = ${parameters.integer(projectId)} OR session_row_id IN
      (SELECT row_id FROM store.sessions WHERE project_id = ${parameters.integer(projectId)})`,
  );
  const counts = await toDelete.delete();
  const sessionCount = await deleteSessionsWhere(
    connection,
    (parameters) => `project_id = ${parameters.integer(projectId)}`,
  );
  await recomputeSessions(connection, () => SESSIONS_OF_DELETED);
  return { ...counts, sessionCount };
}

/** Deletes sessions and their annotations, but not their traces. Returns the number of sessions. */
async function deleteSessionsWhere(
  connection: Connection,
  condition: (parameters: Parameters) => string,
): Promise<number> {
  const annotations = new Parameters();
  await queryRows(
    connection,
    `DELETE FROM store.annotations WHERE target = ${SESSION_TARGET}
       AND target_row_id IN (SELECT row_id FROM store.sessions WHERE ${condition(annotations)})`,
    annotations,
  );
  const sessions = new Parameters();
  return deletedCount(connection, `DELETE FROM store.sessions WHERE ${condition(sessions)}`, sessions);
}

async function sessionsOfTraces(connection: Connection, rowIds: readonly number[]): Promise<number[]> {
  const sessions = new Set<number>();
  for (const ids of chunksOf(rowIds)) {
    const parameters = new Parameters();
    const found = await queryRows(
      connection,
      `SELECT DISTINCT session_row_id FROM store.traces WHERE ${rowIdIn(parameters, 'row_id', ids)}
       AND session_row_id IS NOT NULL`,
      parameters,
    );
    for (const [rowId] of found) sessions.add(Number(rowId));
  }
  return [...sessions];
}

const AGGREGATED_BY_TRACE = [
  ...(['start', 'end', 'spanCount', 'errorCount', 'tokensPrompt', 'tokensCompletion'] as const),
  ...(['firstSpanRowId', 'lastSpanRowId'] as const),
  ...COST_KEYS,
];

const AGGREGATED_BY_SESSION = [
  ...(['traceCount', 'errorCount', 'tokensPrompt', 'tokensCompletion'] as const),
  ...COST_KEYS,
];

/** Recomputes the aggregates of traces from their remaining spans. Returns the traces without spans. */
async function recomputeTraces(connection: Connection, rowIds: readonly number[]): Promise<number[]> {
  const range = new Parameters();
  const [[first, last] = []] = await queryRows(
    connection,
    `SELECT min(first_span_row_id), max(last_span_row_id) FROM store.traces WHERE ${rowIdIn(range, 'row_id', rowIds)}`,
    range,
  );
  if (typeof first !== 'bigint' || typeof last !== 'bigint') return [];
  const parameters = new Parameters();
  const left = `SELECT trace_row_id, min(start_ns) AS start_ns, max(end_ns) AS end_ns, count(*) AS span_count,
      count_if(status_code = 2) AS error_count, coalesce(sum(tokens_prompt), 0) AS tokens_prompt,
      coalesce(sum(tokens_completion), 0) AS tokens_completion, min(row_id) AS first_span_row_id,
      max(row_id) AS last_span_row_id, ${SUM_OF_SPAN_COSTS}
    FROM store.spans WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}
      AND ${parameters.bigintIn('trace_row_id', rowIds)} GROUP BY trace_row_id`;
  const updated = await queryRows(
    connection,
    `UPDATE store.traces t SET ${assignments(TRACES.fields, AGGREGATED_BY_TRACE, 'l')}
     FROM (${left}) l WHERE t.row_id = l.trace_row_id AND ${rowIdIn(parameters, 't.row_id', rowIds)}
     RETURNING t.row_id`,
    parameters,
  );
  const alive = new Set(updated.map(([rowId]) => Number(rowId)));
  return rowIds.filter((rowId) => !alive.has(rowId));
}

/** Recomputes aggregates and previews of sessions (SQL text of their row ids) from their remaining traces and root spans. */
async function recomputeSessions(connection: Connection, idsOf: (parameters: Parameters) => string): Promise<void> {
  const parameters = new Parameters();
  await queryRows(connection, recomputeSessionsSql(idsOf(parameters)), parameters);
}

const recomputeSessionsSql = (ids: string): string => `UPDATE store.sessions s SET
    ${assignments(SESSIONS.fields, AGGREGATED_BY_SESSION, 'l')},
    first_input_ns = l.first_input.start_ns, first_input_row_id = l.first_input.row_id, first_input = l.first_input.body,
    last_output_ns = l.last_output.start_ns, last_output_row_id = l.last_output.row_id, last_output = l.last_output.body
  FROM (${leftOfSessions(ids)}) l WHERE s.row_id = l.session_row_id`;

const COALESCED_COSTS = COST_NAMES.map((name) => `coalesce(${name}, 0) AS ${name}`).join(', ');

/** SQL text: the values of these sessions (SQL text of their row ids), computed from traces and spans. */
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
