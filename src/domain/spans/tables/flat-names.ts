import type { ExactJson, ExactJsonObject } from '../../../base/exact-json.ts';
import { OPEN_INFERENCE_NAMES } from '../../../semconv/open-inference.ts';
import { isJsonObject } from '../../../model/spans/nested-attributes.ts';

/** Beginnings of names: what an object has to stand under to be opened. */
const PREFIXES: ReadonlySet<string> = new Set(
  Array.from(OPEN_INFERENCE_NAMES).flatMap((name) => {
    const segments = name.split('.');
    return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('.'));
  }),
);

/**
 * Flattens nested attributes to dotted names if OpenInference defines the names. A value below such a name, or under a
 * name that OpenInference does not define, stays an object, and the names inside it are dotted in the same way.
 */
export function flattenNames(attributes: ExactJsonObject): Map<string, ExactJson> {
  const flat = new Map<string, ExactJson>();
  const add = (name: string, value: ExactJson): void => {
    if (!OPEN_INFERENCE_NAMES.has(name) && PREFIXES.has(name) && isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) add(`${name}.${key}`, inner);
    } else flat.set(name, withFlatNames(value));
  };
  for (const [key, value] of Object.entries(attributes)) add(key, value);
  return flat;
}

function withFlatNames(value: ExactJson): ExactJson {
  if (Array.isArray(value)) return value.map(withFlatNames);
  return isJsonObject(value) ? Object.fromEntries(flattenNames(value)) : value;
}

/** The value at a dotted path, whether its dots are nested or not; digits are indices of lists. Undefined when missing. */
export function atDottedPath(value: ExactJson | undefined, segments: readonly string[]): ExactJson | undefined {
  if (segments.length === 0) return value ?? undefined;
  if (Array.isArray(value)) {
    return /^\d+$/.test(segments[0] ?? '') ? atDottedPath(value[Number(segments[0])], segments.slice(1)) : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  for (let count = 1; count <= segments.length; count++) {
    const key = segments.slice(0, count).join('.');
    const found = Object.hasOwn(value, key) ? atDottedPath(value[key], segments.slice(count)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
