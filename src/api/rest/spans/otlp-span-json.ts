import { Type } from '@sinclair/typebox';
import { toExactJsonText } from '../../../base/exact-json.ts';
import { STATUS_CODES } from '../../../semconv/span-kinds.ts';
import { flattenAttributes, toOtlpAttributes } from '../../../model/spans/attributes.ts';
import type { Span } from '../../../model/spans/span.ts';
import { AnyJson, Nullable, OneOf } from '../schema.ts';
import { readEvents, type SpanEvent } from './span-json.ts';

const Value = Type.Object(
  {
    array_value: Nullable(Type.Object({ values: Type.Array(AnyJson()) })),
    bool_value: Nullable(Type.Boolean()),
    bytes_value: Nullable(Type.String()),
    double_value: Nullable(Type.Number()),
    int_value: Nullable(Type.Integer()),
    kvlist_value: Type.Null(),
    string_value: Nullable(Type.String()),
  },
  { $id: 'AnyValue', description: 'One field is set, and all others are null.' },
);
const Attributes = Type.Array(Type.Object({ key: Type.String(), value: Value }));

/** A span in the terms of OTLP: every key present, null where there is nothing. */
export const OtlpSpanJson = Type.Object(
  {
    attributes: Attributes,
    dropped_attributes_count: Type.Null(),
    dropped_events_count: Type.Null(),
    dropped_links_count: Type.Null(),
    start_time_unix_nano: Type.Integer({ description: 'Exceeds 2^53, so a parser must read it exactly.' }),
    end_time_unix_nano: Type.Integer(),
    events: Nullable(
      Type.Array(
        Type.Object({
          name: Type.String(),
          attributes: Attributes,
          time_unix_nano: Nullable(Type.Integer()),
          dropped_attributes_count: Type.Null(),
        }),
      ),
    ),
    flags: Type.Null(),
    links: Type.Null(),
    trace_state: Type.Null(),
    kind: OneOf(['SPAN_KIND_INTERNAL']),
    name: Type.String(),
    trace_id: Type.String(),
    span_id: Type.String(),
    parent_span_id: Nullable(Type.String()),
    status: Type.Object({ code: Type.Integer(), message: Nullable(Type.String()) }),
  },
  { $id: 'OtlpSpan' },
);

/** JSON text of a span; by hand for the reason of `toSpanText`. */
export function toOtlpSpanText(span: Span): string {
  const events = readEvents(span);
  return (
    `{"attributes":${toOtlpAttributes(flattenAttributes(span.attributeParts))},` +
    '"dropped_attributes_count":null,"dropped_events_count":null,"dropped_links_count":null,' +
    `"start_time_unix_nano":${span.startTimeUnixNano},"end_time_unix_nano":${span.endTimeUnixNano},` +
    `"events":${events.length === 0 ? 'null' : `[${events.map(toEventText).join(',')}]`},` +
    '"flags":null,"links":null,"trace_state":null,"kind":"SPAN_KIND_INTERNAL",' +
    `"name":${JSON.stringify(span.name)},"trace_id":${JSON.stringify(span.traceId)},` +
    `"span_id":${JSON.stringify(span.spanId)},"parent_span_id":${JSON.stringify(span.parentSpanId)},` +
    `"status":{"code":${STATUS_CODES.indexOf(span.statusCode)},` +
    `"message":${span.statusMessage === '' ? 'null' : JSON.stringify(span.statusMessage)}}}`
  );
}

function toEventText({ name, timeUnixNano, attributes }: SpanEvent): string {
  const flat = new Map(Object.entries(attributes).map(([key, value]) => [key, toExactJsonText(value)]));
  return (
    `{"name":${JSON.stringify(name)},"attributes":${toOtlpAttributes(flat)},` +
    `"time_unix_nano":${timeUnixNano},"dropped_attributes_count":null}`
  );
}
