import { type ExactJson, type ExactJsonObject, isJsonObject, toExactJsonText } from '../../../base/exact-json.ts';
import { parseExactJson } from '../../../base/parse-exact-json.ts';
import { SpandrelError } from '../../../model/errors.ts';
import { type CellPath, EXAMPLE_FIELDS, type ExampleField } from '../../../model/example-rows.ts';
import {
  EXAMPLE_CELL_DEPTH_MAX,
  EXAMPLE_EXCERPT_CHARS,
  EXAMPLE_KEY_COUNT_MAX,
  EXAMPLE_KEY_DEPTH_MAX,
} from '../../../model/limits/examples.ts';

/** @throws {SpandrelError} `QUERY_INVALID` */
export function checkCellPath([field, ...keys]: readonly string[]): CellPath {
  const known = EXAMPLE_FIELDS.find((name) => name === field);
  if (!known) reject(`A path starts with input, output or metadata, but received ${JSON.stringify(field ?? null)}`);
  if (keys.length > EXAMPLE_CELL_DEPTH_MAX) {
    reject(`A path must have at most ${EXAMPLE_CELL_DEPTH_MAX} keys, but received ${keys.length}`);
  }
  return { field: known, keys };
}

/** The value at a path. Undefined if the content does not have it. */
export function valueAt(value: ExactJson, keys: readonly string[]): ExactJson | undefined {
  let at: ExactJson | undefined = value;
  for (const key of keys) {
    if (Array.isArray(at)) at = /^\d{1,9}$/.test(key) ? at[Number(key)] : undefined;
    else at = isJsonObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
    if (at === undefined) return undefined;
  }
  return at;
}

/**
 * A copy of an object with another value at a path. Missing objects are added.
 *
 * @throws {SpandrelError} `QUERY_INVALID` if a value on the path is not an object or has no such item
 */
export function withValueAt(object: ExactJsonObject, keys: readonly string[], value: ExactJson): ExactJsonObject {
  const changed = replaceAt(object, keys, 0, value);
  if (!isJsonObject(changed)) reject('input, output and metadata must be JSON objects');
  return changed;
}

function replaceAt(at: ExactJson | undefined, keys: readonly string[], depth: number, value: ExactJson): ExactJson {
  const key = keys[depth];
  if (key === undefined) return value;
  if (Array.isArray(at)) {
    const index = /^\d{1,9}$/.test(key) ? Number(key) : -1;
    if (index < 0 || index >= at.length) reject(`The list at ${keys.slice(0, depth).join('.')} has no item ${key}`);
    return at.map((item, place) => (place === index ? replaceAt(item, keys, depth + 1, value) : item));
  }
  if (at !== undefined && !isJsonObject(at)) {
    reject(`The value at ${keys.slice(0, depth).join('.')} is not an object, so it cannot have the key ${key}`);
  }
  const copy: ExactJsonObject = Object.assign(Object.create(null), at);
  copy[key] = replaceAt(Object.hasOwn(copy, key) ? copy[key] : undefined, keys, depth + 1, value);
  return copy;
}

/** The beginning of a value as text: a string as it is, any other value as JSON. Null if there is no value. */
export function toExcerpt(value: ExactJson | undefined): string | null {
  if (value === undefined) return null;
  const text = typeof value === 'string' ? value : toExactJsonText(value);
  return text.slice(0, EXAMPLE_EXCERPT_CHARS);
}

export interface ExampleKey {
  /** The field and the keys below it. */
  readonly path: readonly string[];
  /** Number of sampled examples that have it. */
  readonly count: number;
}

/** Paths of objects in sampled contents, most frequent first. Keys of objects in lists are not included. */
export function listKeys(contents: readonly Readonly<Record<ExampleField, ExactJson>>[]): ExampleKey[] {
  const counts = new Map<string, { path: string[]; count: number }>();
  const collect = (value: ExactJson, path: string[]) => {
    if (!isJsonObject(value) || path.length > EXAMPLE_KEY_DEPTH_MAX) return;
    for (const [key, item] of Object.entries(value)) {
      const below = [...path, key];
      const id = JSON.stringify(below);
      const known = counts.get(id);
      if (known) known.count++;
      else counts.set(id, { path: below, count: 1 });
      collect(item, below);
    }
  };
  for (const content of contents) for (const field of EXAMPLE_FIELDS) collect(content[field], [field]);
  return [...counts.values()].sort((a, b) => b.count - a.count).slice(0, EXAMPLE_KEY_COUNT_MAX);
}

/** Undefined for a text that was cut off. */
export function parseStored(text: string, charsMax: number): ExactJson | undefined {
  if (text.length >= charsMax) return undefined;
  return parseExactJson(text, { depthMax: Number.POSITIVE_INFINITY });
}

function reject(message: string): never {
  throw new SpandrelError('QUERY_INVALID', message);
}
