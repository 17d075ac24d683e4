// Limits of spans and their attributes. Bytes unless the name has another unit.

/** Spans in one request. */
export const REQUEST_SPAN_COUNT_MAX = 1_000_000;
/** Attributes of one span including its events. A span with more is rejected with the reason. */
export const SPAN_ATTRIBUTE_COUNT_MAX = 50_000;
/** Bytes of a trace ID or span ID over OTLP: four times the size in OpenTelemetry. Every row and index holds the ID. */
export const OTLP_ID_BYTES_MAX = 64;
/** Nesting of OTLP AnyValue (arrays and key-value lists) and of JSON inside attributes. Deeper values are rejected. */
export const VALUE_DEPTH_MAX = 100;
/** Levels that dotted attribute keys may create. Further segments stay in one key. */
export const KEY_DEPTH_MAX = 100;
/** An attribute leaf of at most this many UTF-8 bytes of JSON is short (see `SpanColumns.attributes`). */
export const LEAF_BYTES_MAX = 200;
/** Characters of input and output in lists. */
export const PREVIEW_CHARS_MAX = 200;

// The translation of spans that are not in the form of OpenInference. What exceeds these limits is stored as sent, without a translation.

/** Characters of a JSON text that is parsed to be translated. Parsing takes about ten times its size in memory. */
export const TRANSLATED_JSON_CHARS_MAX = 16 * 1024 * 1024;
/** Messages of one list. Longer ones keep the last messages, which lists and judges show. */
export const TRANSLATED_MESSAGE_COUNT_MAX = 2_000;
/** Items of a list whose items are attributes with an index in their keys, such as `gen_ai.prompt.0.content`. */
export const INDEXED_ITEM_COUNT_MAX = 20_000;
/** Objects inside of objects that are searched for messages, such as `{"kwargs": {"message": {"data": …}}}`. */
export const MESSAGE_NESTING_MAX = 6;
