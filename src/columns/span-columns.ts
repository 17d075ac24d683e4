import type { TextAttributeField } from './text-attributes.ts';

/**
 * A batch of spans with one array per column. Decoding fills it and the store appends it. Row `i` of every column
 * belongs to the same span. One thread owns a batch: sending it to another thread transfers its buffers
 * (`transferList`), after which the sender's columns are empty.
 *
 * The message `Span` of OTLP's trace.proto defines the fields; OpenInference's semantic conventions define those
 * derived from attributes.
 */
export interface SpanColumns extends TextAttributeColumns {
  readonly rowCount: number;
  /** High half of the 16-byte trace ID, read big-endian: `hex(high) + hex(low)` is the usual text of the ID. */
  readonly traceIdHigh: BigUint64Array;
  readonly traceIdLow: BigUint64Array;
  /** The 8-byte span ID, read big-endian. */
  readonly spanId: BigUint64Array;
  /** Zero if `hasParent` is 0. */
  readonly parentSpanId: BigUint64Array;
  /** 1 if the span names a parent, else 0. */
  readonly hasParent: Uint8Array;
  /**
   * IDs that are not 16 or 8 bytes of lower-case hex, by row, because REST accepts any text. Their halves above are
   * `textIdHalves` of the text, so that comparing IDs needs no special case.
   */
  readonly textIds: ReadonlyMap<number, TextIds>;
  /** Index into `projectNames` of the project that the sender named. */
  readonly projectIndex: Uint32Array;
  readonly projectNames: readonly string[];
  /** Nanoseconds since the Unix epoch as int64, like DuckDB's TIMESTAMP_NS (valid until 2262-04-11). */
  readonly startTimeUnixNano: BigInt64Array;
  readonly endTimeUnixNano: BigInt64Array;
  readonly name: TextColumn;
  /** Index into `SPAN_KINDS` of `semconv/`; 0 (`UNKNOWN`) if the attribute is absent or unknown. */
  readonly spanKind: Uint8Array;
  /** 0 UNSET, 1 OK, 2 ERROR. */
  readonly statusCode: Uint8Array;
  /** Empty if the span has no message. */
  readonly statusMessage: TextColumn;
  /**
   * JSON object text of the nested attributes that have no column of their own, with leaves of at most
   * `LEAF_BYTES_MAX`. `{}` if there are none.
   */
  readonly attributes: TextColumn;
  /**
   * JSON object text of the same shape with the longer leaves. `{}` stands for the other elements of lists. Null if
   * there are none.
   */
  readonly longAttributes: NullableTextColumn;
  /** JSON text of the attribute `metadata` if it is an object, which the two columns above then omit. */
  readonly metadata: NullableTextColumn;
  /** An input that is neither empty nor text becomes its JSON text, when it came by OTLP; its MIME type is then set too. */
  readonly inputValue: NullableTextColumn;
  readonly outputValue: NullableTextColumn;
  /** Token counts of an LLM span itself (0 if absent or unreadable), or of an embedding that reports some; `hasTokens` is 0 for others. */
  readonly tokensPrompt: BigInt64Array;
  readonly tokensCompletion: BigInt64Array;
  readonly hasTokens: Uint8Array;
  /**
   * JSON array text `[{"name":…,"time_unix_nano":"…","attributes":{flat map}}]`, or null if the span has no events.
   * `time_unix_nano` is decimal text.
   */
  readonly events: NullableTextColumn;
}

/**
 * Attributes of `TEXT_ATTRIBUTES`, which are then not in `attributes` too. `sessionId` is the attribute `session.id` as sent if it
 * is text. For any other value it is the text that Python's `str` makes of it, such as `True` or `['a', 1]`, and the attributes
 * have the value as sent. The trimmed text identifies the session if it is not empty.
 */
type TextAttributeColumns = Readonly<Record<TextAttributeField, NullableTextColumn>>;

/** Concatenated texts: row `i` is `utf8[offset[i] .. offset[i + 1]]`, the layout that Arrow uses. */
export interface TextColumn {
  readonly utf8: Uint8Array;
  /** `rowCount + 1` entries. */
  readonly offset: Uint32Array;
}

export interface NullableTextColumn extends TextColumn {
  /** 1 if row `i` has a text, 0 if it is null and has no bytes. */
  readonly present: Uint8Array;
}

export interface TextIds {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly parentSpanId?: string;
}
