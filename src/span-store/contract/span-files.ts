import type { SpanFilter } from '../../filter/spans/span-filter.ts';
import type { TimeRange } from './query-terms.ts';
import type { ReadOptions } from './read-options.ts';

/** Spans of a file. */
export interface SpanFileQuery extends TimeRange {
  readonly projectId: number;
  readonly filter?: SpanFilter | undefined;
}

/** A file that was made for one reader. It has no name any more: it goes when it was read, or nobody wants it. */
export interface SpanFile {
  readonly bytes: number;
  /** To be read once. */
  readonly chunks: AsyncIterable<Uint8Array>;
}

/** A Parquet file of somebody's, to be read in pieces. Who opened it closes it: then it is gone. */
export interface OpenSpanFile {
  readonly rowCount: number;
  /**
   * Rows from one (the first is 0) on, in the file's order. In the place of one that is longer than `SPAN_LINE_BYTES_MAX` is
   * undefined.
   *
   * @throws {SpandrelError} `QUERY_INVALID` when the file is damaged there
   */
  read(firstRow: number, rowCount: number): Promise<SpanFilePage>;
  close(): Promise<void>;
}

/** Columns of a file of spans that hold texts, some of JSON. */
export type SpanFileText =
  | 'traceId'
  | 'spanId'
  | 'parentId'
  | 'name'
  | 'spanKind'
  | 'statusCode'
  | 'statusMessage'
  | 'sessionId'
  | 'userId'
  | 'modelName'
  | 'provider'
  | 'input'
  | 'inputMimeType'
  | 'output'
  | 'outputMimeType'
  | 'metadata'
  | 'attributes'
  | 'longAttributes'
  | 'events'
  | 'annotations';

/** A row as it is in the file: nothing of it was checked, and anything may be missing. */
export type SpanFileRow = Readonly<Record<SpanFileText, string | null>> & {
  readonly startTimeUnixNano: bigint | null;
  readonly endTimeUnixNano: bigint | null;
};

export interface SpanFilePage {
  readonly rows: readonly (SpanFileRow | undefined)[];
  /** Of the texts. */
  readonly bytes: number;
}

/** Exports and imports of spans as Parquet files. `SpanStoreReader` states what all reads have in common. */
export interface SpanFileReader {
  /** Writes spans to a Parquet file, in the order of their row ids; rejects as other reads. */
  writeParquet(query: SpanFileQuery, options?: ReadOptions): Promise<SpanFile>;
  /**
   * Takes in a Parquet file that `writeParquet` wrote, whole, for reading it in pieces; who opens it closes it.
   *
   * @throws {SpandrelError} `QUERY_INVALID` when it is no Parquet file, or has not the columns; `DISK_FULL`
   */
  openParquet(chunks: AsyncIterable<Uint8Array>, options?: ReadOptions): Promise<OpenSpanFile>;
}
