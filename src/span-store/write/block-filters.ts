import { TEXT_ATTRIBUTES } from '../../columns/text-attributes.ts';
import { ANY_TIME, type BlockFilter, bitsOf } from '../cache/block-filter.ts';
import type { BlockFilters } from '../cache/block-filters.ts';
import { addScalar, addScalars, hashOfColumn } from '../cache/value-hashes.ts';
import { insertBlockFilterRow, readBlockFilterRows, readUnfilteredBlocks } from '../duckdb/block-filter-rows.ts';
import type { RowRange } from '../duckdb/row-range.ts';
import { toBigintOrNull, toItemsOrNull, toText } from '../duckdb/select-list.ts';
import { type Cell, type Connection, Parameters } from '../duckdb/sql.ts';
import type { ReadContext } from '../read/read-context.ts';
import { selectTuples } from '../read/rows/read-rows.ts';

/** Columns of attributes, and the last segment of their key, under which their values are hashed. */
const ATTRIBUTE_COLUMNS = TEXT_ATTRIBUTES.filter(({ isInBlockFilters }) => isInBlockFilters).map(({ key, column }) => ({
  column,
  lastSegment: key.slice(key.lastIndexOf('.') + 1),
}));
/** Rows whose values are hashed before other work of the thread runs: about a millisecond. */
const TURN_ROW_COUNT = 256;

/** Reads the stored filters, and finds the blocks that have none. */
export async function loadBlockFilters(connection: Connection, blocks: BlockFilters, nextRowId: number): Promise<void> {
  const filters = await readBlockFilterRows(connection, blocks.rowCount);
  const unfiltered = await readUnfilteredBlocks(connection, blocks.rowCount);
  blocks.restore(
    filters.map(({ block, ...filter }) => [block, filter]),
    new Map(unfiltered.map(({ block, ...times }) => [block, times])),
    nextRowId,
  );
}

/** Stores the filter of the first block that has none. */
export async function storeBlockFilter(
  connection: Connection,
  blocks: BlockFilters,
  filter: BlockFilter,
): Promise<void> {
  const block = blocks.firstMissing;
  if (block === undefined) return;
  await insertBlockFilterRow(connection, blocks.rowCount, { block, ...filter });
  blocks.add(filter);
}

/** Makes the filter of a full block from its rows: 5 µs of CPU a row, most of it for the texts of attributes. */
export async function makeBlockFilter(context: ReadContext, rows: RowRange): Promise<BlockFilter> {
  const hashes = new Set<number>();
  const add = (hash: number) => hashes.add(hash);
  // Columns of few values: each once, because a text costs more to take out of DuckDB than to hash.
  const lists = ['name', 'metadata', ...ATTRIBUTE_COLUMNS.map(({ column }) => column)].map(distinct).join(', ');
  const parameters = new Parameters();
  const [[least = null, greatest = null, names, metadata, ...columns] = []] = await context.rows(
    `SELECT min(start_ns), max(start_ns), ${lists} FROM store.spans ${inBlock(rows, parameters)}`,
    parameters,
  );
  for (const name of textsOf(names)) add(hashOfColumn('name', name));
  for (const json of textsOf(metadata)) addScalars(json, add);
  for (const [at, { lastSegment }] of ATTRIBUTE_COLUMNS.entries()) {
    for (const text of textsOf(columns[at])) addScalar(lastSegment, text, add);
  }
  const ofValues = new Parameters();
  const values = await selectTuples(
    context,
    ['span_id', 'parent_span_id', 'attributes'],
    inBlock(rows, ofValues),
    ofValues,
  );
  for (const [index, [spanId, parentId, attributes]] of values.entries()) {
    if (index % TURN_ROW_COUNT === TURN_ROW_COUNT - 1) await yieldToEventLoop();
    add(hashOfColumn('span_id', String(spanId)));
    if (parentId !== null) add(hashOfColumn('span_id', String(parentId)));
    addScalars(attributes, add);
  }
  return {
    leastStartNs: toBigintOrNull(least) ?? ANY_TIME.leastStartNs,
    greatestStartNs: toBigintOrNull(greatest) ?? ANY_TIME.greatestStartNs,
    bits: bitsOf(hashes),
  };
}

const inBlock = ({ first, last }: RowRange, parameters: Parameters): string =>
  `WHERE row_id BETWEEN ${parameters.bigint(first)} AND ${parameters.bigint(last)}`;

const distinct = (column: string) => `list(DISTINCT ${column}) FILTER (${column} IS NOT NULL)`;

/** NULL when there are none. */
const textsOf = (list: Cell): readonly string[] => toItemsOrNull(list)?.map(toText) ?? [];

const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));
