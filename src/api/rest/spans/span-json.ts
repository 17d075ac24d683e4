import { Type } from '@sinclair/typebox';
import { type ExactJson, type ExactJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { STATUS_CODES } from '../../../semconv/span-kinds.ts';
import { BODY_JSON_DEPTH_MAX } from '../../../model/limits/reads.ts';
import { flattenAttributes, toFlatJson } from '../../../model/spans/attributes.ts';
import type { Span } from '../../../model/spans/span.ts';
import { formatUnixNano } from '../../../model/time/datetime.ts';
import { toGlobalId } from '../../contract/global-id.ts';
import { DateTimeText, JsonObject, Nullable, OneOf } from '../schema.ts';

/** A span as REST shows it. */
export const SpanJson = Type.Object(
  {
    id: Type.String({ description: 'Global ID.' }),
    name: Type.String(),
    context: Type.Object({ trace_id: Type.String(), span_id: Type.String() }),
    span_kind: Type.String({ description: 'The attribute `openinference.span.kind` as it was sent; else `UNKNOWN`.' }),
    parent_id: Nullable(Type.String()),
    start_time: DateTimeText(),
    end_time: DateTimeText(),
    status_code: OneOf(STATUS_CODES),
    status_message: Type.String(),
    attributes: JsonObject({ description: 'Flat: dotted keys.' }),
    events: Type.Array(Type.Object({ name: Type.String(), timestamp: DateTimeText(), attributes: JsonObject() })),
  },
  { $id: 'Span' },
);

/** Attribute of the span kind, which REST shows beside the attributes. */
const SPAN_KIND_KEY = 'openinference.span.kind';

/**
 * JSON text of a span. Written by hand, because its attributes are JSON text already: parsing them to print them
 * again would cost more than all the rest, and round big numbers.
 */
export function toSpanText(span: Span): string {
  const attributes = flattenAttributes(span.attributeParts);
  const sentKind = attributes.get(SPAN_KIND_KEY);
  attributes.delete(SPAN_KIND_KEY);
  return (
    `{"id":"${toGlobalId('Span', span.rowId)}","name":${JSON.stringify(span.name)},` +
    `"context":{"trace_id":${JSON.stringify(span.traceId)},"span_id":${JSON.stringify(span.spanId)}},` +
    `"span_kind":${sentKind?.startsWith('"') ? sentKind : '"UNKNOWN"'},` +
    `"parent_id":${JSON.stringify(span.parentSpanId)},` +
    `"start_time":"${formatUnixNano(span.startTimeUnixNano)}","end_time":"${formatUnixNano(span.endTimeUnixNano)}",` +
    `"status_code":"${span.statusCode}","status_message":${JSON.stringify(span.statusMessage)},` +
    `"attributes":${toFlatJson(attributes)},"events":[${readEvents(span).map(toEventText).join(',')}]}`
  );
}

const toEventText = ({ name, timeUnixNano, attributes }: SpanEvent): string =>
  `{"name":${toExactJsonText(name)},"timestamp":"${formatUnixNano(timeUnixNano)}",` +
  `"attributes":${toExactJsonText(attributes)}}`;

export interface SpanEvent {
  readonly name: string;
  readonly timeUnixNano: bigint;
  /** Flat. */
  readonly attributes: ExactJsonObject;
}

export function readEvents({ events }: Pick<Span, 'events'>): SpanEvent[] {
  if (events === null) return [];
  const list = parseExactJson(events, { depthMax: BODY_JSON_DEPTH_MAX }) as ExactJsonObject[];
  return list.map((event) => ({
    name: event.name as string,
    timeUnixNano: BigInt(event.time_unix_nano as string),
    attributes: (event.attributes ?? {}) as Record<string, ExactJson>,
  }));
}
