/**
 * A batch of spans, an array per column: what decode fills and the store appends.
 * Row `i` of every column is the same span. One thread owns a batch: sending it to another transfers its
 * buffers (`transferList`), and the sender's columns are empty from then on.
 *
 * Meaning of each field: message `Span` in OTLP's trace.proto; what is derived from attributes follows
 * OpenInference's semantic conventions.
 */
export interface SpanColumns {
  readonly rowCount: number;
  /** High half of the 16-byte trace ID, read big-endian: `hex(high) + hex(low)` is the ID as people write it. */
  readonly traceIdHigh: BigUint64Array;
  readonly traceIdLow: BigUint64Array;
  /** The 8-byte span ID, read big-endian. */
  readonly spanId: BigUint64Array;
  /** Zero where `hasParent` is 0. */
  readonly parentSpanId: BigUint64Array;
  /** 1 where the span names a parent, else 0. */
  readonly hasParent: Uint8Array;
  /**
   * IDs that are not 16 and 8 bytes of lower-case hex, by row: REST takes any text. Their halves above are
   * `textIdHalves` of the text, so that equality needs no special case.
   */
  readonly textIds: ReadonlyMap<number, TextIds>;
  /** Index into `projectNames` of the project that the span's sender asked for. */
  readonly projectIndex: Uint32Array;
  readonly projectNames: readonly string[];
  /** Nanoseconds since the Unix epoch, in int64 as DuckDB's TIMESTAMP_NS (good until 2262-04-11). */
  readonly startTimeUnixNano: BigInt64Array;
  readonly endTimeUnixNano: BigInt64Array;
  readonly name: TextColumn;
  /** Index into `SPAN_KINDS` of `semconv/`; 0 (`UNKNOWN`) when the attribute is absent or not one of them. */
  readonly spanKind: Uint8Array;
  /** 0 UNSET, 1 OK, 2 ERROR. */
  readonly statusCode: Uint8Array;
  /** Empty text when there is none. */
  readonly statusMessage: TextColumn;
  /**
   * JSON object text: the nested attributes (unflattened) but for what the other columns hold: leaves of at
   * most `LEAF_BYTES_MAX`. `{}` when there are none.
   */
  readonly attributes: TextColumn;
  /** JSON object text of the same shape with the long leaves; arrays of objects keep their indices by `{}`. Null when there are none. */
  readonly longAttributes: NullableTextColumn;
  /** JSON text of the attribute `metadata` when it is an object, which is then in neither of the two above. */
  readonly metadata: NullableTextColumn;
  /** Attributes that are text and have a column of their own are not in `attributes` too. */
  /** An input that is neither empty nor text becomes its JSON text, when it came by OTLP; its MIME type is then set too. */
  readonly inputValue: NullableTextColumn;
  readonly inputMimeType: NullableTextColumn;
  readonly outputValue: NullableTextColumn;
  readonly outputMimeType: NullableTextColumn;
  /**
   * The attribute `session.id` as sent, when it is text; of a number or boolean the JSON text, and `attributes` has it as
   * sent. The session it belongs to is its trimmed form, if not empty.
   */
  readonly sessionId: NullableTextColumn;
  readonly userId: NullableTextColumn;
  readonly modelName: NullableTextColumn;
  readonly provider: NullableTextColumn;
  /** Own token counts of spans of kind LLM (0 when absent or unreadable); `hasTokens` is 0 for other kinds. */
  readonly tokensPrompt: BigInt64Array;
  readonly tokensCompletion: BigInt64Array;
  readonly hasTokens: Uint8Array;
  /**
   * JSON array text `[{"name":…,"time_unix_nano":"…","attributes":{flat map}}]`; null when the span has no events.
   * `time_unix_nano` is decimal text.
   */
  readonly events: NullableTextColumn;
}

/** Texts laid end to end: row `i` is `utf8[offset[i] .. offset[i + 1]]`, the layout Arrow uses. */
export interface TextColumn {
  readonly utf8: Uint8Array;
  /** `rowCount + 1` entries. */
  readonly offset: Uint32Array;
}

export interface NullableTextColumn extends TextColumn {
  /** 1 where row `i` has a text, 0 where it is null; then its bytes are none. */
  readonly present: Uint8Array;
}

export interface TextIds {
  readonly traceId?: string;
  readonly spanId?: string;
  readonly parentSpanId?: string;
}
