import { describeType, InputError } from '../errors.ts';
import type { EvalRecord } from '../evaluators/input-mapping.ts';
import { BadRow } from './bad-row.ts';
import { LINE_BYTES_MAX, readLines } from './read-lines.ts';

/** Objects, one a line. A line that is none becomes a `BadRow`; blank lines are left out. */
export async function* parseJsonLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<EvalRecord | BadRow> {
  let number = 0;
  for await (const line of readLines(chunks)) {
    number++;
    if (line === undefined) yield bad(number, `has more than ${LINE_BYTES_MAX} bytes`);
    else if (line.trim() !== '') yield parseLine(line, number);
  }
}

function parseLine(line: string, number: number): EvalRecord | BadRow {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return bad(number, `is no JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as EvalRecord;
  return bad(number, `is ${describeType(value)} and no object`);
}

const bad = (number: number, problem: string) =>
  new BadRow(new InputError(`Line ${number} ${problem}; each line is one JSON object.`));
