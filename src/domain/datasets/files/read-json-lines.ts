import { type ExactJsonObject, isJsonObject, JsonDepthError, JsonSyntaxError } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { DATASET_ROW_CHARS_MAX } from '../../../model/limits/datasets.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import { uploadInvalid } from '../upload-invalid.ts';

/**
 * Objects of a text with one JSON object per line. Blank lines are skipped.
 *
 * @throws {SpandrelError} `DATASET_UPLOAD_INVALID` for a line that is not an object, or is too long.
 */
export async function* readJsonLines(texts: AsyncIterable<string>): AsyncGenerator<ExactJsonObject> {
  let line = '';
  let lineNumber = 0;
  for await (const text of texts) {
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const object = parseLine(line + text.slice(start, end), ++lineNumber);
      if (object) yield object;
      line = '';
      start = end + 1;
    }
    line += text.slice(start);
    if (line.length > DATASET_ROW_CHARS_MAX) {
      throw uploadInvalid(`Line ${lineNumber + 1} has more than ${DATASET_ROW_CHARS_MAX} characters`);
    }
  }
  const object = parseLine(line, lineNumber + 1);
  if (object) yield object;
}

function parseLine(line: string, lineNumber: number): ExactJsonObject | undefined {
  if (line.trim() === '') return undefined;
  try {
    const value = parseExactJson(line, { depthMax: BODY_JSON_DEPTH_MAX, takesNonFinite: true });
    if (isJsonObject(value)) return value;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) && !(error instanceof JsonDepthError)) throw error;
    const place = error instanceof JsonSyntaxError ? `: char ${error.offset}` : '';
    throw uploadInvalid(`${error.message}: line ${lineNumber}${place}`, error);
  }
  throw uploadInvalid(`Line ${lineNumber} is not a JSON object`);
}
