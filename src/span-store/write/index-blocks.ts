import type { DuckDBListValue, DuckDBValue } from '@duckdb/node-api';
import { ANY_TIME, type BlockFilter, bitsOf } from '../cache/block-filter.ts';
import { addScalar, addScalars, hashOfColumn } from '../cache/value-hashes.ts';
import type { RowRange } from '../duckdb/row-range.ts';
import { Parameters } from '../duckdb/sql.ts';
import type { ReadContext } from '../read/read-context.ts';

/** Columns that are attributes, by what their key ends with. */
const ATTRIBUTE_COLUMNS = { session_id: 'id', user_id: 'id', model_name: 'model_name', provider: 'provider' } as const;
/** Rows whose values are hashed before other work of the thread has its turn: about a millisecond. */
const TURN_ROW_COUNT = 256;

/** Makes the filter of a full block from its rows: 5 µs of CPU a row, most of it for the texts of attributes. */
export async function makeBlockFilter(context: ReadContext, rows: RowRange): Promise<BlockFilter> {
  const hashes = new Set<number>();
  const add = (hash: number) => hashes.add(hash);
  // Columns of few values: each once, because a text costs more to take out of DuckDB than to hash.
  const [[least, greatest, names, metadata, ...columns] = []] = await readBlock(
    context,
    `min(start_ns), max(start_ns), ${['name', 'metadata', ...Object.keys(ATTRIBUTE_COLUMNS)].map(distinct).join(', ')}`,
    rows,
  );
  for (const name of textsOf(names)) add(hashOfColumn('name', name));
  for (const json of textsOf(metadata)) addScalars(json, add);
  Object.values(ATTRIBUTE_COLUMNS).forEach((key, at) => {
    for (const text of textsOf(columns[at])) addScalar(key, text, add);
  });
  const values = await readBlock(context, 'span_id, parent_span_id, attributes', rows);
  for (const [index, [spanId, parentId, attributes]] of values.entries()) {
    if (index % TURN_ROW_COUNT === TURN_ROW_COUNT - 1) await nextTurn();
    add(hashOfColumn('span_id', String(spanId)));
    if (parentId !== null) add(hashOfColumn('span_id', String(parentId)));
    addScalars(attributes as string, add);
  }
  return {
    leastStartNs: (least as bigint | null | undefined) ?? ANY_TIME.leastStartNs,
    greatestStartNs: (greatest as bigint | null | undefined) ?? ANY_TIME.greatestStartNs,
    bits: bitsOf(hashes),
  };
}

function readBlock(context: ReadContext, columns: string, { first, last }: RowRange): Promise<DuckDBValue[][]> {
  const parameters = new Parameters();
  return context.rows(
    `SELECT ${columns} FROM store.spans
     WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}`,
    parameters,
  );
}

const distinct = (column: string) => `list(DISTINCT ${column}) FILTER (${column} IS NOT NULL)`;

/** NULL when there are none. */
const textsOf = (list: DuckDBValue | undefined): readonly string[] =>
  ((list as DuckDBListValue | null | undefined)?.items ?? []) as readonly string[];

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
