import { describeType, InputError } from '../../errors.ts';
import { SCHEMA_DEPTH_MAX } from '../limits.ts';
import { type BoundedRegex, compileRegex } from '../regex.ts';
import { checkSchema, TYPES } from './check-schema.ts';
import { jsonDistance } from './json-distance.ts';
import { isObject, type JsonObject, toCanonicalText } from './json-value.ts';

/** Why a value does not fit a schema. */
export interface SchemaProblem {
  /** JSON pointer of the value, empty for the whole. */
  readonly path: string;
  readonly problem: string;
}

/**
 * Checks a value by JSON Schema (draft 2020-12). Keywords that only describe, and `format`, are not checked.
 *
 * @returns the first problem, or undefined when the value fits
 * @throws {ArgumentError} for a schema with a keyword that is not supported
 */
export function findSchemaProblem(schema: unknown, value: unknown): SchemaProblem | undefined {
  checkSchema(schema);
  return checkBySchema(schema, value);
}

/** The same for a schema that `checkSchema` accepted. @throws {InputError} for a reference that leads nowhere or in a circle */
export const checkBySchema = (schema: unknown, value: unknown): SchemaProblem | undefined =>
  new Validation(schema).check(schema, value, '', 0);

type Check = (this: void, context: Context) => string | SchemaProblem | undefined;

interface Context {
  readonly keyword: unknown;
  readonly schema: JsonObject;
  readonly value: unknown;
  readonly path: string;
  /** Checks a value by a schema within this one. */
  readonly within: (schema: unknown, value: unknown, key?: string | number) => SchemaProblem | undefined;
  readonly regexOf: (pattern: string) => BoundedRegex;
}

class Validation {
  readonly #root: unknown;
  readonly #regexes = new Map<string, BoundedRegex>();
  constructor(root: unknown) {
    this.#root = root;
  }

  check(schema: unknown, value: unknown, path: string, depth: number): SchemaProblem | undefined {
    if (schema === true) return undefined;
    if (schema === false) return { path, problem: 'no value is allowed here' };
    if (!isObject(schema))
      throw new InputError(`Expected an object or a boolean as schema, received ${describeType(schema)}.`);
    if (depth > SCHEMA_DEPTH_MAX) {
      throw new InputError(
        `Expected at most ${SCHEMA_DEPTH_MAX} nested schemas, received more. A schema refers to itself.`,
      );
    }
    const within = (inner: unknown, part: unknown, key?: string | number) =>
      this.check(inner, part, key === undefined ? path : `${path}/${toPointer(key)}`, depth + 1);
    const regexOf = (pattern: string) => this.#regexOf(pattern);
    for (const [name, keyword] of Object.entries(schema)) {
      if (name === '$ref') {
        const problem = within(this.#resolve(keyword), value);
        if (problem) return problem;
        continue;
      }
      // Others describe, or belong to a keyword beside them.
      if (!Object.hasOwn(CHECKS, name)) continue;
      const problem = CHECKS[name]?.({ keyword, schema, value, path, within, regexOf });
      if (problem !== undefined) return typeof problem === 'string' ? { path, problem } : problem;
    }
    return undefined;
  }

  #resolve(reference: unknown): unknown {
    if (typeof reference !== 'string' || !/^#(\/|$)/.test(reference)) {
      throw new InputError(`Expected a reference within the schema, as #/$defs/name, received ${String(reference)}.`);
    }
    let found = this.#root;
    for (const key of reference.split('/').slice(1)) {
      const name = decode(key).replaceAll('~1', '/').replaceAll('~0', '~');
      if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) {
        throw new InputError(`The schema has nothing at ${reference}.`);
      }
      found = (found as JsonObject)[name];
    }
    return found;
  }

  #regexOf(pattern: string): BoundedRegex {
    const known = this.#regexes.get(pattern);
    if (known) return known;
    const regex = compileRegex(pattern);
    this.#regexes.set(pattern, regex);
    return regex;
  }
}

/** A part of an address, in which a percent sign without digits is one. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const toPointer = (key: string | number): string => String(key).replaceAll('~', '~0').replaceAll('/', '~1');

const isEqual = (a: unknown, b: unknown): boolean => jsonDistance(a, b) === 0;
const countChars = (text: string): number => Array.from(text).length;

/** A bound of a number: of the value itself, or of one of its sizes. Values of other types always fit. */
const bound =
  (
    sizeOf: (value: unknown) => number | undefined,
    isFine: (size: number, limit: number) => boolean,
    words: string,
  ): Check =>
  ({ keyword, value }) => {
    const size = sizeOf(value);
    return size === undefined || isFine(size, keyword as number)
      ? undefined
      : `expected ${words} ${keyword}, received ${size}`;
  };

const asNumber = (value: unknown) => (typeof value === 'number' ? value : undefined);
const lengthOfText = (value: unknown) => (typeof value === 'string' ? countChars(value) : undefined);
const lengthOfList = (value: unknown) => (Array.isArray(value) ? value.length : undefined);
const countOfKeys = (value: unknown) => (isObject(value) ? Object.keys(value).length : undefined);
const atLeast = (size: number, limit: number) => size >= limit;
const atMost = (size: number, limit: number) => size <= limit;

