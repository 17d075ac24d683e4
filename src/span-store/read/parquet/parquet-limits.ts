import { stat } from 'node:fs/promises';
import { SpandrelError } from '../../../model/errors.ts';
import {
  DATASET_INFLATED_BYTES_MAX,
  PARQUET_ROW_COUNT_FREE,
  PARQUET_ROWS_PER_BYTE_MAX,
  PARQUET_TEXT_BYTES_FREE,
  PARQUET_TEXT_RATIO_MAX,
} from '../../../model/limits/datasets.ts';

/** Maximum bytes of text of a Parquet file. @throws {SpandrelError} `QUERY_INVALID` if it has too many rows */
export async function limitParquet(path: string, rowCount: number): Promise<number> {
  const { size } = await stat(path);
  const rowCountMax = Math.max(PARQUET_ROW_COUNT_FREE, PARQUET_ROWS_PER_BYTE_MAX * size);
  if (rowCount > rowCountMax) {
    throw new SpandrelError(
      'QUERY_INVALID',
      `The Parquet file has ${rowCount} rows; the maximum for a file of ${size} bytes is ${rowCountMax}`,
    );
  }
  return Math.min(DATASET_INFLATED_BYTES_MAX, Math.max(PARQUET_TEXT_BYTES_FREE, PARQUET_TEXT_RATIO_MAX * size));
}

/** @throws {SpandrelError} `QUERY_INVALID` */
export function checkParquetText(bytes: number, bytesMax: number): void {
  if (bytes <= bytesMax) return;
  throw new SpandrelError(
    'QUERY_INVALID',
    `The texts of the Parquet file have ${bytes} bytes or more; the maximum for a file of its size is ${bytesMax}`,
  );
}
