// biome-ignore-all lint/style/noNonNullAssertion: an index is below the number of keys.
import { type ExactJson, type ExactJsonObject, newJsonObject } from '../../../base/exact-json.ts';
import { OPEN_INFERENCE_NAMES } from '../../../semconv/open-inference.ts';
import { isJsonObject } from '../../../model/spans/nested-attributes.ts';

/** Beginnings of names: what an object has to stand under to be opened. */
const PREFIXES: ReadonlySet<string> = new Set(
  Array.from(OPEN_INFERENCE_NAMES).flatMap((name) => {
    const segments = name.split('.');
    return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('.'));
  }),
);

/** A dotted name, and the column of the attribute that has it. */
export class FlatName {
  readonly name: string;
  readonly column: string;
  /** Whether an object under the name is opened. */
  readonly isOpened: boolean;
  readonly #children = new Map<string, FlatName>();
  /** Children by the bytes of their keys, of which the one after the last found is tried first. */
  readonly #keys: { readonly bytes: Uint8Array; readonly child: FlatName }[] = [];
  #next = 0;
  #opening: Uint8Array | undefined;

  constructor(name: string) {
    this.name = name;
    this.column = `attributes.${name}`;
    this.isOpened = !OPEN_INFERENCE_NAMES.has(name) && PREFIXES.has(name);
  }

  child(key: string): FlatName {
    let child = this.#children.get(key);
    if (!child) {
      child = new FlatName(this.name === '' ? key : `${this.name}.${key}`);
      this.#children.set(key, child);
    }
    return child;
  }

  /** The child of a key in UTF-8 without escapes. */
  childOf(utf8: Uint8Array, start: number, end: number): FlatName {
    const keys = this.#keys;
    for (let count = 0; count < Math.min(keys.length, COMPARED_KEY_COUNT_MAX); count++) {
      const index = (this.#next + count) % keys.length;
      const { bytes, child } = keys[index]!;
      if (!isEqual(bytes, utf8, start, end)) continue;
      this.#next = index + 1;
      return child;
    }
    const bytes = utf8.slice(start, end);
    const child = this.child(Buffer.from(bytes.buffer).toString());
    if (keys.length < COMPARED_KEY_COUNT_MAX) keys.push({ bytes, child });
    return child;
  }

  /** The name as the key of a JSON object, with the colon. */
  get opening(): Uint8Array {
    this.#opening ??= Buffer.from(`${JSON.stringify(this.name)}:`);
    return this.#opening;
  }
}

/** Keys that are compared one by one. Further ones are found as texts. */
const COMPARED_KEY_COUNT_MAX = 32;

function isEqual(key: Uint8Array, utf8: Uint8Array, start: number, end: number): boolean {
  if (key.length !== end - start) return false;
  for (let i = 0; i < key.length; i++) if (key[i] !== utf8[start + i]) return false;
  return true;
}

/**
 * Flattens nested attributes to dotted names if OpenInference defines the names. A value below such a name, or under a
 * name that OpenInference does not define, stays an object, and the names inside it are dotted in the same way. Names are cached for
 * the next attributes, because making them would take most of the time.
 */
export class NameFlattener {
  /** The name of which all others are children. */
  readonly root = new FlatName('');

  /** Calls `visit` with each name and its value. A name that occurs in two forms is visited twice, and the last value counts. */
  flatten(attributes: ExactJsonObject, visit: (name: FlatName, value: ExactJson) => void): void {
    this.#open(this.root, attributes, visit);
  }

  #open(name: FlatName, object: ExactJsonObject, visit: (name: FlatName, value: ExactJson) => void): void {
    for (const key of Object.keys(object)) {
      const child = name.child(key);
      const value = object[key] as ExactJson;
      if (child.isOpened && isJsonObject(value)) this.#open(child, value, visit);
      else visit(child, this.#withFlatNames(value));
    }
  }

  #withFlatNames(value: ExactJson): ExactJson {
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) return value.map((element) => this.#withFlatNames(element));
    if (!isJsonObject(value)) return value;
    const flat = newJsonObject();
    this.#open(this.root, value, ({ name }, inner) => {
      flat[name] = inner;
    });
    return flat;
  }
}

/** The value at a dotted path, whether its dots are nested or not; digits are indices of lists. Undefined when missing. */
export function atDottedPath(value: ExactJson | undefined, segments: readonly string[]): ExactJson | undefined {
  if (segments.length === 0) return value ?? undefined;
  if (Array.isArray(value)) {
    return /^\d+$/.test(segments[0] ?? '') ? atDottedPath(value[Number(segments[0])], segments.slice(1)) : undefined;
  }
  if (!isJsonObject(value)) return undefined;
  for (let count = 1; count <= segments.length; count++) {
    const key = segments.slice(0, count).join('.');
    const found = Object.hasOwn(value, key) ? atDottedPath(value[key], segments.slice(count)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
