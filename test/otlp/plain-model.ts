import { type ExactJson, type ExactJsonObject, ExactNumber } from '../../src/base/exact-json.ts';
import { parseExactJson } from '../../src/base/parse-exact-json.ts';
import { SPAN_KINDS } from '../../src/semconv/span-kinds.ts';
import { KEY_DEPTH_MAX, OTLP_ID_BYTES_MAX, VALUE_DEPTH_MAX } from '../../src/model/limits/spans.ts';
import type { OracleAnyValue, OracleKeyValue, OracleRequest, OracleSpan } from '../fixtures/otlp-proto.ts';
import { toBigInt } from '../fixtures/otlp-proto.ts';

// The expected result of a request, computed on plain objects directly from the reference.

/** A value of an attribute. An object is a list of its members, because keys may be repeated. */
export type ModelValue = null | boolean | string | number | ExactNumber | ModelValue[] | ModelObject;
export interface ModelObject {
  readonly members: readonly (readonly [string, ModelValue])[];
}

/**
 * A span as the columns should contain it. `attributes` is the whole map, including attributes with their own columns.
 */
export interface ModelSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | null;
  readonly project: string;
  readonly name: string;
  readonly startTimeUnixNano: bigint;
  readonly endTimeUnixNano: bigint;
  readonly spanKind: number;
  readonly statusCode: number;
  readonly statusMessage: string;
  readonly attributes: ExactJson;
  readonly tokensPrompt: bigint | null;
  readonly tokensCompletion: bigint | null;
  readonly events: ExactJson;
}

/** The spans of a request that can be stored. */
export function modelOf(request: OracleRequest, projectName = ''): ModelSpan[] {
  return request.resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const named = (resource?.attributes ?? []).find(
      ({ key, value }) => key === 'openinference.project.name' && value?.value === 'stringValue' && value.stringValue,
    );
    const project = projectName || named?.value?.stringValue || 'default';
    return scopeSpans.flatMap(({ spans }) => spans.filter(isStorable).map((span) => modelSpan(span, project)));
  });
}

export function isStorable(span: OracleSpan): boolean {
  const isId = (id: Uint8Array) => id.length <= OTLP_ID_BYTES_MAX && id.some((byte) => byte !== 0);
  const isTime = (time: bigint) => time < 2n ** 63n;
  const keyValues = [...span.attributes, ...span.events.flatMap(({ attributes }) => attributes)];
  return (
    isId(span.traceId) &&
    isId(span.spanId) &&
    span.parentSpanId.length <= OTLP_ID_BYTES_MAX &&
    isTime(toBigInt(span.startTimeUnixNano)) &&
    isTime(toBigInt(span.endTimeUnixNano)) &&
    keyValues.every(({ value }) => value === null || depthOf(value) <= VALUE_DEPTH_MAX)
  );
}

