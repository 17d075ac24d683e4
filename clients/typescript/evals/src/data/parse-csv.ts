import { InputError } from '../errors.ts';
import type { EvalRecord } from '../evaluators/input-mapping.ts';
import { BadRow } from './bad-row.ts';
import { LINE_BYTES_MAX, readLines } from './read-lines.ts';

/**
 * Rows of a CSV file (RFC 4180, UTF-8) whose first record has the names. All values are texts. A record with another number of
 * fields becomes a `BadRow`.
 *
 * @throws {InputError} for names that are missing or equal, and for a quote that is never closed
 */
export async function* parseCsv(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<EvalRecord | BadRow> {
  let names: readonly string[] | undefined;
  for await (const { fields, line } of readRecords(chunks)) {
    if (!fields) yield new BadRow(new InputError(`The record of line ${line} has more than ${LINE_BYTES_MAX} bytes.`));
    else if (!names) names = checkNames(fields);
    else if (fields.length === 1 && fields[0] === '') continue;
    else if (fields.length !== names.length) {
      yield new BadRow(
        new InputError(
          `The record of line ${line} has ${fields.length} fields, and the header ${names.length}; quote fields that contain a comma.`,
        ),
      );
    } else yield Object.fromEntries(names.map((name, index) => [name, fields[index]]));
  }
}

function checkNames(fields: readonly string[]): readonly string[] {
  const names = fields.map((field) => field.trim());
  if (names.some((name) => name === ''))
    throw new InputError('The first line of a CSV file has the names of the columns, and one is blank.');
  const double = names.find((name, index) => names.indexOf(name) !== index);
  if (double !== undefined) throw new InputError(`The column ${JSON.stringify(double)} exists twice; rename one.`);
  return names;
}

async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<{ fields: string[] | undefined; line: number }> {
  let number = 0;
  let start = 0;
  let size = 0;
  let record = new RecordParser();
  for await (const line of readLines(chunks)) {
    number++;
    if (!record.isOpen) start = number;
    size = record.isOpen ? size + (line?.length ?? 0) : (line?.length ?? 0);
    if (line === undefined || size > LINE_BYTES_MAX) {
      yield { fields: undefined, line: start };
      record = new RecordParser();
    } else {
      const fields = record.add(line);
      if (fields) yield { fields, line: start };
    }
  }
  if (record.isOpen) throw new InputError(`The quote in the record of line ${start} is never closed.`);
}

/** Takes lines of a record until no quoted field is open. */
class RecordParser {
  #fields: string[] = [];
  /** Parts of a quoted field that goes on; undefined outside of one. */
  #open: string[] | undefined;

  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  /** The fields when the record ends with this line. */
  add(line: string): string[] | undefined {
    if (this.#open) this.#open.push('\n');
    else if (!line.includes('"')) return line.split(',');
    let at = this.#open ? this.#readQuoted(line, 0) : this.#readField(line, 0);
    while (at < line.length) at = this.#readField(line, at + 1);
    if (this.#open) return undefined;
    const fields = this.#fields;
    this.#fields = [];
    return fields;
  }

  /** Reads a field and returns the place of the comma after it, or a place behind the line. */
  #readField(line: string, start: number): number {
    if (line[start] === '"') {
      this.#open = [];
      return this.#readQuoted(line, start + 1);
    }
    // A quote inside of a field that does not start with one is a character like others.
    const end = endOf(line, start);
    this.#fields.push(line.slice(start, end));
    return end;
  }

  #readQuoted(line: string, start: number): number {
    const parts = this.#open ?? [];
    for (let at = start; ; ) {
      const quote = line.indexOf('"', at);
      if (quote < 0) {
        parts.push(line.slice(at));
        return line.length + 1;
      }
      parts.push(line.slice(at, quote));
      if (line[quote + 1] !== '"') {
        const end = endOf(line, quote + 1);
        this.#fields.push(parts.join('') + line.slice(quote + 1, end));
        this.#open = undefined;
        return end;
      }
      parts.push('"');
      at = quote + 2;
    }
  }
}

/** The next comma, or the end of the line. */
function endOf(line: string, start: number): number {
  const comma = line.indexOf(',', start);
  return comma < 0 ? line.length : comma;
}
