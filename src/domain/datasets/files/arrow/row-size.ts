import { DATASET_INFLATED_BYTES_MAX, DATASET_ROW_CHARS_MAX } from '../../../../model/limits/datasets.ts';
import { uploadInvalid } from '../../upload-invalid.ts';

/** Maximum characters of a value as JSON in addition to its text: `null,`. */
const VALUE_CHARS = 5;

/**
 * Estimates the length of rows as JSON. Many rows can refer to the same long value of a dictionary, and a million nulls
 * take no bytes, so the size of a stream does not limit the size of its rows.
 */
export class RowSize {
  #rowChars = 0;
  #fileChars = 0;

  begin(): void {
    this.#fileChars += this.#rowChars + VALUE_CHARS;
    this.#rowChars = 0;
    if (this.#fileChars > DATASET_INFLATED_BYTES_MAX) {
      throw uploadInvalid(`The file has more than ${DATASET_INFLATED_BYTES_MAX} characters`);
    }
  }

  /** Called before a value is created. @throws {SpandrelError} `DATASET_UPLOAD_INVALID` when its row is too long */
  add(chars: number): void {
    this.#rowChars += chars + VALUE_CHARS;
    if (this.#rowChars > DATASET_ROW_CHARS_MAX) {
      throw uploadInvalid(`A row of the Arrow stream has more than ${DATASET_ROW_CHARS_MAX} characters`);
    }
  }
}
