/** A record of a CSV text. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** Line on which the record starts, from 1. */
  readonly line: number;
}

export interface CsvOptions {
  /** Default a comma. */
  readonly delimiter?: string;
  /** Characters of a record. A longer one is an error. */
  readonly recordCharsMax: number;
}

/** A text that cannot be divided into records. */
export class CsvError extends Error {
  override readonly name = 'CsvError';
}

/** State of the reader: at a field's beginning, in a bare one, in quotes, or after a quote that may close. */
type State = 'start' | 'bare' | 'quoted' | 'quote';

/**
 * Records of a CSV text: RFC 4180 with the leniency of Python's `csv`. All three line ends are accepted, a quote opens a
 * quoted field only at the start of the field, and text after a closing quote belongs to the field. Empty lines are skipped.
 * docs/decisions/dataset-files.md gives the reasons against a package.
 */
export class CsvReader {
  readonly #separator: RegExp;
  readonly #delimiter: string;
  readonly #recordCharsMax: number;
  #state: State = 'start';
  #record: string[] = [];
  #field = '';
  #recordChars = 0;
  #line = 1;
  #recordLine = 1;
  /** True after a carriage return that ended a record: a line feed directly after it belongs to the same line end. */
  #isAfterReturn = false;
  /** True after a carriage return at the end of a quoted chunk. */
  #isAfterQuotedReturn = false;

  constructor({ delimiter = ',', recordCharsMax }: CsvOptions) {
    this.#delimiter = delimiter;
    this.#recordCharsMax = recordCharsMax;
    this.#separator = new RegExp(`[${delimiter === '\t' ? '\\t' : `\\${delimiter}`}\\r\\n]`, 'g');
  }

  /** Line of the next record, or of the one that is not complete. */
  get recordLine(): number {
    return this.#recordLine;
  }

  /** Whether the text so far ends within a quoted field. */
  get isUnclosed(): boolean {
    return this.#state === 'quoted';
  }

  /** @throws {CsvError} for a record that is too long */
  *read(text: string): Generator<CsvRecord> {
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
        const chunk = text.slice(at, quote < 0 ? text.length : quote);
        this.#add(chunk);
        this.#countLines(chunk);
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
      this.#separator.lastIndex = at;
      const separator = this.#separator.exec(text);
      const end = separator?.index ?? text.length;
      if (end > at || this.#state === 'quote') {
        this.#add(text.slice(at, end));
        this.#state = 'bare';
      }
      if (!separator) return;
      at = end + 1;
      if (separator[0] === this.#delimiter) {
        this.#endField();
        continue;
      }
      this.#isAfterReturn = separator[0] === '\r';
      this.#line++;
      yield* this.#endRecord();
    }
  }

  /** Yields the last record if no line end follows it. An open quote ends with the text. */
  end(): Generator<CsvRecord> {
    return this.#endRecord();
  }

  #add(text: string): void {
    this.#recordChars += text.length;
    if (this.#recordChars > this.#recordCharsMax) {
      throw new CsvError(`A CSV record has more than ${this.#recordCharsMax} characters`);
    }
    this.#field += text;
  }

  #countLines(text: string): void {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === RETURN || (code === LINE_FEED && !this.#isAfterQuotedReturn)) this.#line++;
      this.#isAfterQuotedReturn = code === RETURN;
    }
  }

  #endField(): void {
    this.#record.push(this.#field);
    this.#field = '';
    this.#state = 'start';
  }

  *#endRecord(): Generator<CsvRecord> {
    const isEmptyLine = this.#record.length === 0 && this.#state === 'start';
    const line = this.#recordLine;
    this.#recordLine = this.#line;
    if (!isEmptyLine) {
      this.#endField();
      yield { cells: this.#record, line };
    }
    this.#record = [];
    this.#recordChars = 0;
  }
}

const [LINE_FEED, RETURN] = [10, 13];
