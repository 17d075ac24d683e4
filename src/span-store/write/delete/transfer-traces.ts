import type { Transfer } from '../../contract/writer.ts';
import { chunksOf, rowIdIn } from '../../duckdb/row-id-lists.ts';
import { type Connection, Parameters, queryRows } from '../../duckdb/sql.ts';
import { TO_DELETE, TracesToDelete } from './traces-to-delete.ts';

/**
 * Moves traces to another project inside the running transaction, with their spans and annotations. Their sums are their
 * own, and sessions, which stay, have the sums of their traces wherever these are. Returns the row id after which no
 * span was touched.
 */
export async function transferTraces(
  connection: Connection,
  { traceRowIds, projectId }: Transfer,
  position: number,
): Promise<number> {
  const toDelete = new TracesToDelete(connection, position);
  await toDelete.begin();
  for (const ids of chunksOf(traceRowIds)) await toDelete.add((parameters) => rowIdIn(parameters, 'row_id', ids));
  const range = await toDelete.spanRange();
  if (!range) return 0;
  const move = async (table: string, condition: (parameters: Parameters) => string) => {
    const parameters = new Parameters();
    const sql = `UPDATE store.${table} SET project_id = ${parameters.integer(projectId)} WHERE ${condition(parameters)}`;
    await queryRows(connection, sql, parameters);
  };
  await move('traces', () => `row_id IN (${TO_DELETE})`);
  await move(
    'spans',
    (parameters) => `row_id BETWEEN ${parameters.bigint(range.first)} AND ${parameters.bigint(range.last)}
      AND trace_row_id IN (${TO_DELETE})`,
  );
  await move('annotations', () => `trace_row_id IN (${TO_DELETE})`);
  return Number(range.last);
}
