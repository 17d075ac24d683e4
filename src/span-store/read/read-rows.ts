import type { DuckDBValue } from '@duckdb/node-api';
import type { SpanColumnName } from '../append/recent-spans.ts';
import { Parameters } from '../database/sql.ts';
import type { ReadContext, Statement } from '../thread/read-context.ts';

/**
 * Rows this far apart are read by statements of their own. A statement decodes whole vectors of 2,048 rows from its first
 * row to its last, which costs about 1 µs a row and more for long ones; a statement alone costs half a millisecond.
 */
export const CLUSTER_GAP_MAX = 1024;

type Row<Name extends string> = Readonly<Record<Name, DuckDBValue>>;

/** Statements that read rows of spans, and what makes rows of their results. */
export interface RowsRead<Name extends string> {
  readonly statements: readonly Statement[];
  toRows(results: readonly DuckDBValue[][][]): Row<Name>[];
}

/** How rows of `spans` are read: those near each other by one statement. */
export const readRows = <Name extends SpanColumnName>(
  names: readonly Name[],
  rowIds: readonly number[],
): RowsRead<Name> => ({
  statements: toClusters(rowIds).map((cluster) => statementOf(names.join(', '), 'spans', 'row_id', cluster)),
  toRows: (results) => results.flat().map((values) => toRow(names, values)),
});

/** Rows of a table whose row ids (`key`) are among these. */
export const readClusters = (
  context: ReadContext,
  columns: string,
  table: 'spans' | 'long_texts',
  key: 'row_id' | 'span_row_id',
  rowIds: readonly number[],
): Promise<DuckDBValue[][]> =>
  context.rowsOfEach(toClusters(rowIds), (cluster) => statementOf(columns, table, key, cluster));

interface Cluster {
  readonly first: number;
  readonly last: number;
  readonly rowIds: readonly number[];
  /** Whether it has every row id between the first and the last. */
  readonly isRun: boolean;
}

function toClusters(rowIds: readonly number[]): Cluster[] {
  const inOrder = [...rowIds].sort((a, b) => a - b);
  const clusters: Cluster[] = [];
  for (let from = 0, at = 0; at < inOrder.length; at++) {
    const next = inOrder[at + 1];
    if (next !== undefined && next - inOrder[at]! <= CLUSTER_GAP_MAX) continue;
    const first = inOrder[from]!;
    const last = inOrder[at]!;
    clusters.push({ first, last, rowIds: inOrder.slice(from, at + 1), isRun: last - first === at - from });
    from = at + 1;
  }
  return clusters;
}

function statementOf(
  columns: string,
  table: 'spans' | 'long_texts',
  key: 'row_id' | 'span_row_id',
  { first, last, rowIds, isRun }: Cluster,
): Statement {
  const parameters = new Parameters();
  const conditions = [`${key} BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}`];
  if (!isRun) conditions.push(parameters.bigintIn(key, rowIds));
  return { sql: `SELECT ${columns} FROM store.${table} WHERE ${conditions.join(' AND ')}`, parameters };
}

export function toRow<Name extends string>(names: readonly Name[], values: readonly DuckDBValue[]): Row<Name> {
  const row = {} as Record<Name, DuckDBValue>;
  names.forEach((name, at) => {
    row[name] = values[at]!;
  });
  return row;
}
