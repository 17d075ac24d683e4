import {
  type ExactJson,
  type ExactJsonObject,
  ExactNumber,
  parseExactJson,
  toExactJsonText,
} from '../../base/exact-json.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits.ts';
import type { SpanBody } from '../../model/span.ts';

const parsed = new WeakMap<SpanBody, ExactJsonObject>();

/** The nested attributes of a span, read once. */
export function attributesOf(body: SpanBody): ExactJsonObject {
  let attributes = parsed.get(body);
  if (!attributes) {
    attributes = Object.create(null) as ExactJsonObject;
    for (const part of body.attributeParts) {
      const value = parseExactJson(part, { depthMax: BODY_JSON_DEPTH_MAX });
      if (isObject(value)) mergeObject(attributes, value);
    }
    parsed.set(body, attributes);
  }
  return attributes;
}

function mergeObject(into: ExactJsonObject, from: ExactJsonObject): void {
  for (const [key, value] of Object.entries(from)) into[key] = merged(into[key], value);
}

/** Parts of an object lie in several texts; so do the elements of a list of objects, under their indices. */
function merged(known: ExactJson | undefined, value: ExactJson): ExactJson {
  if (Array.isArray(known) && Array.isArray(value)) {
    const length = Math.max(known.length, value.length);
    return Array.from({ length }, (_, index) =>
      index < value.length ? merged(known[index], value[index]!) : known[index]!,
    );
  }
  if (!isObject(known) || !isObject(value)) return value;
  mergeObject(known, value);
  return known;
}

const isObject = (value: ExactJson | undefined): value is ExactJsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** The value at a path of keys. */
export function attributeAt(body: SpanBody, ...keys: readonly string[]): ExactJson | undefined {
  let value: ExactJson | undefined = attributesOf(body);
  for (const key of keys) value = isObject(value) ? value[key] : undefined;
  return value;
}

/** JSON text of the attributes. The vectors of embeddings, which nobody reads as numbers, are told by their length. */
export function attributesText(body: SpanBody): string {
  const attributes = attributesOf(body);
  const embeddings = attributeAt(body, 'embedding', 'embeddings');
  if (!Array.isArray(embeddings)) return toExactJsonText(attributes);
  const shortened = embeddings.map((item) => {
    const embedding = isObject(item) ? item.embedding : undefined;
    if (!isObject(item) || !isObject(embedding) || !Array.isArray(embedding.vector)) return item;
    return { ...item, embedding: { ...embedding, vector: `<${embedding.vector.length} dimensional vector>` } };
  });
  const embedding = { ...(attributes.embedding as ExactJsonObject), embeddings: shortened };
  return toExactJsonText({ ...attributes, embedding });
}

/** A text as it is, anything else as JSON text; null when there is nothing. */
export function textOrJson(value: ExactJson | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : toExactJsonText(value);
}

/** A whole number that GraphQL's Int can hold. */
export const toInt = (value: ExactJson | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : null;
