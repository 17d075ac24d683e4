import { SpandrelError } from '../../model/errors.ts';
import { PREVIEW_ROW_COUNT } from '../../model/limits/datasets.ts';
import type { FileGap, OpenTable, TableColumn } from '../../span-store/contract/span-files.ts';
import type { Ports } from '../ports.ts';
import { uploadInvalid } from './upload-invalid.ts';

export interface ParquetPreview {
  readonly columns: readonly TableColumn[];
  readonly rowCount: number;
  /** The first rows, each as the text of a JSON object. Undefined if they are in the part of the file that was not sent. */
  readonly rows: readonly string[] | undefined;
}

/**
 * Columns and first rows of a Parquet file of which only the start and the end are sent: the end contains the columns, and
 * the start contains the first rows if the file has small row groups.
 *
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for a file that is not Parquet
 */
export async function previewParquet(
  { spans }: Pick<Ports, 'spans'>,
  bytes: Uint8Array,
  gap: FileGap | undefined,
  signal: AbortSignal,
): Promise<ParquetPreview> {
  const options = { readClass: 'interface', signal } as const;
  let table: OpenTable;
  try {
    table = await spans.openTable(once(bytes), options, gap);
  } catch (error) {
    if (error instanceof SpandrelError && error.code === 'QUERY_INVALID') throw uploadInvalid(error.message, error);
    throw error;
  }
  try {
    return { columns: table.columns, rowCount: table.rowCount, rows: await readFirst(table) };
  } finally {
    await table.close();
  }
}

async function readFirst(table: OpenTable): Promise<readonly string[] | undefined> {
  try {
    const names = table.columns.map(({ name }) => name);
    const { rows } = await table.read(0, PREVIEW_ROW_COUNT, names);
    return rows.map((row) => row ?? '{}');
  } catch (error) {
    if (error instanceof SpandrelError && error.code === 'QUERY_INVALID') return undefined;
    throw error;
  }
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
