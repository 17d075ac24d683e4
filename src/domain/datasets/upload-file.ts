import { expectPresent } from '../../base/expect-present.ts';
import { authorOf } from '../../model/access/caller.ts';
import type { UploadAction, UploadResult } from '../../model/dataset.ts';
import type { Ports } from '../ports.ts';
import { readArrow } from './files/arrow/read-arrow.ts';
import { decodeText, type FileEncoding, unpackFile } from './files/decode-file.ts';
import { readCsv } from './files/read-csv.ts';
import { readJsonLines } from './files/read-json-lines.ts';
import { checkHeaders, csvRowReader, jsonRowReader, type TableColumns } from './files/table-columns.ts';
import { type ExampleRowIdOf, type IncomingExample, toBatches } from './incoming-example.ts';
import { uploadInvalid } from './upload-invalid.ts';

export interface FileUpload {
  readonly action: UploadAction;
  readonly name: string;
  readonly description: string;
  readonly columns: TableColumns;
  readonly form: 'csv' | 'jsonLines' | 'arrow';
  readonly encoding: FileEncoding;
  readonly file: AsyncIterable<Uint8Array>;
}

/**
 * Uploads the rows of a file. It is read while its rows are written, so its size does not matter.
 *
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` with the reason, and like `uploadExamples`; nothing is changed then
 */
export function uploadFile(
  ports: Pick<Ports, 'datasets' | 'spans' | 'uploads' | 'caller'>,
  { action, name, description, columns, form, encoding, file }: FileUpload,
  exampleRowIdOf: ExampleRowIdOf,
): Promise<UploadResult> {
  const examples = readExamples[form](unpackFile(file, encoding), columns);
  return ports.uploads.run(() =>
    ports.datasets.upload({
      action,
      name,
      description,
      examples: toBatches(examples, ports.spans, exampleRowIdOf),
      providesSplits: true,
      userId: authorOf(ports.caller),
    }),
  );
}

type ReadExamples = (file: AsyncIterable<Uint8Array>, columns: TableColumns) => AsyncGenerator<IncomingExample>;

async function* readCsvExamples(...[file, columns]: Parameters<ReadExamples>): ReturnType<ReadExamples> {
  const readRow = csvRowReader(columns);
  let placeOf: Map<string, number> | undefined;
  for await (const record of readCsv(decodeText(file))) {
    if (!placeOf) {
      placeOf = placeColumns(record, columns);
      continue;
    }
    const places = placeOf;
    yield readRow((column) => {
      const cell = record[expectPresent(places.get(column), 'the header has the column')];
      return cell === undefined || cell.trim() === '' ? undefined : cell;
    });
  }
  if (!placeOf) throw uploadInvalid('Missing CSV column header');
}

function placeColumns(headers: readonly string[], columns: TableColumns): Map<string, number> {
  const placeOf = new Map<string, number>();
  for (const [place, header] of headers.entries()) {
    if (placeOf.has(header)) throw uploadInvalid(`Duplicated column header in CSV file: ${header}`);
    placeOf.set(header, place);
  }
  checkHeaders(columns, new Set(placeOf.keys()));
  return placeOf;
}

async function* readJsonExamples(...[file, columns]: Parameters<ReadExamples>): ReturnType<ReadExamples> {
  const readRow = jsonRowReader(columns);
  for await (const object of readJsonLines(decodeText(file))) yield readRow((column) => object[column]);
}

/** Reads all listed columns of each row and flattens none of them. */
async function* readArrowExamples(...[file, columns]: Parameters<ReadExamples>): ReturnType<ReadExamples> {
  const readRow = jsonRowReader({ ...columns, flattened: [] });
  for await (const row of readArrow(file, (names) => checkHeaders(columns, names))) yield readRow(row);
}

const readExamples: Readonly<Record<FileUpload['form'], ReadExamples>> = {
  csv: readCsvExamples,
  jsonLines: readJsonExamples,
  arrow: readArrowExamples,
};
