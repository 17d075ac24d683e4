// Limits of spans and their attributes. Bytes unless the name says otherwise.

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
