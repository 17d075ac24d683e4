import { ANNOTATIONS, PENDING_ANNOTATIONS } from './annotation-rows.ts';
import type { Column, ValuesOf } from './chunk-writer.ts';
import { COST_FIELDS } from './cost-sums.ts';
import { SESSIONS } from './session-rows.ts';
import { TRACES } from './trace-rows.ts';

/**
 * Version of the tables. `UPGRADES` upgrades a file of an older version. A file of another version is quarantined and rebuilt
 * (`open-database.ts`).
 */
export const SCHEMA_VERSION = 5;

/**
 * The cost row of a span consists of these columns: `cost_tokens_prompt` is null if there is none, `cost_model_id` and
 * the amounts if no price matched. Its total is the sum of both sides.
 */
const SPAN_COSTS = [
  { name: 'cost_model_id', type: 'BIGINT', isNullable: true },
  { name: 'cost_tokens_prompt', type: 'BIGINT', isNullable: true },
  { name: 'cost_tokens_completion', type: 'BIGINT', isNullable: true },
  { name: 'cost_prompt_pico', type: 'BIGINT', isNullable: true },
  { name: 'cost_completion_pico', type: 'BIGINT', isNullable: true },
] as const satisfies readonly Column[];

/**
 * One row per span, in order of row id. The trace ID is stored in `traces` only: a filter on it uses the row id of the
 * trace and its range of span rows, which prunes whole row groups.
 *
 * No text is stored twice: an input is its preview (shown in lists, never zstd) followed by its remainder, which is
 * null when the preview contains the whole text. Long texts are in `long_texts` instead; `spans.long_texts` has a bit
 * for each column that is null for this reason.
 *
 * Rows are appended by position, and an upgrade adds columns at the end: a new column is the last one here, too.
 */
export const SPAN_TABLE = [
  { name: 'row_id', type: 'BIGINT' },
  { name: 'project_id', type: 'INTEGER' },
  { name: 'trace_row_id', type: 'BIGINT' },
  { name: 'span_id', type: 'UBIGINT' },
  { name: 'parent_span_id', type: 'UBIGINT', isNullable: true },
  { name: 'start_ns', type: 'BIGINT' },
  { name: 'end_ns', type: 'BIGINT' },
  { name: 'span_kind', type: 'UTINYINT' },
  { name: 'status_code', type: 'UTINYINT' },
  { name: 'tokens_prompt', type: 'BIGINT', isNullable: true },
  { name: 'tokens_completion', type: 'BIGINT', isNullable: true },
  { name: 'long_texts', type: 'UTINYINT' },
  { name: 'name', type: 'VARCHAR' },
  { name: 'status_message', type: 'VARCHAR' },
  { name: 'session_id', type: 'VARCHAR', isNullable: true },
  { name: 'user_id', type: 'VARCHAR', isNullable: true },
  { name: 'model_name', type: 'VARCHAR', isNullable: true },
  { name: 'provider', type: 'VARCHAR', isNullable: true },
  { name: 'input_mime_type', type: 'VARCHAR', isNullable: true },
  { name: 'output_mime_type', type: 'VARCHAR', isNullable: true },
  { name: 'metadata', type: 'VARCHAR', isNullable: true },
  { name: 'attributes', type: 'VARCHAR' },
  { name: 'input_head', type: 'VARCHAR', isNullable: true },
  { name: 'output_head', type: 'VARCHAR', isNullable: true },
  { name: 'input_rest', type: 'VARCHAR', compression: 'zstd', isNullable: true },
  { name: 'output_rest', type: 'VARCHAR', compression: 'zstd', isNullable: true },
  { name: 'long_attributes', type: 'VARCHAR', compression: 'zstd', isNullable: true },
  { name: 'events', type: 'VARCHAR', compression: 'zstd', isNullable: true },
  { name: 'span_id_text', type: 'VARCHAR', isNullable: true },
  { name: 'parent_span_id_text', type: 'VARCHAR', isNullable: true },
  ...SPAN_COSTS,
] as const satisfies readonly Column[];

/** Values of a span as DuckDB returns them, by column. */
export type SpanValues = ValuesOf<typeof SPAN_TABLE>;

/** Chunks of long texts, in order of span, source and part (`long-texts.ts`). */
export const LONG_TEXT_TABLE = [
  { name: 'span_row_id', type: 'BIGINT' },
  { name: 'source', type: 'UTINYINT' },
  { name: 'part', type: 'INTEGER' },
  { name: 'piece', type: 'VARCHAR', compression: 'zstd' },
] as const satisfies readonly Column[];

/** The split of a span's cost row by token type. `cost_pico` is null if no price matched. */
export const COST_DETAIL_TABLE = [
  { name: 'span_row_id', type: 'BIGINT' },
  { name: 'trace_row_id', type: 'BIGINT' },
  { name: 'model_id', type: 'BIGINT' },
  { name: 'is_prompt', type: 'UTINYINT' },
  { name: 'tokens', type: 'BIGINT' },
  { name: 'cost_pico', type: 'BIGINT' },
  { name: 'token_type', type: 'VARCHAR' },
] as const satisfies readonly Column[];

