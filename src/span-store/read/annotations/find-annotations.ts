import {
  ANNOTATION_TARGETS,
  type Annotation,
  type AnnotationTarget,
  targetKey,
} from '../../../model/annotations/annotation.ts';
import type { Page } from '../../../model/page.ts';
import type { AnnotationQuery, WrittenQuery } from '../../contract/annotations.ts';
import { ANNOTATIONS, type AnnotationRow } from '../../duckdb/annotation-rows.ts';
import { selectRows } from '../../duckdb/define-table.ts';
import { rowIdIn } from '../../duckdb/row-id-lists.ts';
import { Parameters } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';
import { findTargets } from './find-targets.ts';

export async function findAnnotations(context: ReadContext, query: AnnotationQuery): Promise<Page<Annotation>> {
  const parameters = new Parameters();
  const conditions = [
    `project_id = ${parameters.integer(query.projectId)}`,
    `target = ${parameters.utinyint(ANNOTATION_TARGETS.indexOf(query.target))}`,
  ];
  if (query.fromRowId !== undefined) conditions.push(`row_id <= ${parameters.bigint(query.fromRowId)}`);
  if (query.targetIds) conditions.push(parameters.textIn('target_id', query.targetIds));
  if (query.identifiers) conditions.push(parameters.textIn('identifier', query.identifiers));
  if (query.names) conditions.push(parameters.textIn('name', query.names));
  if (query.exceptNames) conditions.push(`NOT (${parameters.textIn('name', query.exceptNames)})`);
  const tail = `ORDER BY row_id DESC LIMIT ${query.limit + 1}`;
  const rows = await selectRows(context, ANNOTATIONS, conditions.join(' AND '), parameters, tail);
  const items = rows.slice(0, query.limit).map(toAnnotation);
  const next = rows[query.limit];
  return next ? { items, nextRowId: next.rowId } : { items };
}

export async function findAnnotationsByRowIds(
  context: ReadContext,
  rowIds: readonly number[],
): Promise<Map<number, Annotation>> {
  const parameters = new Parameters();
  const condition = parameters.bigintIn('row_id', rowIds);
  const rows = await selectRows(context, ANNOTATIONS, condition, parameters);
  return new Map(rows.map((row) => [row.rowId, toAnnotation(row)]));
}

export async function findAnnotationsOfTargets(
  context: ReadContext,
  target: AnnotationTarget,
  rowIds: readonly number[],
): Promise<Map<number, Annotation[]>> {
  const found = new Map<number, Annotation[]>();
  if (rowIds.length === 0) return found;
  const parameters = new Parameters();
  // The range prunes row groups, because annotations are created at about the same time as their targets.
  const condition = `target = ${parameters.utinyint(ANNOTATION_TARGETS.indexOf(target))}
    AND ${rowIdIn(parameters, 'target_row_id', rowIds)}`;
  const rows = await selectRows(context, ANNOTATIONS, condition, parameters, 'ORDER BY row_id');
  for (const row of rows) {
    const ofTarget = found.get(row.targetRowId);
    if (ofTarget) ofTarget.push(toAnnotation(row));
    else found.set(row.targetRowId, [toAnnotation(row)]);
  }
  return found;
}

export async function findWrittenAnnotations(
  context: ReadContext,
  { target, keys, since }: WrittenQuery,
): Promise<(number | undefined)[]> {
  if (keys.length === 0) return [];
  const parameters = new Parameters();
  const rows = await context.rows(
    `SELECT row_id, target_id, document_position, name, identifier, trace_row_id FROM store.annotations
     WHERE target = ${parameters.utinyint(ANNOTATION_TARGETS.indexOf(target))}
       AND position >= ${parameters.bigint(since)}
       AND ${parameters.textIn('target_id', [...new Set(keys.map(({ targetId }) => targetId))])}`,
    parameters,
  );
  const rowIds = new Map<string, number>();
  for (const [rowId, targetId, at, name, identifier, traceRowId] of rows) {
    const key = [targetId, at === null ? null : Number(at), name, identifier];
    for (const trace of [null, Number(traceRowId)]) rowIds.set(JSON.stringify([...key, trace]), Number(rowId));
  }
  const traceIds = new Set(keys.flatMap(({ traceId }) => traceId ?? []));
  const traces = await findTargets(context, {
    target: 'trace',
    refs: Array.from(traceIds, (targetId) => ({ targetId })),
  });
  return keys.map(({ targetId, traceId, documentPosition, name, identifier }) => {
    const trace = traceId === undefined ? null : traces.get(targetKey({ targetId: traceId }))?.rowId;
    return rowIds.get(JSON.stringify([targetId, documentPosition, name, identifier, trace ?? null]));
  });
}

const toAnnotation = ({ traceRowId: _, projectId: __, position: ___, ...annotation }: AnnotationRow): Annotation =>
  annotation;
