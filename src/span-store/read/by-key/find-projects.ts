import { groupBy } from '../../../base/group-by.ts';
import { chunksOf, rowIdIn } from '../../duckdb/row-id-lists.ts';
import { Parameters } from '../../duckdb/sql.ts';
import type { ReadContext } from '../read-context.ts';

type Table = 'spans' | 'traces' | 'sessions' | 'annotations';

export async function findProjects(
  context: ReadContext,
  of: Table,
  rowIds: readonly number[],
): Promise<Map<number, number[]>> {
  const found = new Map<number, number[]>();
  for (const some of chunksOf(rowIds)) {
    const rows = await rowsWithProjects(context, of, 'row_id', some);
    const ofTraces = of === 'sessions' ? await rowsWithProjects(context, 'traces', 'session_row_id', some) : [];
    const groups = groupBy(
      [...rows, ...ofTraces],
      ([rowId]) => rowId,
      ([, projectId]) => projectId,
    );
    for (const [rowId, projectIds] of groups) found.set(rowId, [...new Set(projectIds)]);
  }
  return found;
}

async function rowsWithProjects(
  context: ReadContext,
  table: Table,
  column: 'row_id' | 'session_row_id',
  rowIds: readonly number[],
): Promise<(readonly [number, number])[]> {
  const parameters = new Parameters();
  const rows = await context.rows(
    `SELECT DISTINCT ${column}, project_id FROM store.${table} WHERE ${rowIdIn(parameters, column, rowIds)}`,
    parameters,
  );
  return rows.map(([rowId, projectId]) => [Number(rowId), Number(projectId)] as const);
}
