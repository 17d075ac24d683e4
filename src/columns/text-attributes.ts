/**
 * Attributes that are stored in a column of their own, and not among the JSON attributes, if they are text. Everything between
 * the wire and the database derives from this list: the decoder, the batch, the table row, the cache, filters and files of spans.
 *
 * - `key`: the attribute, a member of an object of the span;
 * - `field`: its name in a batch;
 * - `column`: its name in the table `spans` and in Parquet files;
 * - `isInBlockFilters`: whether block filters contain its values, so that searches for one skip blocks.
 */
export const TEXT_ATTRIBUTES = [
  { key: 'input.mime_type', field: 'inputMimeType', column: 'input_mime_type', isInBlockFilters: false },
  { key: 'output.mime_type', field: 'outputMimeType', column: 'output_mime_type', isInBlockFilters: false },
  { key: 'session.id', field: 'sessionId', column: 'session_id', isInBlockFilters: true },
  { key: 'user.id', field: 'userId', column: 'user_id', isInBlockFilters: true },
  { key: 'llm.model_name', field: 'modelName', column: 'model_name', isInBlockFilters: true },
  { key: 'llm.provider', field: 'provider', column: 'provider', isInBlockFilters: true },
] as const;

export type TextAttribute = (typeof TEXT_ATTRIBUTES)[number];
export type TextAttributeField = TextAttribute['field'];
export type TextAttributeColumn = TextAttribute['column'];

/** An object with a value for each field of the list. */
export function mapTextAttributes<Value>(
  toValue: (attribute: TextAttribute) => Value,
): Record<TextAttributeField, Value> {
  const values = {} as Record<TextAttributeField, Value>;
  for (const attribute of TEXT_ATTRIBUTES) values[attribute.field] = toValue(attribute);
  return values;
}