function depthOf(value: OracleAnyValue): number {
  if (value.value === 'arrayValue') return 1 + Math.max(0, ...value.arrayValue.values.map(depthOf));
  if (value.value !== 'kvlistValue') return 0;
  return 1 + Math.max(0, ...value.kvlistValue.values.map((item) => (item.value ? depthOf(item.value) : 0)));
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function modelSpan(span: OracleSpan, project: string): ModelSpan {
  const attributes = derive(span.attributes.map(({ key, value }) => [key, toModelValue(value)]));
  const kind = at(attributes, 'openinference', 'span', 'kind');
  const spanKind = Math.max(
    0,
    typeof kind === 'string' ? (SPAN_KINDS as readonly string[]).indexOf(kind.toUpperCase()) : 0,
  );
  const tokens = (name: string) =>
    SPAN_KINDS[spanKind] === 'LLM' ||
    (SPAN_KINDS[spanKind] === 'EMBEDDING' && at(attributes, 'llm', 'token_count', 'prompt') !== undefined)
      ? (integerOf(at(attributes, 'llm', 'token_count', name)) ?? 0n)
      : null;
  return {
    traceId: hex(span.traceId),
    spanId: hex(span.spanId),
    parentSpanId: span.parentSpanId.some((byte) => byte !== 0) ? hex(span.parentSpanId) : null,
    project,
    name: span.name,
    startTimeUnixNano: toBigInt(span.startTimeUnixNano),
    endTimeUnixNano: toBigInt(span.endTimeUnixNano),
    spanKind,
    statusCode: [0, 1, 2].includes(span.status?.code ?? 0) ? (span.status?.code ?? 0) : 0,
    statusMessage: span.status?.message ?? '',
    attributes,
    tokensPrompt: tokens('prompt'),
    tokensCompletion: tokens('completion'),
    events: span.events.length === 0 ? null : span.events.map(modelEvent),
  };
}

function modelEvent({ name, timeUnixNano, attributes }: OracleSpan['events'][number]): ExactJson {
  let flat = new Map<string, ExactJson>();
  for (const { key, value } of attributes) {
    const json = toJson(toModelValue(value));
    if (json !== null) flat.set(key, json);
  }
  if (name === 'exception') {
    const kept = ['exception.message', 'exception.type', 'exception.escaped', 'exception.stacktrace'];
    flat = new Map([['exception.message', ''] as const, ...[...flat].filter(([key]) => kept.includes(key))]);
  }
  return object([
    ['name', name],
    ['time_unix_nano', String(toBigInt(timeUnixNano))],
    ['attributes', object(flat)],
  ]);
}

export function toModelValue(value: OracleAnyValue | null): ModelValue {
  switch (value?.value) {
    case 'stringValue':
      return value.stringValue;
    case 'boolValue':
      return value.boolValue;
    case 'intValue':
      return exact(String(toBigInt(value.intValue)));
    case 'doubleValue':
      return toDouble(value.doubleValue);
    case 'bytesValue':
      return Buffer.from(value.bytesValue).toString('base64');
    case 'arrayValue':
      return value.arrayValue.values.map(toModelValue);
    case 'kvlistValue':
      return { members: value.kvlistValue.values.map((item: OracleKeyValue) => [item.key, toModelValue(item.value)]) };
    default:
      return null;
  }
}

function toDouble(value: number): ModelValue {
  if (!Number.isFinite(value)) return null;
  if (Object.is(value, -0)) return exact('-0.0');
  const text = String(value);
  return exact(Number.isInteger(value) && !text.includes('e') ? `${text}.0` : text);
}

/** A number as `parseExactJson` reads it from this text. */
const exact = (text: string) => parseExactJson(text, { depthMax: 0 }) as number | ExactNumber;

/** The nested map of OTLP attributes. */
function derive(entries: readonly (readonly [string, ModelValue])[]): ExactJsonObject {
  // The last value of a repeated key counts, also when its JSON text is null.
  const last = new Map<string, ModelValue>();
  for (const [key, value] of entries) {
    if (value === null) continue;
    last.delete(canonical(key));
    last.set(canonical(key), value);
  }
  const nested = nest({ members: [...last].map(([key, value]) => [key, decodeValue(key, value)]) });
  const input = at(nested, 'input', 'value');
  if (input !== undefined && typeof input !== 'string' && !isEmpty(input)) {
    const parent = nested.input as ExactJsonObject;
    parent.value = { asJson: input } as never;
    parent.mime_type = 'application/json';
  }
  return nested;
}

const canonical = (key: string) =>
  toSteps(key, KEY_DEPTH_MAX)
    .map(({ name }) => name)
    .join('.');

function decodeValue(key: string, value: ModelValue): ModelValue {
  if (['metadata', 'llm.prompt_template.variables', 'tool.parameters'].some((end) => key.endsWith(end))) {
    if (typeof value !== 'string') return value;
    try {
      return fromJson(parseExactJson(value, { depthMax: VALUE_DEPTH_MAX }));
    } catch {
      return value;
    }
  }
  if (['llm.token_count.prompt', 'llm.token_count.completion', 'llm.token_count.total'].includes(key)) {
    const isNumber = typeof value === 'number' || value instanceof ExactNumber || typeof value === 'string';
    const integer = isNumber ? integerOf(value as ExactJson) : undefined;
    return integer === undefined ? value : exact(String(integer));
  }
  return value;
}

function fromJson(json: ExactJson): ModelValue {
  if (typeof json !== 'object' || json === null || json instanceof ExactNumber) return json;
  if (Array.isArray(json)) return json.map(fromJson);
  return { members: Object.entries(json).map(([key, value]) => [key, fromJson(value)]) };
}

function integerOf(json: ExactJson | undefined): bigint | undefined {
  let integer: bigint | undefined;
  if (json instanceof ExactNumber && /^-?\d+$/.test(json.text)) integer = BigInt(json.text);
  else if (typeof json === 'number' || json instanceof ExactNumber) integer = BigInt(Math.trunc(Number(json)));
  else if (typeof json === 'string' && /^\s*[+-]?\d+\s*$/.test(json)) integer = BigInt(json.trim().replace('+', ''));
  return integer !== undefined && BigInt.asIntN(64, integer) === integer ? integer : undefined;
}

function isEmpty(json: ExactJson): boolean {
  if (json === null || json === false || json === '') return true;
  if (typeof json === 'number' || json instanceof ExactNumber) return Number(json) === 0;
  return typeof json === 'object' && Object.keys(json).length === 0;
}

interface Step {
  readonly name: string;
  readonly isIndex: boolean;
}
const EMPTY = Symbol('an object without members');
type Entry = readonly [readonly Step[], ModelValue | typeof EMPTY];

/** Unflattens an object. */
export function nest(value: ModelObject): ExactJsonObject {
  return buildObject(membersOf([], value));
}

function toSteps(key: string, depthMax: number): Step[] {
  let names = key
    .split('.')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > depthMax) names = [...names.slice(0, depthMax - 1), names.slice(depthMax - 1).join('.')];
  const steps: Step[] = [];
  names.forEach((name, i) => {
    const isIndex = i > 0 && i < names.length - 1 && /^\d+$/.test(name) && !steps[i - 1]!.isIndex;
    steps.push({ name: isIndex ? String(BigInt(name)) : name, isIndex });
  });
  return steps;
}

