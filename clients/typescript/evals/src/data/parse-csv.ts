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
  let record = '';
  let isOpen = false;
  for await (const line of readLines(chunks)) {
    number++;
    if (!isOpen) start = number;
    record = isOpen ? `${record}\n${line ?? ''}` : (line ?? '');
    // Quotes come in pairs, also doubled ones, so an odd number means that a field goes on.
    if (countQuotes(line ?? '') % 2 === 1) isOpen = !isOpen;
    if (line === undefined || record.length > LINE_BYTES_MAX) {
      yield { fields: undefined, line: start };
      isOpen = false;
    } else if (!isOpen) yield { fields: splitRecord(record), line: start };
  }
  if (isOpen) throw new InputError(`The quote in the record of line ${start} is never closed.`);
}

function countQuotes(line: string): number {
  let count = 0;
  for (let at = line.indexOf('"'); at >= 0; at = line.indexOf('"', at + 1)) count++;
  return count;
}

function splitRecord(record: string): string[] {
  if (!record.includes('"')) return record.split(',');
  const fields: string[] = [];
  const pattern = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/gy;
  for (let match = pattern.exec(record); match; match = pattern.exec(record)) {
    fields.push(match[1] === undefined ? (match[2] ?? '') : match[1].replaceAll('""', '"'));
    if (match[3] === '') return fields;
  }
  // A quote inside of an unquoted field: taken as it is.
  return record.split(',');
}
