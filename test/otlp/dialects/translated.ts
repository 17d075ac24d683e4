import assert from 'node:assert/strict';
import { SPAN_KINDS } from '../../../src/semconv/span-kinds.ts';
import { flattenAttributes } from '../../../src/model/spans/attributes.ts';
import { readNullableText, readText } from '../../../src/columns/read-text.ts';
import { type AttributeValue, attribute } from '../../fixtures/otlp-requests.ts';
import { bytesField, message, textField } from '../../fixtures/protobuf-writer.ts';
import { attributesOf, decodeColumns, requestOf, spanWith } from '../decode-one.ts';

export type Sent = Readonly<Record<string, AttributeValue>>;

export interface SentEvent {
  readonly name: string;
  readonly attributes: Sent;
}

/**
 * What is stored for a span besides the attributes that were sent, flat, including texts with their own columns, and without the list
 * of derived attributes. Checks that nothing that was sent is gone.
 */
export function translated(sent: Sent, events: readonly SentEvent[] = []): Record<string, unknown> {
  const { 'spandrel.dialects': _dialects, 'spandrel.derived': _derived, ...flat } = stored(sent, events);
  for (const key of Object.keys(sent)) {
    const value = sent[key];
    // Numbers that JSON does not have are dropped, and the indexes of lists are closed up.
    const isKept = !(typeof value === 'number' && !Number.isFinite(value)) && !/\.\d+\./.test(key);
    const stays = Object.keys(flat).filter((one) => one === key || one.startsWith(`${key}.`));
    assert.ok(stays.length > 0 || !isKept, `${key} is gone`);
    for (const one of stays) delete flat[one];
  }
  return Object.fromEntries(
    Object.entries(flat).filter(([key]) => !/^(gen_ai\.(prompt|completion)|llm\.request)\./.test(key)),
  );
}

export function stored(sent: Sent, events: readonly SentEvent[] = []): Record<string, unknown> {
  const columns = decodeColumns(
    requestOf([
      spanWith(
        textField(5, 'span'),
        ...attributesOf(sent),
        ...events.map((event) =>
          bytesField(
            11,
            message(
              textField(2, event.name),
              ...Object.entries(event.attributes).map(([key, value]) => attribute(3, key, value)),
            ),
          ),
        ),
      ),
    ]),
  );
  const parts = [readText(columns.attributes, 0), readNullableText(columns.longAttributes, 0) ?? '{}'];
  const flat = Object.fromEntries([...flattenAttributes(parts)].map(([key, value]) => [key, JSON.parse(value)]));
  for (const [key, column] of [
    ['input.value', columns.inputValue],
    ['input.mime_type', columns.inputMimeType],
    ['output.value', columns.outputValue],
    ['output.mime_type', columns.outputMimeType],
    ['session.id', columns.sessionId],
    ['user.id', columns.userId],
    ['llm.model_name', columns.modelName],
    ['llm.provider', columns.provider],
    ['metadata', columns.metadata],
  ] as const) {
    const text = readNullableText(column, 0);
    if (text !== null) flat[key] = text;
  }
  if (columns.spanKind[0] !== 0) flat['openinference.span.kind'] = SPAN_KINDS[columns.spanKind[0]!];
  if (readText(columns.name, 0) !== 'span') flat.name = readText(columns.name, 0);
  return flat;
}
