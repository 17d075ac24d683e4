import { Type } from '@sinclair/typebox';
import { type ExactJson, parseExactJson, toExactJsonText } from '../../base/exact-json.ts';
import { flattenAttributes } from '../../model/attributes.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits.ts';
import type { Span } from '../../model/span.ts';
import { STATUS_CODES } from '../../semconv/span-kinds.ts';
import { AnyJson, Nullable, OneOf } from './schema.ts';
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
  { $id: 'AnyValue', description: 'One field is set, the rest are null.' },
);
const Attributes = Type.Array(Type.Object({ key: Type.String(), value: Value }));

/** A span in the terms of OTLP: every key present, null where there is nothing. */
export const OtlpSpanJson = Type.Object(
  {
    attributes: Attributes,
    dropped_attributes_count: Type.Null(),
    dropped_events_count: Type.Null(),
    dropped_links_count: Type.Null(),
    start_time_unix_nano: Type.Integer({ description: 'Exceeds 2^53: read it with an exact reader.' }),
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
    `{"attributes":${toAttributesText(flattenAttributes(span.attributeParts))},` +
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
  const texts = Object.entries(attributes).map(([key, value]) => [key, toExactJsonText(value)] as const);
  return (
    `{"name":${JSON.stringify(name)},"attributes":${toAttributesText(texts)},` +
    `"time_unix_nano":${timeUnixNano},"dropped_attributes_count":null}`
  );
}

/** `[{"key":…,"value":AnyValue}]` from keys and JSON texts. */
function toAttributesText(attributes: Iterable<readonly [string, string]>): string {
  let text = '';
  for (const [key, json] of attributes) {
    text += `${text === '' ? '' : ','}{"key":${JSON.stringify(key)},"value":${toValueText(json)}}`;
  }
  return `[${text}]`;
}

/** AnyValue of a JSON text, told by its first character. */
function toValueText(json: string): string {
  switch (json[0]) {
    case '"':
      return value('string_value', json);
    case 't':
    case 'f':
      return value('bool_value', json);
    case '[':
      return value('array_value', `{"values":[${toListText(json)}]}`);
    case '{':
    case 'n':
      return value('kvlist_value', 'null');
    default:
      return value(isInteger(json) ? 'int_value' : 'double_value', json);
  }
}

/**
 * Items of one type keep it, whole numbers among others are doubles, a list inside the list is its text; items of
 * several types are all texts.
 */
function toListText(json: string): string {
  const items = parseExactJson(json, { depthMax: BODY_JSON_DEPTH_MAX }) as ExactJson[];
  const texts = items.map(toExactJsonText);
  const types = new Set(texts.map(typeOf));
  if (types.size === 1 && !types.has('list')) return texts.map(toValueText).join(',');
  if (types.size === 2 && types.has('integer') && types.has('double')) {
    return texts.map((text) => value('double_value', text)).join(',');
  }
  return texts.map((text) => value('string_value', text[0] === '"' ? text : JSON.stringify(text))).join(',');
}

type ValueType = 'text' | 'boolean' | 'list' | 'object' | 'null' | 'integer' | 'double';
const TYPE_OF_FIRST: Readonly<Record<string, ValueType>> = {
  '"': 'text',
  t: 'boolean',
  f: 'boolean',
  '[': 'list',
  '{': 'object',
  n: 'null',
};
const typeOf = (json: string): ValueType => TYPE_OF_FIRST[json[0]!] ?? (isInteger(json) ? 'integer' : 'double');
const isInteger = (json: string): boolean => !/[.eE]/.test(json);

const FIELDS = [
  'array_value',
  'bool_value',
  'bytes_value',
  'double_value',
  'int_value',
  'kvlist_value',
  'string_value',
];
/** The text of an AnyValue before and after the value of the field that is set. */
const AROUND = new Map(
  FIELDS.map((field) => {
    const [before, after] = JSON.stringify(
      Object.fromEntries(FIELDS.map((name) => [name, name === field ? 0 : null])),
    ).split('0');
    return [field, [before, after] as const];
  }),
);

function value(field: string, json: string): string {
  const [before, after] = AROUND.get(field)!;
  return before + json + after;
}
