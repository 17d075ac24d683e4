// Tags (field number and wire type) of the messages of opentelemetry-proto that are read here. A field with another
// wire type has another tag, so it is skipped like an unknown field, as protobuf requires.

const varint = (field: number): number => field << 3;
const fixed64 = (field: number): number => (field << 3) | 1;
const delimited = (field: number): number => (field << 3) | 2;
const fixed32 = (field: number): number => (field << 3) | 5;

export const REQUEST_RESOURCE_SPANS = delimited(1);

export const RESOURCE_SPANS_RESOURCE = delimited(1);
export const RESOURCE_SPANS_SCOPE_SPANS = delimited(2);
export const RESOURCE_SPANS_SCHEMA_URL = delimited(3);

export const RESOURCE_ATTRIBUTES = delimited(1);
export const RESOURCE_DROPPED_ATTRIBUTES_COUNT = varint(2);

export const SCOPE_SPANS_SCOPE = delimited(1);
export const SCOPE_SPANS_SPANS = delimited(2);
export const SCOPE_SPANS_SCHEMA_URL = delimited(3);

export const SCOPE_NAME = delimited(1);
export const SCOPE_VERSION = delimited(2);
export const SCOPE_ATTRIBUTES = delimited(3);
export const SCOPE_DROPPED_ATTRIBUTES_COUNT = varint(4);

export const SPAN_TRACE_ID = delimited(1);
export const SPAN_SPAN_ID = delimited(2);
export const SPAN_TRACE_STATE = delimited(3);
export const SPAN_PARENT_SPAN_ID = delimited(4);
export const SPAN_NAME = delimited(5);
export const SPAN_KIND = varint(6);
export const SPAN_START_TIME = fixed64(7);
export const SPAN_END_TIME = fixed64(8);
export const SPAN_ATTRIBUTES = delimited(9);
export const SPAN_DROPPED_ATTRIBUTES_COUNT = varint(10);
export const SPAN_EVENTS = delimited(11);
export const SPAN_DROPPED_EVENTS_COUNT = varint(12);
export const SPAN_LINKS = delimited(13);
export const SPAN_DROPPED_LINKS_COUNT = varint(14);
export const SPAN_STATUS = delimited(15);
export const SPAN_FLAGS = fixed32(16);

export const EVENT_TIME = fixed64(1);
export const EVENT_NAME = delimited(2);
export const EVENT_ATTRIBUTES = delimited(3);
export const EVENT_DROPPED_ATTRIBUTES_COUNT = varint(4);

export const LINK_TRACE_ID = delimited(1);
export const LINK_SPAN_ID = delimited(2);
export const LINK_TRACE_STATE = delimited(3);
export const LINK_ATTRIBUTES = delimited(4);
export const LINK_DROPPED_ATTRIBUTES_COUNT = varint(5);
export const LINK_FLAGS = fixed32(6);

export const STATUS_MESSAGE = delimited(2);
export const STATUS_CODE = varint(3);

export const KEY_VALUE_KEY = delimited(1);
export const KEY_VALUE_VALUE = delimited(2);

export const ANY_VALUE_STRING = delimited(1);
export const ANY_VALUE_BOOL = varint(2);
export const ANY_VALUE_INT = varint(3);
export const ANY_VALUE_DOUBLE = fixed64(4);
export const ANY_VALUE_ARRAY = delimited(5);
export const ANY_VALUE_KVLIST = delimited(6);
export const ANY_VALUE_BYTES = delimited(7);

/** Tag of the values of ArrayValue and KeyValueList. */
export const LIST_VALUES = delimited(1);

/** Whether a field of AnyValue contains a value. */
export const isValue = (tag: number): boolean =>
  tag === ANY_VALUE_STRING ||
  tag === ANY_VALUE_BOOL ||
  tag === ANY_VALUE_INT ||
  tag === ANY_VALUE_DOUBLE ||
  tag === ANY_VALUE_ARRAY ||
  tag === ANY_VALUE_KVLIST ||
  tag === ANY_VALUE_BYTES;
