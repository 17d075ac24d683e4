import type { AnnotationFilter } from '../../contract/annotations.ts';
import { SESSION_TARGET, SPAN_TARGETS } from '../../duckdb/annotation-rows.ts';
import { type Connection, Parameters, queryRows } from '../../duckdb/sql.ts';
import { matchingAnnotations } from '../../read/annotations/count-annotations.ts';

export async function deleteAnnotations(connection: Connection, rowIds: readonly number[]): Promise<void> {
  const parameters = new Parameters();
  await deleteWhere(connection, parameters.bigintIn('row_id', rowIds), parameters);
}

export async function deleteMatchingAnnotations(connection: Connection, filter: AnnotationFilter): Promise<void> {
  const parameters = new Parameters();
  await deleteWhere(connection, matchingAnnotations(filter, parameters), parameters);
}

/** Deletes the annotations of spans and their documents, of traces with their spans, or of sessions. */
export async function deleteAnnotationsOf(
  connection: Connection,
  what: 'spans' | 'traces' | 'sessions',
  rowIds: readonly number[],
): Promise<void> {
  const parameters = new Parameters();
  const condition = {
    spans: () => `target IN ${SPAN_TARGETS} AND ${parameters.bigintIn('target_row_id', rowIds)}`,
    traces: () => parameters.bigintIn('trace_row_id', rowIds),
    sessions: () => `target = ${SESSION_TARGET} AND ${parameters.bigintIn('target_row_id', rowIds)}`,
  }[what]();
  await deleteWhere(connection, condition, parameters);
}

const deleteWhere = (connection: Connection, condition: string, parameters: Parameters) =>
  queryRows(connection, `DELETE FROM store.annotations WHERE ${condition}`, parameters);
