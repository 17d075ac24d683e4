import type { SpanColumns } from '../../src/columns/span-columns.ts';
import { SpanColumnsBuilder } from '../../src/columns/span-columns-builder.ts';
import { decodeOtlpRequest } from '../../src/otlp/decode-request.ts';
import { type AttributeValue, attribute } from '../fixtures/otlp-requests.ts';
import { bytesField, type Field, fixed64Field, message } from '../fixtures/protobuf-writer.ts';

export const TRACE_ID = Uint8Array.from({ length: 16 }, (_, i) => i + 1);
export const SPAN_ID = Uint8Array.from({ length: 8 }, (_, i) => i + 1);

/** A span with IDs and times, and these further fields. */
export const spanWith = (...fields: readonly Field[]): Uint8Array =>
  message(
    bytesField(1, TRACE_ID),
    bytesField(2, SPAN_ID),
    fixed64Field(7, 1_709_287_200_000_000_000n),
    fixed64Field(8, 1_709_287_201_000_000_000n),
    ...fields,
  );

/** A request with these spans in one scope, and these fields of its resource. */
export const requestOf = (spans: readonly Uint8Array[], ...resource: readonly Field[]): Uint8Array =>
  bytesField(
    1,
    message(bytesField(1, message(...resource)), bytesField(2, message(...spans.map((span) => bytesField(2, span))))),
  );

export const attributesOf = (
  entries: Readonly<Record<string, AttributeValue>> | readonly (readonly [string, AttributeValue])[],
): Field[] =>
  (Array.isArray(entries) ? entries : Object.entries(entries)).map(([key, value]) => attribute(9, key, value));

export function decodeColumns(body: Uint8Array, projectName?: string): SpanColumns {
  const builder = new SpanColumnsBuilder();
  decodeOtlpRequest(body, 'protobuf', projectName === undefined ? {} : { projectName }, builder);
  return builder.finish();
}

/** The columns of one span with these attributes. */
export const decodeAttributes = (entries: Parameters<typeof attributesOf>[0]): SpanColumns =>
  decodeColumns(requestOf([spanWith(...attributesOf(entries))]));
