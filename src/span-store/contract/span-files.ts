import type { TextAttributeField } from '../../columns/text-attributes.ts';
import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

/** Spans to export. */
export interface SpanFileQuery extends TimeRange {
  readonly projectId: number;
  readonly filter?: SpanFilter | undefined;
}

/** A file for one reader. It is unlinked, so it is deleted when it has been read or its reader disconnects. */
export interface SpanFile {
  readonly bytes: number;
  /** Can be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** A Parquet file from a caller, which is read in chunks. Closing deletes it. */
export interface OpenSpanFile {
  readonly rowCount: number;
  /**
   * Rows from `firstRow` (the first is 0), in the order of the file, fewer if they are large. A row longer than
   * `SPAN_LINE_BYTES_MAX` is undefined.
   *
   * @throws {SpandrelError} `QUERY_INVALID` when the file is damaged
   */
  read(firstRow: number, rowCount: number): Promise<SpanFilePage>;
  close(): Promise<void>;
}

/** Columns of a span file that contain texts. Some are JSON. */
export type SpanFileText =
  | 'traceId'
  | 'spanId'
  | 'parentId'
  | 'name'
  | 'spanKind'
  | 'statusCode'
  | 'statusMessage'
  | TextAttributeField
  | 'input'
  | 'output'
  | 'metadata'
  | 'attributes'
  | 'longAttributes'
  | 'events'
  | 'annotations';

/** A row as it is in the file: unchecked, and any value may be missing. */
export type SpanFileRow = Readonly<Record<SpanFileText, string | null>> & {
  readonly startTimeUnixNano: bigint | null;
  readonly endTimeUnixNano: bigint | null;
};

export interface SpanFilePage {
  readonly rows: readonly (SpanFileRow | undefined)[];
  /** Size of the texts. */
  readonly bytes: number;
}

/** A column of any Parquet file. */
export interface TableColumn {
  readonly name: string;
  /** Type in DuckDB, such as `BIGINT` or `STRUCT(role VARCHAR, content VARCHAR)`. */
  readonly type: string;
}

/** A range of a file that is not received. It takes no space on disk. */
export interface FileGap {
  readonly offset: number;
  readonly bytes: number;
}

/** A Parquet file with any columns from a caller, which is read in chunks. Closing deletes it. */
export interface OpenTable {
  readonly columns: readonly TableColumn[];
  readonly rowCount: number;
  /**
   * Rows from `firstRow` (the first is 0), in the order of the file, fewer if they are large, each as the text of a JSON object with
   * the named columns. A row longer than `DATASET_ROW_CHARS_MAX` is undefined.
   *
   * @throws {SpandrelError} `QUERY_INVALID` when the file is damaged, or all texts that were read are too large for it
   */
  read(firstRow: number, rowCount: number, columns: readonly string[]): Promise<TablePage>;
  close(): Promise<void>;
}

export interface TablePage {
  readonly rows: readonly (string | undefined)[];
  /** Size of the texts. */
  readonly bytes: number;
}

/** Exports and imports of spans as Parquet files. `SpanStoreReader` states what all reads have in common. */
export interface SpanFileReader {
  /** Writes spans to a Parquet file, in the order of their row ids; rejects as other reads. */
  writeParquet(query: SpanFileQuery, options?: ReadOptions): Promise<SpanFile>;
  /**
   * Stores a Parquet file that `writeParquet` has written, to read it in chunks. The caller closes it.
   *
   * @throws {SpandrelError} `QUERY_INVALID` when it is not a Parquet file, lacks a column, or has too many rows or bytes of
   *   text for its size; `DISK_FULL`
   */
  openParquet(chunks: AsyncIterable<Uint8Array>, options?: ReadOptions): Promise<OpenSpanFile>;
  /**
   * Stores a Parquet file with any columns, to read it in chunks. The caller closes it.
   *
   * @param gap Bytes in the middle that are not received. Reads of rows within it fail.
   * @throws {SpandrelError} `QUERY_INVALID` when it is not a Parquet file, or has too many rows for its size; `DISK_FULL`
   */
  openTable(chunks: AsyncIterable<Uint8Array>, options?: ReadOptions, gap?: FileGap): Promise<OpenTable>;
}
