/**
 * Flattens nested attributes for output. Objects become dotted keys. A list that contains an object becomes indexed
 * keys, and its other elements are lost. Other lists remain. Nulls and empty objects are dropped.
 *
 * @param parts JSON object texts whose union is the attribute map, as in `Span.attributeParts`; a later part wins
 * @returns JSON text of each value by its key, with numbers as they were written
 */
export function flattenAttributes(parts: readonly string[]): Map<string, string> {
  const flat = new Map<string, string>();
  for (const part of parts) {
    const start = skipBlanks(part, 0);
    if (part.charCodeAt(start) === OPEN_OBJECT) flattenObject(part, start, '', flat);
  }
  return flat;
}

/** JSON object text of flat attributes. */
export function toFlatJson(flat: ReadonlyMap<string, string>): string {
  let json = '';
  for (const [key, value] of flat) json += `${json === '' ? '' : ','}${JSON.stringify(key)}:${value}`;
  return `{${json}}`;
}

/**
 * JSON list text of flat attributes as OTLP key-value pairs in snake case. Every field of a value is present, and all
 * but one are null. A list keeps its element type if it has one; the elements of a mixed list become texts. Objects
 * cannot be represented.
 */
export function toOtlpAttributes(flat: ReadonlyMap<string, string>): string {
  let json = '';
  for (const [key, value] of flat) {
    json += `${json === '' ? '' : ','}{"key":${JSON.stringify(key)},"value":${toAnyValue(value)}}`;
  }
  return `[${json}]`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const COMMA = 0x2c;
const SMALL_N = 0x6e;

/** Adds the members of the object at `start`. Returns the position after it. */
function flattenObject(json: string, start: number, prefix: string, flat: Map<string, string>): number {
  let at = skipBlanks(json, start + 1);
  while (json.charCodeAt(at) === QUOTE) {
    const keyEnd = skipString(json, at);
    const key = prefix + toText(json, at, keyEnd);
    // Skips the colon.
    at = flattenValue(json, skipBlanks(json, skipBlanks(json, keyEnd) + 1), key, flat);
    at = skipBlanks(json, at);
    if (json.charCodeAt(at) === COMMA) at = skipBlanks(json, at + 1);
  }
  return at + 1;
}

function flattenValue(json: string, start: number, key: string, flat: Map<string, string>): number {
  const sign = json.charCodeAt(start);
  if (sign === OPEN_OBJECT) return flattenObject(json, start, `${key}.`, flat);
  if (sign === OPEN_LIST) return flattenList(json, start, key, flat);
  const end = skipValue(json, start);
  if (sign !== SMALL_N) flat.set(key, json.slice(start, end));
  return end;
}

function flattenList(json: string, start: number, key: string, flat: Map<string, string>): number {
  const elements: number[] = [];
  let at = skipBlanks(json, start + 1);
  while (at < json.length && json.charCodeAt(at) !== CLOSE_LIST) {
    elements.push(at);
    at = skipBlanks(json, skipValue(json, at));
    if (json.charCodeAt(at) === COMMA) at = skipBlanks(json, at + 1);
  }
  const end = at + 1;
  if (!elements.some((element) => json.charCodeAt(element) === OPEN_OBJECT)) {
    flat.set(key, json.slice(start, end));
    return end;
  }
  for (const [index, element] of elements.entries()) {
    if (json.charCodeAt(element) === OPEN_OBJECT) flattenObject(json, element, `${key}.${index}.`, flat);
  }
  return end;
}

function skipBlanks(json: string, start: number): number {
  let at = start;
  for (;;) {
    const code = json.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at++;
  }
}

/** Position after the string that starts at `start`. */
function skipString(json: string, start: number): number {
  let quote = json.indexOf('"', start + 1);
  while (quote >= 0 && isEscaped(json, quote)) quote = json.indexOf('"', quote + 1);
  return quote < 0 ? json.length : quote + 1;
}

function isEscaped(json: string, at: number): boolean {
  let first = at;
  while (json.charCodeAt(first - 1) === BACKSLASH) first--;
  return (at - first) % 2 === 1;
}

/** Position after the value that starts at `start`. */
function skipValue(json: string, start: number): number {
  let depth = 0;
  for (let at = start; at < json.length; ) {
    const code = json.charCodeAt(at);
    if (code === QUOTE) {
      at = skipString(json, at);
      if (depth === 0) return at;
    } else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      depth++;
      at++;
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) {
      if (depth === 0) return at;
      depth--;
      at++;
      if (depth === 0) return at;
    } else if (depth === 0 && (code === COMMA || code <= 0x20)) return at;
    else at++;
  }
  return json.length;
}

const toText = (json: string, start: number, end: number): string => {
  const inner = json.slice(start + 1, end - 1);
  return inner.includes('\\') ? JSON.parse(json.slice(start, end)) : inner;
};

type ValueType = 'array_value' | 'bool_value' | 'double_value' | 'int_value' | 'string_value' | 'none';

function typeOf(json: string): ValueType {
  switch (json[0]) {
    case '"':
      return 'string_value';
    case 't':
    case 'f':
      return 'bool_value';
    case '[':
      return 'array_value';
    case '{':
    case 'n':
      return 'none';
    default:
      return /[.eE]/.test(json) ? 'double_value' : 'int_value';
  }
}

const toAnyValue = (json: string): string => {
  const type = typeOf(json);
  return anyValue(type, type === 'array_value' ? `{"values":[${toListValues(json)}]}` : json);
};

function toListValues(json: string): string {
  const elements = elementsOf(json);
  // A list inside a list becomes text, so it counts as text.
  const types = new Set(elements.map((element) => toElementType(typeOf(element))));
  types.delete('none');
  return elements
    .map((element) => {
      const type = typeOf(element);
      if (type === 'none') return anyValue('none', '');
      if (types.size === 1 && type !== 'array_value') return anyValue(type, element);
      return anyValue('string_value', type === 'string_value' ? element : JSON.stringify(element));
    })
    .join(',');
}

const toElementType = (type: ValueType): ValueType => (type === 'array_value' ? 'string_value' : type);

function elementsOf(json: string): string[] {
  const elements: string[] = [];
  let at = skipBlanks(json, 1);
  while (at < json.length && json.charCodeAt(at) !== CLOSE_LIST) {
    const end = skipValue(json, at);
    elements.push(json.slice(at, end));
    at = skipBlanks(json, end);
    if (json.charCodeAt(at) === COMMA) at = skipBlanks(json, at + 1);
  }
  return elements;
}

/** Message AnyValue with one field, which has this JSON text. */
function anyValue(type: ValueType, json: string): string {
  const of = (field: ValueType) => (field === type ? json : 'null');
  return (
    `{"array_value":${of('array_value')},"bool_value":${of('bool_value')},"bytes_value":null,` +
    `"double_value":${of('double_value')},"int_value":${of('int_value')},"kvlist_value":null,` +
    `"string_value":${of('string_value')}}`
  );
}
