import { type ExactJson, ExactNumber } from '../../base/exact-json.ts';
import { SpandrelError } from '../../model/errors.ts';
import { INDEXED_TEXT_BYTES_MAX } from '../../model/limits/datasets.ts';

export const uploadInvalid = (message: string, cause?: unknown): SpandrelError =>
  new SpandrelError('DATASET_UPLOAD_INVALID', message, { cause });

/** @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for a text that is too long for an index. */
export function checkIndexed(what: string, text: string): string {
  // A UTF-16 unit is 3 bytes at most.
  if (text.length * 3 <= INDEXED_TEXT_BYTES_MAX || Buffer.byteLength(text) <= INDEXED_TEXT_BYTES_MAX) return text;
  throw uploadInvalid(`${what} must have at most ${INDEXED_TEXT_BYTES_MAX} bytes of UTF-8`);
}

/** A set in the notation of Python, which users of the public clients know: `{'a', 'b'}`. */
export const showSet = (values: Iterable<string>): string =>
  `{${Array.from(values, (value) => `'${value}'`).join(', ')}}`;

/** The name of the type of a JSON value in Python, as in the texts of the contract. */
export function typeName(value: ExactJson): string {
  if (value === null) return 'NoneType';
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'string':
      return 'str';
    case 'boolean':
      return 'bool';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'float';
    default:
      if (!(value instanceof ExactNumber)) return 'dict';
      return /[.eE]/.test(value.text) ? 'float' : 'int';
  }
}
