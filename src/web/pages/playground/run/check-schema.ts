import { isObject, type Json, type JsonObject } from '../../../../semconv/read-open-inference.ts';
import { parseJson } from '../../../components/prompt/variant/variant.ts';

/** Whether an output is JSON of its schema. `unchecked` names keywords of the schema that the page does not check. */
export type SchemaVerdict =
  | { readonly type: 'notJson' }
  | { readonly type: 'valid'; readonly unchecked: readonly string[] }
  | { readonly type: 'invalid'; readonly problems: readonly string[] };

/** Steps of a check, so that no schema of a prompt can hold the page. */
const STEP_COUNT_MAX = 50_000;
/** Deeper schemas, and those that refer to themselves without end, would overflow the stack. */
const DEPTH_MAX = 200;
const PROBLEM_COUNT_MAX = 5;

/**
 * Checks an output against a response schema. The policy of the page allows no generated code, and patterns of a schema
 * could take endless time, so both are left to the server.
 */
export function checkOutput(text: string, schema: Json | undefined): SchemaVerdict {
  const value = parseJson(text);
  if (value === undefined) return { type: 'notJson' };
  if (!isObject(schema)) return { type: 'valid', unchecked: [] };
  const check = new Check(schema);
  check.value(value, schema, '');
  return check.problems.length > 0
    ? { type: 'invalid', problems: check.problems.slice(0, PROBLEM_COUNT_MAX) }
    : { type: 'valid', unchecked: [...check.unchecked] };
}

const KNOWN: ReadonlySet<string> = new Set([
  ...['$schema', '$id', '$defs', 'definitions', '$ref', '$comment', 'title', 'description', 'default', 'examples'],
  ...['type', 'enum', 'const', 'properties', 'required', 'additionalProperties', 'items', 'minItems', 'maxItems'],
  ...['minLength', 'maxLength', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['anyOf', 'oneOf', 'allOf', 'not', 'nullable'],
]);

class Check {
  problems: string[] = [];
  readonly unchecked = new Set<string>();
  readonly #root: JsonObject;
  #steps = 0;
  #depth = 0;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  value(value: Json, schema: Json, path: string): void {
    if (++this.#steps > STEP_COUNT_MAX || this.#depth >= DEPTH_MAX) {
      this.unchecked.add('parts that are too large or too deep');
      return;
    }
    this.#depth++;
    this.#keywords(value, schema, path);
    this.#depth--;
  }

  #keywords(value: Json, schema: Json, path: string): void {
    if (schema === false) this.#reject(path, 'is not allowed');
    if (!isObject(schema)) return;
    for (const keyword of Object.keys(schema)) if (!KNOWN.has(keyword)) this.unchecked.add(keyword);
    const { $ref: ref, type, enum: values, const: only } = schema;
    if (typeof ref === 'string') this.#reference(value, ref, path);
    if (type !== undefined && !hasType(value, type)) {
      this.#reject(path, `is ${typeName(value)} instead of ${Array.isArray(type) ? type.join(' or ') : String(type)}`);
    }
    if (Array.isArray(values) && !values.some((each) => isSame(each, value))) {
      this.#reject(
        path,
        `is none of ${values
          .map((each) => JSON.stringify(each))
          .join(', ')
          .slice(0, 120)}`,
      );
    }
    if (only !== undefined && !isSame(only, value)) this.#reject(path, `is not ${JSON.stringify(only).slice(0, 60)}`);
    if (typeof value === 'string' || typeof value === 'number') this.#bounds(value, schema, path);
    if (Array.isArray(value)) this.#list(value, schema, path);
    else if (isObject(value)) this.#object(value, schema, path);
    this.#combinations(value, schema, path);
  }

  #reject(path: string, problem: string): void {
    if (this.problems.length < 100) this.problems.push(`${path === '' ? 'The value' : path} ${problem}`);
  }

  #reference(value: Json, ref: string, path: string): void {
    if (!ref.startsWith('#')) {
      this.unchecked.add('$ref to another document');
      return;
    }
    let target: Json | undefined = this.#root;
    for (const part of ref
      .slice(1)
      .split('/')
      .filter((each) => each !== '')) {
      const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
      target = isObject(target) && Object.hasOwn(target, key) ? target[key] : undefined;
    }
    if (target !== undefined && path.length < 2_000) this.value(value, target, path);
  }

  #bounds(value: string | number, schema: JsonObject, path: string): void {
    const size = typeof value === 'string' ? [...value].length : value;
    const [min, max] =
      typeof value === 'string' ? [schema.minLength, schema.maxLength] : [schema.minimum, schema.maximum];
    const unit = typeof value === 'string' ? 'has a length' : 'is';
    if (typeof min === 'number' && size < min) this.#reject(path, `${unit} below ${min}`);
    if (typeof max === 'number' && size > max) this.#reject(path, `${unit} above ${max}`);
    if (typeof value === 'string') return;
    const { exclusiveMinimum: above, exclusiveMaximum: below } = schema;
    if (typeof above === 'number' && value <= above) this.#reject(path, `is not above ${above}`);
    if (typeof below === 'number' && value >= below) this.#reject(path, `is not below ${below}`);
  }

  #list(value: readonly Json[], { items, minItems, maxItems }: JsonObject, path: string): void {
    if (typeof minItems === 'number' && value.length < minItems) this.#reject(path, `has fewer than ${minItems} items`);
    if (typeof maxItems === 'number' && value.length > maxItems) this.#reject(path, `has more than ${maxItems} items`);
    if (items === undefined) return;
    for (const [index, item] of value.entries()) this.value(item, items, `${path}[${index}]`);
  }

  #object(value: JsonObject, { properties, required, additionalProperties }: JsonObject, path: string): void {
    const known: JsonObject = isObject(properties) ? properties : {};
    if (Array.isArray(required)) {
      for (const name of required) {
        if (typeof name === 'string' && !Object.hasOwn(value, name)) this.#reject(path, `lacks ${name}`);
      }
    }
    for (const [name, item] of Object.entries(value)) {
      const at = path === '' ? name : `${path}.${name}`;
      if (Object.hasOwn(known, name)) this.value(item, known[name]!, at);
      else if (additionalProperties === false) this.#reject(at, 'is not in the schema');
      else if (isObject(additionalProperties)) this.value(item, additionalProperties, at);
    }
  }

  #combinations(value: Json, { anyOf, oneOf, allOf, not }: JsonObject, path: string): void {
    if (Array.isArray(allOf)) for (const each of allOf) this.value(value, each, path);
    for (const [list, name] of [
      [anyOf, 'anyOf'],
      [oneOf, 'oneOf'],
    ] as const) {
      if (!Array.isArray(list)) continue;
      const count = list.filter((each) => this.#fits(value, each, path)).length;
      if (count === 0 || (name === 'oneOf' && count > 1)) this.#reject(path, `matches ${count} schemas of ${name}`);
    }
    if (not !== undefined && this.#fits(value, not, path))
      this.#reject(path, 'matches a schema that it must not match');
  }

  #fits(value: Json, schema: Json, path: string): boolean {
    const before = this.problems;
    this.problems = [];
    this.value(value, schema, path);
    const fits = this.problems.length === 0;
    this.problems = before;
    return fits;
  }
}

function hasType(value: Json, type: Json): boolean {
  if (Array.isArray(type)) return type.some((each) => hasType(value, each));
  switch (type) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'null':
      return value === null;
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}

const typeName = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

const isSame = (left: Json, right: Json): boolean =>
  left === right || (typeof left === 'object' && JSON.stringify(left) === JSON.stringify(right));
