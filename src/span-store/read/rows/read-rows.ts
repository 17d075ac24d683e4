import { expectPresent } from '../../../base/expect-present.ts';
import type { SpanColumnName } from '../../cache/recent-spans.ts';
import { COMPARISON_COUNT_MAX, rowIdIn, SCAN_VALUE_COUNT_MAX } from '../../duckdb/row-id-lists.ts';
import { Parameters, type SqlValue } from '../../duckdb/sql.ts';
import type { ReadContext, Statement } from '../read-context.ts';

/** Maximum gap in a cluster of rows, which is in one vector of 2,048 rows or in two adjacent ones. */
export const CLUSTER_GAP_MAX = 1024;
/**
 * Clusters share a statement if skipping the rows between them costs less than a further statement, which takes one or two
 * milliseconds for many columns, however few rows it reads.
 */
const STATEMENT_GAP_MAX = 131_072;
/** More clusters are divided, so that two connections can read concurrently. */
const STATEMENT_CLUSTER_COUNT_MAX = 16;

type Row<Name extends string> = Readonly<Record<Name, SqlValue>>;

/** Statements that read rows of spans, and the conversion of their results. */
export interface RowsRead<Name extends string> {
  readonly statements: readonly Statement[];
  toRows(results: readonly SqlValue[][][]): Row<Name>[];
}

/** Statements that read rows of `spans`. Rows near each other share a statement. */
export const readRows = <Name extends SpanColumnName>(
  names: readonly Name[],
  rowIds: readonly number[],
): RowsRead<Name> => ({
  statements: toStatements(names.join(', '), 'spans', 'row_id', rowIds),
  toRows: (results) => results.flat().map((values) => toRow(names, values)),
});

/** Rows of a table by row id (`key`). `grouping` ends each statement. */
export const readClusters = async (
  context: ReadContext,
  columns: string,
  table: 'spans' | 'long_texts',
  key: 'row_id' | 'span_row_id',
  rowIds: readonly number[],
  grouping = '',
): Promise<SqlValue[][]> => (await context.rowsOfAll(toStatements(columns, table, key, rowIds, grouping))).flat();

/** Row ids of one statement, in order. */
interface StatementRows {
  readonly rowIds: number[];
  clusterCount: number;
}

function toStatements(
  columns: string,
  table: 'spans' | 'long_texts',
  key: 'row_id' | 'span_row_id',
  rowIds: readonly number[],
  grouping = '',
): Statement[] {
  const inOrder = [...rowIds].sort((a, b) => a - b);
  const statements: StatementRows[] = [];
  for (let from = 0, at = 0; at < inOrder.length; at++) {
    const next = inOrder[at + 1];
    if (next !== undefined && next - expectPresent(inOrder[at], 'the index is below the length') <= CLUSTER_GAP_MAX)
      continue;
    const cluster = inOrder.slice(from, at + 1);
    from = at + 1;
    const previous = statements.at(-1);
    if (previous && isOneStatement(previous, cluster)) {
      previous.rowIds.push(...cluster);
      previous.clusterCount++;
    } else statements.push({ rowIds: cluster, clusterCount: 1 });
  }
  return statements.map((statement) => {
    const parameters = new Parameters();
    const condition = rowIdIn(parameters, key, statement.rowIds, Number.POSITIVE_INFINITY);
    return { sql: `SELECT ${columns} FROM store.${table} WHERE ${condition} ${grouping}`, parameters };
  });
}

const NOT_EMPTY = 'a cluster has a row';

function isOneStatement({ rowIds, clusterCount }: StatementRows, cluster: readonly number[]): boolean {
  const gap = expectPresent(cluster[0], NOT_EMPTY) - expectPresent(rowIds.at(-1), NOT_EMPTY);
  const rowCount = rowIds.length + cluster.length;
  return (
    gap <= STATEMENT_GAP_MAX &&
    gap * rowCount <= COMPARISON_COUNT_MAX &&
    clusterCount < STATEMENT_CLUSTER_COUNT_MAX &&
    rowCount <= SCAN_VALUE_COUNT_MAX
  );
}

export function toRow<Name extends string>(names: readonly Name[], values: readonly SqlValue[]): Row<Name> {
  const row = {} as Record<Name, SqlValue>;
  names.forEach((name, at) => {
    row[name] = values[at] ?? null;
  });
  return row;
}
