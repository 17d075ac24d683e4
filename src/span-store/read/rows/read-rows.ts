import { expectPresent } from '../../../base/expect-present.ts';
import type { TraceId } from '../../../model/traces/trace-ids.ts';
import type { SpanColumnName } from '../../cache/recent-spans.ts';
import { COMPARISON_COUNT_MAX, rowIdIn, SCAN_VALUE_COUNT_MAX } from '../../duckdb/row-id-lists.ts';
import type { RowRange } from '../../duckdb/row-range.ts';
import type { SpanValues } from '../../duckdb/schema.ts';
import { columnsOf, decodeRows, type RowOfList, type SelectList } from '../../duckdb/select-list.ts';
import { Parameters, type SqlValue, type Statements } from '../../duckdb/sql.ts';
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

/** Values of named columns of a span, typed as the table declares them. */
export type StoredRow<Name extends SpanColumnName> = Pick<SpanValues, Name> & {
  /** Set if it is known without a query. */
  readonly traceId?: TraceId;
};

/** Gives values of `spans` the types that the table declares, which DuckDB and the cache of recent spans follow. */
const asDeclared = <Declared>(values: unknown): Declared => values as Declared;

type RecentRow<Name extends SpanColumnName> = StoredRow<Name> & { readonly traceId: TraceId };

/** Spans of these that are in memory, by row id. The cache has the values that DuckDB would return. */
export const recentRows = <Name extends SpanColumnName>(
  { recent }: ReadContext,
  names: readonly Name[],
  rowIds: readonly number[],
): ReadonlyMap<number, RecentRow<Name>> => asDeclared(recent.rows(names, rowIds));

/** Spans of these traces in a range, in the order of row ids. Undefined unless all rows of the range are in memory. */
export const recentRowsOfTraces = <Name extends SpanColumnName>(
  { recent }: ReadContext,
  names: readonly Name[],
  range: RowRange,
  traceRowIds: ReadonlySet<number>,
): RecentRow<Name>[] | undefined => asDeclared(recent.rowsOfTraces(names, range, traceRowIds));

/** Statements that read rows of spans, and the conversion of their results. */
export interface RowsRead<Name extends SpanColumnName> {
  readonly statements: readonly Statement[];
  toRows(results: readonly SqlValue[][][]): StoredRow<Name>[];
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
export async function readClusters<List extends SelectList>(
  context: ReadContext,
  list: List,
  table: 'spans' | 'long_texts',
  key: 'row_id' | 'span_row_id',
  rowIds: readonly number[],
  grouping = '',
): Promise<RowOfList<List>[]> {
  const results = await context.rowsOfAll(toStatements(columnsOf(list), table, key, rowIds, grouping));
  return decodeRows(list, results.flat());
}

/** Values of named columns of a span in the order of the names. It costs less than a row. */
export type StoredTuple<Names extends readonly (keyof SpanValues)[]> = {
  readonly [Index in keyof Names]: SpanValues[Names[Index]];
};

/** Selects named columns of spans. `tail` is the SQL text after the name of the table. */
export const selectTuples = async <const Names extends readonly (keyof SpanValues)[]>(
  statements: Pick<Statements, 'rows'>,
  names: Names,
  tail: string,
  parameters: Parameters,
): Promise<StoredTuple<Names>[]> =>
  asDeclared(await statements.rows(`SELECT ${names.join(', ')} FROM store.spans ${tail}`, parameters));

/** The values of a row in the order of the names. */
export const toTuple = <const Names extends readonly SpanColumnName[]>(
  names: Names,
  row: StoredRow<Names[number]>,
): StoredTuple<Names> => asDeclared(names.map((name: Names[number]) => row[name]));

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

/** @param values Values of these columns of `spans`, in their order */
export function toRow<Name extends SpanColumnName>(
  names: readonly Name[],
  values: readonly SqlValue[],
): StoredRow<Name> {
  const row: { [Column in SpanColumnName]?: SqlValue } = {};
  names.forEach((name, at) => {
    row[name] = values[at] ?? null;
  });
  return asDeclared(row);
}
