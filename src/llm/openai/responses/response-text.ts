import { isJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { MODEL_RESPONSE_DEPTH_MAX } from '../../../model/limits/model-calls.ts';

/**
 * The response of the last event, with its numbers to the letter. Undefined for an event in an unusual form, of which the official client has
 * read an equal value.
 */
export function responseText(event: string): string | undefined {
  const data = /^data: ?(.*)$/m.exec(event)?.[1];
  if (data === undefined) return undefined;
  try {
    const value = parseExactJson(data, { depthMax: MODEL_RESPONSE_DEPTH_MAX });
    const response = isJsonObject(value) ? value.response : undefined;
    return response === undefined ? undefined : toExactJsonText(response);
  } catch {
    return undefined;
  }
}
