import type { Attributes } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';

/** Bytes of the fields that each span has. */
const SPAN_BYTES = 300;
const VALUE_BYTES = 16;

/** About the bytes of a span in memory and in protobuf. Exact would be encoding it. */
export function estimateBytes({ name, attributes, events, links }: ReadableSpan): number {
  let byteCount = SPAN_BYTES + name.length + estimateAttributes(attributes);
  for (const event of events) byteCount += 64 + event.name.length + estimateAttributes(event.attributes);
  for (const link of links) byteCount += 64 + estimateAttributes(link.attributes);
  return byteCount;
}

function estimateAttributes(attributes: Attributes | undefined): number {
  let byteCount = 0;
  for (const key in attributes) {
    const value = attributes[key];
    byteCount += VALUE_BYTES + key.length;
    if (typeof value === 'string') byteCount += value.length;
    else if (Array.isArray(value))
      for (const item of value) byteCount += VALUE_BYTES + (typeof item === 'string' ? item.length : 0);
  }
  return byteCount;
}
