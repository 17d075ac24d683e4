import { DATASET_ROW_CHARS_MAX } from '../../../model/limits/datasets.ts';
import { uploadInvalid } from '../upload-invalid.ts';

/**
 * Records of a CSV text: RFC 4180 with the leniency of Python's `csv`. All three line ends are accepted, a quote opens a
 * quoted field only at the start of the field, and text after a closing quote belongs to the field. Empty lines are skipped.
 * Decision 0144 says why no package does this.
 *
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for a record that is too long.
 */
export async function* readCsv(texts: AsyncIterable<string>): AsyncGenerator<string[]> {
  const reader = new CsvReader();
  for await (const text of texts) yield* reader.read(text);
  yield* reader.end();
}

/** State of the reader: at a field's beginning, in a bare one, in quotes, or after a quote that may close. */
type State = 'start' | 'bare' | 'quoted' | 'quote';

class CsvReader {
  #state: State = 'start';
  #record: string[] = [];
  #field = '';
  #recordChars = 0;
  /** True after a carriage return that ended a record: a line feed directly after it belongs to the same line end. */
  #isAfterReturn = false;

  *read(text: string): Generator<string[]> {
    let at = 0;
    while (at < text.length) {
      if (this.#isAfterReturn) {
        this.#isAfterReturn = false;
        if (text[at] === '\n') {
          at++;
          continue;
        }
      }
      if (this.#state === 'quoted') {
        const quote = text.indexOf('"', at);
        this.#add(text.slice(at, quote < 0 ? text.length : quote));
        if (quote < 0) return;
        this.#state = 'quote';
        at = quote + 1;
        continue;
      }
      if (text[at] === '"' && this.#state !== 'bare') {
        // The second of two quotes inside a field stands for one.
        if (this.#state === 'quote') this.#add('"');
        this.#state = 'quoted';
        at++;
        continue;
      }
      SEPARATOR.lastIndex = at;
      const separator = SEPARATOR.exec(text);
      const end = separator?.index ?? text.length;
      if (end > at || this.#state === 'quote') {
        this.#add(text.slice(at, end));
        this.#state = 'bare';
      }
      if (!separator) return;
      at = end + 1;
      if (separator[0] === ',') {
        this.#endField();
        continue;
      }
      this.#isAfterReturn = separator[0] === '\r';
      yield* this.#endRecord();
    }
  }

  end(): Generator<string[]> {
    if (this.#state === 'quoted') throw uploadInvalid('unexpected end of data: a quoted CSV field is not closed');
    return this.#endRecord();
  }

  #add(text: string): void {
    this.#recordChars += text.length;
    if (this.#recordChars > DATASET_ROW_CHARS_MAX) {
      throw uploadInvalid(`A CSV record has more than ${DATASET_ROW_CHARS_MAX} characters`);
    }
    this.#field += text;
  }

  #endField(): void {
    this.#record.push(this.#field);
    this.#field = '';
    this.#state = 'start';
  }

  *#endRecord(): Generator<string[]> {
    const isEmptyLine = this.#record.length === 0 && this.#state === 'start';
    if (!isEmptyLine) {
      this.#endField();
      yield this.#record;
    }
    this.#record = [];
    this.#recordChars = 0;
  }
}

const SEPARATOR = /[,\r\n]/g;