function membersOf(path: readonly Step[], { members }: ModelObject): Entry[] {
  const lastByKey = new Map<string, Entry[]>();
  for (const [key, value] of members) {
    const steps = toSteps(key, Math.max(1, KEY_DEPTH_MAX - path.length));
    if (steps.length === 0 || value === null) continue;
    const name = steps.map((step) => step.name).join('.');
    lastByKey.delete(name);
    lastByKey.set(name, expand([...path, ...steps], value));
  }
  return [...lastByKey.values()].flat();
}

function expand(path: readonly Step[], value: ModelValue): Entry[] {
  if (Array.isArray(value) && value.length > 0 && value.every(isObject)) {
    return value.flatMap((item, i) => expand([...path, { name: String(i), isIndex: true }], item));
  }
  if (!isObject(value)) return [[path, value]];
  const entries = membersOf(path, value);
  return entries.length > 0 ? entries : [[path, EMPTY]];
}

const isObject = (value: ModelValue): value is ModelObject =>
  typeof value === 'object' && value !== null && 'members' in value;

function buildObject(entries: readonly Entry[]): ExactJsonObject {
  const result: ExactJsonObject = Object.create(null);
  for (const [name, group] of groupByFirst(entries.filter(([path]) => path.length > 0))) put(result, name, group);
  return result;
}

function groupByFirst(entries: readonly Entry[]): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const [[first, ...rest], value] of entries) {
    groups.set(first!.name, [...(groups.get(first!.name) ?? []), [rest, value]]);
  }
  return groups;
}

function put(result: ExactJsonObject, name: string, entries: readonly Entry[]): void {
  const leaves = entries.filter(([path, value]) => path.length === 0 && value !== EMPTY);
  const below = entries.filter(([path]) => path.length > 0);
  const elements = below.filter(([path]) => path[0]!.isIndex);
  const members = below.filter(([path]) => !path[0]!.isIndex);
  if (leaves.length > 0) {
    result[name] = toJson(leaves.at(-1)![1] as ModelValue);
    for (const [child, group] of groupByFirst(below)) put(result, `${name}.${child}`, group);
  } else if (elements.length > 0) {
    const inOrder = [...groupByFirst(elements)].sort(([a], [b]) => (BigInt(a) < BigInt(b) ? -1 : 1));
    result[name] = inOrder.map(([, group]) => buildObject(group));
    for (const [child, group] of groupByFirst(members)) put(result, `${name}.${child}`, group);
  } else if (members.length > 0) result[name] = buildObject(members);
  else result[name] = Object.create(null);
}

function toJson(value: ModelValue): ExactJson {
  if (Array.isArray(value)) return value.map(toJson);
  if (isObject(value)) return object(value.members.map(([key, item]) => [key, toJson(item)]));
  return value;
}

export function object(entries: Iterable<readonly [string, ExactJson]>): ExactJsonObject {
  const result: ExactJsonObject = Object.create(null);
  for (const [key, value] of entries) result[key] = value;
  return result;
}

/** The value at a path of object keys. */
export function at(json: ExactJson, ...path: string[]): ExactJson | undefined {
  let value: ExactJson | undefined = json;
  for (const key of path) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || value instanceof ExactNumber) {
      return undefined;
    }
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  return value;
}
