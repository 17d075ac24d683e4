import { DATASET_INFLATED_BYTES_MAX, DATASET_ROW_CHARS_MAX } from '../../../../model/limits.ts';
import { uploadInvalid } from '../../upload-invalid.ts';

/** Characters that a value takes as JSON at most beside its text: `null,`. */
const VALUE_CHARS = 5;

/**
 * How long the rows get as JSON, about. Many rows can name the same long value of a dictionary, and a million nulls take no
 * bytes, so that what a stream holds says little of what it becomes.
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

  /** Before a value is made. @throws {SpandrelError} `DATASET_UPLOAD_INVALID` when its row gets too long */
  add(chars: number): void {
    this.#rowChars += chars + VALUE_CHARS;
    if (this.#rowChars > DATASET_ROW_CHARS_MAX) {
      throw uploadInvalid(`A row of the Arrow stream has more than ${DATASET_ROW_CHARS_MAX} characters`);
    }
  }
}
