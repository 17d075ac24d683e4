import { type ExactJson, toExactJsonText } from '../../base/exact-json.ts';
import { parseExactJson } from '../../base/parse-exact-json.ts';
import { STATUS_CODES } from '../../semconv/span-kinds.ts';
import { BODY_JSON_DEPTH_MAX } from '../../model/limits/reads.ts';
import { flattenAttributes } from '../../model/spans/attributes.ts';
import type { Span } from '../../model/spans/span.ts';

// The JSON form of OTLP, as exporters send it: names in camel case, whole numbers of 64 bits as texts.

/** Text before and after the spans, which are separated by commas. Together they are one `ExportTraceServiceRequest`. */
export const otlpFrame = (projectName: string): readonly [head: string, foot: string] => [
  `{"resourceSpans":[{"resource":{"attributes":[{"key":"openinference.project.name","value":{"stringValue":${JSON.stringify(projectName)}}}]},"scopeSpans":[{"scope":{},"spans":[\n`,
  '\n]}]}]}\n',
];

export function toOtlpJson(span: Span): string {
  const parent = span.parentSpanId === null ? '' : `"parentSpanId":${JSON.stringify(span.parentSpanId)},`;
  const events = span.events === null ? [] : (parse(span.events) as readonly Event[]);
  return (
    `{"traceId":${JSON.stringify(span.traceId)},"spanId":${JSON.stringify(span.spanId)},${parent}` +
    `"name":${JSON.stringify(span.name)},"kind":1,` +
    `"startTimeUnixNano":"${span.startTimeUnixNano}","endTimeUnixNano":"${span.endTimeUnixNano}",` +
    `"attributes":${toAttributes(flattenAttributes(span.attributeParts))},` +
    `"events":[${events.map(toEvent).join(',')}],` +
    `"status":{"code":${STATUS_CODES.indexOf(span.statusCode)},"message":${JSON.stringify(span.statusMessage)}}}`
  );
}

interface Event {
  readonly name: string;
  readonly time_unix_nano: string;
  readonly attributes?: Readonly<Record<string, ExactJson>>;
}

function toEvent({ name, time_unix_nano, attributes = {} }: Event): string {
  const flat = new Map(Object.entries(attributes).map(([key, value]) => [key, toExactJsonText(value)]));
  return `{"name":${JSON.stringify(name)},"timeUnixNano":"${time_unix_nano}","attributes":${toAttributes(flat)}}`;
}

const toAttributes = (flat: ReadonlyMap<string, string>): string =>
  `[${Array.from(flat, ([key, value]) => `{"key":${JSON.stringify(key)},"value":${toValue(value)}}`).join(',')}]`;

/** A JSON text as an `AnyValue`. The first character determines its type. */
function toValue(text: string): string {
  switch (text[0]) {
    case '"':
      return `{"stringValue":${text}}`;
    case 't':
    case 'f':
      return `{"boolValue":${text}}`;
    case 'n':
      return '{}';
    case '[': {
      const items = parse(text) as readonly ExactJson[];
      return `{"arrayValue":{"values":[${items.map((item) => toValue(toExactJsonText(item))).join(',')}]}}`;
    }
    case '{': {
      const entries = Object.entries(parse(text) as Readonly<Record<string, ExactJson>>);
      const flat = new Map(entries.map(([key, value]) => [key, toExactJsonText(value)]));
      return `{"kvlistValue":{"values":${toAttributes(flat)}}}`;
    }
    default:
      return isInt64(text) ? `{"intValue":"${text}"}` : `{"doubleValue":${text}}`;
  }
}

const isInt64 = (text: string): boolean =>
  /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);

const parse = (text: string): unknown => parseExactJson(text, { depthMax: BODY_JSON_DEPTH_MAX });
