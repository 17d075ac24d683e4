import type { TextEncoding } from '../../tabular/text-encoding.ts';
import { authorOf } from '../../model/access/caller.ts';
import type { UploadAction, UploadResult } from '../../model/dataset.ts';
import type { Ports } from '../ports.ts';
import { type FileEncoding, unpackFile } from './files/decode-file.ts';
import { readRows, type TableFile } from './files/read-rows.ts';
import { hasContentOnly, type TableColumns } from './files/table-columns.ts';
import { type ExampleRowIdOf, toBatches } from './incoming-example.ts';

export interface FileUpload {
  readonly action: UploadAction;
  readonly name: string;
  readonly description: string;
  readonly columns: TableColumns;
  readonly form: TableFile['form'];
  /** Encoding of a text file. Default UTF-8. */
  readonly charset?: TextEncoding | undefined;
  /** Between the cells of CSV. Default a comma. */
  readonly delimiter?: string | undefined;
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
  upload: FileUpload,
  exampleRowIdOf: ExampleRowIdOf,
): Promise<UploadResult> {
  const { action, name, description, encoding, file, columns } = upload;
  const examples = readRows({ ...upload, bytes: unpackFile(file, encoding) }, ports);
  return ports.uploads.run(() =>
    ports.datasets.upload({
      action,
      name,
      description,
      examples: toBatches(examples, ports.spans, exampleRowIdOf),
      isPlain: hasContentOnly(columns),
      providesSplits: true,
      userId: authorOf(ports.caller),
    }),
  );
}
