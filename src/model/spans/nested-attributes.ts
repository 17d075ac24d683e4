import { type ExactJson, type ExactJsonObject, ExactNumber, newJsonObject } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { BODY_JSON_DEPTH_MAX } from '../limits/reads.ts';

/** Joins the nested attributes of a span from its parts (`Span.attributeParts`). */
export function joinAttributeParts(parts: readonly string[]): ExactJsonObject {
  let attributes: ExactJsonObject | undefined;
  for (const part of parts) {
    const value = parseExactJson(part, { depthMax: BODY_JSON_DEPTH_MAX, isStored: true });
    if (!isJsonObject(value)) continue;
    if (attributes) mergeObject(attributes, value);
    else attributes = value;
  }
  return attributes ?? newJsonObject();
}

function mergeObject(into: ExactJsonObject, from: ExactJsonObject): void {
  for (const [key, value] of Object.entries(from)) into[key] = merged(into[key], value);
}

/** Members of an object may be in several parts, and so may the elements of a list of objects, at their indices. */
function merged(known: ExactJson | undefined, value: ExactJson): ExactJson {
  if (Array.isArray(known) && Array.isArray(value)) {
    return [...value.map((element, index) => merged(known[index], element)), ...known.slice(value.length)];
  }
  if (!isJsonObject(known) || !isJsonObject(value)) return value;
  mergeObject(known, value);
  return known;
}

export const isJsonObject = (value: ExactJson | undefined): value is ExactJsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);