/**
 * Positions of the newest `DELETED_TRACE_COUNT_MAX` deleted traces among others, so that a page that starts at a
 * deleted trace starts at the same position. `position` is that of the deletion.
 */
export const DELETED_TRACE_TABLE = [
  { name: 'row_id', type: 'BIGINT' },
  { name: 'start_ns', type: 'BIGINT' },
  { name: 'end_ns', type: 'BIGINT' },
  { name: 'position', type: 'BIGINT' },
] as const satisfies readonly Column[];

/** Block filters by number of the block (`block-filters.ts`). */
export const BLOCK_FILTER_TABLE = [
  { name: 'block', type: 'BIGINT' },
  { name: 'row_count', type: 'BIGINT' },
  { name: 'least_start_ns', type: 'BIGINT' },
  { name: 'greatest_start_ns', type: 'BIGINT' },
  { name: 'bits', type: 'BLOB', compression: 'uncompressed' },
] as const satisfies readonly Column[];

const ddl = (columns: readonly Column[]) =>
  columns
    .map(({ name, type, compression }) => `${name} ${type}${compression ? ` USING COMPRESSION ${compression}` : ''}`)
    .join(', ');

const CREATE_ANNOTATION_TABLES = [
  `CREATE TABLE store.annotations (${ddl(ANNOTATIONS.columns)})`,
  `CREATE TABLE store.pending_annotations (${ddl(PENDING_ANNOTATIONS.columns)})`,
];

const CREATE_DELETED_TRACES = `CREATE TABLE store.deleted_traces (${ddl(DELETED_TRACE_TABLE)})`;
const CREATE_BLOCK_FILTERS = `CREATE TABLE store.block_filters (${ddl(BLOCK_FILTER_TABLE)})`;
/** `prices` has one row: JSON text of the models by which spans are priced (`PricedModel`). */
const CREATE_COST_TABLES = [
  `CREATE TABLE store.cost_details (${ddl(COST_DETAIL_TABLE)})`,
  'CREATE TABLE store.prices (models VARCHAR)',
  "INSERT INTO store.prices VALUES ('[]')",
];

const addColumns = (table: string, columns: readonly Column[], rest = '') =>
  columns.map(({ name, type }) => `ALTER TABLE store.${table} ADD COLUMN ${name} ${type}${rest}`);

/** Statements that upgrade a file of a version to the next one. */
export const UPGRADES: Readonly<Record<number, readonly string[]>> = {
  1: [
    ...CREATE_ANNOTATION_TABLES,
    'ALTER TABLE store.position ADD COLUMN next_annotation_row_id BIGINT DEFAULT 1',
    'UPDATE store.position SET schema_version = 2',
  ],
  2: [
    ...CREATE_COST_TABLES,
    ...addColumns('spans', SPAN_COSTS),
    ...addColumns('traces', Object.values(COST_FIELDS), ' DEFAULT 0'),
    ...addColumns('sessions', Object.values(COST_FIELDS), ' DEFAULT 0'),
    'UPDATE store.position SET schema_version = 3',
  ],
  3: [CREATE_DELETED_TRACES, 'UPDATE store.position SET schema_version = 4'],
  4: [CREATE_BLOCK_FILTERS, 'UPDATE store.position SET schema_version = 5'],
};

/**
 * Creates the tables of a new file without primary keys and indexes: row ids increase, so that zone maps find them, and
 * an ART index would cost memory for every row and time at every checkpoint.
 */
export const CREATE_TABLES = [
  `CREATE TABLE store.spans (${ddl(SPAN_TABLE)})`,
  `CREATE TABLE store.long_texts (${ddl(LONG_TEXT_TABLE)})`,
  `CREATE TABLE store.traces (${ddl(TRACES.columns)})`,
  `CREATE TABLE store.sessions (${ddl(SESSIONS.columns)})`,
  `CREATE TABLE store.position (schema_version INTEGER, applied BIGINT,
    next_span_row_id BIGINT, next_trace_row_id BIGINT, next_session_row_id BIGINT, next_annotation_row_id BIGINT)`,
  ...CREATE_ANNOTATION_TABLES,
  CREATE_DELETED_TRACES,
  CREATE_BLOCK_FILTERS,
  ...CREATE_COST_TABLES,
] as const;

/** Columns of `temp.cost_changes`. */
export const COST_CHANGE_TABLE = [
  { name: 'row_id', type: 'BIGINT' },
  ...SPAN_COSTS,
] as const satisfies readonly Column[];

/**
 * Tables of changed rows that a commit updates from, and of the traces that a deletion deletes. They are temporary, so
 * they belong only to the connection of the writer.
 */
export const CREATE_CHANGE_TABLES = [
  `CREATE TEMP TABLE trace_changes (${ddl(TRACES.columns)})`,
  `CREATE TEMP TABLE session_changes (${ddl(SESSIONS.columns)})`,
  `CREATE TEMP TABLE cost_changes (${ddl(COST_CHANGE_TABLE)})`,
  `CREATE TEMP TABLE annotation_changes (${ddl(ANNOTATIONS.columns)})`,
  `CREATE TEMP TABLE traces_to_delete (row_id BIGINT, session_row_id BIGINT, start_ns BIGINT, end_ns BIGINT,
    first_span_row_id BIGINT, last_span_row_id BIGINT)`,
] as const;
