import assert from 'node:assert/strict';
import { type ExactJson, type ExactJsonObject, ExactNumber, toExactJsonText } from '../../src/base/exact-json.ts';
import { parseExactJson } from '../../src/base/parse-exact-json.ts';
import { toPythonText } from '../../src/base/python-text.ts';
import { SPAN_KINDS } from '../../src/semconv/span-kinds.ts';
import { LEAF_BYTES_MAX } from '../../src/model/limits/spans.ts';
import { toSpanId, toTraceId } from '../../src/model/traces/trace-ids.ts';
import { readNullableText, readText } from '../../src/columns/read-text.ts';
import type { SpanColumns } from '../../src/columns/span-columns.ts';
import { at, type ModelSpan, object } from './plain-model.ts';

const parse = (text: string) => toPlain(parseExactJson(text, { depthMax: 1_000 }));

/** Objects without a prototype, like those of the model. */
function toPlain(json: ExactJson): ExactJson {
  if (Array.isArray(json)) return json.map(toPlain);
  return isObject(json) ? object(Object.entries(json).map(([key, value]) => [key, toPlain(value)])) : json;
}

/** The rows of the columns, with attributes reassembled like in a reader. Checks the guarantees of the columns. */
export function readRows(columns: SpanColumns): ModelSpan[] {
  return Array.from({ length: columns.rowCount }, (_, row) => readRow(columns, row));
}

function readRow(columns: SpanColumns, row: number): ModelSpan {
  const small = parse(readText(columns.attributes, row)) as ExactJsonObject;
  const longText = readNullableText(columns.longAttributes, row);
  const long = longText === null ? object([]) : (parse(longText) as ExactJsonObject);
  eachLeaf(small, (leaf) => assert.ok(jsonBytes(leaf) <= LEAF_BYTES_MAX, 'a long leaf among the small ones'));
  eachLeaf(long, (leaf) => assert.ok(jsonBytes(leaf) > LEAF_BYTES_MAX, 'a small leaf among the long ones'));
  const attributes = merge(small, long) as ExactJsonObject;

  const metadata = readNullableText(columns.metadata, row);
  if (metadata !== null) add(attributes, ['metadata'], parse(metadata));
  else {
    const sent = attributes.metadata;
    assert.ok(sent === undefined || !isObject(sent) || Object.keys(sent).length === 0, 'metadata has its own column');
  }
  const promoted = {
    'input.value': columns.inputValue,
    'input.mime_type': columns.inputMimeType,
    'output.value': columns.outputValue,
    'output.mime_type': columns.outputMimeType,
    'session.id': columns.sessionId,
    'user.id': columns.userId,
    'llm.model_name': columns.modelName,
    'llm.provider': columns.provider,
  };
  for (const [key, column] of Object.entries(promoted)) {
    const text = readNullableText(column, row);
    const sent = at(attributes, ...key.split('.'));
    assert.ok(typeof sent !== 'string', `${key} has its own column`);
    if (text === null) continue;
    if (key === 'session.id' && sent !== undefined) assert.equal(text, toPythonText(sent));
    else {
      // The type of an input that became JSON text replaces the received type.
      if (key === 'input.mime_type' && isObject(attributes.input)) delete attributes.input.mime_type;
      add(attributes, key.split('.'), text);
    }
  }
  const spanKind = columns.spanKind[row]!;
  if (spanKind > 0 && at(attributes, 'openinference', 'span', 'kind') === undefined) {
    if (attributes['openinference.span.kind'] === undefined) {
      add(attributes, ['openinference', 'span', 'kind'], SPAN_KINDS[spanKind]!);
    }
  }
  const events = readNullableText(columns.events, row);
  const texts = columns.textIds.get(row);
  return {
    traceId: texts?.traceId ?? toTraceId(columns.traceIdHigh[row]!, columns.traceIdLow[row]!),
    spanId: texts?.spanId ?? toSpanId(columns.spanId[row]!),
    parentSpanId: columns.hasParent[row] === 1 ? (texts?.parentSpanId ?? toSpanId(columns.parentSpanId[row]!)) : null,
    project: columns.projectNames[columns.projectIndex[row]!]!,
    name: readText(columns.name, row),
    startTimeUnixNano: columns.startTimeUnixNano[row]!,
    endTimeUnixNano: columns.endTimeUnixNano[row]!,
    spanKind,
    statusCode: columns.statusCode[row]!,
    statusMessage: readText(columns.statusMessage, row),
    attributes,
    tokensPrompt: columns.hasTokens[row] === 1 ? columns.tokensPrompt[row]! : null,
    tokensCompletion: columns.hasTokens[row] === 1 ? columns.tokensCompletion[row]! : null,
    events: events === null ? null : parse(events),
  };
}

/** An input that became JSON text is compared as JSON: converts the text to the value of the model. */
export function withInputAsJson(row: ModelSpan, model: ModelSpan): ModelSpan {
  const expected = at(model.attributes, 'input', 'value');
  if (!isObject(expected) || !Object.hasOwn(expected, 'asJson')) return row;
  const text = at(row.attributes, 'input', 'value');
  assert.ok(typeof text === 'string', 'the input should be JSON text');
  const attributes = parse(toExactJsonText(row.attributes)) as ExactJsonObject;
  (attributes.input as ExactJsonObject).value = { asJson: parse(text) };
  return { ...row, attributes };
}

const jsonBytes = (json: ExactJson) => Buffer.byteLength(toExactJsonText(json));

const isObject = (json: ExactJson | undefined): json is ExactJsonObject =>
  typeof json === 'object' && json !== null && !Array.isArray(json) && !(json instanceof ExactNumber);

/** Lists that contain only objects are divided, others are leaves. */
const isListOfObjects = (json: ExactJson): json is ExactJsonObject[] =>
  Array.isArray(json) && json.length > 0 && json.every(isObject);

function eachLeaf(json: ExactJson, visit: (leaf: ExactJson) => void): void {
  if (isObject(json)) {
    // An empty object is a leaf `{}`, or an element that is in the other part.
    for (const value of Object.values(json)) eachLeaf(value, visit);
  } else if (isListOfObjects(json)) for (const element of json) eachLeaf(element, visit);
  else visit(json);
}

function merge(a: ExactJson | undefined, b: ExactJson | undefined): ExactJson {
  if (a === undefined) return b!;
  if (b === undefined) return a;
  if (isObject(a) && isObject(b)) {
    return object([...new Set([...Object.keys(a), ...Object.keys(b)])].map((key) => [key, merge(a[key], b[key])]));
  }
  assert.ok(isListOfObjects(a) && isListOfObjects(b), 'both parts have the same leaf');
  return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => merge(a[i], b[i]));
}

function add(json: ExactJsonObject, [key, ...rest]: string[], value: ExactJson): void {
  if (rest.length === 0) {
    assert.equal(json[key!], undefined, `${key} is in two places`);
    json[key!] = value;
    return;
  }
  json[key!] ??= object([]);
  const child = json[key!]!;
  assert.ok(isObject(child), `${key} has another value`);
  add(child, rest, value);
}
