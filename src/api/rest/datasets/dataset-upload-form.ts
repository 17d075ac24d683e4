import { CSV_DELIMITERS, TEXT_ENCODINGS, type TextEncoding } from '../../../tabular/text-encoding.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { FORM_FIELD_BYTES_MAX, FORM_FIELD_COUNT_MAX } from '../../../model/limits/datasets.ts';
import type { FileEncoding } from '../../../domain/datasets/files/decode-file.ts';
import type { TableColumns } from '../../../domain/datasets/files/table-columns.ts';
import type { FileUpload } from '../../../domain/datasets/upload-file.ts';
import { readAction, readName } from '../../../domain/datasets/upload-json.ts';
import { type FormPart, readMultipart } from './read-multipart.ts';
import { type SpooledFile, spool } from './spool.ts';

export interface UploadForm {
  readonly upload: FileUpload;
  /** Metadata for a dataset that the upload creates, as the text of JSON. */
  readonly metadata: string | undefined;
  close(): Promise<void>;
}

/**
 * Reads the form of an upload completely before it is processed, because the fields that describe the columns of the
 * file may follow the file.
 *
 * @throws {SpandrelError} for an unsupported form
 */
export async function readUploadForm(
  body: AsyncIterable<Uint8Array>,
  boundary: string,
  spoolDir: string,
): Promise<UploadForm> {
  const fields = new FormFields();
  let file: { spooled: SpooledFile; part: FormPart } | undefined;
  try {
    for await (const part of readMultipart(body, boundary)) {
      if (part.name === 'file' && part.fileName !== undefined && file === undefined) {
        checkFileHeaders(part);
        file = { spooled: await spool(part.content, spoolDir), part };
      } else {
        await fields.add(part);
      }
    }
    return toForm(fields, file);
  } catch (error) {
    await file?.spooled.close();
    throw error;
  }
}

function toForm(fields: FormFields, file: { spooled: SpooledFile; part: FormPart } | undefined): UploadForm {
  const action = readAction(fields.one('action'));
  const name = readName(fields.one('name'), 'Dataset name must not be empty');
  const columns = toColumns(fields);
  if (!file) throw invalid('Malformed file in form data.');
  return {
    upload: {
      action,
      name,
      description: fields.one('description') ?? file.part.fileName ?? '',
      columns,
      delimiter: readDelimiter(fields.one('delimiter')),
      ...checkFileHeaders(file.part),
      file: file.spooled.read(),
    },
    metadata: fields.one('metadata') || undefined,
    close: () => file.spooled.close(),
  };
}

function toColumns(fields: FormFields): TableColumns {
  const splitNames = fields.all('split_keys[]');
  const splitList = fields.one('split_key') || undefined;
  if (splitNames.length > 0 && splitList !== undefined) {
    throw invalid(
      "Cannot specify both 'split_keys[]' and 'split_key'. Use 'split_key' for a single column with JSON-encoded split lists.",
    );
  }
  return {
    input: fields.all('input_keys[]'),
    output: fields.all('output_keys[]'),
    metadata: fields.all('metadata_keys[]'),
    splitNames,
    splitList,
    spanId: fields.one('span_id_key') || undefined,
    exampleId: fields.one('example_id_key') || undefined,
    flattened: fields.all('flatten_keys[]'),
  };
}

/** Runs early, so that an unreadable file is not received. */
function checkFileHeaders({ headers }: FormPart): Pick<FileUpload, 'form' | 'encoding' | 'charset'> {
  const [type = '', ...parameters] = (headers.get('content-type') ?? '').split(';').map((text) => text.trim());
  const encoding = headers.get('content-encoding')?.trim() || 'identity';
  const form = FORM_OF_TYPE.get(type.toLowerCase());
  if (!form) throw invalid(`Invalid file content type: ${type}`);
  const name = encoding.toLowerCase();
  const known = name === 'identity' ? 'none' : ENCODINGS.find((each) => each === name);
  if (!known) throw invalid(`Invalid file content encoding: ${encoding}`);
  return { form, encoding: known, charset: readCharset(parameters) };
}

function readCharset(parameters: readonly string[]): TextEncoding | undefined {
  const text = parameters.find((parameter) => /^charset=/i.test(parameter))?.slice('charset='.length);
  if (text === undefined) return undefined;
  const name = text.replaceAll('"', '').toLowerCase();
  const known = TEXT_ENCODINGS.find((each) => each === name || each.replace('utf-', 'utf') === name);
  if (!known) throw invalid(`Invalid charset: ${text}; expected one of ${TEXT_ENCODINGS.join(', ')}`);
  return known;
}

function readDelimiter(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  const known = CSV_DELIMITERS.find((delimiter) => delimiter === text);
  if (!known) throw invalid('Invalid delimiter: expected a comma, semicolon, tab or vertical bar');
  return known;
}

const FORM_OF_TYPE: ReadonlyMap<string, FileUpload['form']> = new Map([
  ['text/csv', 'csv'],
  ['application/jsonl', 'jsonLines'],
  ['application/x-pandas-pyarrow', 'arrow'],
  ['application/vnd.apache.parquet', 'parquet'],
]);
const ENCODINGS: readonly FileEncoding[] = ['none', 'gzip', 'deflate'];

const invalid = (message: string): SpandrelError => new SpandrelError('DATASET_UPLOAD_INVALID', message);

/** Values of the fields that are no files, within limits. */
class FormFields {
  readonly #values = new Map<string, string[]>();
  #count = 0;
  #bytes = 0;

  async add({ name, content }: FormPart): Promise<void> {
    if (++this.#count > FORM_FIELD_COUNT_MAX) throw tooLarge();
    const chunks: Buffer[] = [];
    for await (const chunk of content) {
      this.#bytes += chunk.byteLength;
      if (this.#bytes > FORM_FIELD_BYTES_MAX) throw tooLarge();
      chunks.push(Buffer.from(chunk));
    }
    const values = this.#values.get(name);
    const value = Buffer.concat(chunks).toString('utf8');
    if (values) values.push(value);
    else this.#values.set(name, [value]);
  }

  one(name: string): string | undefined {
    return this.#values.get(name)?.at(-1);
  }

  /** Each once, without empty ones. */
  all(name: string): string[] {
    return [...new Set(this.#values.get(name)?.filter((value) => value !== ''))];
  }
}

const tooLarge = (): SpandrelError =>
  new SpandrelError(
    'BODY_TOO_LARGE',
    `A form may have at most ${FORM_FIELD_COUNT_MAX} fields with ${FORM_FIELD_BYTES_MAX} bytes`,
  );
