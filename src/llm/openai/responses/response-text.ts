import { isJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { MODEL_RESPONSE_DEPTH_MAX } from '../../../model/limits/model-calls.ts';

/** The response of the last event, with its numbers to the letter. Undefined for one that is nested too deeply to be read so. */
export function responseText(data: string): string | undefined {
  try {
    const value = parseExactJson(data, { depthMax: MODEL_RESPONSE_DEPTH_MAX });
    const response = isJsonObject(value) ? value.response : undefined;
    return response === undefined ? undefined : toExactJsonText(response);
  } catch {
    return undefined;
  }
}
