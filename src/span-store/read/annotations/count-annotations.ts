import { ANNOTATION_TARGETS, ANNOTATOR_KINDS } from '../../../model/annotations/annotation.ts';
import type { AnnotationFilter } from '../../contract/annotations.ts';
import { TABLE_OF_TARGET } from '../../duckdb/annotation-rows.ts';
import { int64, text } from '../../duckdb/define-table.ts';
import { select } from '../../duckdb/select-list.ts';
import { Parameters } from '../../duckdb/sql.ts';
import { startsIn } from '../list-order.ts';
import type { ReadContext } from '../read-context.ts';

const COUNT = { name: text('name'), count: int64('count(*)') };

/** Number of annotations by name, in the order of the names. */
export async function countAnnotations(context: ReadContext, filter: AnnotationFilter): Promise<Map<string, number>> {
  const parameters = new Parameters();
  const tail = `FROM store.annotations WHERE ${matchingAnnotations(filter, parameters)} GROUP BY name ORDER BY name`;
  const rows = await select(context, COUNT, tail, parameters);
  return new Map(rows.map(({ name, count }) => [name, count]));
}

export function matchingAnnotations(filter: AnnotationFilter, parameters: Parameters): string {
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