const CHECKS: Readonly<Record<string, Check>> = {
  type({ keyword, value }) {
    const names = Array.isArray(keyword) ? (keyword as string[]) : [keyword as string];
    if (names.some((name) => TYPES[name]?.(value))) return undefined;
    return `expected ${names.join(' or ')}, received ${describeType(value)}`;
  },
  enum: ({ keyword, value }) =>
    (keyword as unknown[]).some((each) => isEqual(each, value)) ? undefined : 'expected one of the listed values',
  const: ({ keyword, value }) => (isEqual(keyword, value) ? undefined : 'expected the constant'),
  minimum: bound(asNumber, atLeast, 'at least'),
  maximum: bound(asNumber, atMost, 'at most'),
  exclusiveMinimum: bound(asNumber, (size, limit) => size > limit, 'more than'),
  exclusiveMaximum: bound(asNumber, (size, limit) => size < limit, 'less than'),
  multipleOf: bound(asNumber, (size, step) => Math.abs(size / step - Math.round(size / step)) < 1e-9, 'a multiple of'),
  minLength: bound(lengthOfText, atLeast, 'a length of at least'),
  maxLength: bound(lengthOfText, atMost, 'a length of at most'),
  pattern: ({ keyword, value, regexOf }) =>
    typeof value !== 'string' || regexOf(keyword as string).count(value) > 0
      ? undefined
      : `expected a text like ${keyword}`,
  minItems: bound(lengthOfList, atLeast, 'a length of at least'),
  maxItems: bound(lengthOfList, atMost, 'a length of at most'),
  uniqueItems: ({ keyword, value }) =>
    keyword !== true || !Array.isArray(value) || new Set(value.map(toCanonicalText)).size === value.length
      ? undefined
      : 'expected different items',
  prefixItems: ({ keyword, value, within }) =>
    Array.isArray(value)
      ? first((keyword as unknown[]).slice(0, value.length), (schema, index) => within(schema, value[index], index))
      : undefined,
  items({ keyword, schema, value, within }) {
    if (!Array.isArray(value)) return undefined;
    const start = Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
    return first(value.slice(start), (item, index) => within(keyword, item, start + index));
  },
  contains({ keyword, schema, value, within }) {
    if (!Array.isArray(value)) return undefined;
    const { minContains = 1, maxContains = value.length } = schema as { minContains?: number; maxContains?: number };
    const count = value.filter((item) => !within(keyword, item)).length;
    return count >= minContains && count <= maxContains ? undefined : `${count} items fit contains`;
  },
  required({ keyword, value }) {
    if (!isObject(value)) return undefined;
    const missing = (keyword as string[]).find((key) => !Object.hasOwn(value, key));
    return missing === undefined ? undefined : `the key '${missing}' is missing`;
  },
  dependentRequired({ keyword, value }) {
    if (!isObject(value)) return undefined;
    for (const [key, needed] of Object.entries(keyword as Record<string, string[]>)) {
      const missing = Object.hasOwn(value, key) ? needed.find((other) => !Object.hasOwn(value, other)) : undefined;
      if (missing !== undefined) return `the key '${missing}' is missing, which '${key}' needs`;
    }
    return undefined;
  },
  properties: ({ keyword, value, within }) =>
    isObject(value)
      ? first(Object.entries(keyword as JsonObject), ([key, schema]) =>
          Object.hasOwn(value, key) ? within(schema, value[key], key) : undefined,
        )
      : undefined,
  patternProperties: ({ keyword, value, within, regexOf }) =>
    isObject(value)
      ? first(Object.entries(keyword as JsonObject), ([pattern, schema]) =>
          first(Object.keys(value), (key) =>
            regexOf(pattern).count(key) > 0 ? within(schema, value[key], key) : undefined,
          ),
        )
      : undefined,
  additionalProperties({ keyword, schema, value, within, regexOf }) {
    if (!isObject(value)) return undefined;
    const { properties = {}, patternProperties = {} } = schema as Record<string, JsonObject>;
    const patterns = Object.keys(patternProperties).map(regexOf);
    const others = Object.keys(value).filter(
      (key) => !Object.hasOwn(properties, key) && !patterns.some((pattern) => pattern.count(key) > 0),
    );
    if (keyword === false && others.length > 0) return `the key '${others[0]}' is not allowed`;
    return first(others, (key) => within(keyword, value[key], key));
  },
  propertyNames: ({ keyword, value, within }) =>
    isObject(value) ? first(Object.keys(value), (key) => within(keyword, key)) : undefined,
  minProperties: bound(countOfKeys, atLeast, 'a number of keys of at least'),
  maxProperties: bound(countOfKeys, atMost, 'a number of keys of at most'),
  allOf: ({ keyword, value, within }) => first(keyword as unknown[], (schema) => within(schema, value)),
  anyOf: ({ keyword, value, within }) =>
    (keyword as unknown[]).some((schema) => !within(schema, value)) ? undefined : 'expected a value that fits anyOf',
  oneOf({ keyword, value, within }) {
    const count = (keyword as unknown[]).filter((schema) => !within(schema, value)).length;
    return count === 1 ? undefined : `expected a value that fits one schema of oneOf, received one that fits ${count}`;
  },
  not: ({ keyword, value, within }) => (within(keyword, value) ? undefined : 'expected a value that does not fit not'),
  if({ keyword, schema, value, within }) {
    const branch = within(keyword, value) ? schema.else : schema.then;
    return branch === undefined ? undefined : within(branch, value);
  },
};

/** The first problem of the items. */
function first<Item>(
  items: readonly Item[],
  check: (item: Item, index: number) => SchemaProblem | undefined,
): SchemaProblem | undefined {
  for (const [index, item] of items.entries()) {
    const problem = check(item, index);
    if (problem) return problem;
  }
  return undefined;
}
