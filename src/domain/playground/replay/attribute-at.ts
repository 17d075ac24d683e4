import type { ExactJson, ExactJsonObject } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import { isJsonObject } from '../../../model/spans/nested-attributes.ts';
import { valueAt } from '../../prompts/value-at.ts';

/** The value at a dotted path of the attributes. */
export const attributeAt = (value: ExactJson | undefined, path: string): ExactJson | undefined =>
  valueAt(value, path.split('.'));

/** The text at a path, undefined for any other value. */
export function textAt(value: ExactJson | undefined, path: string): string | undefined {
  const found = attributeAt(value, path);
  return typeof found === 'string' ? found : undefined;
}

/** The value of a JSON text; a value that is no text as it is. Undefined for a text that is not JSON. */
export function decodeJson(value: ExactJson | undefined): ExactJson | undefined {
  if (typeof value !== 'string') return value;
  try {
    return parseExactJson(value, { depthMax: BODY_JSON_DEPTH_MAX });
  } catch {
    return undefined;
  }
}

export function decodeObject(value: ExactJson | undefined): ExactJsonObject | undefined {
  const decoded = decodeJson(value);
  return isJsonObject(decoded) ? decoded : undefined;
}
