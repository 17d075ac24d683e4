import type { CsvDelimiter, TextEncoding } from '../../../tabular/text-encoding.ts';

export type FileFormat = 'csv' | 'jsonLines' | 'parquet';

/** A value of a cell as it is shown: texts of CSV unchanged, other values as in JSON. */
export type Cell = string | undefined;

export interface PreviewColumn {
  readonly name: string;
  /** Type of the values in the preview, or of the column of a Parquet file. */
  readonly type: string;
  /** Whether every value in the preview is a JSON object. */
  readonly isObject: boolean;
}

/** A row that the upload will reject. */
export interface PreviewIssue {
  readonly line: number;
  readonly reason: string;
}

/** Start of a file: enough to assign its columns. */
export interface FilePreview {
  readonly format: FileFormat;
  readonly encoding?: TextEncoding;
  readonly delimiter?: CsvDelimiter;
  readonly columns: readonly PreviewColumn[];
  /** The first rows, with a cell for each column. Undefined if the start of the file does not contain them. */
  readonly rows: readonly (readonly Cell[])[] | undefined;
  /** Number of rows of the file, if it is known before the upload. */
  readonly rowCount?: number;
  /** Whether the preview contains the whole file. */
  readonly isWhole: boolean;
  readonly issues: readonly PreviewIssue[];
  /** What the reader changed, such as names of repeated columns. */
  readonly notes: readonly string[];
}

/** What the worker reads. */
export interface PreviewRequest {
  readonly bytes: ArrayBuffer;
  readonly isWhole: boolean;
  readonly format: 'csv' | 'jsonLines';
  /** Chosen by the user. Absent: guessed. */
  readonly encoding?: TextEncoding | undefined;
  readonly delimiter?: CsvDelimiter | undefined;
}

export function formatOf(fileName: string): FileFormat | undefined {
  const extension = /\.([a-z]+)$/i.exec(fileName)?.[1]?.toLowerCase() ?? '';
  if (['csv', 'tsv', 'txt'].includes(extension)) return 'csv';
  if (['jsonl', 'ndjson'].includes(extension)) return 'jsonLines';
  return extension === 'parquet' ? 'parquet' : undefined;
}
