import { type ExactJson, type ExactJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { isJsonObject, joinAttributeParts } from '../../../model/spans/nested-attributes.ts';
import type { SpanBody } from '../../../model/spans/span.ts';

const parsed = new WeakMap<SpanBody, ExactJsonObject>();

/** The nested attributes of a span, read once. */
export function attributesOf(body: SpanBody): ExactJsonObject {
  let attributes = parsed.get(body);
  if (!attributes) {
    attributes = joinAttributeParts(body.attributeParts);
    parsed.set(body, attributes);
  }
  return attributes;
}

/** The value at a path of keys. */
export function attributeAt(body: SpanBody, ...keys: readonly string[]): ExactJson | undefined {
  let value: ExactJson | undefined = attributesOf(body);
  for (const key of keys) value = isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** JSON text of the attributes. Vectors of embeddings are replaced by their length. */
export function attributesText(body: SpanBody): string {
  const attributes = attributesOf(body);
  const embeddings = attributeAt(body, 'embedding', 'embeddings');
  if (!Array.isArray(embeddings)) return toExactJsonText(attributes);
  const shortened = embeddings.map((item) => {
    const embedding = isJsonObject(item) ? item.embedding : undefined;
    if (!isJsonObject(item) || !isJsonObject(embedding) || !Array.isArray(embedding.vector)) return item;
    return { ...item, embedding: { ...embedding, vector: `<${embedding.vector.length} dimensional vector>` } };
  });
  const embedding = { ...(attributes.embedding as ExactJsonObject), embeddings: shortened };
  return toExactJsonText({ ...attributes, embedding });
}

/** A text unchanged, any other value as JSON text. Null when there is none. */
export function textOrJson(value: ExactJson | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : toExactJsonText(value);
}

/** A whole number that GraphQL's Int can represent. */
export const toInt = (value: ExactJson | undefined): number | null =>
  typeof value === 'number' && Number.isInteger(value) && Math.abs(value) < 2 ** 31 ? value : null;
