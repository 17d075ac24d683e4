import { CsvError, CsvReader, type CsvRecord } from '../../../tabular/csv-reader.ts';
import { DATASET_ROW_CHARS_MAX } from '../../../model/limits/datasets.ts';
import { uploadInvalid } from '../upload-invalid.ts';
import { csvLine } from './csv-text.ts';
import type { RejectedRows } from './rejected-rows.ts';

interface ReadCsvOptions {
  readonly delimiter?: string | undefined;
  /** If present, an incomplete record at the end is rejected instead of the whole text. */
  readonly rejected?: RejectedRows | undefined;
}

/**
 * Records of a CSV text.
 *
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for a record that is too long, and for a quote that does not close.
 */
export async function* readCsv(
  texts: AsyncIterable<string>,
  { delimiter = ',', rejected }: ReadCsvOptions = {},
): AsyncGenerator<CsvRecord> {
  const reader = new CsvReader({ delimiter, recordCharsMax: DATASET_ROW_CHARS_MAX });
  try {
    for await (const text of texts) yield* reader.read(text);
  } catch (error) {
    if (error instanceof CsvError) throw uploadInvalid(`${error.message}: line ${reader.recordLine}`, error);
    throw error;
  }
  if (!reader.isUnclosed) return yield* reader.end();
  if (!rejected) throw uploadInvalid('unexpected end of data: a quoted CSV field is not closed');
  for (const { cells, line } of reader.end()) {
    rejected.add(line, 'A quote in this row does not close, so the rest of the file belongs to it', csvLine(cells));
  }
}
