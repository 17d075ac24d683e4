import { type ExactJsonObject, isJsonObject, JsonDepthError, JsonSyntaxError } from '../../../base/exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { DATASET_ROW_CHARS_MAX } from '../../../model/limits/datasets.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import { uploadInvalid } from '../upload-invalid.ts';
import { parseLongJson } from './parse-long-json.ts';
import type { RejectedRows } from './rejected-rows.ts';

export interface JsonLine {
  readonly object: ExactJsonObject;
  readonly text: string;
  /** From 1. */
  readonly line: number;
}

const OPTIONS = { depthMax: BODY_JSON_DEPTH_MAX, takesNonFinite: true };

/**
 * Objects of a text with one JSON object per line. Blank lines are skipped.
 *
 * @param rejected Collects the lines that are no objects. Absent: the first one rejects the whole text.
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for a line that is not an object, or is too long.
 */
export async function* readJsonLines(texts: AsyncIterable<string>, rejected?: RejectedRows): AsyncGenerator<JsonLine> {
  for await (const { text, line } of linesOf(texts)) {
    if (text.trim() === '') continue;
    const object = await parseLine(text, line, rejected);
    if (object) yield { object, text, line };
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<Pick<JsonLine, 'text' | 'line'>> {
  let rest = '';
  let line = 1;
  for await (const text of texts) {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      yield { text: rest + text.slice(start, end), line: line++ };
      rest = '';
      start = end + 1;
    }
    rest += text.slice(start);
    if (rest.length > DATASET_ROW_CHARS_MAX) {
      throw uploadInvalid(`Line ${line} has more than ${DATASET_ROW_CHARS_MAX} characters`);
    }
  }
  yield { text: rest, line };
}

async function parseLine(
  text: string,
  line: number,
  rejected: RejectedRows | undefined,
): Promise<ExactJsonObject | undefined> {
  try {
    return await parseRow(text, line);
  } catch (error) {
    if (!rejected || !(error instanceof SpandrelError)) throw error;
    rejected.add(line, error.message, text);
    return undefined;
  }
}

async function parseRow(text: string, line: number): Promise<ExactJsonObject> {
  try {
    const value = await parseLongJson(text, OPTIONS);
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) && !(error instanceof JsonDepthError)) throw error;
    const place = error instanceof JsonSyntaxError ? `: char ${error.offset}` : '';
    throw uploadInvalid(`${error.message}: line ${line}${place}`, error);
  }
  throw uploadInvalid(`Line ${line} is not a JSON object`);
}
