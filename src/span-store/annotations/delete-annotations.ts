import type { DuckDBConnection } from '@duckdb/node-api';
import { ANNOTATION_TARGETS, ANNOTATOR_KINDS, type AnnotationTarget } from '../../model/annotation.ts';
import type { AnnotationFilter } from '../annotation-queries.ts';
import { Parameters, queryRows } from '../database/sql.ts';
import { startsIn } from '../read/list-order.ts';
import type { ReadContext } from '../thread/read-context.ts';

/** Where the targets are stored; a document is a part of its span. */
export const TABLE_OF_TARGET = {
  span: 'spans',
  trace: 'traces',
  session: 'sessions',
  document: 'spans',
} as const satisfies Record<AnnotationTarget, string>;

/** Numbers of targets that are spans, or parts of them. */
export const SPAN_TARGETS = `(${ANNOTATION_TARGETS.indexOf('span')}, ${ANNOTATION_TARGETS.indexOf('document')})`;
export const TRACE_TARGET = String(ANNOTATION_TARGETS.indexOf('trace'));
export const SESSION_TARGET = String(ANNOTATION_TARGETS.indexOf('session'));

export async function deleteAnnotations(connection: DuckDBConnection, rowIds: readonly number[]): Promise<void> {
  const parameters = new Parameters();
  await deleteWhere(connection, parameters.bigintIn('row_id', rowIds), parameters);
}

export async function deleteMatchingAnnotations(connection: DuckDBConnection, filter: AnnotationFilter): Promise<void> {
  const parameters = new Parameters();
  await deleteWhere(connection, matchingAnnotations(filter, parameters), parameters);
}

/** How many a deletion would find. */
export async function countMatchingAnnotations(context: ReadContext, filter: AnnotationFilter): Promise<number> {
  const parameters = new Parameters();
  const [[count] = []] = await context.rows(
    `SELECT count(*) FROM store.annotations WHERE ${matchingAnnotations(filter, parameters)}`,
    parameters,
  );
  return Number(count);
}

function matchingAnnotations(filter: AnnotationFilter, parameters: Parameters): string {
  const conditions = [
    `project_id = ${parameters.integer(filter.projectId)}`,
    `target = ${parameters.utinyint(ANNOTATION_TARGETS.indexOf(filter.target))}`,
  ];
  if (filter.name !== undefined) conditions.push(`name = ${parameters.text(filter.name)}`);
  if (filter.identifier !== undefined) conditions.push(`identifier = ${parameters.text(filter.identifier)}`);
  if (filter.annotatorKind !== undefined) {
    conditions.push(`annotator_kind = ${parameters.utinyint(ANNOTATOR_KINDS.indexOf(filter.annotatorKind))}`);
  }
  if (filter.userId !== undefined) conditions.push(`user_id = ${parameters.bigint(filter.userId)}`);
  if (filter.createdFromMs !== undefined) conditions.push(`created_ms >= ${parameters.bigint(filter.createdFromMs)}`);
  if (filter.createdBeforeMs !== undefined) {
    conditions.push(`created_ms < ${parameters.bigint(filter.createdBeforeMs)}`);
  }
  const inRange = startsIn(filter.targetsStart ?? {}, parameters);
  if (inRange.length > 0) {
    const table = TABLE_OF_TARGET[filter.target];
    conditions.push(`target_row_id IN (SELECT row_id FROM store.${table} WHERE ${inRange.join(' AND ')})`);
  }
  return conditions.join(' AND ');
}

/** Of spans and their documents, of traces with their spans, or of sessions. */
export async function deleteAnnotationsOf(
  connection: DuckDBConnection,
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

const deleteWhere = (connection: DuckDBConnection, condition: string, parameters: Parameters) =>
  queryRows(connection, `DELETE FROM store.annotations WHERE ${condition}`, parameters);
